//! What must hold of a fleet, from what an independent reader found, the handlers' journal, and readings of the lease table. Pure.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    journal::{Event, Moment},
    table::Sample,
};
use crate::stream::Record;

/// A shard, as the independent reader found it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stored {
    pub(crate) parents: Vec<String>,
    pub(crate) records: Vec<Record>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// By id, in which order parents come first.
    pub(crate) shards: BTreeMap<String, Stored>,
    pub(crate) events: Vec<Event>,
    pub(crate) samples: Vec<Sample>,
}

/// What a broken promise reads like.
type Verdict = Result<(), String>;

impl Facts {
    /// The promises that hold whatever befalls the instances.
    ///
    /// # Errors
    ///
    /// The first one that is broken, and by what.
    pub(crate) fn check(&self) -> Verdict {
        let times = Times::of(&self.events);
        self.nothing_is_lost(&times)?;
        self.keys_are_in_order(&times)?;
        self.children_wait_for_their_parents(&times)?;
        self.checkpoints_grow_over_what_has_ended(&times)?;
        self.nothing_begins_behind_its_checkpoint()?;
        self.nothing_begins_where_another_holds_the_lease()
    }

    fn nothing_is_lost(&self, times: &Times<'_>) -> Verdict {
        for record in self.records() {
            if times.ended(record).is_none() {
                return Err(format!("lost: {record:?}"));
            }
        }
        Ok(())
    }

    fn keys_are_in_order(&self, times: &Times<'_>) -> Verdict {
        let mut all_ended: BTreeMap<&str, u64> = BTreeMap::new();
        for record in self.records() {
            let (begun, ended) = (times.begun(record), times.ended(record));
            let before = all_ended.entry(&record.key).or_default();
            if begun.is_some_and(|begun| begun < *before) {
                return Err(format!("out of order: {record:?}"));
            }
            *before = (*before).max(ended.unwrap_or(u64::MAX));
        }
        Ok(())
    }

    fn children_wait_for_their_parents(&self, times: &Times<'_>) -> Verdict {
        for (id, child) in &self.shards {
            let parents = child.parents.iter().filter_map(|id| self.shards.get(id));
            let ends = parents.flat_map(|parent| &parent.records);
            let done = ends.filter_map(|record| times.ended(record)).max();
            let begun = child.records.iter().filter_map(|record| {
                let begun = times.begun(record);
                begun.map(|at| (at, record))
            });
            if let Some((at, record)) = begun.min_by_key(|(at, _)| *at)
                && Some(at) < done
            {
                return Err(format!("`{id}` began before its parents ended: {record:?}"));
            }
        }
        Ok(())
    }

    fn checkpoints_grow_over_what_has_ended(&self, times: &Times<'_>) -> Verdict {
        let mut stood: BTreeMap<&str, usize> = BTreeMap::new();
        for (sample, shard, reached) in self.checkpoints()? {
            let before = stood.entry(shard).or_default();
            if reached < *before {
                return Err(format!(
                    "checkpoint of `{shard}` went back from {before} to {reached} records"
                ));
            }
            let passed = &self.shards[shard].records[*before..reached];
            let open = passed.iter().find(|record| {
                let ended = times.ended(record);
                ended.is_none_or(|ended| ended > sample.answered)
            });
            if let Some(record) = open {
                return Err(format!("checkpoint passed what had not ended: {record:?}"));
            }
            *before = reached;
        }
        Ok(())
    }

    fn nothing_begins_behind_its_checkpoint(&self) -> Verdict {
        let mut reached: BTreeMap<&str, Vec<(u64, usize)>> = BTreeMap::new();
        for (sample, shard, records) in self.checkpoints()? {
            let of_shard = reached.entry(shard).or_default();
            of_shard.push((sample.answered, records));
        }
        let places = self.places();
        for event in self.begins() {
            let seen = reached.get(event.shard.as_str()).into_iter().flatten();
            let seen = seen.take_while(|(at, _)| *at < event.at).last();
            let place = places.get(&event.place());
            if let (Some((_, reached)), Some(place)) = (seen, place)
                && place < reached
            {
                return Err(format!("handled again behind its checkpoint: {event:?}"));
            }
        }
        Ok(())
    }

