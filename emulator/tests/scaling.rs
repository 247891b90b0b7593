//! UpdateShardCount: shards of equal width by splits and merges, within its limits.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::error::SdkError;
use aws_sdk_kinesis::operation::update_shard_count::{
    UpdateShardCountError, UpdateShardCountOutput,
};
use aws_sdk_kinesis::types::{ScalingType, ShardIteratorType, StreamMode, StreamStatus};
use common::*;
use kinesis_app_emulator::{Kinesis, Limits, Operation, ShardView};
use std::collections::BTreeSet;
use std::time::Duration;

async fn scale(
    client: &Client,
    target: i32,
) -> Result<UpdateShardCountOutput, SdkError<UpdateShardCountError>> {
    let update = client.update_shard_count().stream_name("s");
    let update = update.target_shard_count(target);
    update
        .scaling_type(ScalingType::UniformScaling)
        .send()
        .await
}

fn open(kinesis: &Kinesis) -> Vec<ShardView> {
    let shards = kinesis.shards("s").unwrap().into_iter();
    let mut open: Vec<ShardView> = shards.filter(|shard| shard.open).collect();
    open.sort_by_key(|shard| shard.hash_range);
    open
}

/// The open shards cover every hash key once.
fn assert_tiled(kinesis: &Kinesis) {
    let open = open(kinesis);
    assert_eq!(open[0].hash_range.start, 0);
    assert_eq!(open[open.len() - 1].hash_range.end, u128::MAX);
    for pair in open.windows(2) {
        assert_eq!(pair[0].hash_range.end + 1, pair[1].hash_range.start);
    }
}

#[tokio::test(start_paused = true)]
async fn a_doubled_stream_has_two_children_of_every_shard() {
    let (kinesis, client) = unlimited(2);
    let answer = scale(&client, 4).await.unwrap();
    assert_eq!(answer.stream_name(), Some("s"));
    assert_eq!(answer.stream_arn(), Some(&*kinesis.stream_arn("s")));
    assert_eq!(answer.current_shard_count(), Some(2));
    assert_eq!(answer.target_shard_count(), Some(4));
    let parents: Vec<Option<String>> = open(&kinesis)
        .into_iter()
        .map(|shard| shard.parent)
        .collect();
    let parents: Vec<&str> = parents.iter().flatten().map(String::as_str).collect();
    assert_eq!(parents, [SHARD_0, SHARD_0, SHARD_1, SHARD_1]);
    let widths: BTreeSet<u128> = open(&kinesis)
        .iter()
        .map(|shard| shard.hash_range.end - shard.hash_range.start)
        .collect();
    assert_eq!(widths.len(), 1, "all are of one width");
}

