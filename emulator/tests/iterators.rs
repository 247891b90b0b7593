//! The five iterator types, and how long an iterator lives.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::operation::get_shard_iterator::GetShardIteratorError;
use aws_sdk_kinesis::primitives::DateTime;
use aws_sdk_kinesis::types::ShardIteratorType;
use common::*;
use kinesis_app_emulator::{Fault, FaultKind, Kinesis, Operation, Put, Stored, Trim};
use std::time::{Duration, SystemTime};

async fn at_sequence(
    client: &Client,
    kind: ShardIteratorType,
    number: &str,
) -> Result<String, GetShardIteratorError> {
    let answer = client
        .get_shard_iterator()
        .stream_name("s")
        .shard_id(SHARD_0);
    let answer = answer
        .shard_iterator_type(kind)
        .starting_sequence_number(number);
    let answer = answer.send().await;
    answer
        .map(|answer| answer.shard_iterator.unwrap())
        .map_err(aws_sdk_kinesis::error::SdkError::into_service_error)
}

async fn at_time(client: &Client, time: SystemTime) -> Result<String, GetShardIteratorError> {
    let answer = client
        .get_shard_iterator()
        .stream_name("s")
        .shard_id(SHARD_0);
    let answer = answer.shard_iterator_type(ShardIteratorType::AtTimestamp);
    let answer = answer.timestamp(DateTime::from(time)).send().await;
    answer
        .map(|answer| answer.shard_iterator.unwrap())
        .map_err(aws_sdk_kinesis::error::SdkError::into_service_error)
}

