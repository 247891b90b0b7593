//! The tables: the engine, with this emulator's clock, states and lagging reads around it.

use super::attribute::attributes;
use super::calls::{Capacity, Scope};
use super::capacity::{self, Private};
use super::change::{Change, Watcher};
use super::engine::Engine;
use super::error::{ErrorCode, Refusal};
use super::history::{History, Place};
use super::operation::Access;
use super::request::{Asked, By, Named};
use super::tables::Tables;
use super::{EmulatorClock, Operation};
use aws_sdk_dynamodb::types::AttributeValue;
use dynoxide::Item;
use dynoxide::types::item_size;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

/// How eventual reads lag behind the writes.
///
/// An eventual read is a `GetItem`, `Query`, `Scan` or `BatchGetItem` without `ConsistentRead`.
/// With the given probability it answers, for each item that was written lately, with what stood
/// there at a moment of the last [`within`](Self::within), another one for each item: of two
/// writes a read may show the later and not the earlier, as it may in the service.
///
/// Writes by PartiQL are seen at once, and so are all of a table with a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StaleReads {
    /// How far behind a read may be, at most 60 s.
    pub within: Duration,
    /// How many of the eventual reads are behind: 0 to 1.
    pub probability: f64,
}

impl StaleReads {
    /// Every eventual read may be behind by so much.
    pub fn within(within: Duration) -> Self {
        Self {
            within,
            probability: 1.0,
        }
    }

    /// Only so many of them, 0 to 1, drawn under the emulator's seed.
    pub fn probability(mut self, probability: f64) -> Self {
        self.probability = probability;
        self
    }
}

#[derive(Debug)]
pub(crate) struct Service {
    pub(super) clock: EmulatorClock,
    /// Started by the first request: most emulators are never asked for a table.
    pub(super) engine: Option<Engine>,
    pub(super) tables: Tables,
    /// What a write replaced: the item's key, and the item if there was one.
    history: History<(Item, Option<Item>)>,
    pub(crate) stale: Option<StaleReads>,
    pub(crate) watcher: Watcher,
    /// Requests that arrive when their time has come, in the order of their arrival.
    late: Vec<Late>,
    /// Grows with every request that may change something.
    pub(super) changes: u64,
    pub(super) chance: fastrand::Rng,
}

/// A request that its sender has given up on.
#[derive(Debug)]
struct Late {
    due: SystemTime,
    asked: Asked,
    link: String,
}

/// What became of a request.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) answer: Result<Value, Refusal>,
    pub(crate) consumed: Vec<(String, Capacity)>,
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Self {
        Self {
            answer: Err(refusal),
            consumed: Vec::new(),
        }
    }
}

impl Service {
    pub(crate) fn new(clock: EmulatorClock, tables: Tables, seed: u64) -> Self {
        Self {
            clock,
            engine: None,
            tables,
            history: History::new(),
            stale: None,
            watcher: Watcher::default(),
            late: Vec::new(),
            changes: 0,
            chance: fastrand::Rng::with_seed(seed),
        }
    }

    pub(crate) fn prefix(&self) -> &str {
        self.tables.prefix()
    }

    pub(crate) fn scope(&self, asked: &Asked) -> Scope {
        let key = asked.single().and_then(|named| {
            let partition = self.tables.key(named.table).first()?;
            let value = named.attributes.get(partition)?;
            let text = value.get("S").or_else(|| value.get("N"))?;
            text.as_str().map(str::to_owned)
        });
        Scope {
            tables: asked.tables.clone(),
            key,
        }
    }

    /// Carries a request out. `lag` makes it a read of what stood that long ago, if it may be.
    pub(crate) fn answer(&mut self, asked: Asked, lag: Option<Duration>, link: &str) -> Reply {
        let now = self.clock.now();
        self.catch_up(now);
        self.carry_out(asked, lag, link, now)
    }

    /// Carries a request out when its time has come. Nobody hears the answer.
    pub(crate) fn answer_later(&mut self, asked: Asked, late: Duration, link: &str) {
        let due = self.clock.now() + late;
        let place = self.late.partition_point(|other| other.due <= due);
        let link = link.to_owned();
        self.late.insert(place, Late { due, asked, link });
    }