#[tokio::test(start_paused = true)]
async fn every_record_put_on_the_way_is_read_once_along_the_lineage() {
    let kinesis = Kinesis::builder()
        .limits(Limits::Off)
        .operation_duration(Operation::UpdateShardCount, Duration::from_mins(1))
        .build();
    kinesis.create_stream("s", 2).unwrap();
    let client = client(&kinesis);
    let mut put = 0;
    for target in [3, 5, 4] {
        scale(&client, target).await.unwrap();
        assert_eq!(
            *summary(&client).await.stream_status(),
            StreamStatus::Updating
        );
        assert_eq!(code(scale(&client, target).await), "ResourceInUseException");
        for _ in 0..70 {
            for _ in 0..5 {
                kinesis
                    .put("s", &format!("key-{put}"), put.to_string())
                    .unwrap();
                put += 1;
            }
            assert_tiled(&kinesis);
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        let summary = summary(&client).await;
        assert_eq!(*summary.stream_status(), StreamStatus::Active);
        assert_eq!(summary.open_shard_count(), target);
    }
    let shards = kinesis.shards("s").unwrap();
    let short_lived = shards
        .iter()
        .filter(|shard| shard.parent.is_some() && !shard.open);
    assert!(short_lived.count() > 0);
    // From the first shards on, children are known by their parents' last page alone.
    let mut todo = vec![SHARD_0.to_owned(), SHARD_1.to_owned()];
    let mut seen = BTreeSet::new();
    let mut texts_seen = BTreeSet::new();
    while let Some(shard) = todo.pop() {
        if !seen.insert(shard.clone()) {
            continue;
        }
        let page = read(&client, &horizon(&client, &shard).await).await;
        for text in texts(&page) {
            assert!(texts_seen.insert(text.to_owned()), "{text} came twice");
        }
        todo.extend(
            page.child_shards()
                .iter()
                .map(|child| child.shard_id().to_owned()),
        );
    }
    assert_eq!(texts_seen.len(), put);
    assert_eq!(seen.len(), shards.len());
}

#[tokio::test(start_paused = true)]
async fn it_does_not_go_beyond_double_or_below_half() {
    let (kinesis, client) = unlimited(5);
    let (code, words) = refusal(scale(&client, 11).await);
    assert_eq!(code, "LimitExceededException");
    assert_eq!(
        words,
        "UpdateShardCount cannot scale up over double your current open shard count. Current open shard count: 5, Target shard count: 11"
    );
    let (code, words) = refusal(scale(&client, 2).await);
    assert_eq!(code, "LimitExceededException");
    assert!(words.contains("below half"), "{words}");
    assert_eq!(kinesis.shards("s").unwrap().len(), 5, "nothing was changed");
    scale(&client, 3).await.unwrap();
    scale(&client, 6).await.unwrap();
    assert_eq!(open(&kinesis).len(), 6);
    assert_eq!(
        kinesis.scale("s", 13).unwrap_err().code().as_str(),
        "LimitExceededException"
    );
    kinesis.scale("s", 12).unwrap();
    assert_eq!(open(&kinesis).len(), 12);
}

#[tokio::test(start_paused = true)]
async fn ten_times_a_day_and_stream_and_ten_thousand_shards_are_the_most() {
    let kinesis = Kinesis::new();
    kinesis.create_stream("s", 2).unwrap();
    let client = client(&kinesis);
    for n in 0..10 {
        scale(&client, if n % 2 == 0 { 4 } else { 2 })
            .await
            .unwrap();
        tokio::time::advance(Duration::from_mins(1)).await;
    }
    assert_eq!(code(scale(&client, 4).await), "LimitExceededException");
    tokio::time::advance(Duration::from_hours(24)).await;
    scale(&client, 4).await.unwrap();

    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    kinesis.create_stream("s", 5_001).unwrap();
    let client = common::client(&kinesis);
    let (code, words) = refusal(scale(&client, 10_001).await);
    assert_eq!(code, "LimitExceededException");
    assert!(words.contains("10000"), "{words}");
    scale(&client, 10_000).await.unwrap();
    assert_eq!(open(&kinesis).len(), 10_000);
}

#[tokio::test(start_paused = true)]
async fn shards_of_an_on_demand_stream_are_the_services_own() {
    let (_, client) = unlimited(1);
    let mode =
        aws_sdk_kinesis::types::StreamModeDetails::builder().stream_mode(StreamMode::OnDemand);
    let create = client.create_stream().stream_name("t");
    create
        .stream_mode_details(mode.build().unwrap())
        .send()
        .await
        .unwrap();
    let update = client
        .update_shard_count()
        .stream_name("t")
        .target_shard_count(8);
    let update = update
        .scaling_type(ScalingType::UniformScaling)
        .send()
        .await;
    assert_eq!(code(update), "ValidationException");
}

#[tokio::test(start_paused = true)]
async fn a_count_that_is_none_and_a_way_that_is_none_are_refused() {
    let (_, client) = unlimited(1);
    let validation = "ValidationException";
    assert_eq!(code(scale(&client, 0).await), validation);
    let update = client.update_shard_count().stream_name("s");
    let other = ScalingType::from("FASTER");
    let update = update
        .target_shard_count(2)
        .scaling_type(other)
        .send()
        .await;
    let (code, words) = refusal(update);
    assert_eq!(code, validation);
    assert!(
        words.contains("enum value set: [UNIFORM_SCALING]"),
        "{words}"
    );
    let update = client
        .update_shard_count()
        .stream_name("absent")
        .target_shard_count(2);
    let update = update
        .scaling_type(ScalingType::UniformScaling)
        .send()
        .await;
    assert_eq!(common::code(update), "ResourceNotFoundException");
}

#[tokio::test(start_paused = true)]
async fn an_uneven_stream_is_made_even_by_its_own_count() {
    let (kinesis, client) = unlimited(1);
    let [_, high] = kinesis.split_at("s", SHARD_0, 100).unwrap();
    kinesis.put("s", "k", "before").unwrap();
    scale(&client, 2).await.unwrap();
    let starts: Vec<u128> = open(&kinesis)
        .iter()
        .map(|shard| shard.hash_range.start)
        .collect();
    assert_eq!(starts, [0, 1 << 127]);
    let page = read(
        &client,
        &iterator(&client, &high, ShardIteratorType::TrimHorizon).await,
    )
    .await;
    assert_eq!(texts(&page), ["before"]);
    assert_eq!(page.child_shards().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn splits_and_merges_are_spread_over_the_time_that_it_takes() {
    let kinesis = Kinesis::builder()
        .limits(Limits::Off)
        .latency(Duration::ZERO)
        .operation_duration(Operation::UpdateShardCount, Duration::from_mins(1))
        .build();
    kinesis.create_stream("s", 2).unwrap();
    scale(&client(&kinesis), 4).await.unwrap();
    let mut seen = Vec::new();
    for _ in 0..3 {
        seen.push(open(&kinesis).len());
        tokio::time::advance(Duration::from_secs(30)).await;
    }
    assert_eq!(seen, [2, 3, 4]);
}

#[tokio::test(start_paused = true)]
async fn short_lived_shards_count_against_the_accounts_limit() {
    // From 2 to 3 by way of 4: beside 19,996 others there is room for those, and for no more.
    for (others, outcome) in [(19_996, Ok(())), (19_997, Err("LimitExceededException"))] {
        let kinesis = Kinesis::builder().limits(Limits::Off).build();
        kinesis.create_stream("others", others).unwrap();
        kinesis.create_stream("s", 2).unwrap();
        let scaled = kinesis.scale("s", 3);
        assert_eq!(scaled.map_err(|error| error.code().as_str()), outcome);
    }
}