    /// Between the reading before a begin and the reading after it a lease is not taken and lost again.
    fn nothing_begins_where_another_holds_the_lease(&self) -> Verdict {
        for event in self.begins() {
            let holder = |sample: &Sample| sample.rows.get(&event.shard)?.holder;
            let before = self
                .samples
                .iter()
                .rfind(|sample| sample.answered < event.at);
            let after = self.samples.iter().find(|sample| sample.sent > event.at);
            let (Some(before), Some(after)) = (before, after) else {
                continue;
            };
            if ![holder(before), holder(after)].contains(&Some(event.pid)) {
                return Err(format!(
                    "begun where another holds the lease: {event:?}, {before:?}, {after:?}"
                ));
            }
        }
        Ok(())
    }

    fn records(&self) -> impl Iterator<Item = &Record> {
        self.shards.values().flat_map(|shard| &shard.records)
    }

    fn begins(&self) -> impl Iterator<Item = &Event> {
        let events = self.events.iter();
        events.filter(|event| event.moment == Moment::Begin)
    }

    /// Of each record within its shard.
    fn places(&self) -> BTreeMap<(&str, &str), usize> {
        let shards = self.shards.values();
        let places = shards.flat_map(|shard| shard.records.iter().enumerate());
        places
            .map(|(place, record)| ((record.shard.as_str(), record.sequence.as_str()), place))
            .collect()
    }

    /// Each checkpoint that was read, as the number of records before it.
    fn checkpoints(&self) -> Result<Vec<(&Sample, &str, usize)>, String> {
        let places = self.places();
        let mut found = Vec::new();
        for sample in &self.samples {
            for (shard, row) in &sample.rows {
                let Some(stored) = self.shards.get(shard) else {
                    return Err(format!("a row of no shard: `{shard}`"));
                };
                let reached = match row.checkpoint.as_deref() {
                    None => 0,
                    Some("SHARD_END") => stored.records.len(),
                    Some(sequence) => match places.get(&(shard.as_str(), sequence)) {
                        Some(place) => place + 1,
                        None => return Err(format!("a checkpoint at no record: {row:?}")),
                    },
                };
                found.push((sample, shard.as_str(), reached));
            }
        }
        Ok(found)
    }

    /// Records that were begun more than once.
    pub(crate) fn repeated(&self) -> BTreeSet<u64> {
        let mut seen = BTreeSet::new();
        let again = self.begins().filter(|event| !seen.insert(event.place()));
        again.map(|event| event.id).collect()
    }
}

impl Event {
    fn place(&self) -> (&str, &str) {
        (&self.shard, &self.sequence)
    }
}

/// When each record was begun and had ended for the first time.
struct Times<'a> {
    begun: BTreeMap<(&'a str, &'a str), u64>,
    ended: BTreeMap<(&'a str, &'a str), u64>,
}

impl<'a> Times<'a> {
    fn of(events: &'a [Event]) -> Self {
        let first = |moment| {
            let mut first: BTreeMap<_, u64> = BTreeMap::new();
            for event in events.iter().filter(|event| event.moment == moment) {
                let at = first.entry(event.place()).or_insert(event.at);
                *at = event.at.min(*at);
            }
            first
        };
        Self {
            begun: first(Moment::Begin),
            ended: first(Moment::End),
        }
    }

    fn begun(&self, record: &Record) -> Option<u64> {
        let place = (record.shard.as_str(), record.sequence.as_str());
        self.begun.get(&place).copied()
    }

    fn ended(&self, record: &Record) -> Option<u64> {
        let place = (record.shard.as_str(), record.sequence.as_str());
        self.ended.get(&place).copied()
    }
}

/// Each promise can be broken, and is seen to be.
#[cfg(test)]
mod tests {
    use super::{super::table::Row, *};

    const PARENT: &str = "shardId-0";
    const CHILD: &str = "shardId-1";

    fn record(shard: &str, id: u64) -> Record {
        Record {
            key: "k".into(),
            shard: shard.into(),
            sequence: id.to_string(),
            id,
        }
    }

    fn event(moment: Moment, at: u64, pid: u32, record: &Record) -> Event {
        Event {
            moment,
            at,
            pid,
            key: record.key.clone(),
            shard: record.shard.clone(),
            sequence: record.sequence.clone(),
            id: record.id,
        }
    }