    /// Late requests are seen by whoever looks next: until then, nobody can tell when they arrived.
    pub(super) fn catch_up(&mut self, now: SystemTime) {
        let due = self.late.partition_point(|late| late.due <= now);
        for Late { due, asked, link } in self.late.drain(..due).collect::<Vec<_>>() {
            self.carry_out(asked, None, &link, due);
        }
    }

    fn carry_out(
        &mut self,
        mut asked: Asked,
        lag: Option<Duration>,
        link: &str,
        now: SystemTime,
    ) -> Reply {
        if let Err(refusal) = self.tables.admit(&asked, now) {
            return refusal.into();
        }
        if asked.operation.access() != Access::Read {
            self.changes += 1;
        }
        let private = capacity::ask(&mut asked);
        match asked.operation.access() {
            Access::Control => self.control(asked, now),
            Access::Read => self.read(&asked, private, lag, now),
            Access::Write => self.write(&asked, private, link, now),
        }
    }

    fn control(&mut self, mut asked: Asked, now: SystemTime) -> Reply {
        self.tables.localize(&mut asked);
        let mut answer = match self.run(&asked) {
            Ok(answer) => answer,
            Err(refusal) => return refusal.into(),
        };
        // The answer to a deletion describes the table that was.
        if asked.operation == Operation::DeleteTable {
            self.tables.correct(&mut answer, now);
        }
        self.tables.follow(&asked, now);
        self.tables.correct(&mut answer, now);
        if matches!(
            asked.operation,
            Operation::CreateTable | Operation::DeleteTable | Operation::UpdateTable
        ) {
            for table in &asked.tables {
                self.history.forget(table);
            }
        }
        Reply {
            answer: Ok(answer),
            consumed: Vec::new(),
        }
    }

    fn read(
        &mut self,
        asked: &Asked,
        private: Private,
        lag: Option<Duration>,
        now: SystemTime,
    ) -> Reply {
        let behind = self.behind(asked, lag, now);
        let engine = self.engine();
        let mut current = Vec::with_capacity(behind.len());
        for ((table, _), key, item) in behind {
            let stands = engine.item(&table, &key);
            // What a table once held and takes no longer is shown as it stands.
            if engine.restore(&table, &key, item).is_ok() {
                current.push((table, key, stands));
            }
        }
        let answer = self.run(asked);
        let engine = self.engine();
        let restored = current
            .into_iter()
            .try_for_each(|(table, key, item)| engine.restore(&table, &key, item));
        match (answer, restored) {
            (_, Err(error)) => Refusal::from(error).into(),
            (Err(refusal), _) => refusal.into(),
            (Ok(mut answer), Ok(())) => Reply {
                consumed: capacity::tell(asked, &mut answer, private),
                answer: Ok(answer),
            },
        }
    }

    fn write(&mut self, asked: &Asked, private: Private, link: &str, now: SystemTime) -> Reply {
        let written: Vec<(Place, Item, Option<Item>, usize)> = asked
            .written()
            .into_iter()
            .filter_map(|named| self.before(named))
            .collect();
        match self.run(asked) {
            Ok(mut answer) => {
                for (place, key, before, _) in written {
                    self.tell(&place.0, &key, before.as_ref(), link, now);
                    if !self.tables.is_streamed(&place.0) {
                        self.history.record(now, place, (key, before));
                    }
                }
                Reply {
                    consumed: capacity::tell(asked, &mut answer, private),
                    answer: Ok(answer),
                }
            }
            Err(refusal) => {
                let checked = matches!(
                    refusal.code,
                    ErrorCode::ConditionalCheckFailed | ErrorCode::TransactionCanceled
                );
                let written = written.into_iter().filter(|_| checked);
                let consumed = written.map(|((table, _), _, before, bytes)| {
                    let bytes = bytes.max(before.as_ref().map_or(0, item_size));
                    (table, capacity::refused_write(asked.operation, bytes))
                });
                Reply {
                    consumed: consumed.collect(),
                    answer: Err(refusal),
                }
            }
        }
    }

