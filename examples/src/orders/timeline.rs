//! What happens to the streams and the application while records are put, and after how many of them. Pure.

use super::shop::Topic;

/// Something that happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// A shard is split in two.
    Split(Topic),
    /// Two shards are merged into one.
    Merge(Topic),
    /// The application is stopped gracefully and started again.
    Restart,
}

/// In the order of the run. Each stream ends with as many shards as it began with, and never has fewer: so the rate that
/// it was made for fits at any time.
const ACTS: [Act; 7] = [
    Act::Split(Topic::Orders),
    Act::Split(Topic::Payments),
    Act::Merge(Topic::Orders),
    Act::Restart,
    Act::Split(Topic::Orders),
    Act::Merge(Topic::Payments),
    Act::Merge(Topic::Orders),
];

/// An act, and the records between which it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) act: Act,
    /// It begins when so many records were acknowledged.
    pub(crate) after: u64,
    /// Until it is done, the producer puts no record past this one.
    pub(crate) before: u64,
}

/// The acts, spread evenly over a run of `total` records.
pub(crate) fn steps(total: u64) -> Vec<Step> {
    let parts = ACTS.len() as u64 + 1;
    ACTS.into_iter()
        .zip(1..)
        .map(|(act, part)| Step {
            act,
            after: total * part / parts,
            before: total * (part + 1) / parts,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_each_other_and_the_last_ends_with_the_run() {
        for total in [1, 7, 800, 30_000] {
            let steps = steps(total);
            assert!(steps.windows(2).all(|pair| pair[0].before == pair[1].after));
            assert!(steps.iter().all(|step| step.after <= step.before));
            assert_eq!(steps.last().map(|step| step.before), Some(total));
        }
    }

    #[test]
    fn no_stream_ever_has_fewer_shards_than_at_the_beginning() {
        for topic in Topic::ALL {
            let mut extra = 0;
            for act in ACTS {
                match act {
                    Act::Split(of) if of == topic => extra += 1,
                    Act::Merge(of) if of == topic => extra -= 1,
                    _ => {}
                }
                assert!(extra >= 0, "{topic}");
            }
            assert_eq!(extra, 0, "{topic}");
        }
    }
}
