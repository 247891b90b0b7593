//! The unmodified SDK over the wire.

use crate::client::{Served, Version, sdk_http};
use aws_credential_types::Credentials;
#[cfg(feature = "dynamodb")]
use aws_sdk_dynamodb::{
    error::SdkError,
    operation::put_item::{PutItemError, PutItemOutput},
};
use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::config::retry::RetryConfig;
use aws_sdk_kinesis::config::{BehaviorVersion, Region};
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::ShardIteratorType;
use aws_smithy_async::rt::sleep::{SharedAsyncSleep, TokioSleep};
use aws_types::SdkConfig;
use kinesis_app_emulator::server::Server;
use kinesis_app_emulator::{Kinesis, Limits};
use std::time::Duration;

pub(crate) fn config(served: &Served, version: Version) -> SdkConfig {
    config_of(&served.url(), version)
}

pub(crate) fn config_of(url: &str, version: Version) -> SdkConfig {
    let credentials = Credentials::new("test", "test", None, None, "test");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(
            aws_credential_types::provider::SharedCredentialsProvider::new(credentials),
        )
        .endpoint_url(url)
        .http_client(sdk_http(version))
        .sleep_impl(SharedAsyncSleep::new(TokioSleep::new()))
        .retry_config(RetryConfig::disabled())
        .build()
}

pub(crate) fn server() -> Server {
    let settings = Kinesis::builder().wall_clock().latency(Duration::ZERO);
    Server::new(settings).stream("orders", 1)
}

pub(crate) async fn put(client: &Client, data: &[u8]) -> String {
    let put = client.put_record().stream_name("orders").partition_key("k");
    let stored = put.data(Blob::new(data)).send().await.unwrap();
    stored.sequence_number
}

/// The payloads of the stream's only shard.
async fn read(client: &Client) -> Vec<Vec<u8>> {
    let shards = client.list_shards().stream_name("orders").send().await;
    let shards = shards.unwrap();
    assert_eq!(shards.shards().len(), 1);
    let iterator = client
        .get_shard_iterator()
        .stream_name("orders")
        .shard_id(shards.shards()[0].shard_id())
        .shard_iterator_type(ShardIteratorType::TrimHorizon);
    let iterator = iterator.send().await.unwrap().shard_iterator;
    let page = client.get_records().set_shard_iterator(iterator).send();
    let page = page.await.unwrap();
    let records = page.records().iter();
    records
        .map(|record| record.data().as_ref().to_vec())
        .collect()
}

#[tokio::test]
async fn http_1_and_http_2_reach_the_same_streams_on_one_port() {
    let served = Served::start(server()).await;
    let [one, two] =
        [Version::Http1, Version::Http2].map(|version| Client::new(&config(&served, version)));
    put(&one, b"first").await;
    put(&two, b"second").await;
    let expected = [b"first".to_vec(), b"second".to_vec()];
    assert_eq!(read(&one).await, expected);
    assert_eq!(read(&two).await, expected);
    served.stop().await;
}

#[tokio::test]
async fn a_page_of_megabytes_arrives_whole() {
    let unlimited = Kinesis::builder().wall_clock().limits(Limits::Off);
    let served = Served::start(Server::new(unlimited).stream("orders", 1)).await;
    for version in [Version::Http1, Version::Http2] {
        let client = Client::new(&config(&served, version));
        let record: Vec<u8> = (0..900_000_u32)
            .map(|n| n.to_le_bytes()[n as usize % 3])
            .collect();
        put(&client, &record).await;
        let page = read(&client).await;
        assert_eq!(page.last(), Some(&record), "{version:?}");
    }
    served.stop().await;
}

#[tokio::test]
async fn errors_have_their_names_over_the_wire() {
    let served = Served::start(server()).await;
    for version in [Version::Http1, Version::Http2] {
        let client = Client::new(&config(&served, version));
        let absent = client.list_shards().stream_name("absent").send().await;
        let error = absent.unwrap_err().into_service_error();
        assert!(error.is_resource_not_found_exception(), "{error:?}");
    }
    served.stop().await;
}

#[cfg(feature = "dynamodb")]
pub(crate) async fn create_table(client: &aws_sdk_dynamodb::Client) {
    use aws_sdk_dynamodb::types::{
        AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType,
    };
    let key = KeySchemaElement::builder().attribute_name("k");
    let definition = AttributeDefinition::builder().attribute_name("k");
    let definition = definition.attribute_type(ScalarAttributeType::S);
    let create = client.create_table().table_name("leases");
    create
        .billing_mode(BillingMode::PayPerRequest)
        .key_schema(key.key_type(KeyType::Hash).build().unwrap())
        .attribute_definitions(definition.build().unwrap())
        .send()
        .await
        .unwrap();
}

/// Puts an item that must not be there yet.
#[cfg(feature = "dynamodb")]
pub(crate) async fn put_item(
    client: &aws_sdk_dynamodb::Client,
) -> Result<PutItemOutput, SdkError<PutItemError>> {
    let put = client.put_item().table_name("leases");
    let put = put.item("k", aws_sdk_dynamodb::types::AttributeValue::S("a".into()));
    put.condition_expression("attribute_not_exists(k)")
        .send()
        .await
}

#[cfg(feature = "dynamodb")]
#[tokio::test]
async fn tables_are_served_beside_the_streams() {
    let served = Served::start(server()).await;
    let config = config(&served, Version::Http2);
    put(&Client::new(&config), b"x").await;
    let client = aws_sdk_dynamodb::Client::new(&config);
    create_table(&client).await;
    put_item(&client).await.unwrap();
    let refused = put_item(&client).await.unwrap_err().into_service_error();
    assert!(
        refused.is_conditional_check_failed_exception(),
        "{refused:?}"
    );
    served.stop().await;
}
