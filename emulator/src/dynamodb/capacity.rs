//! What a request consumed: asked of the engine for every request, shown to those who ask.

use super::Operation;
use super::calls::Capacity;
use super::operation::Access;
use super::request::Asked;
use serde_json::{Map, Value};

const ASK: &str = "ReturnConsumedCapacity";
const ANSWER: &str = "ConsumedCapacity";

/// Asks for the consumed capacity, and says whether the answer is only for us.
pub(super) fn ask(asked: &mut Asked) -> Private {
    let level = asked.body.get(ASK).map(Value::as_str);
    let unasked = matches!(level, None | Some(Some("NONE")));
    if asked.operation.access() == Access::Control || !unasked {
        return Private::No;
    }
    asked.body.insert(ASK.into(), "TOTAL".into());
    Private::Yes
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Private {
    Yes,
    No,
}

/// What the answer says was consumed, table by table.
pub(super) fn tell(asked: &Asked, answer: &mut Value, private: Private) -> Vec<(String, Capacity)> {
    let Some(answer) = answer.as_object_mut() else {
        return Vec::new();
    };
    let consumed = match answer.get(ANSWER) {
        Some(Value::Array(tables)) => tables.iter().filter_map(|t| units(asked, t)).collect(),
        Some(table) => units(asked, table).into_iter().collect(),
        None => Vec::new(),
    };
    if private == Private::Yes {
        answer.remove(ANSWER);
    }
    consumed
}

fn units(asked: &Asked, consumed: &Value) -> Option<(String, Capacity)> {
    let consumed = consumed.as_object()?;
    let table = consumed.get("TableName")?.as_str()?;
    let of = |member: &str| consumed.get(member).and_then(Value::as_f64);
    let mut capacity = Capacity {
        read: of("ReadCapacityUnits").unwrap_or_default(),
        write: of("WriteCapacityUnits").unwrap_or_default(),
    };
    if capacity == Capacity::default() {
        let total = of("CapacityUnits")?;
        if is_read(asked.operation, &asked.body) {
            capacity.read = total;
        } else {
            capacity.write = total;
        }
    }
    Some((table.to_owned(), capacity))
}

/// A PartiQL statement reads if it begins with `SELECT`; those of one request are of one kind.
fn is_read(operation: Operation, body: &Map<String, Value>) -> bool {
    let statement = match operation {
        Operation::ExecuteStatement => body.get("Statement"),
        Operation::BatchExecuteStatement => first_statement(body, "Statements"),
        Operation::ExecuteTransaction => first_statement(body, "TransactStatements"),
        _ => return operation.access() == Access::Read,
    };
    let statement = statement.and_then(Value::as_str).unwrap_or_default();
    let verb = statement.trim_start().get(..6).unwrap_or_default();
    verb.eq_ignore_ascii_case("select")
}

fn first_statement<'a>(body: &'a Map<String, Value>, member: &str) -> Option<&'a Value> {
    body.get(member)?.get(0)?.get("Statement")
}

/// The units of a write of so many bytes that its condition refused: as if it had been made (api,
/// "Condition expressions": "DynamoDB still consumes write capacity from the table").
pub(super) fn refused_write(operation: Operation, bytes: usize) -> Capacity {
    let units = bytes.div_ceil(1_024).max(1);
    let times = match operation {
        Operation::TransactWriteItems => 2,
        _ => 1,
    };
    let units = u32::try_from(units * times).unwrap_or(u32::MAX);
    Capacity {
        read: 0.0,
        write: units.into(),
    }
}
