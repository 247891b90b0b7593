//! Batching and bisecting on plain data, against a model.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    num::NonZeroU32,
    time::Duration,
};

use proptest::prelude::*;
use tokio::time::Instant;

use super::{
    failure::{Failure, Then, then},
    outcome::{Assessed, BatchOutcome, BatchVerdict, LeftOut, assess},
    queue::{Entry, Group, Patience, Queue},
};
use crate::{
    Outcome,
    dispatch::{
        lanes::Lane,
        outcome::{Undecodable, Verdict},
    },
};

const WAIT: Duration = Duration::from_secs(10);

fn entry(number: u64, key: Option<u64>, now: Instant) -> Entry<u64> {
    Entry {
        number,
        lane: key.map_or(Lane::Free, Lane::Key),
        ready_at: now,
        item: number,
    }
}

fn numbers(group: &Group<u64>) -> Vec<u64> {
    group.entries.iter().map(|entry| entry.number).collect()
}

#[test]
fn a_batch_that_is_not_full_waits_from_its_first_record_on() {
    let start = Instant::now();
    let mut queue = Queue::new(3, WAIT);
    queue.push(entry(0, Some(1), start));
    queue.push(entry(1, Some(1), start + WAIT / 2));
    assert!(queue.next(start + WAIT / 2, Patience::Waits).is_none());
    assert_eq!(queue.due(), Some(start + WAIT));
    let group = queue.next(start + WAIT, Patience::Waits);
    assert_eq!(group.as_ref().map(numbers), Some(vec![0, 1]));
}

#[test]
fn a_full_batch_and_an_impatient_one_wait_for_nothing() {
    let now = Instant::now();
    let mut queue = Queue::new(2, WAIT);
    for number in 0..3 {
        queue.push(entry(number, Some(number), now));
    }
    let full = queue.next(now, Patience::Waits);
    assert_eq!(full.as_ref().map(numbers), Some(vec![0, 1]));
    assert!(queue.next(now, Patience::Waits).is_none());
    let rest = queue.next(now, Patience::Goes);
    assert_eq!(rest.as_ref().map(numbers), Some(vec![2]));
}

#[test]
fn records_without_a_key_wait_for_nobody() {
    let now = Instant::now();
    let mut queue = Queue::new(1, Duration::ZERO);
    queue.push(entry(0, None, now));
    queue.push(entry(1, None, now));
    let first = queue.next(now, Patience::Goes).expect("it is ready");
    let second = queue.next(now, Patience::Goes).expect("so is the next");
    assert_eq!((numbers(&first), numbers(&second)), (vec![0], vec![1]));
}

#[test]
fn a_record_begins_at_its_time_though_a_later_one_of_its_key_waits_for_longer() {
    let now = Instant::now();
    let mut queue = Queue::new(3, Duration::ZERO);
    for number in 0..4 {
        queue.push(entry(number, Some(1), now));
    }
    let group = queue.next(now, Patience::Goes).expect("it is ready");
    assert_eq!(numbers(&group), [0, 1, 2]);
    for (mut entry, wait) in group.entries.into_iter().zip([1, 9, 1]) {
        queue.end(entry.lane, entry.number);
        entry.ready_at = now + Duration::from_secs(wait);
        queue.wait(entry);
    }
    let mut next = |secs| {
        let group = queue.next(now + Duration::from_secs(secs), Patience::Goes);
        let group = group.map_or_else(Vec::new, |group| group.entries);
        for entry in &group {
            queue.end(entry.lane, entry.number);
        }
        let due = queue.due().map(|due| due - now);
        let numbers: Vec<_> = group.into_iter().map(|entry| entry.number).collect();
        (numbers, due.map(|due| due.as_secs()))
    };
    assert_eq!(next(1), (vec![0], Some(9)));
    assert_eq!(next(2), (vec![], Some(9)), "those behind the second wait");
    assert_eq!(next(9), (vec![1, 2, 3], None));
}

#[test]
fn records_that_keep_failing_alone_take_turns_and_leave_every_other_to_the_rest() {
    let now = Instant::now();
    let mut queue = Queue::new(1, Duration::ZERO);
    for number in 0..5 {
        queue.push(entry(number, Some(number), now));
    }
    let mut turns = Vec::new();
    for second in 0..8 {
        let now = now + Duration::from_secs(second);
        let mut group = queue.next(now, Patience::Goes).expect("something is ready");
        let number = group.entries[0].number;
        turns.push(number);
        if number < 2 {
            group.ready_at = now + Duration::from_millis(1);
            queue.again_alone(group);
        } else {
            queue.end(group.entries[0].lane, number);
        }
    }
    assert_eq!(turns, [0, 0, 1, 0, 2, 1, 3, 0]);
}

