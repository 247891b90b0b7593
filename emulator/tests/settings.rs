//! What one call changes about a stream: mode, retention, record size, monitoring, encryption.

mod common;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::{
    EncryptionType, MetricsName, RecordDistributionStrategy, Shard, ShardFilter, ShardFilterType,
    StreamMode, StreamModeDetails, StreamStatus,
};
use common::*;
use kinesis_app_emulator::{Kinesis, Limits, Operation};
use std::time::Duration;

fn on_demand() -> StreamModeDetails {
    let details = StreamModeDetails::builder().stream_mode(StreamMode::OnDemand);
    details.build().unwrap()
}

fn provisioned() -> StreamModeDetails {
    let details = StreamModeDetails::builder().stream_mode(StreamMode::Provisioned);
    details.build().unwrap()
}

async fn put(client: &Client, data: Vec<u8>) -> Result<(), String> {
    let put = client.put_record().stream_name("s").partition_key("k");
    let put = put.data(Blob::new(data)).send().await;
    put.map(drop).map_err(|error| code::<(), _>(Err(error)))
}

#[tokio::test(start_paused = true)]
async fn an_on_demand_stream_has_four_shards_and_takes_no_count() {
    let (kinesis, client) = unlimited(1);
    let create = client
        .create_stream()
        .stream_name("t")
        .stream_mode_details(on_demand());
    assert_eq!(
        code(create.clone().shard_count(2).send().await),
        "ValidationException"
    );
    let warm = create.clone().warm_throughput_mibps(10).send().await;
    assert_eq!(
        code(warm),
        "ValidationException",
        "the account has no commitment"
    );
    create.send().await.unwrap();
    assert_eq!(kinesis.shards("t").unwrap().len(), 4);
    let summary = client
        .describe_stream_summary()
        .stream_name("t")
        .send()
        .await
        .unwrap();
    let summary = summary.stream_description_summary.unwrap();
    assert_eq!(summary.stream_mode_details, Some(on_demand()));
    let split = client
        .split_shard()
        .stream_name("t")
        .shard_to_split(SHARD_0);
    assert_eq!(
        code(split.new_starting_hash_key("100").send().await),
        "ValidationException"
    );
}

