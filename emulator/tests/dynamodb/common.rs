//! A lease table, and the calls that the tests share.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
    ScalarAttributeType,
};
use kinesis_app_emulator::{DynamoDb, Kinesis, Link};
use std::collections::HashMap;

pub(crate) const KEY: &str = "lease_key";

pub(crate) type Row = HashMap<String, AttributeValue>;

/// The table `leases`, and a client that retries nothing: what a call meets is seen.
pub(crate) async fn leases() -> (Kinesis, DynamoDb, Client) {
    let kinesis = Kinesis::new();
    let tables = kinesis.dynamodb();
    let client = client(&kinesis.link(""));
    create(&client, "leases").send().await.unwrap();
    (kinesis, tables, client)
}

pub(crate) fn client(link: &Link) -> Client {
    let config = link.dynamodb_config();
    Client::from_conf(config.retry_config(RetryConfig::disabled()).build())
}

pub(crate) fn create(client: &Client, table: &str) -> CreateTableFluentBuilder {
    let key = KeySchemaElement::builder().attribute_name(KEY);
    let definition = AttributeDefinition::builder().attribute_name(KEY);
    client
        .create_table()
        .table_name(table)
        .billing_mode(BillingMode::PayPerRequest)
        .key_schema(key.key_type(KeyType::Hash).build().unwrap())
        .attribute_definitions(
            definition
                .attribute_type(ScalarAttributeType::S)
                .build()
                .unwrap(),
        )
}

pub(crate) fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.into())
}

pub(crate) fn number(value: u64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// A row with a counter.
pub(crate) fn row(key: &str, counter: u64) -> Row {
    HashMap::from([
        (KEY.to_owned(), text(key)),
        ("lease_counter".to_owned(), number(counter)),
    ])
}

pub(crate) async fn put(client: &Client, key: &str, counter: u64) {
    let put = client.put_item().table_name("leases");
    put.set_item(Some(row(key, counter))).send().await.unwrap();
}

/// A heartbeat: the counter must be as seen, and is one more afterwards.
pub(crate) async fn beat(
    client: &Client,
    key: &str,
    seen: u64,
) -> Result<Option<Row>, SdkError<aws_sdk_dynamodb::operation::update_item::UpdateItemError>> {
    let update = client
        .update_item()
        .table_name("leases")
        .key(KEY, text(key));
    let update = update
        .update_expression("SET lease_counter = lease_counter + :one")
        .condition_expression("lease_counter = :seen")
        .expression_attribute_values(":one", number(1))
        .expression_attribute_values(":seen", number(seen))
        .return_values(aws_sdk_dynamodb::types::ReturnValue::AllNew);
    Ok(update.send().await?.attributes)
}

/// The counter that a read sees, consistent or not.
pub(crate) async fn counter(client: &Client, key: &str, consistent: bool) -> Option<u64> {
    let get = client.get_item().table_name("leases").key(KEY, text(key));
    let got = get.consistent_read(consistent).send().await.unwrap();
    got.item.as_ref().map(counter_of)
}

pub(crate) fn counter_of(row: &Row) -> u64 {
    row["lease_counter"].as_n().unwrap().parse().unwrap()
}

/// The code of the error that a call must have ended in.
pub(crate) fn code<T: std::fmt::Debug, E: ProvideErrorMetadata>(
    met: Result<T, SdkError<E>>,
) -> String {
    let error = met.expect_err("the call is refused");
    error.code().expect("an error with a code").to_owned()
}
