//! What the engine does not know of a table: when it was born here, and when it is ready.

use super::Operation;
use super::error::{ErrorCode, Refusal};
use super::request::Asked;
use dynoxide::streams::table_arn;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Debug)]
pub(crate) struct Tables {
    /// What ARNs of tables begin with.
    prefix: String,
    create_duration: Duration,
    kept: Kept,
}

/// What outlives the emulator, beside the engine's database.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Kept {
    lives: BTreeMap<String, Life>,
    born: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Life {
    id: String,
    created: SystemTime,
    active: SystemTime,
    /// The names of the key's attributes, the partition key first.
    key: Vec<String>,
    /// Whether a stream shows its writes.
    streamed: bool,
}

impl Tables {
    pub(crate) fn new(prefix: String, create_duration: Duration) -> Self {
        Self {
            prefix,
            create_duration,
            kept: Kept::default(),
        }
    }

    pub(crate) fn kept(&self) -> &Kept {
        &self.kept
    }

    pub(crate) fn put_back(&mut self, kept: Kept) {
        self.kept = kept;
    }

    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Refuses what a table that is `CREATING` does not serve.
    pub(crate) fn admit(&self, asked: &Asked, now: SystemTime) -> Result<(), Refusal> {
        let creating = |table: &&String| {
            self.kept
                .lives
                .get(*table)
                .is_some_and(|life| now < life.active)
        };
        let Some(table) = asked.tables.iter().find(creating) else {
            return Ok(());
        };
        match asked.operation {
            Operation::CreateTable | Operation::DescribeTable | Operation::DescribeTimeToLive => {
                Ok(())
            }
            Operation::DeleteTable | Operation::UpdateTable | Operation::UpdateTimeToLive => {
                let message = format!(
                    "Attempt to change a resource which is still in use: Table is being created: {table}"
                );
                Err(Refusal::new(ErrorCode::ResourceInUse, &message))
            }
            _ => Err(Refusal::new(
                ErrorCode::ResourceNotFound,
                "Requested resource not found",
            )),
        }
    }

    /// Follows a change of tables that the engine has carried out.
    pub(crate) fn follow(&mut self, asked: &Asked, now: SystemTime) {
        let Some(table) = asked.tables.first() else {
            return;
        };
        let stream = asked.body.get("StreamSpecification");
        let stream = stream.map(|stream| stream["StreamEnabled"] == json!(true));
        match asked.operation {
            Operation::CreateTable => {
                self.kept.born += 1;
                let life = Life {
                    id: format!("00000000-0000-4000-9000-{:012x}", self.kept.born),
                    created: now,
                    active: now + self.create_duration,
                    key: key_of(asked),
                    streamed: stream.unwrap_or_default(),
                };
                self.kept.lives.insert(table.clone(), life);
            }
            Operation::DeleteTable => {
                self.kept.lives.remove(table);
            }
            Operation::UpdateTable => {
                if let (Some(life), Some(stream)) = (self.kept.lives.get_mut(table), stream) {
                    life.streamed = stream;
                }
            }
            _ => {}
        }
    }

    /// The names of the attributes of a table's key, the partition key first.
    pub(crate) fn key(&self, table: &str) -> &[String] {
        self.kept.lives.get(table).map_or(&[], |life| &life.key)
    }

    pub(crate) fn is_streamed(&self, table: &str) -> bool {
        self.kept.lives.get(table).is_some_and(|life| life.streamed)
    }

    /// Replaces what the engine took from the machine: its clock, its chance, its region.
    pub(crate) fn correct(&self, answer: &mut Value, now: SystemTime) {
        for member in ["Table", "TableDescription"] {
            let Some(description) = answer.get_mut(member).and_then(Value::as_object_mut) else {
                continue;
            };
            let name = description.get("TableName").and_then(Value::as_str);
            if let Some(life) = name.and_then(|name| self.kept.lives.get(name)) {
                description.insert("TableId".into(), life.id.as_str().into());
                description.insert("CreationDateTime".into(), seconds(life.created));
                if now < life.active {
                    description.insert("TableStatus".into(), "CREATING".into());
                }
            }
        }
        replace_prefix(answer, &table_arn(""), &self.prefix);
    }

    /// The engine's ARN for one of this account's, in a request about tags.
    pub(crate) fn localize(&self, asked: &mut Asked) {
        if let Some(arn) = asked.body.get_mut("ResourceArn") {
            replace_prefix(arn, &self.prefix, &table_arn(""));
        }
    }
}

fn key_of(asked: &Asked) -> Vec<String> {
    let schema = asked.body.get("KeySchema").and_then(Value::as_array);
    let named = |kind: &str| {
        let elements = schema.into_iter().flatten();
        let mut elements = elements.filter(|element| element["KeyType"] == json!(kind));
        elements.next()?["AttributeName"]
            .as_str()
            .map(str::to_owned)
    };
    [named("HASH"), named("RANGE")]
        .into_iter()
        .flatten()
        .collect()
}

/// Seconds since the epoch to the millisecond, as the service writes times.
fn seconds(time: SystemTime) -> Value {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Duration::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
        .as_secs_f64()
        .into()
}

fn replace_prefix(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::String(text) => {
            if let Some(rest) = text.strip_prefix(from) {
                *text = format!("{to}{rest}");
            }
        }
        Value::Array(values) => {
            for value in values {
                replace_prefix(value, from, to);
            }
        }
        Value::Object(values) => {
            for (_, value) in values {
                replace_prefix(value, from, to);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
