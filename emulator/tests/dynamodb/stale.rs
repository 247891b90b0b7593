//! Eventual reads that lag behind, and consistent ones that never do.

use crate::common::*;
use aws_sdk_dynamodb::Client;
use kinesis_app_emulator::dynamodb::{Fault, FaultKind, Operation, StaleReads};
use std::collections::BTreeSet;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

async fn scanned(client: &Client, consistent: bool) -> Vec<u64> {
    let scan = client
        .scan()
        .table_name("leases")
        .consistent_read(consistent);
    let page = scan.send().await.unwrap();
    let mut counters: Vec<_> = page.items().iter().map(counter_of).collect();
    counters.sort_unstable();
    counters
}

#[tokio::test(start_paused = true)]
async fn without_being_asked_no_read_is_stale() {
    let (_, _, client) = leases().await;
    for counter in 0..20 {
        put(&client, "a", counter).await;
        assert_eq!(
            crate::common::counter(&client, "a", false).await,
            Some(counter)
        );
        assert_eq!(scanned(&client, false).await, [counter]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stale_fault_shows_what_stood_that_long_ago() {
    let (_, tables, client) = leases().await;
    // At 0 s, 1 s, 2 s: each read at 2 s and a little.
    for count in 1..=3 {
        put(&client, "a", count).await;
        if count < 3 {
            tokio::time::advance(SECOND).await;
        }
    }
    let stale = |operation, seconds| {
        tables.fault(Fault::new(operation, FaultKind::Stale(SECOND * seconds)));
    };
    for (seconds, seen) in [
        (0, Some(3)),
        (1, Some(2)),
        (2, Some(1)),
        (3, None),
        (59, None),
    ] {
        stale(Operation::GetItem, seconds);
        assert_eq!(
            counter(&client, "a", false).await,
            seen,
            "{seconds} s behind"
        );
        assert_eq!(
            counter(&client, "a", false).await,
            Some(3),
            "one read alone is behind"
        );
        stale(Operation::Scan, seconds);
        assert_eq!(scanned(&client, false).await, Vec::from_iter(seen));
        assert_eq!(scanned(&client, false).await, [3]);
    }
}

#[tokio::test(start_paused = true)]
async fn consistent_reads_and_conditions_see_every_write() {
    let (_, tables, client) = leases().await;
    tables.stale_reads(StaleReads::within(Duration::from_secs(30)));
    put(&client, "a", 0).await;
    for seen in 0..50 {
        assert_eq!(counter(&client, "a", true).await, Some(seen));
        assert_eq!(scanned(&client, true).await, [seen]);
        // A stale read before a write must not change what its condition meets.
        counter(&client, "a", false).await;
        beat(&client, "a", seen).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn stale_reads_stay_within_their_bound_and_reach_into_it() {
    let (_, tables, client) = leases().await;
    tables.stale_reads(StaleReads::within(SECOND * 2));
    let mut behind = BTreeSet::new();
    for now in 0..60 {
        put(&client, "a", now).await;
        tokio::time::advance(Duration::from_millis(500)).await;
        let seen = counter(&client, "a", false).await;
        if now >= 3 {
            behind.insert(now - seen.unwrap());
        }
        tokio::time::advance(Duration::from_millis(480)).await;
    }
    // Writes are a second apart, the newest half a second old: two seconds hide two at most.
    assert_eq!(behind.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn a_deleted_row_may_be_seen_and_a_new_one_missed() {
    let (_, tables, client) = leases().await;
    put(&client, "old", 1).await;
    tokio::time::advance(SECOND * 10).await;
    let delete = client
        .delete_item()
        .table_name("leases")
        .key(KEY, text("old"));
    delete.send().await.unwrap();
    put(&client, "new", 2).await;
    tables.fault(Fault::new(Operation::Scan, FaultKind::Stale(SECOND * 5)));
    assert_eq!(scanned(&client, false).await, [1]);
    assert_eq!(scanned(&client, false).await, [2]);
    let rows = tables.rows("leases");
    assert_eq!(rows.len(), 1, "the table holds what it held: {rows:?}");
}

#[tokio::test(start_paused = true)]
async fn a_stale_scan_may_show_the_later_of_two_writes_alone() {
    let (_, tables, client) = leases().await;
    tables.stale_reads(StaleReads::within(SECOND));
    let mut torn = 0;
    for round in 0..50 {
        put(&client, "first", round * 2).await;
        put(&client, "second", round * 2 + 1).await;
        tokio::time::advance(SECOND / 2).await;
        let seen = scanned(&client, false).await;
        let torn_now = !seen.contains(&(round * 2)) && seen.contains(&(round * 2 + 1));
        torn += u32::from(torn_now);
        tokio::time::advance(SECOND * 2).await;
    }
    assert!((5..45).contains(&torn), "{torn} of 50 scans");
}

#[tokio::test(start_paused = true)]
async fn stale_reads_come_as_often_as_told_and_end_when_told() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 0).await;
    tables.stale_reads(StaleReads::within(SECOND * 60).probability(0.25));
    let mut stale = 0;
    for count in 1..=400 {
        put(&client, "a", count).await;
        stale += u32::from(counter(&client, "a", false).await != Some(count));
    }
    // A stale read whose lag is below 10 ms shows the newest: hardly any.
    assert!((70..130).contains(&stale), "{stale} of 400 at 25 %");
    tables.stale_reads(None);
    for count in 401..=450 {
        put(&client, "a", count).await;
        assert_eq!(counter(&client, "a", false).await, Some(count));
    }
}