    fn sample(at: u64, rows: [(&str, u32, Option<&str>); 2]) -> Sample {
        let rows = rows.map(|(shard, holder, checkpoint)| {
            let row = Row {
                holder: Some(holder),
                counter: at,
                checkpoint: checkpoint.map(Into::into),
            };
            (shard.to_owned(), row)
        });
        Sample {
            sent: at,
            answered: at,
            rows: rows.into(),
        }
    }

    /// Process 1 reads records 1 and 2 of the parent, process 2 then 3 of its child.
    fn good() -> Facts {
        let records = [record(PARENT, 1), record(PARENT, 2), record(CHILD, 3)];
        let events = records.iter().enumerate().flat_map(|(at, record)| {
            let (at, pid) = (at as u64 * 10, if record.id < 3 { 1 } else { 2 });
            [
                event(Moment::Begin, at + 1, pid, record),
                event(Moment::End, at + 2, pid, record),
            ]
        });
        let [one, two, three] = records.clone();
        let parent = Stored {
            parents: vec![],
            records: vec![one, two],
        };
        let child = Stored {
            parents: vec![PARENT.into()],
            records: vec![three],
        };
        Facts {
            events: events.collect(),
            shards: [(PARENT.into(), parent), (CHILD.into(), child)].into(),
            samples: vec![
                sample(0, [(PARENT, 1, None), (CHILD, 2, None)]),
                sample(9, [(PARENT, 1, Some("1")), (CHILD, 2, None)]),
                sample(15, [(PARENT, 1, Some("SHARD_END")), (CHILD, 2, None)]),
                sample(30, [(PARENT, 1, Some("SHARD_END")), (CHILD, 2, Some("3"))]),
            ],
        }
    }

    /// The verdict on the good facts with one fault in them.
    fn with(fault: impl FnOnce(&mut Facts)) -> String {
        let mut facts = good();
        fault(&mut facts);
        facts.check().expect_err("it is broken")
    }

    #[test]
    fn a_good_run_is_good() {
        assert_eq!(good().check(), Ok(()));
        assert!(good().repeated().is_empty());
    }

    #[test]
    fn a_record_that_was_not_handled_is_lost() {
        let verdict = with(|facts| facts.events.retain(|event| event.id != 2));
        assert!(verdict.starts_with("lost: "), "{verdict}");
    }

    #[test]
    fn a_record_that_begins_before_an_earlier_one_of_its_key_ended_is_out_of_order() {
        let verdict = with(|facts| facts.events[1].at = 12);
        assert!(verdict.starts_with("out of order: "), "{verdict}");
    }

    #[test]
    fn a_child_that_begins_before_its_parent_ended_is_early() {
        let verdict = with(|facts| {
            let child = facts.shards.get_mut(CHILD).expect("it is there");
            child.records[0].key = "other".into();
            facts.events[4].at = 11;
        });
        assert!(verdict.contains("before its parents ended"), "{verdict}");
    }

    #[test]
    fn a_checkpoint_that_goes_back_is_seen() {
        let verdict = with(|facts| {
            let last = facts.samples.last_mut().expect("four");
            last.rows.get_mut(PARENT).expect("its row").checkpoint = Some("1".into());
        });
        assert!(verdict.contains("went back from 2 to 1"), "{verdict}");
    }

    #[test]
    fn a_checkpoint_over_a_record_that_has_not_ended_is_seen() {
        let verdict = with(|facts| {
            let second = &mut facts.samples[1];
            second.rows.get_mut(PARENT).expect("its row").checkpoint = Some("2".into());
        });
        assert!(verdict.contains("passed what had not ended"), "{verdict}");
    }

    #[test]
    fn a_record_that_comes_again_behind_its_checkpoint_is_seen() {
        let again = event(Moment::Begin, 13, 1, &record(PARENT, 1));
        let verdict = with(|facts| facts.events.push(again));
        assert!(verdict.contains("behind its checkpoint"), "{verdict}");
    }

    #[test]
    fn a_begin_in_a_process_that_lost_the_lease_is_seen() {
        let again = event(Moment::Begin, 13, 2, &record(PARENT, 2));
        let mut facts = good();
        facts.events.push(again);
        let verdict = facts.check().expect_err("2 does not hold it");
        assert!(verdict.starts_with("begun where another"), "{verdict}");
        assert_eq!(facts.repeated(), [2].into());
    }
}