#[tokio::test(start_paused = true)]
async fn a_mode_changes_twice_a_day_and_keeps_the_shards() {
    let kinesis = Kinesis::builder()
        .operation_duration(Operation::UpdateStreamMode, Duration::from_secs(30))
        .build();
    kinesis.create_stream("s", 3).unwrap();
    let client = client(&kinesis);
    let change = |mode| {
        let update = client
            .update_stream_mode()
            .stream_arn(kinesis.stream_arn("s"));
        update.stream_mode_details(mode).send()
    };
    assert_eq!(
        code(change(provisioned()).await),
        "InvalidArgumentException",
        "it is so already"
    );
    change(on_demand()).await.unwrap();
    let seen = summary(&client).await;
    assert_eq!(*seen.stream_status(), StreamStatus::Updating);
    assert_eq!(seen.stream_mode_details, Some(provisioned()));
    assert_eq!(code(change(on_demand()).await), "ResourceInUseException");
    tokio::time::advance(Duration::from_secs(30)).await;
    let seen = summary(&client).await;
    assert_eq!(*seen.stream_status(), StreamStatus::Active);
    assert_eq!(seen.stream_mode_details, Some(on_demand()));
    assert_eq!(seen.open_shard_count(), 3);
    change(provisioned()).await.unwrap();
    tokio::time::advance(Duration::from_secs(30)).await;
    assert_eq!(code(change(on_demand()).await), "LimitExceededException");
    tokio::time::advance(Duration::from_hours(24)).await;
    change(on_demand()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_on_demand_stream_may_come_to_distribute_by_itself() {
    let (kinesis, client) = unlimited(2);
    let arn = kinesis.stream_arn("s");
    let distribute = |strategy| {
        let update = client.update_stream_record_distribution_strategy();
        let update = update.stream_arn(&arn);
        update.record_distribution_strategy(strategy).send()
    };
    let mode = |mode| {
        let update = client.update_stream_mode().stream_arn(&arn);
        update.stream_mode_details(mode).send()
    };
    let strategy = RecordDistributionStrategy::Auto;
    assert_eq!(
        code(distribute(strategy.clone()).await),
        "ValidationException",
        "the stream is provisioned"
    );
    mode(on_demand()).await.unwrap();
    distribute(strategy.clone()).await.unwrap();
    let seen = summary(&client).await;
    assert_eq!(seen.record_distribution_strategy(), Some(&strategy));
    for _ in 0..30 {
        put(&client, b"x".to_vec()).await.unwrap();
    }
    let shards = kinesis.shards("s").unwrap();
    assert!(shards.iter().all(|shard| shard.records > 0), "{shards:?}");
    assert_eq!(
        code(mode(provisioned()).await),
        "InvalidArgumentException",
        "it cannot go back like this"
    );
    let keys = RecordDistributionStrategy::UserPartitionKey;
    distribute(keys).await.unwrap();
    mode(provisioned()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn fifty_on_demand_streams_are_the_most() {
    let (kinesis, client) = unlimited(1);
    for n in 0..50 {
        let create = client.create_stream().stream_name(format!("t{n}"));
        create
            .stream_mode_details(on_demand())
            .send()
            .await
            .unwrap();
    }
    let create = client
        .create_stream()
        .stream_name("t50")
        .stream_mode_details(on_demand());
    assert_eq!(code(create.send().await), "LimitExceededException");
    let update = client
        .update_stream_mode()
        .stream_arn(kinesis.stream_arn("s"));
    let update = update.stream_mode_details(on_demand()).send().await;
    assert_eq!(code(update), "LimitExceededException");
}

#[tokio::test(start_paused = true)]
async fn a_shorter_retention_forgets_and_a_longer_one_brings_nothing_back() {
    let (kinesis, client) = unlimited(1);
    let increase = |hours| {
        let change = client.increase_stream_retention_period().stream_name("s");
        change.retention_period_hours(hours).send()
    };
    let decrease = |hours| {
        let change = client.decrease_stream_retention_period().stream_name("s");
        change.retention_period_hours(hours).send()
    };
    let records = || kinesis.records("s", SHARD_0).len();
    increase(72).await.unwrap();
    assert_eq!(summary(&client).await.retention_period_hours(), 72);
    kinesis.put("s", "k", "old").unwrap();
    tokio::time::advance(Duration::from_hours(40)).await;
    kinesis.put("s", "k", "new").unwrap();
    assert_eq!(records(), 2, "it is kept for longer than a day");
    decrease(24).await.unwrap();
    assert_eq!(records(), 1);
    increase(168).await.unwrap();
    assert_eq!(records(), 1, "what is gone is gone");
    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    assert_eq!(texts(&page), ["new"]);
    tokio::time::advance(Duration::from_hours(167)).await;
    assert_eq!(records(), 1);
    tokio::time::advance(Duration::from_hours(2)).await;
    assert_eq!(records(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_a_retention_passed_over_stays_gone_though_nobody_looked() {
    let (kinesis, client) = unlimited(1);
    kinesis.put("s", "k", "old").unwrap();
    kinesis.split("s", SHARD_0).unwrap();
    tokio::time::advance(Duration::from_hours(30)).await;
    let change = client.increase_stream_retention_period().stream_name("s");
    change.retention_period_hours(72).send().await.unwrap();
    assert_eq!(kinesis.records("s", SHARD_0).len(), 0);
    let listed = client.list_shards().stream_name("s").send().await.unwrap();
    assert_eq!(listed.shards().len(), 2, "the closed parent is past");
}

#[tokio::test(start_paused = true)]
async fn the_trim_horizon_does_not_move_back_when_more_is_kept() {
    let (kinesis, client) = unlimited(1);
    let hours = |hours| tokio::time::advance(Duration::from_hours(hours));
    hours(20).await;
    let [low, high] = kinesis.split("s", SHARD_0).unwrap();
    hours(2).await;
    let [first, second] = kinesis.split("s", &low).unwrap();
    hours(28).await;
    let change = client.increase_stream_retention_period().stream_name("s");
    change.retention_period_hours(72).send().await.unwrap();
    // At the old horizon these were open; when the oldest of them was opened, the others were not.
    let filter = ShardFilter::builder().r#type(ShardFilterType::AtTrimHorizon);
    let list = client.list_shards().stream_name("s");
    let list = list.shard_filter(filter.build().unwrap()).send().await;
    let list = list.unwrap();
    let ids: Vec<&str> = list.shards().iter().map(Shard::shard_id).collect();
    assert_eq!(ids, [&high, &first, &second]);
}

#[tokio::test(start_paused = true)]
async fn retention_goes_one_way_per_operation_and_stays_within_a_year() {
    let (_, client) = unlimited(1);
    let invalid = "InvalidArgumentException";
    let increase = |hours| {
        let change = client.increase_stream_retention_period().stream_name("s");
        change.retention_period_hours(hours).send()
    };
    let decrease = |hours| {
        let change = client.decrease_stream_retention_period().stream_name("s");
        change.retention_period_hours(hours).send()
    };
    let (code, words) = refusal(increase(23).await);
    assert_eq!(code, invalid);
    assert_eq!(
        words,
        "Minimum allowed retention period is 24 hours. Requested retention period (23 hours) is too short."
    );
    let (code, words) = refusal(increase(8_761).await);
    assert_eq!(code, invalid);
    assert!(words.contains("8760 hours"), "{words}");
    increase(8_760).await.unwrap();
    let (code, words) = refusal(increase(48).await);
    assert_eq!(code, invalid);
    assert!(words.contains("Use DecreaseRetentionPeriod API"), "{words}");
    decrease(48).await.unwrap();
    let (code, words) = refusal(decrease(72).await);
    assert_eq!(code, invalid);
    assert!(words.contains("Use IncreaseRetentionPeriod API"), "{words}");
    assert_eq!(common::code(decrease(-1).await), invalid);
}

#[tokio::test(start_paused = true)]
async fn a_stream_takes_ten_mebibytes_when_it_is_told_to() {
    const MIB: usize = 1024 * 1024;
    let (kinesis, client) = unlimited(1);
    let resize = |kib| {
        let update = client
            .update_max_record_size()
            .stream_arn(kinesis.stream_arn("s"));
        update.max_record_size_in_kib(kib).send()
    };
    let invalid = Err("InvalidArgumentException".to_owned());
    assert_eq!(
        put(&client, vec![0; MIB]).await,
        invalid,
        "with its key it is too large"
    );
    assert_eq!(code(resize(1_023).await), "ValidationException");
    assert_eq!(code(resize(10_241).await), "ValidationException");
    resize(10_240).await.unwrap();
    assert_eq!(
        summary(&client).await.max_record_size_in_kib(),
        Some(10_240)
    );
    put(&client, vec![7; 10 * MIB - 1]).await.unwrap();
    assert_eq!(put(&client, vec![7; 10 * MIB]).await, invalid);
    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    assert_eq!(page.records()[0].data().as_ref().len(), 10 * MIB - 1);
    // What is stored stays readable when the stream takes less.
    resize(1_024).await.unwrap();
    assert_eq!(put(&client, vec![0; MIB]).await, invalid);
    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    assert_eq!(page.records().len(), 1);

    let create = client.create_stream().stream_name("t").shard_count(1);
    let small = create.clone().max_record_size_in_kib(1_000).send().await;
    assert_eq!(code(small), "ValidationException");
    create.max_record_size_in_kib(2_048).send().await.unwrap();
    let put = client.put_record().stream_name("t").partition_key("k");
    put.data(Blob::new(vec![0; 2 * MIB - 1]))
        .send()
        .await
        .unwrap();
}

#[tokio::test(start_paused = true)]
async fn monitoring_is_shown_before_and_after() {
    let (_, client) = unlimited(1);
    let enable = client.enable_enhanced_monitoring().stream_name("s");
    let answer = enable
        .shard_level_metrics(MetricsName::OutgoingBytes)
        .shard_level_metrics(MetricsName::IncomingBytes)
        .send()
        .await
        .unwrap();
    assert!(answer.current_shard_level_metrics().is_empty());
    let both = [MetricsName::IncomingBytes, MetricsName::OutgoingBytes];
    assert_eq!(answer.desired_shard_level_metrics(), both);
    assert_eq!(
        summary(&client).await.enhanced_monitoring()[0].shard_level_metrics(),
        both
    );
    let enable = client.enable_enhanced_monitoring().stream_name("s");
    let all = enable
        .shard_level_metrics(MetricsName::All)
        .send()
        .await
        .unwrap();
    assert_eq!(all.desired_shard_level_metrics().len(), 7);
    let disable = client.disable_enhanced_monitoring().stream_name("s");
    let answer = disable
        .shard_level_metrics(MetricsName::IncomingBytes)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.current_shard_level_metrics().len(), 7);
    assert_eq!(answer.desired_shard_level_metrics().len(), 6);

    let enable = client.enable_enhanced_monitoring().stream_name("s");
    let unknown = enable
        .clone()
        .shard_level_metrics(MetricsName::from("Speed"));
    assert_eq!(code(unknown.send().await), "ValidationException");
    let none = enable.set_shard_level_metrics(Some(Vec::new()));
    assert_eq!(code(none.send().await), "ValidationException");
}

#[tokio::test(start_paused = true)]
async fn encryption_shows_at_the_stream_and_at_what_is_put_under_it() {
    let (kinesis, client) = unlimited(1);
    put(&client, b"plain".to_vec()).await.unwrap();
    let start = client.start_stream_encryption().stream_name("s");
    let start = start
        .encryption_type(EncryptionType::Kms)
        .key_id("alias/aws/kinesis");
    start.send().await.unwrap();
    let seen = summary(&client).await;
    assert_eq!(seen.encryption_type(), Some(&EncryptionType::Kms));
    assert_eq!(seen.key_id(), Some("alias/aws/kinesis"));
    let one = client.put_record().stream_name("s").partition_key("k");
    let one = one.data(Blob::new("secret")).send().await.unwrap();
    assert_eq!(one.encryption_type(), Some(&EncryptionType::Kms));
    let batch = client.put_records().stream_arn(kinesis.stream_arn("s"));
    let batch = batch.records(entry("k", "secret")).send().await.unwrap();
    assert_eq!(batch.encryption_type(), Some(&EncryptionType::Kms));
    let page = read(&client, &horizon(&client, SHARD_0).await).await;
    let kinds: Vec<bool> = page
        .records()
        .iter()
        .map(|record| record.encryption_type() == Some(&EncryptionType::Kms))
        .collect();
    assert_eq!(kinds, [false, true, true]);

    let stop = client.stop_stream_encryption().stream_name("s");
    let stop = stop
        .encryption_type(EncryptionType::Kms)
        .key_id("alias/aws/kinesis");
    stop.send().await.unwrap();
    assert_eq!(
        summary(&client).await.encryption_type(),
        Some(&EncryptionType::None)
    );
    let start = client
        .start_stream_encryption()
        .stream_name("s")
        .key_id("k");
    let none = start.encryption_type(EncryptionType::None).send().await;
    assert_eq!(code(none), "InvalidArgumentException");
}

#[tokio::test(start_paused = true)]
async fn a_key_is_applied_twenty_five_times_a_day() {
    let kinesis = Kinesis::builder().limits(Limits::Enforced).build();
    kinesis.create_stream("s", 1).unwrap();
    let client = client(&kinesis);
    let start = || {
        let start = client.start_stream_encryption().stream_name("s");
        start
            .encryption_type(EncryptionType::Kms)
            .key_id("k")
            .send()
    };
    for _ in 0..25 {
        start().await.unwrap();
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    assert_eq!(code(start().await), "LimitExceededException");
    tokio::time::advance(Duration::from_hours(24)).await;
    start().await.unwrap();
}
