//! Every operation that a lease table is kept with.

use crate::common::*;
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnValue, ReturnValuesOnConditionCheckFailure, TimeToLiveSpecification,
    TimeToLiveStatus,
};
use std::collections::HashMap;

#[tokio::test(start_paused = true)]
async fn one_of_two_creates_of_a_row_wins() {
    let (_, tables, client) = leases().await;
    let put = |owner: &str| {
        let put = client.put_item().table_name("leases");
        let put = put.item(KEY, text("a")).item("lease_owner", text(owner));
        put.condition_expression("attribute_not_exists(lease_key)")
            .send()
    };
    let (first, second) = tokio::join!(put("w1"), put("w2"));
    let (winner, loser) = match (first, second) {
        (Ok(_), loser) => ("w1", loser),
        (loser, Ok(_)) => ("w2", loser),
        neither => panic!("{neither:?}"),
    };
    assert_eq!(code(loser), "ConditionalCheckFailedException");
    let rows = tables.rows("leases");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["lease_owner"], text(winner));
}

#[tokio::test(start_paused = true)]
async fn a_conditional_update_sets_adds_removes_and_returns_the_new_row() {
    let (_, _, client) = leases().await;
    put(&client, "a", 7).await;
    let take = |seen: u64| {
        let update = client
            .update_item()
            .table_name("leases")
            .key(KEY, text("a"));
        update
            .update_expression(
                "SET #o = :owner, #s = :session, lease_counter = :next REMOVE wanted_by ADD bell :one",
            )
            .condition_expression("lease_counter = :seen AND attribute_not_exists(#s)")
            .expression_attribute_names("#o", "lease_owner")
            .expression_attribute_names("#s", "session")
            .expression_attribute_values(":owner", text("w1"))
            .expression_attribute_values(":session", text("s1"))
            .expression_attribute_values(":next", number(seen + 1))
            .expression_attribute_values(":seen", number(seen))
            .expression_attribute_values(":one", number(1))
            .return_values(ReturnValue::AllNew)
            .send()
    };
    let stored = take(7).await.unwrap().attributes.unwrap();
    let expected = HashMap::from([
        (KEY.to_owned(), text("a")),
        ("lease_owner".to_owned(), text("w1")),
        ("session".to_owned(), text("s1")),
        ("lease_counter".to_owned(), number(8)),
        ("bell".to_owned(), number(1)),
    ]);
    assert_eq!(stored, expected);
    assert_eq!(code(take(8).await), "ConditionalCheckFailedException");
}

