//! Whether the fleet kept its promises: the stream as an independent reader found it, against what the processes said.
//! Pure.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use super::journal::{Moment, Said};
use crate::orders::Record;

/// What the comparison found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// Records that the service acknowledged.
    pub put: usize,
    /// Records that are in the stream.
    pub stored: usize,
    /// Of these, records that were handled.
    pub handled: usize,
    /// Records that are in the stream and were never handled.
    pub lost: usize,
    /// Handlings that began before an earlier record of their customer had been done with once.
    pub out_of_order: usize,
    /// Records that were begun twice, none of it by a process that was killed: leases moved from one living process to another.
    pub twice: usize,
    /// Records that were begun by a process that was killed, and again by its successor.
    pub again: usize,
    /// Handlings of something that is not in the stream.
    pub unknown: usize,
}

impl Verdict {
    /// Whether everything that was promised held. What a killed process had begun may come again.
    pub fn holds(&self) -> bool {
        self.put == self.stored
            && self.lost == 0
            && self.out_of_order == 0
            && self.twice == 0
            && self.unknown == 0
    }
}

/// All that was said of one record: by whom, and when it was done with first.
#[derive(Debug, Default)]
struct Told<'a> {
    begins: Vec<(u128, &'a str)>,
    done: Option<u128>,
}

/// `stored` is in the order of the stream, each shard after its parents.
pub(crate) fn judge(
    put: usize,
    stored: &[Record],
    said: &[(String, Said)],
    killed: &BTreeSet<String>,
) -> Verdict {
    let mut told: BTreeMap<(&str, u64), Told<'_>> = BTreeMap::new();
    for (who, word) in said {
        let told = told.entry((&word.customer, word.id)).or_default();
        match word.moment {
            Moment::Begin => told.begins.push((word.at, who)),
            Moment::End => told.done = Some(told.done.map_or(word.at, |done| done.min(word.at))),
        }
    }
    let mut verdict = Verdict {
        put,
        stored: stored.len(),
        ..Verdict::default()
    };
    // When everything of a customer so far was done with.
    let mut done: BTreeMap<&str, u128> = BTreeMap::new();
    for record in stored {
        let Some(told) = told.remove(&(&*record.key, record.id)) else {
            verdict.lost += 1;
            continue;
        };
        let before = done.entry(&record.key).or_default();
        verdict.out_of_order += told.begins.iter().filter(|(at, _)| at < before).count();
        match told.done {
            None => verdict.lost += 1,
            Some(at) => {
                verdict.handled += 1;
                *before = at.max(*before);
            }
        }
        if told.begins.len() > 1 {
            let by_a_dead = told.begins.iter().any(|(_, who)| killed.contains(*who));
            let count = if by_a_dead {
                &mut verdict.again
            } else {
                &mut verdict.twice
            };
            *count += 1;
        }
    }
    verdict.unknown = told.len();
    verdict
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [
            (self.put, "put"),
            (self.stored, "in the stream, as another reader finds it"),
            (self.handled, "handled"),
            (self.lost, "lost"),
            (self.out_of_order, "out of order"),
            (self.twice, "handled twice in moves between the living"),
            (self.again, "begun by the killed, and again by others"),
            (self.unknown, "handled and never put"),
        ];
        for (count, what) in lines {
            writeln!(f, "{count:>8} {what}")?;
        }
        f.write_str(if self.holds() { "PASSED" } else { "FAILED" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::Topic;

    fn record(id: u64) -> Record {
        Record {
            topic: Topic::Orders,
            key: "ada".into(),
            shard: "s".into(),
            sequence: id.to_string(),
            id,
        }
    }

    /// A handling of a record by somebody, from one time to another.
    fn handled(who: &str, id: u64, from: u128, to: Option<u128>) -> Vec<(String, Said)> {
        let said = |moment, at| {
            let customer = "ada".to_owned();
            (
                who.to_owned(),
                Said {
                    moment,
                    at,
                    customer,
                    id,
                },
            )
        };
        let begin = said(Moment::Begin, from);
        [Some(begin), to.map(|at| said(Moment::End, at))]
            .into_iter()
            .flatten()
            .collect()
    }

    fn verdict(said: &[Vec<(String, Said)>]) -> Verdict {
        let killed = ["dead".to_owned()].into();
        judge(2, &[record(0), record(1)], &said.concat(), &killed)
    }

    #[test]
    fn what_is_handled_once_and_in_order_holds() {
        let good = verdict(&[handled("a", 0, 1, Some(2)), handled("b", 1, 3, Some(4))]);
        assert!(good.holds() && good.handled == 2, "{good}");
    }

    #[test]
    fn what_the_killed_had_begun_may_come_again_and_nothing_else() {
        let again = |who| {
            verdict(&[
                handled(who, 0, 1, None),
                handled("b", 0, 3, Some(4)),
                handled("b", 1, 5, Some(6)),
            ])
        };
        let (dead, living) = (again("dead"), again("a"));
        assert!(dead.holds() && dead.again == 1, "{dead}");
        assert!(!living.holds() && living.twice == 1, "{living}");
    }

    #[test]
    fn what_is_missing_early_or_made_up_fails() {
        let lost = verdict(&[handled("a", 0, 1, Some(2))]);
        assert_eq!((lost.lost, lost.holds()), (1, false));
        let unfinished = verdict(&[handled("a", 0, 1, Some(2)), handled("a", 1, 3, None)]);
        assert_eq!((unfinished.lost, unfinished.holds()), (1, false));
        let early = verdict(&[handled("a", 0, 1, Some(4)), handled("b", 1, 3, Some(5))]);
        assert_eq!((early.out_of_order, early.holds()), (1, false));
        let made_up = verdict(&[
            handled("a", 0, 1, Some(2)),
            handled("a", 1, 3, Some(4)),
            handled("a", 7, 5, Some(6)),
        ]);
        assert_eq!((made_up.unknown, made_up.holds()), (1, false));
    }
}
