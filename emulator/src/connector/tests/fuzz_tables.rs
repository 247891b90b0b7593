//! Requests about tables that are nearly right, or nothing at all: whatever comes is answered, and
//! a row that nobody named stays as it is.
//!
//! Seeded, so that a failure is one forever: the seed and the round are in its message.

use super::fuzz::{damage, damage_headers};
use super::{post, signed};
use crate::dynamodb::{Operation, StaleReads};
use crate::{DynamoDb, Kinesis};
use fastrand::Rng;
use serde_json::{Map, Value, json};
use std::time::Duration;

const SEEDS: u64 = 4;
const ROUNDS: usize = 1_000;
const JSON: &str = "application/x-amz-json-1.0";

/// The row that no request can name, in the table that every one may.
const CANARY: &str = "canary";

const ARN: &str = "arn:aws:dynamodb:us-east-1:000000000000:table/leases";

/// Members with values that are right, nearly right, and absurd.
fn member(name: &str, random: &mut Rng) -> Value {
    let key = json!({"k": {"S": "a"}});
    let schema = json!([{"AttributeName": "k", "KeyType": "HASH"}]);
    let attributes = json!([{"AttributeName": "k", "AttributeType": "S"}]);
    let values = match name {
        "TableName" => json!([
            "leases",
            "leases",
            "leases",
            "other",
            "other",
            ARN,
            "",
            "x".repeat(300)
        ]),
        "ResourceArn" => json!([ARN, ARN, "arn:aws:dynamodb:::queue/", ""]),
        "Key" => json!([key, key, {"k": {"N": "1"}}, {"j": {"S": "a"}}, {"k": {"S": ""}}, {}]),
        "Item" => json!([
            {"k": {"S": "a"}, "n": {"N": "1"}},
            {"k": {"S": "b"}, "set": {"SS": ["x", "y"]}, "m": {"M": {"l": {"L": [{"NULL": true}]}}}},
            {"k": {"S": "c"}, "n": {"N": "1e999"}, "b": {"B": "no base64"}},
            {"n": {"N": "1"}}, {"k": {}}
        ]),
        "KeySchema" => {
            json!([schema, schema, schema, [{"AttributeName": "k", "KeyType": "RANGE"}], [{}], []])
        }
        "AttributeDefinitions" => json!([attributes, attributes, [{}], []]),
        "BillingMode" => json!(["PAY_PER_REQUEST", "PAY_PER_REQUEST", "NEVER"]),
        "UpdateExpression" => json!([
            "SET n = :one",
            "SET n = if_not_exists(n, :one) + :one",
            "REMOVE n",
            "ADD n :one",
            "SET",
            "SET k = :one",
            "SET n = n + ",
            "((((",
            "SET #a.b[99999999999] = :one"
        ]),
        "ConditionExpression" | "FilterExpression" | "KeyConditionExpression" => json!([
            "k = :a",
            "attribute_not_exists(n)",
            "attribute_exists(k) AND n < :one",
            "size(k) BETWEEN :one AND :one",
            "NOT ((k IN (:a)))",
            "k = ",
            "begins_with(",
            "🦀"
        ]),
        "ExpressionAttributeValues" => json!([
            {":one": {"N": "1"}}, {":a": {"S": "a"}}, {":one": {"N": "1"}, ":a": {"S": "a"}},
            {":one": {"N": "x"}}, {"one": {"N": "1"}}, {}
        ]),
        "ExpressionAttributeNames" => json!([{"#a": "n"}, {"#": ""}, {}]),
        "ReturnValues" => json!(["NONE", "ALL_OLD", "ALL_NEW", "SOME"]),
        "RequestItems" => json!([
            {"leases": {"Keys": [{"k": {"S": "a"}}]}},
            {"leases": [{"PutRequest": {"Item": {"k": {"S": "a"}}}}, {"DeleteRequest": {"Key": {"k": {"S": "b"}}}}]},
            {"leases": []}, {"other": null}, {}
        ]),
        "TransactItems" => json!([
            [{"Put": {"TableName": "leases", "Item": {"k": {"S": "a"}}}}],
            [{"Get": {"TableName": "leases", "Key": {"k": {"S": "a"}}}}],
            [{"Delete": {"TableName": "leases", "Key": {"k": {"S": "b"}}}}, {"ConditionCheck": {}}],
            [{}], []
        ]),
        "Statement" => json!([
            "SELECT * FROM leases WHERE k = 'a'",
            "INSERT INTO leases VALUE {'k': 'b'}",
            "DROP",
            ""
        ]),
        "Statements" | "TransactStatements" => json!([
            [{"Statement": "SELECT * FROM leases WHERE k = 'a'"}], [{}], []
        ]),
        "TimeToLiveSpecification" => json!([{"AttributeName": "until", "Enabled": true}, {}]),
        "Tags" => json!([[{"Key": "a", "Value": "b"}], [{}], []]),
        "TagKeys" => json!([["a"], [""], []]),
        "Limit" | "Segment" | "TotalSegments" => json!([1, 2, 0, -1, 1e300]),
        "ExclusiveStartKey" => json!([key, {"k": {"S": "zz"}}, {}]),
        _ => json!([true, false]),
    };
    if random.u8(..) < 12 {
        let absurd = [
            Value::Null,
            json!(-0.5),
            json!([[[]]]),
            json!({"a": {"b": []}}),
            json!("\u{0}"),
        ];
        return absurd[random.usize(..absurd.len())].clone();
    }
    let values = values.as_array().expect("a list of values");
    values[random.usize(..values.len())].clone()
}

