//! What was handled against what the stream holds. Pure: it knows nothing of the application but its journal.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use super::{
    app::{Handled, MARKER},
    reader::Stored,
};

/// What became of the jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Jobs of the backlog that were replayed.
    pub replayed: usize,
    /// Jobs of the backlog that the jump left out.
    pub left_out: usize,
    /// Jobs that were put after the jump.
    pub followed: usize,
    /// What should not be.
    pub faults: Vec<String>,
}

impl Verdict {
    /// Whether everything is as it should be.
    pub fn holds(&self) -> bool {
        self.faults.is_empty()
    }
}

/// `backlog` jobs, numbered from 0, were there before the jump; those with higher numbers came after it.
pub fn judge(stored: &[Stored], handled: &[Handled], backlog: u32) -> Verdict {
    let mut verdict = Verdict::default();
    let places: BTreeMap<(&str, &str), &Stored> = stored
        .iter()
        .map(|record| ((&*record.shard, &*record.sequence), record))
        .collect();
    let mut times: BTreeMap<u32, u32> = BTreeMap::new();
    let mut last: BTreeMap<&str, &Stored> = BTreeMap::new();
    let order: BTreeMap<(&str, &str), usize> = (0..)
        .zip(stored)
        .map(|(place, record)| ((&*record.shard, &*record.sequence), place))
        .collect();
    let place = |record: &Stored| order[&(&*record.shard, &*record.sequence)];
    for entry in handled {
        let Some(record) = places.get(&(&*entry.shard, &*entry.sequence)) else {
            verdict
                .faults
                .push(format!("{entry:?} is not in the stream"));
            continue;
        };
        *times.entry(record.id).or_default() += 1;
        if let Some(before) = last.insert(&record.key, record)
            && place(before) > place(record)
        {
            verdict.faults.push(format!(
                "job {} came after job {} of the same key",
                record.id, before.id
            ));
        }
    }
    let marker = stored.iter().find(|record| record.id == MARKER);
    let Some(marker) = marker.filter(|marker| times.contains_key(&marker.id)) else {
        verdict.faults.push("the marker was not handled".into());
        return verdict;
    };
    let mut gaps = BTreeSet::new();
    for record in stored {
        let count = times.get(&record.id).copied().unwrap_or(0);
        if count > 1 {
            verdict
                .faults
                .push(format!("job {} was handled {count} times", record.id));
        }
        let is_handled = count > 0;
        if record.id >= backlog {
            verdict.followed += usize::from(is_handled);
            if !is_handled {
                verdict.faults.push(format!(
                    "job {} came after the jump and was lost",
                    record.id
                ));
            }
            continue;
        }
        verdict.replayed += usize::from(is_handled);
        verdict.left_out += usize::from(!is_handled);
        // A key's jobs are replayed up to a point and left out from there.
        if !is_handled {
            gaps.insert(&*record.key);
        } else if gaps.contains(&*record.key) {
            verdict.faults.push(format!(
                "an earlier job of the key of job {} is missing",
                record.id
            ));
        }
        let behind = record.key == marker.key && place(record) > place(marker);
        if behind && is_handled {
            verdict.faults.push(format!(
                "job {} lies behind the marker and was replayed",
                record.id
            ));
        }
    }
    if verdict.left_out == 0 {
        verdict.faults.push("nothing was left out".into());
    }
    verdict
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "replayed   {:>6}", self.replayed)?;
        writeln!(f, "left out   {:>6}", self.left_out)?;
        writeln!(f, "followed   {:>6}", self.followed)?;
        for fault in &self.faults {
            writeln!(f, "fault      {fault}")?;
        }
        write!(
            f,
            "verdict    {}",
            if self.holds() {
                "holds"
            } else {
                "does not hold"
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKLOG: u32 = 2000;

    fn stream() -> Vec<Stored> {
        (0..BACKLOG + 10)
            .map(|id| Stored {
                shard: format!("shard {}", id % 2),
                sequence: format!("{id:09}"),
                key: format!("key {}", id % 2),
                id,
            })
            .collect()
    }

    /// Everything up to the marker, and what followed.
    fn good() -> Vec<Handled> {
        let jobs = stream().into_iter();
        jobs.filter(|record| record.id <= MARKER || record.id >= BACKLOG)
            .map(|record| Handled {
                shard: record.shard,
                sequence: record.sequence,
            })
            .collect()
    }

    fn faults(spoil: impl FnOnce(&mut Vec<Handled>)) -> Vec<String> {
        let mut handled = good();
        spoil(&mut handled);
        judge(&stream(), &handled, BACKLOG).faults
    }

    #[test]
    fn a_replay_up_to_the_marker_and_everything_after_the_jump_holds() {
        let verdict = judge(&stream(), &good(), BACKLOG);
        assert!(verdict.holds(), "{verdict}");
        assert_eq!(
            (verdict.replayed, verdict.left_out, verdict.followed),
            (1000, 1000, 10)
        );
    }

    #[test]
    fn every_fault_is_found() {
        let last = |handled: &mut Vec<Handled>| drop(handled.pop());
        assert_eq!(faults(last), ["job 2009 came after the jump and was lost"]);
        let early = |handled: &mut Vec<Handled>| drop(handled.remove(500));
        assert!(faults(early)[0].starts_with("an earlier job of the key of job 502 is missing"));
        let twice = |handled: &mut Vec<Handled>| handled.insert(5, handled[5].clone());
        assert_eq!(faults(twice), ["job 5 was handled 2 times"]);
        let swapped = |handled: &mut Vec<Handled>| handled.swap(4, 6);
        assert!(faults(swapped)[0].ends_with("of the same key"));
        let behind = |handled: &mut Vec<Handled>| {
            handled.insert(
                1000,
                Handled {
                    shard: "shard 1".into(),
                    sequence: "000001001".into(),
                },
            );
        };
        assert_eq!(
            faults(behind),
            ["job 1001 lies behind the marker and was replayed"]
        );
        let unknown = |handled: &mut Vec<Handled>| handled[0].sequence = "x".into();
        assert!(faults(unknown)[0].ends_with("is not in the stream"));
        let no_marker = |handled: &mut Vec<Handled>| drop(handled.remove(999));
        assert_eq!(faults(no_marker), ["the marker was not handled"]);
    }

    #[test]
    fn a_replay_that_leaves_nothing_out_is_no_jump() {
        let all: Vec<_> = stream()
            .into_iter()
            .map(|record| Handled {
                shard: record.shard,
                sequence: record.sequence,
            })
            .collect();
        assert!(!judge(&stream(), &all, BACKLOG).holds());
    }
}