#[tokio::test(start_paused = true)]
async fn a_refused_condition_shows_the_row_that_it_met() {
    let (_, _, client) = leases().await;
    put(&client, "a", 7).await;
    let update = client
        .update_item()
        .table_name("leases")
        .key(KEY, text("a"));
    let refused = update
        .update_expression("SET lease_counter = :next")
        .condition_expression("lease_counter = :seen")
        .expression_attribute_values(":next", number(4))
        .expression_attribute_values(":seen", number(3))
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .send()
        .await
        .unwrap_err();
    let refused = refused.into_service_error();
    let aws_sdk_dynamodb::operation::update_item::UpdateItemError::ConditionalCheckFailedException(
        refused,
    ) = refused
    else {
        panic!("{refused:?}");
    };
    assert_eq!(refused.item.unwrap(), row("a", 7));

    let put = client.put_item().table_name("leases").item(KEY, text("a"));
    let refused = put
        .condition_expression("attribute_not_exists(lease_key)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .send()
        .await
        .unwrap_err();
    let aws_sdk_dynamodb::operation::put_item::PutItemError::ConditionalCheckFailedException(
        refused,
    ) = refused.into_service_error()
    else {
        panic!("another error");
    };
    assert_eq!(refused.item.unwrap(), row("a", 7));
}

#[tokio::test(start_paused = true)]
async fn a_conditional_delete_takes_the_row_as_seen_alone() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 7).await;
    let delete = |seen: u64| {
        let delete = client
            .delete_item()
            .table_name("leases")
            .key(KEY, text("a"));
        delete
            .condition_expression("lease_counter = :seen")
            .expression_attribute_values(":seen", number(seen))
            .return_values(ReturnValue::AllOld)
            .send()
    };
    assert_eq!(code(delete(6).await), "ConditionalCheckFailedException");
    let deleted = delete(7).await.unwrap();
    assert_eq!(deleted.attributes.unwrap(), row("a", 7));
    assert!(tables.rows("leases").is_empty());
    assert_eq!(counter(&client, "a", true).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_scan_in_pages_with_a_filter_finds_each_row_once() {
    let (_, _, client) = leases().await;
    for shard in 0..25 {
        put(&client, &format!("app:orders:{shard:02}"), shard).await;
        put(&client, &format!("app:other:{shard:02}"), shard).await;
    }
    let mut found = Vec::new();
    let (mut start, mut pages) = (None, 0);
    loop {
        let scan = client.scan().table_name("leases").limit(8);
        let page = scan
            .consistent_read(true)
            .filter_expression("begins_with(lease_key, :stream)")
            .expression_attribute_values(":stream", text("app:orders:"))
            .set_exclusive_start_key(start)
            .send()
            .await
            .unwrap();
        pages += 1;
        assert!(page.scanned_count() <= 8);
        found.extend(page.items().iter().map(|row| row[KEY].clone()));
        start = page.last_evaluated_key;
        if start.is_none() {
            break;
        }
    }
    assert!(pages >= 50 / 8, "{pages} pages");
    let mut found: Vec<_> = found
        .iter()
        .map(|key| key.as_s().unwrap().clone())
        .collect();
    found.sort();
    let expected: Vec<_> = (0..25)
        .map(|shard| format!("app:orders:{shard:02}"))
        .collect();
    assert_eq!(found, expected);
}

#[tokio::test(start_paused = true)]
async fn parallel_segments_share_a_scan() {
    let (_, _, client) = leases().await;
    for shard in 0..40 {
        put(&client, &format!("{shard}"), shard).await;
    }
    let mut counters = Vec::new();
    for segment in 0..4 {
        let scan = client.scan().table_name("leases");
        let page = scan
            .segment(segment)
            .total_segments(4)
            .send()
            .await
            .unwrap();
        assert!(page.count() > 0, "segment {segment} is empty");
        counters.extend(page.items().iter().map(counter_of));
    }
    counters.sort_unstable();
    assert_eq!(counters, (0..40).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn every_type_of_attribute_comes_back_as_it_was_stored() {
    let (_, tables, client) = leases().await;
    let mut stored = row("a", 1);
    let bytes = || aws_sdk_dynamodb::primitives::Blob::new([0, 1, 255]);
    let parents = vec![
        "shardId-000000000000".to_owned(),
        "shardId-000000000001".into(),
    ];
    let map = HashMap::from([
        ("n".to_owned(), number(3)),
        ("z".to_owned(), AttributeValue::Null(true)),
    ]);
    stored.extend([
        ("parents".to_owned(), AttributeValue::Ss(parents)),
        ("end".to_owned(), AttributeValue::Bool(false)),
        ("token".to_owned(), AttributeValue::B(bytes())),
        ("map".to_owned(), AttributeValue::M(map)),
        (
            "list".to_owned(),
            AttributeValue::L(vec![number(1), text("x")]),
        ),
    ]);
    let put = client.put_item().table_name("leases");
    put.set_item(Some(stored.clone())).send().await.unwrap();
    let get = client.get_item().table_name("leases").key(KEY, text("a"));
    assert_eq!(get.send().await.unwrap().item.unwrap(), stored);
    let rows: Vec<Row> = tables
        .rows("leases")
        .into_iter()
        .map(|row| row.into_iter().collect())
        .collect();
    assert_eq!(rows, [stored]);
}

#[tokio::test(start_paused = true)]
async fn a_time_to_live_is_kept_and_ends_rows_in_virtual_time_when_asked() {
    let (kinesis, tables, client) = leases().await;
    let spec = TimeToLiveSpecification::builder().enabled(true);
    let spec = spec.attribute_name("expires").build().unwrap();
    let update = client.update_time_to_live().table_name("leases");
    update
        .time_to_live_specification(spec)
        .send()
        .await
        .unwrap();
    let described = client
        .describe_time_to_live()
        .table_name("leases")
        .send()
        .await;
    let described = described.unwrap().time_to_live_description.unwrap();
    assert_eq!(
        described.time_to_live_status,
        Some(TimeToLiveStatus::Enabled)
    );
    assert_eq!(described.attribute_name.as_deref(), Some("expires"));

    let now = kinesis.now().duration_since(std::time::UNIX_EPOCH).unwrap();
    for (key, expires) in [("soon", 10), ("late", 1_000)] {
        let put = client.put_item().table_name("leases").item(KEY, text(key));
        let put = put.item("expires", number(now.as_secs() + expires));
        put.send().await.unwrap();
    }
    assert_eq!(tables.expire(), 0);
    tokio::time::advance(std::time::Duration::from_mins(1)).await;
    assert_eq!(tables.rows("leases").len(), 2);
    assert_eq!(tables.expire(), 1);
    assert_eq!(tables.rows("leases")[0][KEY], text("late"));
}

#[tokio::test(start_paused = true)]
async fn racing_heartbeats_lose_no_update() {
    let (kinesis, _, client) = leases().await;
    put(&client, "a", 0).await;
    let mut tasks = tokio::task::JoinSet::new();
    for worker in 0..4 {
        let client = crate::common::client(&kinesis.link(&worker.to_string()));
        tasks.spawn(async move {
            let mut won = 0;
            while won < 10 {
                let seen = counter(&client, "a", true).await.unwrap();
                match beat(&client, "a", seen).await {
                    Ok(stored) => {
                        assert_eq!(counter_of(&stored.unwrap()), seen + 1);
                        won += 1;
                    }
                    Err(error) => {
                        assert_eq!(code(Err::<(), _>(error)), "ConditionalCheckFailedException");
                        // Who lost waits for other moments than who won.
                        tokio::time::sleep(std::time::Duration::from_millis(3 * (worker + 1)))
                            .await;
                    }
                }
            }
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    assert_eq!(counter(&client, "a", true).await, Some(40));
}

#[tokio::test(start_paused = true)]
async fn a_transaction_writes_all_or_nothing() {
    use aws_sdk_dynamodb::types::{Put, TransactWriteItem};
    let (_, tables, client) = leases().await;
    put(&client, "b", 1).await;
    let create = |key: &str| {
        let put = Put::builder()
            .table_name("leases")
            .set_item(Some(row(key, 5)));
        let put = put.condition_expression("attribute_not_exists(lease_key)");
        TransactWriteItem::builder()
            .put(put.build().unwrap())
            .build()
    };
    let write = client.transact_write_items().transact_items(create("a"));
    let refused = write.transact_items(create("b")).send().await;
    assert_eq!(code(refused), "TransactionCanceledException");
    assert_eq!(tables.rows("leases").len(), 1);
    let write = client.transact_write_items().transact_items(create("a"));
    write.transact_items(create("c")).send().await.unwrap();
    assert_eq!(tables.rows("leases").len(), 3);
}
