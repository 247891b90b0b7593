//! Which leases are dead: what an observer makes of two readings of a row, by his own clock alone.

use std::{collections::BTreeMap, time::Duration};

use tokio::time::Instant;

use super::row::LeaseRow;

/// What one instance saw of the rows that others hold.
#[derive(Debug, Default)]
pub(crate) struct Observations {
    held: BTreeMap<String, Observation>,
    /// Of free rows, who was seen to hold them last.
    left_by: BTreeMap<String, String>,
}

#[derive(Debug)]
struct Observation {
    session: String,
    counter: u64,
    first_answer: Instant,
}

/// Whether a lease may be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Liveness {
    /// Nobody holds it.
    Free,
    /// Its row stood still for a lease duration.
    Dead,
    /// Its holder wrote between the last reading and this one.
    Moving,
    /// Its row was not watched for long enough: of a holder seen for the first time, or standing still.
    Watched,
}

impl Observations {
    /// Takes in a reading of a row, which was asked for at `sent` and answered at `answered`.
    ///
    /// The wait runs from the answer of the first reading to the sending of this one, so that a slow answer makes nobody look dead. It
    /// is the longer of the holder's lease duration and ours.
    pub(crate) fn observe(
        &mut self,
        row: &LeaseRow,
        sent: Instant,
        answered: Instant,
        ours: Duration,
    ) -> Liveness {
        let Some(holder) = &row.holder else {
            if let Some(seen) = self.held.remove(&row.key) {
                self.left_by.insert(row.key.clone(), seen.session);
            }
            return Liveness::Free;
        };
        self.left_by.remove(&row.key);
        let wait = holder.lease_duration.max(ours);
        let now = Observation {
            session: holder.session.clone(),
            counter: row.counter,
            first_answer: answered,
        };
        match self.held.get_mut(&row.key) {
            Some(seen) if seen.session != now.session => {
                // Whoever it was granted to did not write that himself, and may be dead.
                *seen = now;
                Liveness::Watched
            }
            Some(seen) if seen.counter != now.counter => {
                *seen = now;
                Liveness::Moving
            }
            Some(seen) if sent.saturating_duration_since(seen.first_answer) >= wait => {
                Liveness::Dead
            }
            Some(_) => Liveness::Watched,
            None => {
                self.held.insert(row.key.clone(), now);
                Liveness::Watched
            }
        }
    }

    /// Who held a free lease last, if it was seen: whoever gave it back does not want it.
    pub(crate) fn left_by(&self, key: &str) -> Option<&str> {
        self.left_by.get(key).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leases::row::Holder;

    const LEASE: Duration = Duration::from_secs(10);

    fn row(counter: u64, session: Option<&str>) -> LeaseRow {
        let holder = session.map(|session| Holder {
            owner_id: "other".into(),
            session: session.into(),
            lease_duration: LEASE,
        });
        LeaseRow {
            key: "k".into(),
            shard_id: "s".into(),
            parents: vec![],
            holder,
            wanted_by: None,
            counter,
            checkpoint: None,
            generation: 0,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_is_dead_when_its_row_stood_still_for_its_duration() {
        let mut seen = Observations::default();
        let start = Instant::now();
        let mut look = |at: u64, counter| {
            let at = start + Duration::from_secs(at);
            seen.observe(&row(counter, Some("a")), at, at, LEASE)
        };
        assert_eq!(
            look(0, 1),
            Liveness::Watched,
            "it may have stopped just before"
        );
        assert_eq!(look(9, 1), Liveness::Watched);
        assert_eq!(look(10, 1), Liveness::Dead);
        assert_eq!(
            look(11, 2),
            Liveness::Moving,
            "a counter that moves is a life"
        );
        assert_eq!(look(20, 2), Liveness::Watched);
        assert_eq!(look(21, 2), Liveness::Dead);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_answer_makes_nobody_look_dead() {
        let mut seen = Observations::default();
        let start = Instant::now();
        assert_eq!(
            seen.observe(&row(1, Some("a")), start, start + 5 * LEASE / 10, LEASE),
            Liveness::Watched
        );
        let sent = start + LEASE;
        assert_eq!(
            seen.observe(&row(1, Some("a")), sent, sent + 10 * LEASE, LEASE),
            Liveness::Watched
        );
    }

    #[tokio::test(start_paused = true)]
    async fn an_observer_waits_for_the_longer_of_two_lease_durations() {
        let mut seen = Observations::default();
        let start = Instant::now();
        seen.observe(&row(1, Some("a")), start, start, LEASE / 5);
        let later = start + LEASE / 2;
        assert_eq!(
            seen.observe(&row(1, Some("a")), later, later, LEASE / 5),
            Liveness::Watched
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_released_lease_is_free_at_once() {
        let mut seen = Observations::default();
        let now = Instant::now();
        seen.observe(&row(1, Some("a")), now, now, LEASE);
        assert_eq!(seen.observe(&row(2, None), now, now, LEASE), Liveness::Free);
        assert_eq!(seen.left_by("k"), Some("a"));
        seen.observe(&row(3, Some("b")), now, now, LEASE);
        assert_eq!(seen.left_by("k"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn only_a_write_of_the_holder_that_was_seen_before_moves_a_row() {
        let mut seen = Observations::default();
        let now = Instant::now();
        let mut look = |counter, session| seen.observe(&row(counter, session), now, now, LEASE);
        assert_eq!(look(1, Some("a")), Liveness::Watched);
        assert_eq!(look(1, Some("a")), Liveness::Watched, "it stands still");
        assert_eq!(look(2, Some("a")), Liveness::Moving);
        assert_eq!(look(2, Some("a")), Liveness::Watched);
        assert_eq!(
            look(3, Some("b")),
            Liveness::Watched,
            "`a` may have written that"
        );
        assert_eq!(look(4, Some("b")), Liveness::Moving);
        assert_eq!(look(5, None), Liveness::Free);
        assert_eq!(
            look(6, Some("b")),
            Liveness::Watched,
            "it was free in between"
        );
    }
}
