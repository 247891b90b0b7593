//! Writes that arrive after their sender gave up on them, and whoever watches the writes.

use crate::common::*;
use aws_sdk_dynamodb::types::AttributeValue;
use kinesis_app_emulator::dynamodb::{Change, Fault, FaultKind, Operation, Outcome};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::sleep;

const UPDATE: Operation = Operation::UpdateItem;

fn late(seconds: u64) -> Fault {
    Fault::new(UPDATE, FaultKind::Late(Duration::from_secs(seconds)))
}

#[tokio::test(start_paused = true)]
async fn a_late_write_is_reset_for_its_sender_and_carried_out_when_its_time_has_come() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 1).await;
    tables.fault(late(5));
    assert!(beat(&client, "a", 1).await.is_err());
    assert_eq!(counter(&client, "a", true).await, Some(1));
    sleep(Duration::from_secs(5)).await;
    assert_eq!(counter(&client, "a", true).await, Some(2));
    let last = tables
        .call_log()
        .into_iter()
        .rfind(|call| call.operation == UPDATE);
    assert_eq!(last.map(|call| call.outcome), Some(Outcome::AnswerLost));
}

#[tokio::test(start_paused = true)]
async fn a_late_write_finds_what_stands_when_it_arrives() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 1).await;
    tables.fault(late(5));
    assert!(beat(&client, "a", 1).await.is_err());
    beat(&client, "a", 1).await.unwrap();
    sleep(Duration::from_secs(6)).await;
    assert_eq!(
        counter(&client, "a", true).await,
        Some(2),
        "its condition failed"
    );
}

#[tokio::test(start_paused = true)]
async fn late_writes_arrive_in_the_order_of_their_times() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 1).await;
    tables.fault(late(9));
    tables.fault(late(3));
    assert!(beat(&client, "a", 2).await.is_err(), "arrives second");
    assert!(beat(&client, "a", 1).await.is_err(), "arrives first");
    sleep(Duration::from_secs(20)).await;
    assert_eq!(counter(&client, "a", true).await, Some(3));
}

#[tokio::test(start_paused = true)]
async fn a_watcher_is_told_of_every_write_that_is_carried_out_and_of_no_other() {
    let (kinesis, tables, client) = leases().await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&told);
    tables.watch(move |change: Change| seen.lock().unwrap().push(change));

    put(&client, "a", 1).await;
    beat(&self::client(&kinesis.link("w1")), "a", 1)
        .await
        .unwrap();
    assert!(beat(&client, "a", 1).await.is_err(), "refused");
    tables.fault(Fault::new(UPDATE, FaultKind::AnswerLost));
    assert!(beat(&client, "a", 2).await.is_err());
    tables.fault(late(1));
    assert!(beat(&client, "a", 3).await.is_err());
    sleep(Duration::from_secs(2)).await;
    let delete = client.delete_item().table_name("leases");
    delete.key(KEY, text("a")).send().await.unwrap();

    let counter = |row: &Option<BTreeMap<String, AttributeValue>>| {
        row.as_ref().map(|row| row["lease_counter"].clone())
    };
    let told: Vec<_> = told
        .lock()
        .unwrap()
        .iter()
        .map(|change| {
            (
                change.link.clone(),
                counter(&change.before),
                counter(&change.after),
            )
        })
        .collect();
    let step = |link: &str, before: Option<u64>, after: Option<u64>| {
        (link.to_owned(), before.map(number), after.map(number))
    };
    assert_eq!(
        told,
        [
            step("", None, Some(1)),
            step("w1", Some(1), Some(2)),
            step("", Some(2), Some(3)),
            step("", Some(3), Some(4)),
            step("", Some(4), None),
        ]
    );
}
