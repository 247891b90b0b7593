use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const LINGER: Duration = Duration::from_millis(5);

fn record(key: &str, number: u32, size: usize) -> Queued<u32> {
    Queued {
        key: key.into(),
        data: vec![0; size - key.len()].into(),
        since: Instant::now(),
        sent: None,
        failures: 0,
        alone: false,
        waiting: number,
    }
}

fn numbers(request: Option<Vec<Queued<u32>>>) -> Vec<u32> {
    let records = request.into_iter().flatten();
    records.map(|record| record.waiting).collect()
}

#[test]
fn a_request_waits_for_company_and_not_for_long() {
    let (mut queue, now) = (Queue::new(LINGER), Instant::now());
    queue.push(record("a", 1, 10), now);
    assert!(queue.request(now, false).is_none());
    assert_eq!(queue.next(), Some(now + LINGER));
    queue.push(record("b", 2, 10), now + LINGER / 2);
    assert_eq!(numbers(queue.request(now + LINGER, false)), [1, 2]);
    assert_eq!(queue.next(), None);
    queue.push(record("c", 3, 10), now);
    assert_eq!(numbers(queue.request(now, true)), [3], "in a hurry");
}

#[test]
fn a_full_request_waits_for_nothing() {
    let (mut queue, now) = (Queue::new(LINGER), Instant::now());
    for number in 0..501 {
        queue.push(record(&format!("{number}"), number, 10), now);
    }
    assert_eq!(numbers(queue.request(now, false)).len(), 500);
    assert!(queue.request(now, false).is_none(), "one is left");
    assert_eq!(numbers(queue.request(now + LINGER, false)), [500]);

    for (key, number) in [("a", 0), ("b", 1), ("c", 2)] {
        queue.push(record(key, number, 4 << 20), now);
    }
    assert_eq!(numbers(queue.request(now, false)), [0, 1], "10 MiB at most");
}

#[test]
fn of_a_key_one_record_is_under_way_and_the_next_follows_when_it_is_settled() {
    let (mut queue, now) = (Queue::new(Duration::ZERO), Instant::now());
    for (key, number) in [("a", 1), ("b", 2), ("a", 3)] {
        queue.push(record(key, number, 10), now);
    }
    let mut first = queue.request(now, false).expect("two keys");
    assert_eq!(first.iter().map(|r| r.waiting).collect::<Vec<_>>(), [1, 2]);
    queue.settled(&"b".into(), now);
    assert!(queue.request(now, false).is_none());
    queue.again(first.remove(0), now + LINGER);
    assert!(queue.request(now, false).is_none(), "its key waits with it");
    assert_eq!(numbers(queue.request(now + LINGER, false)), [1]);
    queue.settled(&"a".into(), now);
    assert_eq!(numbers(queue.request(now + LINGER, false)), [3]);
    queue.settled(&"a".into(), now);
    assert!(queue.is_empty());
}

#[test]
fn a_record_that_may_spoil_a_request_goes_by_itself() {
    let (mut queue, now) = (Queue::new(Duration::ZERO), Instant::now());
    for number in 0..4 {
        let mut record = record(&format!("{number}"), number, 10);
        record.alone = number == 1;
        queue.push(record, now);
    }
    let mut request = || numbers(queue.request(now, false));
    assert_eq!(
        (request(), request(), request()),
        (vec![0], vec![1], vec![2, 3])
    );
}

proptest! {
    #[test]
    fn every_record_goes_and_those_of_a_key_in_order(
        keys in prop::collection::vec(0_u32..6, 1..200),
        fates in prop::collection::vec(any::<bool>(), 64),
    ) {
        let (mut queue, mut now) = (Queue::new(LINGER), Instant::now());
        for (number, key) in (0..).zip(&keys) {
            queue.push(record(&format!("key {key}"), number, 10), now);
        }
        let (mut stored, mut fates) = (BTreeMap::<_, Vec<_>>::new(), fates.into_iter());
        while let Some(next) = queue.next() {
            now = now.max(next);
            for record in queue.request(now, false).into_iter().flatten() {
                if fates.next().unwrap_or(true) {
                    queue.settled(&record.key, now);
                    stored.entry(record.key).or_default().push(record.waiting);
                } else {
                    queue.again(record, now + LINGER);
                }
            }
        }
        prop_assert!(queue.is_empty());
        prop_assert_eq!(stored.values().map(Vec::len).sum::<usize>(), keys.len());
        prop_assert!(stored.values().all(|numbers| numbers.is_sorted()));
    }
}