/// Records `0`, `1`, `2`, a second apart.
async fn three() -> (Kinesis, Client, Vec<Stored>) {
    let (kinesis, client) = stream(1);
    let mut stored = Vec::new();
    for n in 0..3 {
        stored.push(kinesis.put("s", "k", n.to_string()).unwrap());
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    (kinesis, client, stored)
}

#[tokio::test(start_paused = true)]
async fn each_type_begins_where_it_says() {
    let (kinesis, client, stored) = three().await;
    let horizon = horizon(&client, SHARD_0).await;
    let latest = iterator(&client, SHARD_0, ShardIteratorType::Latest).await;
    let number = &stored[1].sequence_number;
    let at = at_sequence(&client, ShardIteratorType::AtSequenceNumber, number).await;
    let after = at_sequence(&client, ShardIteratorType::AfterSequenceNumber, number).await;
    kinesis.put("s", "k", "3").unwrap();
    let second = kinesis.records("s", SHARD_0)[1].arrival;
    tokio::time::advance(Duration::from_secs(1)).await;
    let time = at_time(&client, second).await;

    let mut seen = Vec::new();
    for iterator in [horizon, latest, at.unwrap(), after.unwrap(), time.unwrap()] {
        seen.push(texts(&read(&client, &iterator).await).join(""));
    }
    assert_eq!(seen, ["0123", "3", "123", "23", "123"]);
}

#[tokio::test(start_paused = true)]
async fn latest_is_fixed_when_the_iterator_is_made() {
    let (kinesis, client, _) = three().await;
    let latest = iterator(&client, SHARD_0, ShardIteratorType::Latest).await;
    kinesis.put("s", "k", "3").unwrap();
    assert_eq!(texts(&read(&client, &latest).await), ["3"]);
}

#[tokio::test(start_paused = true)]
async fn a_time_between_records_begins_at_the_later_one() {
    let (kinesis, client, _) = three().await;
    let first = kinesis.records("s", SHARD_0)[0].arrival;
    let cases = [
        (first - Duration::from_hours(1), "012"),
        (first, "012"),
        (first + Duration::from_millis(1), "12"),
        (first + Duration::from_millis(2_001), ""),
    ];
    for (time, expected) in cases {
        let iterator = at_time(&client, time).await.unwrap();
        assert_eq!(texts(&read(&client, &iterator).await).join(""), expected);
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    let ahead = at_time(&client, kinesis.now() + Duration::from_mins(1)).await;
    assert!(ahead.unwrap_err().is_invalid_argument_exception());
}

#[tokio::test(start_paused = true)]
async fn the_ends_of_a_closed_shards_range_are_places_too() {
    let (kinesis, client, _) = three().await;
    kinesis.split("s", SHARD_0).unwrap();
    let listing = client.list_shards().stream_name("s").send().await.unwrap();
    let range = listing.shards()[0].sequence_number_range().unwrap();
    let (start, end) = (
        range.starting_sequence_number(),
        range.ending_sequence_number().unwrap(),
    );
    let cases = [
        (ShardIteratorType::AtSequenceNumber, start, "012"),
        (ShardIteratorType::AfterSequenceNumber, start, "012"),
        (ShardIteratorType::AtSequenceNumber, end, ""),
        (ShardIteratorType::AfterSequenceNumber, end, ""),
    ];
    for (kind, number, expected) in cases {
        let iterator = at_sequence(&client, kind, number).await.unwrap();
        let page = read(&client, &iterator).await;
        assert_eq!(texts(&page).join(""), expected);
        assert_eq!(page.next_shard_iterator(), None);
    }
}

#[tokio::test(start_paused = true)]
async fn a_number_of_another_shard_or_none_is_refused() {
    let (kinesis, client) = stream(2);
    let put = Put::new("k", "x").hash_key(u128::MAX);
    let other = kinesis.put_with("s", put).unwrap();
    assert_eq!(other.shard_id, SHARD_1);
    let other = other.sequence_number;
    let short = &other[..55];
    for number in [&*other, "0", "1", short, &"9".repeat(56), &"9".repeat(129)] {
        let kind = ShardIteratorType::AtSequenceNumber;
        let error = at_sequence(&client, kind, number).await.unwrap_err();
        assert!(error.is_invalid_argument_exception(), "{number}: {error:?}");
        tokio::time::advance(Duration::from_secs(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_iterator_lives_five_minutes() {
    let (_, client, _) = three().await;
    let iterator = horizon(&client, SHARD_0).await;
    // Made half a round trip ago, and read half a round trip from now.
    tokio::time::advance(Duration::from_mins(5) - Duration::from_millis(10)).await;
    assert_eq!(read(&client, &iterator).await.records().len(), 3);
    let late = client.get_records().shard_iterator(&iterator).send().await;
    let error = late.unwrap_err().into_service_error();
    assert!(error.is_expired_iterator_exception(), "{error:?}");
    assert!(
        error
            .meta()
            .message()
            .unwrap()
            .contains("300000 milliseconds")
    );
}

#[tokio::test(start_paused = true)]
async fn each_answer_carries_a_fresh_iterator() {
    let (_, client, _) = three().await;
    let mut iterator = horizon(&client, SHARD_0).await;
    for _ in 0..4 {
        tokio::time::advance(Duration::from_mins(4)).await;
        iterator = read(&client, &iterator).await.next_shard_iterator.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_trim_moves_readers_to_the_oldest_record_left() {
    let (kinesis, client, stored) = three().await;
    let horizon = horizon(&client, SHARD_0).await;
    let number = &stored[0].sequence_number;
    let at = at_sequence(&client, ShardIteratorType::AtSequenceNumber, number).await;
    assert_eq!(kinesis.trim("s", SHARD_0, Trim::Oldest(2)).unwrap(), 2);
    for iterator in [horizon, at.unwrap()] {
        assert_eq!(texts(&read(&client, &iterator).await), ["2"]);
    }
    let after = at_sequence(&client, ShardIteratorType::AfterSequenceNumber, number).await;
    assert_eq!(texts(&read(&client, &after.unwrap()).await), ["2"]);
}

#[tokio::test(start_paused = true)]
async fn records_are_kept_for_the_retention_and_no_longer() {
    let (kinesis, client) = stream(1);
    kinesis.put("s", "k", "old").unwrap();
    tokio::time::advance(Duration::from_hours(23)).await;
    kinesis.put("s", "k", "new").unwrap();
    let [low, _] = kinesis.split("s", SHARD_0).unwrap();
    assert_eq!(
        read(&client, &horizon(&client, SHARD_0).await)
            .await
            .records()
            .len(),
        2
    );
    tokio::time::advance(Duration::from_hours(2)).await;
    assert_eq!(kinesis.shards("s").unwrap()[0].records, 1);
    assert_eq!(
        texts(&read(&client, &horizon(&client, SHARD_0).await).await),
        ["new"]
    );
    tokio::time::advance(Duration::from_hours(23)).await;
    let shards = kinesis.shards("s").unwrap();
    assert_eq!(
        shards[0].shard_id, low,
        "the closed shard is past its retention"
    );
    assert!(shards.iter().all(|shard| shard.open));
}

#[tokio::test(start_paused = true)]
async fn lag_is_zero_at_the_tip_alone() {
    let (kinesis, client, _) = three().await;
    let page = client
        .get_records()
        .shard_iterator(horizon(&client, SHARD_0).await)
        .limit(1);
    let page = page.send().await.unwrap();
    // Record `0` came 3 s before the iterator; one round trip and a half since.
    assert_eq!(page.millis_behind_latest(), Some(3_015));
    let page = read(&client, page.next_shard_iterator().unwrap()).await;
    assert_eq!(page.millis_behind_latest(), Some(0));
    for text in ["a", "b"] {
        kinesis.put("s", "k", text).unwrap();
    }
    let page = client
        .get_records()
        .set_shard_iterator(page.next_shard_iterator)
        .limit(1);
    let page = page.send().await.unwrap();
    assert!(page.millis_behind_latest() > Some(0), "one more is there");
}

#[tokio::test(start_paused = true)]
async fn a_record_of_this_very_millisecond_is_still_ahead() {
    let kinesis = Kinesis::builder().latency(Duration::ZERO).build();
    kinesis.create_stream("s", 1).unwrap();
    let client = common::client(&kinesis);
    let iterator = horizon(&client, SHARD_0).await;
    for text in ["a", "b"] {
        kinesis.put("s", "k", text).unwrap();
    }
    let page = client
        .get_records()
        .shard_iterator(iterator)
        .limit(1)
        .send()
        .await
        .unwrap();
    assert_eq!(page.millis_behind_latest(), Some(1));
}

#[tokio::test(start_paused = true)]
async fn an_empty_read_keeps_its_place() {
    let (kinesis, client, stored) = three().await;
    let kind = ShardIteratorType::AfterSequenceNumber;
    let after = at_sequence(&client, kind, &stored[2].sequence_number)
        .await
        .unwrap();
    let latest = iterator(&client, SHARD_0, ShardIteratorType::Latest).await;
    let mut next = Vec::new();
    for iterator in [after, latest] {
        let page = read(&client, &iterator).await;
        assert!(page.records().is_empty());
        next.push(page.next_shard_iterator.unwrap());
    }
    kinesis.put("s", "k", "3").unwrap();
    for iterator in next {
        assert_eq!(texts(&read(&client, &iterator).await), ["3"]);
    }
}

#[tokio::test(start_paused = true)]
async fn an_empty_page_is_not_the_tip() {
    let (kinesis, client, _) = three().await;
    kinesis.split("s", SHARD_0).unwrap();
    kinesis.fault(Fault::new(Operation::GetRecords, FaultKind::EmptyPage));
    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    assert!(page.records().is_empty());
    assert!(page.millis_behind_latest() > Some(0));
    assert!(page.child_shards().is_empty());
    let page = read(&client, page.next_shard_iterator().unwrap()).await;
    assert_eq!(texts(&page).join(""), "012");
}

#[tokio::test(start_paused = true)]
async fn iterators_do_not_outlive_their_stream() {
    let (kinesis, client, stored) = three().await;
    let old = horizon(&client, SHARD_0).await;
    kinesis.delete_stream("s").unwrap();
    let read = || client.get_records().shard_iterator(&old).send();
    let error = read().await.unwrap_err().into_service_error();
    assert!(error.is_resource_not_found_exception());
    kinesis.create_stream("s", 1).unwrap();
    let error = read().await.unwrap_err().into_service_error();
    assert!(error.is_resource_not_found_exception());
    let fresh = kinesis.put("s", "k", "again").unwrap();
    assert!(
        stored
            .iter()
            .all(|old| old.sequence_number < fresh.sequence_number)
    );
}

#[tokio::test(start_paused = true)]
async fn an_iterator_of_another_emulator_is_refused() {
    let (_, client, _) = three().await;
    let other = Kinesis::builder().seed(99).build();
    other.create_stream("s", 1).unwrap();
    let foreign = horizon(&common::client(&other), SHARD_0).await;
    let error = client.get_records().shard_iterator(foreign).send().await;
    assert!(
        error
            .unwrap_err()
            .into_service_error()
            .is_invalid_argument_exception()
    );
}
