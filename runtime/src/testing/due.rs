//! Which of a shard's records are to be handled: pure.

use std::time::{Duration, SystemTime};

use kinesis_app_emulator::StoredRecord;

use crate::source::kinesis::Anchor;

/// When a stream was repositioned to its tip. What had arrived by then is not delivered where it is read, though the stored time is
/// some seconds earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tip(pub(super) SystemTime);

/// The place of the first record that is to be handled, in a shard that is read from `from`.
pub(super) fn first(from: &Anchor, tip: Option<Tip>, records: &[StoredRecord]) -> usize {
    let place = |sequence: &String| {
        records
            .iter()
            .position(|record| record.sequence_number == *sequence)
    };
    match from {
        Anchor::Horizon => 0,
        Anchor::Tip => records.len(),
        // A record that the stream does not keep any more lies before all others.
        Anchor::At { sequence } => place(sequence).unwrap_or(0),
        Anchor::After { sequence } => place(sequence).map_or(0, |place| place + 1),
        Anchor::Timestamp { millis } => {
            let millis = Duration::from_millis(u64::try_from(*millis).unwrap_or(0));
            let time = SystemTime::UNIX_EPOCH + millis;
            let time = tip.map_or(time, |Tip(tip)| tip.max(time));
            records.partition_point(|record| record.arrival < time)
        }
    }
}

#[cfg(test)]
mod tests {
    use kinesis_app_emulator::Kinesis;

    use super::*;

    /// Three records, a second apart, the first at the emulator's beginning.
    async fn records() -> (Vec<StoredRecord>, SystemTime) {
        let kinesis = Kinesis::new();
        let begin = kinesis.now();
        kinesis.create_stream("s", 1).expect("a new stream");
        for text in ["a", "b", "c"] {
            kinesis.put("s", "k", text).expect("it is there");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        (kinesis.records("s", "shardId-000000000000"), begin)
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_due_begins_at_the_anchor() {
        let (records, _) = records().await;
        let sequence = || records[1].sequence_number.clone();
        let gone = || "1".to_owned();
        for (from, expected) in [
            (Anchor::Horizon, 0),
            (Anchor::Tip, 3),
            (
                Anchor::At {
                    sequence: sequence(),
                },
                1,
            ),
            (
                Anchor::After {
                    sequence: sequence(),
                },
                2,
            ),
            (Anchor::At { sequence: gone() }, 0),
            (Anchor::After { sequence: gone() }, 0),
        ] {
            assert_eq!(first(&from, None, &records), expected, "{from:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_had_arrived_when_the_tip_was_sought_is_not_due() {
        let (records, begin) = records().await;
        let since = begin.duration_since(SystemTime::UNIX_EPOCH).expect("later");
        let millis = i64::try_from(since.as_millis()).expect("a date") + 500;
        let from = Anchor::Timestamp { millis };
        assert_eq!(first(&from, None, &records), 1);
        let tip = Tip(begin + Duration::from_millis(1500));
        assert_eq!(first(&from, Some(tip), &records), 2);
    }
}