fn attempts(attempts: u32) -> Option<NonZeroU32> {
    NonZeroU32::new(attempts)
}

#[test]
fn a_batch_is_halved_when_its_attempts_are_used_up_or_cannot_help() {
    assert_eq!(then(8, 1, Failure::Passing, attempts(0)), Then::Again);
    assert_eq!(then(8, 2, Failure::Passing, attempts(3)), Then::Again);
    assert_eq!(then(8, 3, Failure::Passing, attempts(3)), Then::Split);
    assert_eq!(then(8, 1, Failure::Permanent, attempts(3)), Then::Split);
    assert_eq!(then(8, 1, Failure::Permanent, attempts(0)), Then::Split);
    assert_eq!(then(1, 1, Failure::Passing, attempts(3)), Then::Alone);
    assert_eq!(then(1, 9, Failure::Permanent, attempts(0)), Then::Alone);
}

fn left_out(index: usize) -> LeftOut {
    LeftOut {
        index,
        why: Undecodable::NoPartitionKey.to_string(),
    }
}

fn said(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Outcome(Outcome::Done) => "done",
        Verdict::Outcome(Outcome::Skip) => "skip",
        Verdict::Undecodable(_) => "undecodable",
        _ => "else",
    }
}

#[test]
fn what_was_left_out_stands_between_what_was_said_of_the_rest() {
    let outcome = BatchOutcome::each(vec![Outcome::Skip, Outcome::Done]);
    let left_out = vec![left_out(0), left_out(2)];
    let Assessed::Each(verdicts) = assess(4, left_out, BatchVerdict::Said(outcome)) else {
        panic!("it did not fail");
    };
    let said: Vec<_> = verdicts.iter().map(said).collect();
    assert_eq!(said, ["undecodable", "skip", "undecodable", "done"]);
}

#[test]
fn the_outcome_of_another_batch_is_a_failure() {
    let outcome = BatchOutcome::each(vec![Outcome::Done]);
    let Assessed::Failed { left_out, whole } =
        assess(3, vec![left_out(1)], BatchVerdict::Said(outcome))
    else {
        panic!("one outcome for two records");
    };
    assert_eq!(
        left_out.iter().filter(|verdict| verdict.is_some()).count(),
        1
    );
    assert!(
        matches!(whole, Verdict::Failed(error) if error.text.contains("and this one has 2 records"))
    );
}

/// What the model's handler does with the records of a batch.
#[derive(Debug, Clone)]
enum Deed {
    /// Each record whose bit is set is tried again.
    Each(u16),
    /// Each record whose bit is set is given up on, and ends when its dead letter is stored.
    GiveUp(u16),
    Fail,
    Permanent,
}

#[derive(Debug, Clone)]
enum Event {
    Push(Option<u64>),
    Call(Deed),
    Pass(u64),
    /// The oldest dead letter is stored.
    Stored,
    /// Forgets what has not begun, as a stop does.
    Cut,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => prop::option::weighted(0.9, 0..4_u64).prop_map(Event::Push),
        2 => any::<u16>().prop_map(|bits| Event::Call(Deed::Each(bits))),
        1 => any::<u16>().prop_map(|bits| Event::Call(Deed::GiveUp(bits))),
        1 => Just(Event::Stored),
        1 => Just(Event::Call(Deed::Fail)),
        1 => Just(Event::Call(Deed::Permanent)),
        2 => (0..20_u64).prop_map(Event::Pass),
        1 => Just(Event::Cut),
    ]
}

/// What is known of every record that was delivered and has not ended.
struct Model {
    queue: Queue<u64>,
    now: Instant,
    live: BTreeMap<u64, Option<u64>>,
    /// Their dead letters are not stored.
    given_up: VecDeque<Entry<u64>>,
    front: u64,
    next: u64,
}

impl Model {
    fn end(&mut self, entry: &Entry<u64>) {
        self.queue.end(entry.lane, entry.number);
        self.live.remove(&entry.number);
    }

    fn stored(&mut self) {
        if let Some(entry) = self.given_up.pop_front() {
            self.end(&entry);
        }
    }

