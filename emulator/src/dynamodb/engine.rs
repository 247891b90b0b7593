//! The way into `dynoxide`: JSON to its typed calls, its errors to wire errors.

use super::clock::TableClock;
use super::error::{ErrorCode, Refusal};
use super::{EmulatorClock, Operation};
use dynoxide::actions::delete_item::DeleteItemRequest;
use dynoxide::actions::get_item::GetItemRequest;
use dynoxide::actions::put_item::PutItemRequest;
use dynoxide::{Database, DynoxideError, Item};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::io;
use std::path::Path;
use std::sync::Arc;

pub(crate) struct Engine {
    database: Database,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl Engine {
    pub(crate) fn start(clock: EmulatorClock) -> Self {
        let clock = Arc::new(TableClock(clock));
        let database = Database::memory_with_clock(clock);
        Self {
            database: database.expect("a database in memory opens: its schema is fixed"),
        }
    }

    pub(crate) fn run(
        &self,
        operation: Operation,
        body: Map<String, Value>,
    ) -> Result<Value, DynoxideError> {
        let db = &self.database;
        let body = Ask {
            operation,
            body: Value::Object(body),
        };
        match operation {
            Operation::BatchExecuteStatement => body.run(|ask| db.batch_execute_statement(ask)),
            Operation::BatchGetItem => body.run(|ask| db.batch_get_item(ask)),
            Operation::BatchWriteItem => body.run(|ask| db.batch_write_item(ask)),
            Operation::CreateTable => body.run(|ask| db.create_table(ask)),
            Operation::DeleteItem => body.run(|ask| db.delete_item(ask)),
            Operation::DeleteTable => body.run(|ask| db.delete_table(ask)),
            Operation::DescribeTable => body.run(|ask| db.describe_table(ask)),
            Operation::DescribeTimeToLive => body.run(|ask| db.describe_time_to_live(ask)),
            Operation::ExecuteStatement => body.run(|ask| db.execute_statement(ask)),
            Operation::ExecuteTransaction => body.run(|ask| db.execute_transaction(ask)),
            Operation::GetItem => body.run(|ask| db.get_item(ask)),
            Operation::ListTables => body.run(|ask| db.list_tables(ask)),
            Operation::ListTagsOfResource => body.run(|ask| db.list_tags_of_resource(ask)),
            Operation::PutItem => body.run(|ask| db.put_item(ask)),
            Operation::Query => body.run(|ask| db.query(ask)),
            Operation::Scan => body.run(|ask| db.scan(ask)),
            Operation::TagResource => body.run(|ask| db.tag_resource(ask)),
            Operation::TransactGetItems => body.run(|ask| db.transact_get_items(ask)),
            Operation::TransactWriteItems => body.run(|ask| db.transact_write_items(ask)),
            Operation::UntagResource => body.run(|ask| db.untag_resource(ask)),
            Operation::UpdateItem => body.run(|ask| db.update_item(ask)),
            Operation::UpdateTable => body.run(|ask| db.update_table(ask)),
            Operation::UpdateTimeToLive => body.run(|ask| db.update_time_to_live(ask)),
        }
    }

    /// An item as it stands; none also where there is no such table, or the key is not one.
    pub(crate) fn item(&self, table: &str, key: &Item) -> Option<Item> {
        let answer = self.database.get_item(GetItemRequest {
            table_name: table.to_owned(),
            key: key.clone(),
            consistent_read: Some(true),
            ..GetItemRequest::default()
        });
        answer.ok()?.item
    }

    /// Makes an item what it was, or is again.
    pub(crate) fn restore(
        &self,
        table: &str,
        key: &Item,
        item: Option<Item>,
    ) -> Result<(), DynoxideError> {
        let table_name = table.to_owned();
        if let Some(item) = item {
            let put = PutItemRequest {
                table_name,
                item,
                ..PutItemRequest::default()
            };
            self.database.put_item(put).map(drop)
        } else {
            let delete = DeleteItemRequest {
                table_name,
                key: key.clone(),
                ..DeleteItemRequest::default()
            };
            self.database.delete_item(delete).map(drop)
        }
    }

    /// Writes all of it into a file that is not there yet.
    pub(crate) fn copy_to(&self, path: &Path) -> io::Result<()> {
        let copied = self.database.vacuum_into(text(path)?);
        copied.map_err(|error| io::Error::other(error.to_string()))
    }

    /// Becomes what [`copy_to`](Self::copy_to) wrote, by this version of the engine or an earlier
    /// one.
    pub(crate) fn copy_from(&self, path: &Path) -> io::Result<()> {
        let copied = self.database.restore_from(text(path)?);
        copied.map_err(|error| io::Error::other(error.to_string()))
    }

    /// Deletes the items whose time to live is over: how many.
    pub(crate) fn sweep(&self) -> usize {
        self.database.sweep_ttl().unwrap_or_default()
    }
}

/// The engine takes paths as text.
fn text(path: &Path) -> io::Result<&str> {
    let invalid = || io::Error::new(io::ErrorKind::InvalidInput, "the path is not UTF-8");
    path.to_str().ok_or_else(invalid)
}

struct Ask {
    operation: Operation,
    body: Value,
}

impl Ask {
    fn run<Request: DeserializeOwned, Response: Serialize>(
        self,
        call: impl FnOnce(Request) -> Result<Response, DynoxideError>,
    ) -> Result<Value, DynoxideError> {
        let operation = self.operation;
        let request = serde_json::from_value(self.body);
        let request = request.map_err(|error| unreadable(operation, &error.to_string()))?;
        let internal = |error: serde_json::Error| {
            DynoxideError::InternalServerError(format!("the answer cannot be written: {error}"))
        };
        serde_json::to_value(call(request)?).map_err(internal)
    }
}

/// The engine's request types mark in the text of an error which kind of refusal it is.
fn unreadable(operation: Operation, text: &str) -> DynoxideError {
    let marked = |marker| text.strip_prefix(marker).map(without_position);
    let enveloped = matches!(
        operation,
        Operation::PutItem | Operation::UpdateItem | Operation::DeleteItem
    );
    if let Some(message) = marked("VALIDATION_REQUEST:") {
        let envelope = if enveloped {
            "1 validation error detected: "
        } else {
            ""
        };
        return DynoxideError::ValidationException(format!("{envelope}{message}"));
    }
    if let Some(message) =
        marked("VALIDATION:").or_else(|| text.strip_prefix("VALIDATION_AS_READ:"))
    {
        return DynoxideError::ValidationException(message.to_owned());
    }
    if let Some(message) =
        marked("SERIALIZATION:").or_else(|| text.strip_prefix("SERIALIZATION_AS_READ:"))
    {
        return DynoxideError::SerializationException(message.to_owned());
    }
    let rule = [
        "missing field",
        "unknown variant",
        "invalid type: null",
        "AttributeValue",
    ];
    if rule.iter().any(|rule| text.contains(rule)) {
        return DynoxideError::ValidationException(without_position(text).to_owned());
    }
    DynoxideError::SerializationException(without_position(text).to_owned())
}

/// Without the ` at line 1 column 2` that a JSON reader adds.
fn without_position(text: &str) -> &str {
    text.rsplit_once(" at line ").map_or(text, |(text, _)| text)
}

impl From<DynoxideError> for Refusal {
    fn from(error: DynoxideError) -> Self {
        let code = ErrorCode::of_type(error.error_type());
        let body = serde_json::from_str(&error.to_json());
        match body {
            Ok(body) => Self { code, body },
            Err(_) => Self::new(code, &error.to_string()),
        }
    }
}