const ANYWHERE: [&str; 12] = [
    "ConditionExpression",
    "FilterExpression",
    "KeyConditionExpression",
    "ExpressionAttributeValues",
    "ExpressionAttributeNames",
    "ReturnValues",
    "Limit",
    "Segment",
    "TotalSegments",
    "ExclusiveStartKey",
    "ConsistentRead",
    "UpdateExpression",
];

fn needed(operation: Operation) -> &'static [&'static str] {
    use Operation as O;
    match operation {
        O::BatchExecuteStatement => &["Statements"],
        O::ExecuteTransaction => &["TransactStatements"],
        O::ExecuteStatement => &["Statement"],
        O::BatchGetItem | O::BatchWriteItem => &["RequestItems"],
        O::CreateTable => &[
            "TableName",
            "KeySchema",
            "AttributeDefinitions",
            "BillingMode",
        ],
        O::GetItem | O::DeleteItem => &["TableName", "Key"],
        O::UpdateItem => &[
            "TableName",
            "Key",
            "UpdateExpression",
            "ExpressionAttributeValues",
        ],
        O::PutItem => &["TableName", "Item"],
        O::Query => &[
            "TableName",
            "KeyConditionExpression",
            "ExpressionAttributeValues",
        ],
        O::Scan | O::DescribeTable | O::DescribeTimeToLive | O::DeleteTable => &["TableName"],
        O::UpdateTable => &["TableName", "BillingMode"],
        O::UpdateTimeToLive => &["TableName", "TimeToLiveSpecification"],
        O::TransactGetItems | O::TransactWriteItems => &["TransactItems"],
        O::ListTables => &[],
        O::ListTagsOfResource => &["ResourceArn"],
        O::TagResource => &["ResourceArn", "Tags"],
        O::UntagResource => &["ResourceArn", "TagKeys"],
    }
}

fn body(operation: Operation, random: &mut Rng) -> Value {
    let mut body = Map::new();
    for name in needed(operation) {
        if random.u8(..) < 245 {
            body.insert((*name).to_owned(), member(name, random));
        }
    }
    while random.u8(..) < 80 {
        let name = ANYWHERE[random.usize(..ANYWHERE.len())];
        body.insert(name.to_owned(), member(name, random));
    }
    Value::Object(body)
}

/// One request as an application sends it.
async fn ask(kinesis: &Kinesis, operation: &str, body: &Value) -> (u16, Value) {
    let headers = signed(&format!("DynamoDB_20120810.{operation}"), JSON);
    let answered = post(kinesis, &headers, body.to_string().into_bytes()).await;
    let said = serde_json::from_slice(&answered.body).unwrap();
    (answered.status, said)
}

fn canary() -> Value {
    json!({"k": {"S": CANARY}, "n": {"N": "7"}})
}

/// The table with the row that stays, as it is before every few requests.
async fn fresh(kinesis: &Kinesis, tables: &DynamoDb) {
    ask(kinesis, "DeleteTable", &json!({"TableName": "other"})).await;
    if tables.rows("leases").is_empty() {
        let create = json!({
            "TableName": "leases",
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}],
        });
        ask(kinesis, "DeleteTable", &json!({"TableName": "leases"})).await;
        let (status, said) = ask(kinesis, "CreateTable", &create).await;
        assert_eq!(status, 200, "{said}");
        let put = json!({"TableName": "leases", "Item": canary()});
        assert_eq!(ask(kinesis, "PutItem", &put).await.0, 200);
    }
}

async fn play(seed: u64, served: &mut [usize]) {
    let mut random = Rng::with_seed(seed);
    let builder = Kinesis::builder().seed(seed).latency(Duration::ZERO);
    let kinesis = builder.build();
    let tables = kinesis.dynamodb();
    tables.stale_reads(StaleReads::within(Duration::from_secs(1)).probability(0.5));
    for round in 0..ROUNDS {
        fresh(&kinesis, &tables).await;
        let place = random.usize(..Operation::ALL.len());
        let operation = Operation::ALL[place];
        let body = body(operation, &mut random);
        let mut bytes = body.to_string().into_bytes();
        damage(&mut bytes, &mut random);
        let mut headers = signed(&format!("DynamoDB_20120810.{}", operation.as_str()), JSON);
        damage_headers(&mut headers, &mut random);
        let context = format!("seed {seed}, round {round}: {operation:?} {body}");
        let answered = post(&kinesis, &headers, bytes.clone()).await;
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            [200, 400].contains(&answered.status),
            "{context}, sent as {text}"
        );
        served[place] += usize::from(answered.status == 200);
        let read = json!({
            "TableName": "leases",
            "Key": {"k": {"S": CANARY}},
            "ConsistentRead": true,
        });
        let (status, said) = ask(&kinesis, "GetItem", &read).await;
        // Refused when the table was deleted.
        if status == 200 {
            assert_eq!(said["Item"], canary(), "{context}, sent as {text}");
        }
        tokio::time::advance(Duration::from_millis(random.u64(..300))).await;
    }
}

#[tokio::test(start_paused = true)]
async fn whatever_comes_is_answered_and_other_rows_stay() {
    let mut served = vec![0; Operation::ALL.len()];
    for seed in 0..SEEDS {
        play(seed, &mut served).await;
    }
    // Otherwise the bodies are so broken that nothing is tried.
    for (operation, served) in Operation::ALL.iter().zip(&served) {
        assert!(*served > 0, "no {operation:?} was served");
    }
}
