//! Leases whose takes were carried out and never answered.

use std::{collections::BTreeMap, time::Duration};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use crate::planted::{Bug, planted};

/// How often each lease was tried in a row without an answer, and when the last time was.
///
/// Writes that arrive and answers that do not would keep a row alive that nobody works for: every try moves its counter, so nobody else
/// may take it. After two of them the row is left alone for long enough that others can see it stand still.
#[derive(Debug, Default)]
pub(crate) struct Doubts(BTreeMap<String, Doubt>);

#[derive(Debug)]
struct Doubt {
    tries: u32,
    last: Instant,
}

impl Doubts {
    /// A try has ended, and nobody knows how.
    pub(crate) fn add(&mut self, shard_id: &str, now: Instant) {
        let doubt = self.0.entry(shard_id.to_owned());
        let doubt = doubt.or_insert(Doubt {
            tries: 0,
            last: now,
        });
        doubt.tries += 1;
        doubt.last = now;
    }

    /// The store has answered.
    pub(crate) fn end(&mut self, shard_id: &str) {
        self.0.remove(shard_id);
    }

    /// Whether a row that carries this process's session, and no reader, is to be left to others for now.
    pub(crate) fn keep_away(&self, shard_id: &str, now: Instant, lease_duration: Duration) -> bool {
        self.0.get(shard_id).is_some_and(|doubt| {
            doubt.tries >= defaults::DOUBTFUL_TRIES
                && !planted(Bug::NoDoubt)
                && now.saturating_duration_since(doubt.last)
                    < lease_duration * defaults::DOUBTFUL_LEASE_DURATIONS
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(10);

    #[test]
    fn a_lease_that_is_tried_in_vain_twice_is_left_alone_until_others_could_take_it() {
        let mut doubts = Doubts::default();
        let now = Instant::now();
        doubts.add("s", now);
        assert!(!doubts.keep_away("s", now, LEASE), "one answer may be lost");
        doubts.add("s", now);
        assert!(doubts.keep_away("s", now + LEASE * 3 - Duration::from_millis(1), LEASE));
        assert!(!doubts.keep_away("s", now + LEASE * 3, LEASE));
        doubts.add("s", now + LEASE * 3);
        assert!(
            doubts.keep_away("s", now + LEASE * 5, LEASE),
            "each time again"
        );
        assert!(!doubts.keep_away("other", now, LEASE));
    }

    #[test]
    fn an_answer_ends_the_doubt() {
        let mut doubts = Doubts::default();
        let now = Instant::now();
        doubts.add("s", now);
        doubts.end("s");
        doubts.add("s", now);
        assert!(!doubts.keep_away("s", now, LEASE));
    }
}
