//! ListShards and DescribeStream: pages, tokens, filters.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::operation::list_shards::ListShardsOutput;
use aws_sdk_kinesis::primitives::DateTime;
use aws_sdk_kinesis::types::{ShardFilter, ShardFilterType};
use common::*;
use kinesis_app_emulator::Kinesis;
use std::time::{Duration, SystemTime};

fn ids(page: &ListShardsOutput) -> Vec<usize> {
    let index = |id: &str| id.strip_prefix("shardId-").unwrap().parse().unwrap();
    page.shards()
        .iter()
        .map(|shard| index(shard.shard_id()))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn pages_follow_each_other_without_gap_or_overlap() {
    let (_, client) = stream(7);
    let mut page = client
        .list_shards()
        .stream_name("s")
        .max_results(3)
        .send()
        .await
        .unwrap();
    let mut pages = vec![ids(&page)];
    while let Some(token) = page.next_token {
        page = client
            .list_shards()
            .next_token(token)
            .max_results(3)
            .send()
            .await
            .unwrap();
        pages.push(ids(&page));
    }
    assert_eq!(pages, [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_ends_with_the_last_shard_has_no_token() {
    let (_, client) = stream(3);
    let page = client
        .list_shards()
        .stream_name("s")
        .max_results(3)
        .send()
        .await
        .unwrap();
    assert_eq!((ids(&page), page.next_token), (vec![0, 1, 2], None));
}

#[tokio::test(start_paused = true)]
async fn a_page_holds_a_thousand_shards_at_most() {
    let (_, client) = stream(1_001);
    for asked in [None, Some(10_000)] {
        let page = client.list_shards().stream_name("s").set_max_results(asked);
        let page = page.send().await.unwrap();
        assert_eq!(page.shards().len(), 1_000);
        let rest = client
            .list_shards()
            .set_next_token(page.next_token)
            .send()
            .await;
        assert_eq!(ids(&rest.unwrap()), [1_000]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_stands_alone() {
    let (kinesis, client) = stream(3);
    let page = client
        .list_shards()
        .stream_name("s")
        .max_results(1)
        .send()
        .await
        .unwrap();
    let token = page.next_token.unwrap();
    let call = || client.list_shards().next_token(&token);
    let invalid = "InvalidArgumentException";
    assert_eq!(code(call().stream_name("s").send().await), invalid);
    assert_eq!(
        code(call().exclusive_start_shard_id(SHARD_0).send().await),
        invalid
    );
    let filter = ShardFilter::builder()
        .r#type(ShardFilterType::AtLatest)
        .build()
        .unwrap();
    assert_eq!(code(call().shard_filter(filter).send().await), invalid);
    assert_eq!(code(client.list_shards().send().await), invalid);
    assert_eq!(
        code(client.list_shards().next_token("forged").send().await),
        invalid
    );
    let iterator = horizon(&client, SHARD_0).await;
    assert_eq!(
        code(client.list_shards().next_token(iterator).send().await),
        invalid
    );
    // An ARN beside it is borne, as long as it is that of the stream.
    call()
        .stream_arn(kinesis.stream_arn("s"))
        .send()
        .await
        .unwrap();
    kinesis.create_stream("t", 1).unwrap();
    assert_eq!(
        code(call().stream_arn(kinesis.stream_arn("t")).send().await),
        invalid
    );
}

#[tokio::test(start_paused = true)]
async fn a_token_lives_300_seconds_and_no_longer_than_its_stream() {
    let (kinesis, client) = stream(3);
    let token = || async {
        let page = client
            .list_shards()
            .stream_name("s")
            .max_results(1)
            .send()
            .await;
        page.unwrap().next_token.unwrap()
    };
    let old = token().await;
    tokio::time::advance(Duration::from_mins(5) - Duration::from_millis(10)).await;
    client.list_shards().next_token(&old).send().await.unwrap();
    let late = client
        .list_shards()
        .next_token(&old)
        .send()
        .await
        .unwrap_err();
    assert!(late.into_service_error().is_expired_next_token_exception());
    let token = token().await;
    kinesis.delete_stream("s").unwrap();
    kinesis.create_stream("s", 3).unwrap();
    assert_eq!(
        code(client.list_shards().next_token(token).send().await),
        "ResourceNotFoundException"
    );
}

#[tokio::test(start_paused = true)]
async fn a_listing_can_begin_behind_a_shard() {
    let (_, client) = stream(4);
    let page = client
        .list_shards()
        .stream_name("s")
        .exclusive_start_shard_id(SHARD_1);
    assert_eq!(ids(&page.send().await.unwrap()), [2, 3]);
}

#[tokio::test(start_paused = true)]
async fn a_listing_in_the_middle_of_a_reshard_shows_old_and_new() {
    let (kinesis, client) = stream(2);
    let page = client
        .list_shards()
        .stream_name("s")
        .max_results(1)
        .send()
        .await
        .unwrap();
    kinesis.split("s", SHARD_1).unwrap();
    let rest = client
        .list_shards()
        .set_next_token(page.next_token)
        .send()
        .await;
    assert_eq!(ids(&rest.unwrap()), [1, 2, 3]);
}

/// Shards 0 and 1 from the beginning; 0 is split into 2 and 3 an hour later, then 2 and 3 are
/// merged into 4 after another hour.
async fn family() -> (Kinesis, Client, SystemTime) {
    let (kinesis, client) = stream(2);
    let begin = kinesis.now();
    tokio::time::advance(Duration::from_hours(1)).await;
    kinesis.split("s", SHARD_0).unwrap();
    tokio::time::advance(Duration::from_hours(1)).await;
    kinesis.merge("s", SHARD_2, SHARD_3).unwrap();
    tokio::time::advance(Duration::from_hours(1)).await;
    (kinesis, client, begin)
}

async fn filtered(client: &Client, kind: ShardFilterType, time: Option<SystemTime>) -> Vec<usize> {
    let filter = ShardFilter::builder()
        .r#type(kind)
        .set_timestamp(time.map(DateTime::from));
    let mut page = client.list_shards().stream_name("s").max_results(1);
    page = page.shard_filter(filter.shard_id(SHARD_1).build().unwrap());
    let mut page = page.send().await.unwrap();
    let mut all = ids(&page);
    while let Some(token) = page.next_token {
        page = client
            .list_shards()
            .next_token(token)
            .max_results(1)
            .send()
            .await
            .unwrap();
        all.extend(ids(&page));
    }
    all
}

#[tokio::test(start_paused = true)]
async fn filters_choose_by_what_was_open_when_on_every_page() {
    let (_, client, begin) = family().await;
    let hours = |hours: f32| Some(begin + Duration::from_secs_f32(hours * 3_600.0));
    let cases = [
        (ShardFilterType::AtLatest, None, vec![1, 4]),
        (ShardFilterType::AtTrimHorizon, None, vec![0, 1]),
        (ShardFilterType::FromTrimHorizon, None, vec![0, 1, 2, 3, 4]),
        (ShardFilterType::AfterShardId, None, vec![2, 3, 4]),
        (ShardFilterType::AtTimestamp, hours(0.5), vec![0, 1]),
        // The moment of the split belongs to the children.
        (ShardFilterType::AtTimestamp, hours(1.0), vec![1, 2, 3]),
        (ShardFilterType::AtTimestamp, hours(1.5), vec![1, 2, 3]),
        (ShardFilterType::AtTimestamp, hours(2.5), vec![1, 4]),
        (ShardFilterType::FromTimestamp, hours(1.5), vec![1, 2, 3, 4]),
        (ShardFilterType::FromTimestamp, hours(2.5), vec![1, 4]),
    ];
    for (kind, time, expected) in cases {
        assert_eq!(
            filtered(&client, kind.clone(), time).await,
            expected,
            "{kind} {time:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn filters_need_their_argument() {
    let (_, client) = stream(1);
    for kind in [
        ShardFilterType::AtTimestamp,
        ShardFilterType::FromTimestamp,
        ShardFilterType::AfterShardId,
        "X".into(),
    ] {
        let filter = ShardFilter::builder().r#type(kind).build().unwrap();
        let call = client.list_shards().stream_name("s").shard_filter(filter);
        assert_eq!(code(call.send().await), "ValidationException");
    }
}

#[tokio::test(start_paused = true)]
async fn a_description_holds_a_hundred_shards_at_most() {
    let (kinesis, client) = stream(150);
    let answer = client
        .describe_stream()
        .stream_name("s")
        .send()
        .await
        .unwrap();
    let first = answer.stream_description.unwrap();
    assert_eq!((first.shards().len(), first.has_more_shards()), (100, true));
    let last = first.shards()[99].shard_id();
    let answer = client
        .describe_stream()
        .stream_name("s")
        .exclusive_start_shard_id(last);
    let second = answer.send().await.unwrap().stream_description.unwrap();
    assert_eq!(
        (second.shards().len(), second.has_more_shards()),
        (50, false)
    );
    assert_eq!(first.stream_arn(), kinesis.stream_arn("s"));
    assert_eq!(first.retention_period_hours(), 24);
}

#[tokio::test(start_paused = true)]
async fn a_summary_tells_the_stream_apart_from_an_earlier_one() {
    let (kinesis, client) = stream(2);
    let summary = || async {
        let answer = client
            .describe_stream_summary()
            .stream_name("s")
            .send()
            .await;
        answer.unwrap().stream_description_summary.unwrap()
    };
    let first = summary().await;
    assert_eq!(first.open_shard_count(), 2);
    let epoch = DateTime::from(SystemTime::UNIX_EPOCH + Duration::from_hours(490_896));
    assert_eq!(*first.stream_creation_timestamp(), epoch);
    kinesis.split("s", SHARD_0).unwrap();
    assert_eq!(summary().await.open_shard_count(), 3);

    kinesis.delete_stream("s").unwrap();
    tokio::time::advance(Duration::from_secs(5)).await;
    kinesis.create_stream("s", 2).unwrap();
    assert!(*summary().await.stream_creation_timestamp() > epoch);
    let stale = client
        .list_shards()
        .stream_name("s")
        .stream_creation_timestamp(epoch);
    assert_eq!(code(stale.send().await), "ResourceNotFoundException");
}