    fn call(&mut self, deed: &Deed, attempts: u32) -> Result<(), TestCaseError> {
        let Some(mut group) = self.queue.next(self.now, Patience::Goes) else {
            return Ok(());
        };
        let given = numbers(&group);
        prop_assert!(given.len() <= 4 && !given.is_empty());
        prop_assert!(given.is_sorted(), "in the order of the shard: {given:?}");
        for number in &given {
            let key = self.live.get(number);
            prop_assert!(key.is_some(), "{number} has ended, or is in two batches");
            let Some(Some(key)) = key else { continue };
            let earlier = self
                .live
                .range(..number)
                .filter(|(_, other)| **other == Some(*key));
            for (earlier, _) in earlier {
                prop_assert!(given.contains(earlier), "{number} overtakes {earlier}");
            }
        }
        self.front = self.front.max(given[given.len() - 1] + 1);
        let failure = match deed {
            Deed::Each(bits) => {
                for (at, mut entry) in group.entries.into_iter().enumerate() {
                    if bits & (1 << at) == 0 {
                        self.end(&entry);
                    } else {
                        self.queue.end(entry.lane, entry.number);
                        entry.ready_at = self.now + Duration::from_secs(at as u64 * 3);
                        self.queue.wait(entry);
                    }
                }
                return Ok(());
            }
            Deed::GiveUp(bits) => {
                for (at, entry) in group.entries.into_iter().enumerate() {
                    if bits & (1 << at) == 0 {
                        self.end(&entry);
                    } else {
                        self.given_up.push_back(entry);
                    }
                }
                return Ok(());
            }
            Deed::Fail => Failure::Passing,
            Deed::Permanent => Failure::Permanent,
        };
        group.failures += 1;
        group.ready_at = self.now + Duration::from_secs(2);
        let attempts = NonZeroU32::new(attempts);
        let then = then(group.entries.len(), group.failures, failure, attempts);
        if then == Then::Alone && attempts.is_none() {
            self.queue.again_alone(group);
            return Ok(());
        }
        for entry in &group.entries {
            self.queue.end(entry.lane, entry.number);
        }
        match then {
            Then::Again => self.queue.again(group),
            Then::Split => self.queue.split(group),
            Then::Alone => {
                for entry in group.entries {
                    self.live.remove(&entry.number);
                }
            }
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn no_record_overtakes_one_of_its_key_or_is_lost_or_in_two_batches(events in prop::collection::vec(event(), 0..200), attempts in 0..3_u32) {
        let mut model = Model {
            queue: Queue::new(4, WAIT),
            now: Instant::now(),
            live: BTreeMap::new(),
            given_up: VecDeque::new(),
            front: 0,
            next: 0,
        };
        for event in events {
            match event {
                Event::Push(key) => {
                    model.queue.push(entry(model.next, key, model.now));
                    model.live.insert(model.next, key);
                    model.next += 1;
                }
                Event::Call(deed) => model.call(&deed, attempts)?,
                Event::Stored => model.stored(),
                Event::Pass(seconds) => model.now += Duration::from_secs(seconds),
                Event::Cut => {
                    model.queue.cut(model.front);
                    model.live.retain(|number, _| *number < model.front);
                }
            }
            prop_assert_eq!(model.queue.waiting_mut().count() + model.given_up.len(), model.live.len());
        }
        // Nothing is stuck: in time, all of it can end.
        while !model.given_up.is_empty() {
            model.stored();
        }
        for _ in 0..=model.live.len() {
            model.now += Duration::from_secs(100);
            model.call(&Deed::Each(0), attempts)?;
        }
        prop_assert!(model.live.is_empty());
        prop_assert!(model.queue.is_empty());
        prop_assert_eq!(model.queue.due(), None);
    }

    #[test]
    fn halving_finds_what_fails_and_nothing_else_in_few_calls(records in 1..1_000_u64, bad in prop::collection::btree_set(0..1_000_u64, 0..6), attempts in 1..4_u32) {
        let now = Instant::now();
        let bad: BTreeSet<_> = bad.into_iter().filter(|number| *number < records).collect();
        let mut queue = Queue::new(1_000, WAIT);
        for number in 0..records {
            queue.push(entry(number, Some(number % 7), now));
        }
        let (mut calls, mut handled, mut given_up) = (0, Vec::new(), BTreeSet::new());
        while let Some(mut group) = queue.next(now, Patience::Goes) {
            calls += 1;
            for entry in &group.entries {
                queue.end(entry.lane, entry.number);
            }
            if group.entries.iter().all(|entry| !bad.contains(&entry.number)) {
                handled.extend(numbers(&group));
                continue;
            }
            group.failures += 1;
            match then(group.entries.len(), group.failures, Failure::Passing, NonZeroU32::new(attempts)) {
                Then::Again => queue.again(group),
                Then::Split => queue.split(group),
                Then::Alone if group.failures < attempts => queue.again(group),
                Then::Alone => given_up.extend(numbers(&group)),
            }
        }
        prop_assert_eq!(&given_up, &bad);
        let expected: Vec<_> = (0..records).filter(|number| !bad.contains(number)).collect();
        prop_assert_eq!(handled, expected, "once each, and in order");
        let levels = u64::from(records.next_power_of_two().trailing_zeros());
        let most = u64::from(attempts) + bad.len() as u64 * 2 * levels;
        prop_assert!(calls <= most, "{calls} calls for {} of {records}", bad.len());
    }
}
