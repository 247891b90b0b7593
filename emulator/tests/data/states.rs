//! States that a save meets half way, and times that go on.

use crate::common::{SHARD_0, code, refusal};
use crate::directory::place;
use aws_sdk_kinesis::config::retry::RetryConfig;
use aws_sdk_kinesis::types::{StreamMode, StreamModeDetails, StreamStatus};
use aws_sdk_kinesis::{Client, primitives::Blob};
use kinesis_app_emulator::{DataDirectory, Kinesis, KinesisBuilder};
use std::time::Duration;

fn client(kinesis: &Kinesis) -> Client {
    Client::from_conf(
        kinesis
            .config()
            .retry_config(RetryConfig::disabled())
            .build(),
    )
}

async fn status(client: &Client, stream: &str) -> Option<StreamStatus> {
    let summary = client.describe_stream_summary().stream_name(stream).send();
    let summary = summary.await.ok()?.stream_description_summary?;
    Some(summary.stream_status)
}

fn again(kinesis: &Kinesis, settings: KinesisBuilder, directory: &DataDirectory) -> Kinesis {
    kinesis.save(directory).unwrap();
    settings.load(directory).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_change_that_is_under_way_is_kept_and_ends_when_it_would_have() {
    let directory = DataDirectory::open(place("changes")).unwrap();
    let seconds = Duration::from_secs;
    let settings = || {
        let settings = Kinesis::builder().latency(Duration::ZERO);
        let settings = settings
            .create_duration(seconds(10))
            .update_duration(seconds(20));
        settings.delete_duration(seconds(30))
    };
    let kinesis = settings().load(&directory).unwrap();
    for stream in ["updating", "deleting"] {
        kinesis.create_stream(stream, 1).unwrap();
    }
    tokio::time::advance(seconds(10)).await;
    kinesis.create_stream("creating", 1).unwrap();
    kinesis.split("updating", SHARD_0).unwrap();
    kinesis.delete_stream("deleting").unwrap();
    tokio::time::advance(seconds(9)).await;

    let kinesis = again(&kinesis, settings(), &directory);
    let client = client(&kinesis);
    assert_eq!(
        status(&client, "creating").await,
        Some(StreamStatus::Creating)
    );
    assert_eq!(
        status(&client, "updating").await,
        Some(StreamStatus::Updating)
    );
    assert_eq!(
        status(&client, "deleting").await,
        Some(StreamStatus::Deleting)
    );
    tokio::time::advance(seconds(1)).await;
    assert_eq!(
        status(&client, "creating").await,
        Some(StreamStatus::Active)
    );
    assert_eq!(kinesis.shards("updating").unwrap().len(), 1);
    tokio::time::advance(seconds(10)).await;
    assert_eq!(
        status(&client, "updating").await,
        Some(StreamStatus::Active)
    );
    assert_eq!(kinesis.shards("updating").unwrap().len(), 3);
    tokio::time::advance(seconds(10)).await;
    assert_eq!(status(&client, "deleting").await, None);
}

#[tokio::test(start_paused = true)]
async fn records_age_while_nothing_runs() {
    let directory = DataDirectory::open(place("ages")).unwrap();
    let kinesis = Kinesis::builder().load(&directory).unwrap();
    kinesis.create_stream("s", 1).unwrap();
    kinesis.put("s", "k", "old").unwrap();
    kinesis.save(&directory).unwrap();
    let epoch = kinesis.now() + Duration::from_hours(25);
    let later = Kinesis::builder().epoch(epoch).load(&directory).unwrap();
    assert!(later.records("s", SHARD_0).is_empty());
}

#[tokio::test(start_paused = true)]
async fn quotas_of_a_day_and_of_a_second_outlast_a_restart() {
    let directory = DataDirectory::open(place("quotas")).unwrap();
    let settings = || Kinesis::builder().latency(Duration::ZERO);
    let kinesis = settings().load(&directory).unwrap();
    kinesis.create_stream("s", 1).unwrap();
    let change = async |kinesis: &Kinesis, mode| {
        let mode = StreamModeDetails::builder()
            .stream_mode(mode)
            .build()
            .unwrap();
        let change = client(kinesis)
            .update_stream_mode()
            .stream_arn(kinesis.stream_arn("s"));
        change.stream_mode_details(mode).send().await
    };
    change(&kinesis, StreamMode::OnDemand).await.unwrap();
    change(&kinesis, StreamMode::Provisioned).await.unwrap();
    let put = async |kinesis: &Kinesis| {
        let put = client(kinesis)
            .put_record()
            .stream_name("s")
            .partition_key("k");
        put.data(Blob::new(vec![0; 600_000])).send().await
    };
    put(&kinesis).await.unwrap();

    let kinesis = again(&kinesis, settings(), &directory);
    let refused = change(&kinesis, StreamMode::OnDemand).await;
    assert_eq!(code(refused), "LimitExceededException");
    assert_eq!(
        code(put(&kinesis).await),
        "ProvisionedThroughputExceededException"
    );
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_was_made_anew_knows_no_older_iterator() {
    let directory = DataDirectory::open(place("generations")).unwrap();
    let kinesis = Kinesis::builder().load(&directory).unwrap();
    kinesis.create_stream("s", 1).unwrap();
    let old = crate::common::horizon(&client(&kinesis), SHARD_0).await;
    let first = kinesis.put("s", "k", "x").unwrap();
    kinesis.delete_stream("s").unwrap();
    let kinesis = again(&kinesis, Kinesis::builder(), &directory);
    kinesis.create_stream("s", 1).unwrap();
    let second = kinesis.put("s", "k", "x").unwrap();
    assert!(second.sequence_number > first.sequence_number);
    let read = client(&kinesis)
        .get_records()
        .shard_iterator(old)
        .send()
        .await;
    let (code, _) = refusal(read);
    assert_eq!(code, "ResourceNotFoundException");
}

#[tokio::test(start_paused = true)]
async fn consumers_are_kept_with_their_stream() {
    let directory = DataDirectory::open(place("consumers")).unwrap();
    let settings = || {
        let settings = Kinesis::builder().latency(Duration::ZERO);
        settings.operation_duration(
            kinesis_app_emulator::Operation::RegisterStreamConsumer,
            Duration::from_secs(10),
        )
    };
    let kinesis = settings().load(&directory).unwrap();
    kinesis.create_stream("s", 1).unwrap();
    let arn = kinesis.register_consumer("s", "c").unwrap();
    let tag = client(&kinesis).tag_resource().resource_arn(&arn);
    tag.tags("team", "orders").send().await.unwrap();

    let kinesis = again(&kinesis, settings(), &directory);
    let client = client(&kinesis);
    let status = async || {
        let call = client.describe_stream_consumer().consumer_arn(&arn);
        let found = call.send().await.unwrap().consumer_description.unwrap();
        found.consumer_status.as_str().to_owned()
    };
    assert_eq!(status().await, "CREATING");
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(status().await, "ACTIVE");
    let tags = client.list_tags_for_resource().resource_arn(&arn);
    let tags = tags.send().await.unwrap().tags.unwrap();
    assert_eq!(tags[0].key(), "team");
}