    fn tell(&mut self, table: &str, key: &Item, before: Option<&Item>, link: &str, at: SystemTime) {
        if self.watcher.0.is_none() {
            return;
        }
        let after = self.engine().item(table, key);
        let change = Change {
            at,
            link: link.to_owned(),
            table: table.to_owned(),
            before: before.map(shown),
            after: after.as_ref().map(shown),
        };
        if let Some(told) = &mut self.watcher.0 {
            told(change);
        }
    }

    /// An item that is about to be written: its place and key, what stands there, and how large
    /// the request says it will be.
    fn before(&mut self, named: Named<'_>) -> Option<(Place, Item, Option<Item>, usize)> {
        let whole = named.by == By::Item;
        let place = self.place(named)?;
        let key: Item = serde_json::from_str(&place.1).ok()?;
        let item = whole.then(|| Value::Object(named.attributes.clone()));
        let item = item.and_then(|item| serde_json::from_value::<Item>(item).ok());
        let bytes = item.as_ref().map_or(0, item_size);
        let before = self.engine().item(named.table, &key);
        Some((place, key, before, bytes))
    }

    /// Where an item is, by the attributes of its key.
    fn place(&self, named: Named<'_>) -> Option<Place> {
        let schema = self.tables.key(named.table).iter();
        let key = schema.map(|name| Some((name.clone(), named.attributes.get(name)?.clone())));
        let key: Option<Map<String, Value>> = key.collect();
        Some((named.table.to_owned(), Value::Object(key?).to_string()))
    }

    /// The items that a read shows otherwise than they stand.
    fn behind(
        &mut self,
        asked: &Asked,
        lag: Option<Duration>,
        now: SystemTime,
    ) -> Vec<(Place, Item, Option<Item>)> {
        if asked.eventual.is_empty() {
            return Vec::new();
        }
        let single = asked.single().and_then(|named| self.place(named));
        let chance = &mut self.chance;
        let drawn = self.stale.filter(|stale| chance.f64() < stale.probability);
        let (most, fixed) = match (lag, drawn) {
            (Some(lag), _) => (lag, true),
            (None, Some(stale)) => (stale.within, false),
            (None, None) => return Vec::new(),
        };
        let wanted = |place: &Place| {
            asked.eventual.contains(&place.0)
                && single.as_ref().is_none_or(|single| single == place)
        };
        let lag = || {
            if fixed {
                most
            } else {
                most.mul_f64(chance.f64())
            }
        };
        let behind = self.history.behind(now, wanted, lag).into_iter();
        behind
            .map(|(place, (key, item))| (place, key, item))
            .collect()
    }

    fn run(&mut self, asked: &Asked) -> Result<Value, Refusal> {
        let answer = self.engine().run(asked.operation, asked.body.clone());
        answer.map_err(Refusal::from)
    }

    fn engine(&mut self) -> &Engine {
        let clock = &self.clock;
        self.engine
            .get_or_insert_with(|| Engine::start(clock.clone()))
    }

    /// The rows of a table as DynamoDB's JSON, in the order of their keys; none without the table.
    pub(crate) fn rows(&mut self, table: &str) -> Vec<Map<String, Value>> {
        self.catch_up(self.clock.now());
        let mut rows = Vec::new();
        let mut body = Map::new();
        body.insert("TableName".into(), table.into());
        loop {
            let page = self.engine().run(Operation::Scan, body.clone());
            let Ok(Value::Object(mut page)) = page else {
                return rows;
            };
            if let Some(Value::Array(items)) = page.remove("Items") {
                let items = items.into_iter().filter_map(|item| match item {
                    Value::Object(item) => Some(item),
                    _ => None,
                });
                rows.extend(items);
            }
            match page.remove("LastEvaluatedKey") {
                Some(last) => body.insert("ExclusiveStartKey".into(), last),
                None => break,
            };
        }
        let names = self.tables.key(table);
        rows.sort_by_cached_key(|row| {
            let parts = names.iter().map(|name| row.get(name).map(Value::to_string));
            parts.collect::<Vec<_>>()
        });
        rows
    }

    pub(crate) fn sweep(&mut self) -> usize {
        self.engine().sweep()
    }
}

fn shown(item: &Item) -> BTreeMap<String, AttributeValue> {
    match serde_json::to_value(item) {
        Ok(Value::Object(item)) => attributes(&item),
        _ => BTreeMap::new(),
    }
}
