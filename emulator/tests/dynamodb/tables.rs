//! Tables: created for a while, described, deleted, named by their ARNs.

use crate::common::*;
use aws_sdk_dynamodb::types::{TableStatus, Tag};
use kinesis_app_emulator::Kinesis;
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn a_table_serves_nothing_while_it_is_created() {
    let kinesis = Kinesis::builder()
        .create_table_duration(Duration::from_secs(5))
        .build();
    let client = client(&kinesis.link(""));
    let created = create(&client, "leases").send().await.unwrap();
    let created = created.table_description.unwrap();
    assert_eq!(created.table_status, Some(TableStatus::Creating));
    let status = || async {
        let described = client.describe_table().table_name("leases").send().await;
        described.unwrap().table.unwrap().table_status.unwrap()
    };
    assert_eq!(status().await, TableStatus::Creating);
    let get = || client.get_item().table_name("leases").key(KEY, text("a"));
    assert_eq!(code(get().send().await), "ResourceNotFoundException");
    let scan = client.scan().table_name("leases").send().await;
    assert_eq!(code(scan), "ResourceNotFoundException");
    let delete = || client.delete_table().table_name("leases");
    assert_eq!(code(delete().send().await), "ResourceInUseException");
    let again = create(&client, "leases").send().await;
    assert_eq!(code(again), "ResourceInUseException");

    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(status().await, TableStatus::Active);
    get().send().await.unwrap();
    delete().send().await.unwrap();
    let gone = client.describe_table().table_name("leases").send().await;
    assert_eq!(code(gone), "ResourceNotFoundException");
}

#[tokio::test(start_paused = true)]
async fn a_table_is_described_in_the_emulators_time_account_and_region() {
    let kinesis = Kinesis::builder()
        .account("123456789012")
        .region("eu-central-1")
        .build();
    let client = client(&kinesis.link(""));
    tokio::time::advance(Duration::from_millis(1_500)).await;
    create(&client, "leases").send().await.unwrap();
    let described = client.describe_table().table_name("leases").send().await;
    let table = described.unwrap().table.unwrap();
    let arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/leases";
    assert_eq!(table.table_arn(), Some(arn));
    assert_eq!(kinesis.dynamodb().table_arn("leases"), arn);
    // Created half way through its call of 10 ms.
    let created = table.creation_date_time.unwrap().as_secs_f64();
    assert!((created - 1_767_225_601.505).abs() < 0.000_1, "{created}");
    assert_eq!(
        table.table_id(),
        Some("00000000-0000-4000-9000-000000000001")
    );

    put(&client, "a", 1).await;
    let get = client.get_item().table_name(arn).key(KEY, text("a"));
    assert_eq!(counter_of(&get.send().await.unwrap().item.unwrap()), 1);

    let tag = Tag::builder().key("app").value("billing").build().unwrap();
    let tagged = client.tag_resource().resource_arn(arn).tags(tag.clone());
    tagged.send().await.unwrap();
    let tags = client
        .list_tags_of_resource()
        .resource_arn(arn)
        .send()
        .await;
    assert_eq!(tags.unwrap().tags(), [tag]);
}

#[tokio::test(start_paused = true)]
async fn emulators_share_no_tables_and_clones_do() {
    let (kinesis, tables, client) = leases().await;
    put(&client, "a", 1).await;
    assert_eq!(kinesis.clone().dynamodb().rows("leases").len(), 1);
    assert_eq!(tables.rows("leases").len(), 1);
    assert!(Kinesis::new().dynamodb().rows("leases").is_empty());
}

#[tokio::test(start_paused = true)]
async fn one_configuration_serves_streams_and_tables() {
    let kinesis = Kinesis::new();
    kinesis.create_stream("orders", 1).unwrap();
    let config = kinesis.sdk_config();
    let client = aws_sdk_dynamodb::Client::new(&config);
    create(&client, "leases").send().await.unwrap();
    let tables = client.list_tables().send().await.unwrap();
    assert_eq!(tables.table_names(), ["leases"]);
    let streams = aws_sdk_kinesis::Client::new(&config);
    let shards = streams.list_shards().stream_name("orders").send().await;
    assert_eq!(shards.unwrap().shards().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn bad_input_is_refused_by_the_services_names() {
    let (_, _, client) = leases().await;
    let get = client
        .get_item()
        .table_name("leases")
        .key("other", text("a"));
    assert_eq!(code(get.send().await), "ValidationException");
    let update = client
        .update_item()
        .table_name("leases")
        .key(KEY, text("a"));
    let update = update.update_expression("SET lease_counter = :missing");
    assert_eq!(code(update.send().await), "ValidationException");
    let absent = client.scan().table_name("absent").send().await;
    assert_eq!(code(absent), "ResourceNotFoundException");
    let unknown = client.describe_limits().send().await;
    assert_eq!(code(unknown), "UnknownOperationException");
}
