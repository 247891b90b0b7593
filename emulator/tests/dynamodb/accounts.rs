//! What is counted and logged of the calls, and of what they consume.

use crate::common::*;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use kinesis_app_emulator::Kinesis;
use kinesis_app_emulator::dynamodb::{ErrorCode, Fault, FaultKind, Operation, Outcome};

#[tokio::test(start_paused = true)]
async fn calls_are_counted_per_operation_and_table_whatever_became_of_them() {
    let (_, tables, client) = leases().await;
    create(&client, "other").send().await.unwrap();
    put(&client, "a", 1).await;
    tables.fault(Fault::new(Operation::PutItem, FaultKind::Reset));
    let lost = client.put_item().table_name("leases").item(KEY, text("b"));
    lost.send().await.unwrap_err();
    let other = client.put_item().table_name("other").item(KEY, text("b"));
    other.send().await.unwrap();
    assert_eq!(tables.calls(Operation::PutItem), 3);
    assert_eq!(tables.calls_for(Operation::PutItem, "leases"), 2);
    assert_eq!(tables.calls_for(Operation::PutItem, "other"), 1);
    assert_eq!(tables.calls_for(Operation::GetItem, "leases"), 0);
    assert_eq!(tables.calls(Operation::CreateTable), 2);
}

#[tokio::test(start_paused = true)]
async fn the_log_tells_link_table_key_and_outcome() {
    let (kinesis, tables, client) = leases().await;
    put(&client, "a", 1).await;
    let linked = crate::common::client(&kinesis.link("one"));
    beat(&linked, "a", 9).await.unwrap_err();
    client.scan().table_name("leases").send().await.unwrap();
    let log: Vec<_> = tables
        .call_log()
        .into_iter()
        .map(|call| {
            (
                call.operation,
                call.link,
                call.tables,
                call.key,
                call.outcome,
            )
        })
        .collect();
    let entry = |operation, link: &str, key: Option<&str>, outcome| {
        let table = vec!["leases".to_owned()];
        (
            operation,
            link.to_owned(),
            table,
            key.map(str::to_owned),
            outcome,
        )
    };
    let refused = Outcome::Refused(ErrorCode::ConditionalCheckFailed);
    assert_eq!(
        log,
        [
            entry(Operation::CreateTable, "", None, Outcome::Ok),
            entry(Operation::PutItem, "", Some("a"), Outcome::Ok),
            entry(Operation::UpdateItem, "one", Some("a"), refused),
            entry(Operation::Scan, "", None, Outcome::Ok),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_log_keeps_the_newest() {
    let kinesis = Kinesis::builder().log_calls(2).build();
    let client = client(&kinesis.link(""));
    create(&client, "leases").send().await.unwrap();
    for n in 0..5 {
        put(&client, &n.to_string(), n).await;
    }
    let log = kinesis.dynamodb().call_log();
    let keys: Vec<_> = log.iter().filter_map(|call| call.key.as_deref()).collect();
    assert_eq!(keys, ["3", "4"]);
    assert_eq!(kinesis.dynamodb().calls(Operation::PutItem), 5);
}

/// Units as exact halves.
fn halves(units: f64) -> u64 {
    let doubled = units * 2.0;
    assert!(doubled >= 0.0 && doubled.fract() == 0.0, "{units}");
    format!("{doubled:.0}").parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn capacity_is_counted_as_the_service_bills_it() {
    let (_, tables, client) = leases().await;
    let large = |key: &str, bytes| {
        let put = client.put_item().table_name("leases").item(KEY, text(key));
        put.item("filler", text(&"x".repeat(bytes)))
    };
    let consumed = |operation| {
        let units = tables.consumed(operation, "leases");
        (halves(units.read), halves(units.write))
    };
    put(&client, "a", 1).await;
    assert_eq!(consumed(Operation::PutItem), (0, 2));
    large("b", 2_500).send().await.unwrap();
    assert_eq!(
        consumed(Operation::PutItem),
        (0, 2 + 6),
        "3 units for 2.5 KiB"
    );

    counter(&client, "a", false).await;
    assert_eq!(consumed(Operation::GetItem), (1, 0), "half a unit");
    counter(&client, "a", true).await;
    assert_eq!(consumed(Operation::GetItem), (3, 0));

    beat(&client, "a", 1).await.unwrap();
    beat(&client, "a", 1).await.unwrap_err();
    assert_eq!(
        consumed(Operation::UpdateItem),
        (0, 4),
        "a refused write counts"
    );
    tables.fault(Fault::new(Operation::UpdateItem, FaultKind::Throttle));
    beat(&client, "a", 2).await.unwrap_err();
    assert_eq!(
        consumed(Operation::UpdateItem),
        (0, 4),
        "a throttled one does not"
    );
    tables.fault(Fault::new(Operation::UpdateItem, FaultKind::AnswerLost));
    beat(&client, "a", 2).await.unwrap_err();
    assert_eq!(
        consumed(Operation::UpdateItem),
        (0, 6),
        "one without an answer does"
    );
    let last = tables.call_log().pop().unwrap();
    assert_eq!(halves(last.consumed.write), 2);
}

#[tokio::test(start_paused = true)]
async fn consumed_capacity_is_shown_to_those_who_ask() {
    let (_, tables, client) = leases().await;
    let put = || client.put_item().table_name("leases").item(KEY, text("a"));
    assert_eq!(put().send().await.unwrap().consumed_capacity, None);
    let asked = put().return_consumed_capacity(ReturnConsumedCapacity::Total);
    let told = asked.send().await.unwrap().consumed_capacity.unwrap();
    assert_eq!(told.capacity_units().map(halves), Some(2));
    let units = tables.consumed(Operation::PutItem, "leases");
    assert_eq!(halves(units.write), 4);
}
