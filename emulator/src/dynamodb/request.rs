//! What a request's body tells before it is carried out.

use super::error::ErrorCode;
use super::operation::Access;
use super::{Operation, Refusal};
use serde_json::{Map, Value};

/// A request whose body is a JSON object; what the object says is the engine's to judge.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) operation: Operation,
    pub(crate) body: Map<String, Value>,
    /// The names of the tables that it is about.
    pub(crate) tables: Vec<String>,
    /// The tables whose items it reads by an eventual read.
    pub(crate) eventual: Vec<String>,
}

/// An item that a request names, by its key or by all of its attributes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Named<'a> {
    pub(crate) table: &'a str,
    pub(crate) attributes: &'a Map<String, Value>,
    pub(crate) by: By,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Key,
    /// The whole item: its key is among the attributes.
    Item,
}

impl Asked {
    /// `prefix` is what the ARNs of this account's tables begin with: a table may be named by its.
    pub(crate) fn read(operation: Operation, body: &[u8], prefix: &str) -> Result<Self, Refusal> {
        let malformed = |_| Refusal::new(ErrorCode::Serialization, "");
        let mut body: Map<String, Value> = serde_json::from_slice(body).map_err(malformed)?;
        name_tables(&mut body, prefix);
        let tables = tables(&body);
        let eventual = eventual(operation, &body);
        Ok(Self {
            operation,
            body,
            tables,
            eventual,
        })
    }

    /// The items that it names to write them.
    pub(crate) fn written(&self) -> Vec<Named<'_>> {
        if self.operation.access() != Access::Write {
            return Vec::new();
        }
        match self.operation {
            Operation::BatchWriteItem => self.batch().flat_map(batch_writes).collect(),
            Operation::TransactWriteItems => self.transaction().filter_map(transacted).collect(),
            _ => self.single().into_iter().collect(),
        }
    }

    /// The one item that it names, if it is an operation on one.
    pub(crate) fn single(&self) -> Option<Named<'_>> {
        match self.operation {
            Operation::GetItem | Operation::UpdateItem | Operation::DeleteItem => {
                named(&self.body, "Key", By::Key)
            }
            Operation::PutItem => named(&self.body, "Item", By::Item),
            _ => None,
        }
    }

    fn batch(&self) -> impl Iterator<Item = (&String, &Value)> {
        let tables = self.body.get("RequestItems").and_then(Value::as_object);
        tables.into_iter().flatten()
    }

    fn transaction(&self) -> impl Iterator<Item = &Value> {
        let items = self.body.get("TransactItems").and_then(Value::as_array);
        items.into_iter().flatten()
    }
}

fn named<'a>(body: &'a Map<String, Value>, member: &str, by: By) -> Option<Named<'a>> {
    Some(Named {
        table: body.get("TableName")?.as_str()?,
        attributes: body.get(member)?.as_object()?,
        by,
    })
}

fn batch_writes<'a>((table, requests): (&'a String, &'a Value)) -> Vec<Named<'a>> {
    let write = |request: &'a Value| {
        let (member, by) = if request.get("PutRequest").is_some() {
            (request.get("PutRequest")?.get("Item")?, By::Item)
        } else {
            (request.get("DeleteRequest")?.get("Key")?, By::Key)
        };
        let attributes = member.as_object()?;
        Some(Named {
            table,
            attributes,
            by,
        })
    };
    let requests = requests.as_array().into_iter().flatten();
    requests.filter_map(write).collect()
}

fn transacted(item: &Value) -> Option<Named<'_>> {
    let (member, by) = [("Put", By::Item), ("Update", By::Key), ("Delete", By::Key)]
        .into_iter()
        .find_map(|(member, by)| Some((item.get(member)?.as_object()?, by)))?;
    named(member, if by == By::Item { "Item" } else { "Key" }, by)
}

/// Puts the name in the place of the ARN, wherever a table is named.
fn name_tables(body: &mut Map<String, Value>, prefix: &str) {
    let rename = |name: &mut Value| {
        if let Some(short) = name.as_str().and_then(|arn| arn.strip_prefix(prefix)) {
            *name = short.into();
        }
    };
    if let Some(name) = body.get_mut("TableName") {
        rename(name);
    }
    if let Some(Value::Object(batch)) = body.get_mut("RequestItems") {
        let named = std::mem::take(batch).into_iter();
        *batch = named
            .map(|(name, items)| match name.strip_prefix(prefix) {
                Some(short) => (short.to_owned(), items),
                None => (name, items),
            })
            .collect();
    }
    let items = body.get_mut("TransactItems").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten() {
        for member in item.as_object_mut().into_iter().flatten() {
            if let Some(name) = member.1.get_mut("TableName") {
                rename(name);
            }
        }
    }
}

