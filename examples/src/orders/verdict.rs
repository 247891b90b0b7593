//! Whether every record was handled, and in order: the streams as an independent reader found them, against the journal
//! that the handlers wrote. Pure.

use std::collections::{HashMap, HashSet};

use super::{
    journal::Handling,
    shop::{Record, Topic},
};

/// What the comparison found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// Records that the service acknowledged to the producer.
    pub put: u64,
    /// Partition keys that it put records under.
    pub keys: u64,
    /// Acknowledged records that are not in the stream.
    pub missing: u64,
    /// Records that are in the streams.
    pub stored: u64,
    /// Of these, records that were handled.
    pub handled: u64,
    /// Handlings of a record that had been handled before.
    pub redelivered: u64,
    /// Records that are in the stream and were never handled.
    pub lost: u64,
    /// First handlings that came after the first handling of a later record of their key.
    pub out_of_order: u64,
    /// Handlings of something that is not in the stream, or not like that.
    pub unknown: u64,
    /// Handlings that had failed attempts before them.
    pub retried: u64,
}

impl Verdict {
    /// Whether everything that was promised held. Redelivery is not against it: the promise is at least once.
    pub fn holds(&self) -> bool {
        self.missing == 0 && self.lost == 0 && self.out_of_order == 0 && self.unknown == 0
    }
}

/// `stored` is in the order of the streams, each shard after its parents; `journal` in the order of handling.
pub(crate) fn judge(put: &[Record], stored: &[Record], journal: &[Handling]) -> Verdict {
    let places: HashMap<&Record, usize> = stored.iter().zip(0..).collect();
    // The same in everything: stream, shard, sequence number, key and content.
    let place_of = |record: &Record| places.get(record).copied();
    let count = |n: usize| n as u64;

    let keys: HashSet<&str> = put.iter().map(|record| record.key.as_str()).collect();
    let mut verdict = Verdict {
        put: count(put.len()),
        keys: count(keys.len()),
        missing: count(
            put.iter()
                .filter(|record| place_of(record).is_none())
                .count(),
        ),
        stored: count(stored.len()),
        ..Verdict::default()
    };
    let mut seen = vec![false; stored.len()];
    let mut furthest: HashMap<(Topic, &str), usize> = HashMap::new();
    for Handling { record, attempt } in journal {
        verdict.retried += u64::from(*attempt > 1);
        let Some(place) = place_of(record) else {
            verdict.unknown += 1;
            continue;
        };
        if std::mem::replace(&mut seen[place], true) {
            verdict.redelivered += 1;
            continue;
        }
        verdict.handled += 1;
        let furthest = furthest
            .entry((record.topic, record.key.as_str()))
            .or_insert(place);
        verdict.out_of_order += u64::from(place < *furthest);
        *furthest = place.max(*furthest);
    }
    verdict.lost = verdict.stored - verdict.handled;
    verdict
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record(id: u64, key: u64) -> Record {
        Record {
            topic: Topic::Orders,
            key: format!("customer-{key}"),
            shard: "shardId-000000000000".into(),
            sequence: format!("{id:056}"),
            id,
        }
    }

    /// Record `n` of `count` has key `n % 3`.
    fn stream(count: u64) -> Vec<Record> {
        (0..count).map(|id| record(id, id % 3)).collect()
    }

    fn handled(records: &[Record]) -> Vec<Handling> {
        let first = |record: &Record| Handling {
            record: record.clone(),
            attempt: 1,
        };
        records.iter().map(first).collect()
    }

    #[test]
    fn a_record_that_is_not_in_the_journal_is_lost() {
        let stream = stream(9);
        let mut journal = handled(&stream);
        journal.remove(4);
        let verdict = judge(&stream, &stream, &journal);
        assert_eq!((verdict.lost, verdict.handled), (1, 8));
        assert!(!verdict.holds());
    }

    #[test]
    fn two_swapped_records_of_a_key_are_out_of_order_and_two_of_different_keys_are_not() {
        let stream = stream(9);
        let mut journal = handled(&stream);
        journal.swap(3, 4);
        assert!(judge(&stream, &stream, &journal).holds());
        journal.swap(1, 7);
        let verdict = judge(&stream, &stream, &journal);
        assert_eq!((verdict.out_of_order, verdict.lost), (2, 0));
        assert!(!verdict.holds());
    }

    #[test]
    fn an_acknowledged_record_that_is_not_in_the_stream_is_missing() {
        let put = stream(9);
        let verdict = judge(&put, &put[..8], &handled(&put[..8]));
        assert_eq!((verdict.missing, verdict.lost), (1, 0));
        assert!(!verdict.holds());
    }

    #[test]
    fn a_record_that_the_producer_does_not_know_of_must_be_handled_too() {
        // Its answer was lost, so that it was put again.
        let stored = stream(9);
        assert_eq!(judge(&stored[1..], &stored, &handled(&stored[1..])).lost, 1);
        assert!(judge(&stored[1..], &stored, &handled(&stored)).holds());
    }

    #[test]
    fn a_handling_that_does_not_match_the_stream_is_unknown() {
        let stream = stream(9);
        for change in [
            |record: &mut Record| record.id += 1,
            |record: &mut Record| record.key.push('x'),
            |record: &mut Record| record.shard.push('x'),
            |record: &mut Record| record.sequence.push('x'),
            |record: &mut Record| record.topic = Topic::Payments,
        ] {
            let mut journal = handled(&stream);
            change(&mut journal[2].record);
            let verdict = judge(&stream, &stream, &journal);
            assert_eq!((verdict.unknown, verdict.lost), (1, 1));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn handling_again_in_any_number_and_place_is_redelivery_and_nothing_else(
            count in 1_u64..30,
            again in prop::collection::vec((0_usize..30, 0_usize..60), 0..20),
        ) {
            let stream = stream(count);
            let mut journal = handled(&stream);
            let mut redelivered = 0;
            for (which, later) in again {
                let which = which % journal.len();
                let repeat = Handling { attempt: 2, ..journal[which].clone() };
                let later = (which + 1 + later).min(journal.len());
                journal.insert(later, repeat);
                redelivered += 1;
            }
            let verdict = judge(&stream, &stream, &journal);
            prop_assert_eq!(verdict.redelivered, redelivered);
            prop_assert_eq!(verdict.handled, count);
            prop_assert!(verdict.holds());
        }

        #[test]
        fn any_other_order_of_one_key_is_found(order in Just((0_u64..12).collect::<Vec<_>>()).prop_shuffle()) {
            let stream: Vec<Record> = (0..12).map(|id| record(id, 0)).collect();
            let journal: Vec<Record> = order.iter().map(|id| record(*id, 0)).collect();
            let verdict = judge(&stream, &stream, &handled(&journal));
            let sorted = order.windows(2).all(|pair| pair[0] < pair[1]);
            prop_assert_eq!(verdict.holds(), sorted);
            prop_assert_eq!(verdict.lost, 0);
        }
    }
}
