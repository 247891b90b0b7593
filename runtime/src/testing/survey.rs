//! Which records are pending, on which shard, and why: what `settled` waits for, and what it says when that does not come.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use kinesis_app_emulator::{Kinesis, ShardView};
use kinesis_app_rules::defaults;

use super::{
    instances::Instances,
    text,
    witness::{Fate, Unsettled},
};
use crate::telemetry::health::{Activity, ShardHealth, ShardName};

/// A consumed stream.
#[derive(Debug, Clone)]
pub(super) struct Consumed {
    pub(super) label: &'static str,
    pub(super) name: String,
}

/// All consumed streams at one moment.
#[derive(Debug)]
pub(super) struct Survey {
    shards: BTreeMap<ShardName, Shard>,
    /// How many records are to be handled, settled ones among them.
    due: usize,
}

#[derive(Debug)]
struct Shard {
    parents: Vec<ShardName>,
    pending: Vec<Unsettled>,
}

/// How it stands with the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Settled,
    /// Records are held, or stand in or behind a shard that is halted; nothing else is pending.
    Stuck,
    /// Records are held, or a shard is halted, and others move.
    PartlyStuck,
    Moving,
}

impl Survey {
    pub(super) fn of(kinesis: &Kinesis, streams: &[Consumed], instances: &Instances) -> Self {
        let (mut shards, mut due) = (BTreeMap::new(), 0);
        for stream in streams {
            // A stream that was deleted has no records that could settle.
            for view in kinesis.shards(&stream.name).unwrap_or_default() {
                let name = shard_name(stream.label, &view.shard_id);
                let records = kinesis.records(&stream.name, &view.shard_id);
                let (pending, shard_due) = instances.witness.unsettled(&name, records);
                due += shard_due;
                let parents = parents(stream.label, &view);
                shards.insert(name, Shard { parents, pending });
            }
        }
        Self { shards, due }
    }

    pub(super) fn standing(&self) -> Standing {
        let pending = || self.shards.values().flat_map(|shard| &shard.pending);
        if pending().next().is_none() {
            return Standing::Settled;
        }
        let stuck = pending().any(|pending| !can_move(pending));
        if !stuck {
            return Standing::Moving;
        }
        let blocked = self.blocked();
        let mut open = self
            .shards
            .iter()
            .filter(|(name, _)| !blocked.contains(name));
        if open.any(|(_, shard)| shard.pending.iter().any(can_move)) {
            Standing::PartlyStuck
        } else {
            Standing::Stuck
        }
    }

    /// The newest record that is pending: when all before it are settled, this one mostly is as well.
    pub(super) fn last_pending(&self) -> Option<(&ShardName, &str)> {
        let (name, shard) = self
            .shards
            .iter()
            .rev()
            .find(|(_, shard)| !shard.pending.is_empty())?;
        let last = shard.pending.last()?;
        Some((name, &last.record.sequence_number))
    }

    /// The shards of which nothing begins: each is halted, or an ancestor of it is not finished and will not be.
    fn blocked(&self) -> BTreeSet<&ShardName> {
        let (mut blocked, mut unfinished) = (BTreeSet::new(), BTreeSet::new());
        // In the order of their ids: parents come before their children.
        for (name, shard) in &self.shards {
            if shard.is_halted()
                || shard
                    .parents
                    .iter()
                    .any(|parent| unfinished.contains(parent))
            {
                blocked.insert(name);
            }
            if blocked.contains(name) || !shard.pending.iter().all(can_move) {
                unfinished.insert(name);
            }
        }
        blocked
    }

    /// The pending records with the reason of each, a line each.
    pub(super) fn report<'a>(&'a self, instances: &'a Instances) -> Report<'a> {
        Report {
            survey: self,
            health: instances.shards(),
            runs: !instances.none_runs(),
        }
    }

    fn waits_for(&self, name: &ShardName, health: Option<&ShardHealth>, runs: bool) -> String {
        let shard = &self.shards[name];
        if !runs {
            return "no instance of the application runs".into();
        }
        if shard.is_halted() {
            return "not begun: its shard is halted".into();
        }
        let unfinished = |parent: &&ShardName| {
            let parent = self.shards.get(parent);
            parent.is_some_and(|parent| !parent.pending.is_empty())
        };
        if let Some(parent) = shard.parents.iter().find(unfinished) {
            return format!("not begun: its shard waits for its parent `{parent}`");
        }
        match health {
            None => "not begun: no instance reads its shard".into(),
            Some(ShardHealth {
                failing: Some(failing),
                ..
            }) => {
                format!("not begun: its shard cannot be read: {}", failing.error)
            }
            Some(ShardHealth {
                activity: Activity::Refused,
                ..
            }) => "not begun: its shard may not be read".into(),
            Some(_) => "not begun".into(),
        }
    }
}

impl Shard {
    fn is_halted(&self) -> bool {
        let halted = |pending: &Unsettled| matches!(pending.fate, Some(Fate::Halted { .. }));
        self.pending.iter().any(halted)
    }
}

fn can_move(pending: &Unsettled) -> bool {
    !matches!(pending.fate, Some(Fate::Held | Fate::Halted { .. }))
}

fn shard_name(stream: &'static str, shard_id: &str) -> ShardName {
    ShardName {
        stream,
        shard_id: shard_id.into(),
    }
}

fn parents(stream: &'static str, view: &ShardView) -> Vec<ShardName> {
    let parents = view.parent.iter().chain(&view.adjacent_parent);
    parents.map(|parent| shard_name(stream, parent)).collect()
}

pub(super) struct Report<'a> {
    survey: &'a Survey,
    health: BTreeMap<ShardName, ShardHealth>,
    runs: bool,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shards = &self.survey.shards;
        let all = || {
            shards
                .iter()
                .flat_map(|(name, shard)| shard.pending.iter().map(move |pending| (name, pending)))
        };
        let count = all().count();
        let due = self.survey.due;
        write!(f, "{count} of {due} records are pending:")?;
        for (name, Unsettled { record, fate }) in all().take(defaults::TEST_SHOWN) {
            let reason = match fate {
                Some(fate) => fate.to_string(),
                None => self
                    .survey
                    .waits_for(name, self.health.get(name), self.runs),
            };
            let key = text::key(record.partition_key.as_deref());
            let (sequence, payload) = (&record.sequence_number, text::preview(&record.data));
            write!(
                f,
                "\n  {name}, {key}: {payload}: {reason}\n    at {sequence}"
            )?;
        }
        if count > defaults::TEST_SHOWN {
            write!(f, "\n  and {} more", count - defaults::TEST_SHOWN)?;
        }
        Ok(())
    }
}