fn tables(body: &Map<String, Value>) -> Vec<String> {
    let single = body.get("TableName").and_then(Value::as_str);
    let batch = body.get("RequestItems").and_then(Value::as_object);
    let batch = batch.into_iter().flat_map(Map::keys).map(String::as_str);
    let items = body.get("TransactItems").and_then(Value::as_array);
    let members = items.into_iter().flatten().filter_map(Value::as_object);
    let members = members.flat_map(Map::values);
    let transacted = members.filter_map(|member| member.get("TableName")?.as_str());
    let mut tables: Vec<String> = Vec::new();
    for table in single.into_iter().chain(batch).chain(transacted) {
        if !tables.iter().any(|known| known == table) {
            tables.push(table.to_owned());
        }
    }
    tables
}

/// Queries and scans of an index are eventual too: a global one cannot be read in any other way.
fn eventual(operation: Operation, body: &Map<String, Value>) -> Vec<String> {
    let strong = |read: &Value| read.get("ConsistentRead").and_then(Value::as_bool) == Some(true);
    match operation {
        Operation::GetItem | Operation::Query | Operation::Scan => {
            let flag = body.get("ConsistentRead").and_then(Value::as_bool);
            let table = body.get("TableName").and_then(Value::as_str);
            let table = table.filter(|_| flag != Some(true));
            table.into_iter().map(str::to_owned).collect()
        }
        Operation::BatchGetItem => {
            let tables = body.get("RequestItems").and_then(Value::as_object);
            let tables = tables.into_iter().flatten();
            let tables = tables.filter(|(_, read)| !strong(read));
            tables.map(|(table, _)| table.clone()).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(operation: Operation, body: &Value) -> Asked {
        let body = serde_json::to_vec(body).unwrap();
        Asked::read(operation, &body, "arn:aws:dynamodb:r:1:table/").unwrap()
    }

    #[test]
    fn a_table_may_be_named_by_its_arn_wherever_tables_are_named() {
        let arn = "arn:aws:dynamodb:r:1:table/leases";
        let single = json!({ "TableName": arn });
        let batch = json!({ "RequestItems": { arn: [] } });
        let transaction = json!({ "TransactItems": [{ "Put": { "TableName": arn } }] });
        assert_eq!(asked(Operation::Scan, &single).tables, ["leases"]);
        assert_eq!(asked(Operation::BatchWriteItem, &batch).tables, ["leases"]);
        let transaction = asked(Operation::TransactWriteItems, &transaction);
        assert_eq!(transaction.tables, ["leases"]);
        let foreign = json!({ "TableName": "arn:aws:dynamodb:r:2:table/leases" });
        assert_ne!(asked(Operation::Scan, &foreign).tables, ["leases"]);
    }

    #[test]
    fn every_item_that_a_request_writes_is_named() {
        let key = json!({ "k": { "S": "a" } });
        let batch = json!({ "RequestItems": {
            "t": [{ "PutRequest": { "Item": key } }, { "DeleteRequest": { "Key": key } }],
        } });
        let transaction = json!({ "TransactItems": [
            { "Put": { "TableName": "t", "Item": key } },
            { "Update": { "TableName": "t", "Key": key } },
            { "Delete": { "TableName": "u", "Key": key } },
            { "ConditionCheck": { "TableName": "v", "Key": key } },
        ] });
        let written = |operation, body: &Value| -> Vec<(String, By)> {
            let asked = asked(operation, body);
            let named = asked.written().into_iter();
            named
                .map(|named| (named.table.to_owned(), named.by))
                .collect()
        };
        let (t, u) = (|| "t".to_owned(), || "u".to_owned());
        let put = json!({ "TableName": "t", "Item": key });
        assert_eq!(written(Operation::PutItem, &put), [(t(), By::Item)]);
        let get = json!({ "TableName": "t", "Key": key });
        assert_eq!(written(Operation::GetItem, &get), []);
        assert_eq!(
            written(Operation::BatchWriteItem, &batch),
            [(t(), By::Item), (t(), By::Key)]
        );
        assert_eq!(
            written(Operation::TransactWriteItems, &transaction),
            [(t(), By::Item), (t(), By::Key), (u(), By::Key)]
        );
        let transaction = asked(Operation::TransactWriteItems, &transaction);
        assert_eq!(transaction.tables, ["t", "u", "v"]);
    }

    #[test]
    fn reads_are_eventual_unless_they_ask_for_consistency() {
        let eventual = |operation, body: &Value| asked(operation, body).eventual;
        let plain = json!({ "TableName": "t" });
        let consistent = json!({ "TableName": "t", "ConsistentRead": true });
        for operation in [Operation::GetItem, Operation::Query, Operation::Scan] {
            assert_eq!(eventual(operation, &plain), ["t"]);
            assert!(eventual(operation, &consistent).is_empty());
        }
        let batch = json!({ "RequestItems": { "t": { "ConsistentRead": true }, "u": {} } });
        assert_eq!(eventual(Operation::BatchGetItem, &batch), ["u"]);
        assert!(eventual(Operation::TransactGetItems, &plain).is_empty());
    }
}
