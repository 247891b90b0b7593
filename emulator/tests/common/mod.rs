//! What several test files share.
#![allow(dead_code, reason = "each test file uses some of it")]

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::config::retry::RetryConfig;
use aws_sdk_kinesis::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_kinesis::operation::get_records::GetRecordsOutput;
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::{PutRecordsRequestEntry, ShardIteratorType, StreamDescriptionSummary};
use kinesis_app_emulator::{Kinesis, Limits};

pub(crate) const SHARD_0: &str = "shardId-000000000000";
pub(crate) const SHARD_1: &str = "shardId-000000000001";
pub(crate) const SHARD_2: &str = "shardId-000000000002";
pub(crate) const SHARD_3: &str = "shardId-000000000003";

/// An emulator with the stream `s`, and a client that retries nothing: what a call meets is seen.
pub(crate) fn stream(shards: u32) -> (Kinesis, Client) {
    let kinesis = Kinesis::new();
    kinesis.create_stream("s", shards).unwrap();
    let client = client(&kinesis);
    (kinesis, client)
}

pub(crate) fn client(kinesis: &Kinesis) -> Client {
    let config = kinesis.config().retry_config(RetryConfig::disabled());
    Client::from_conf(config.build())
}

pub(crate) async fn iterator(client: &Client, shard: &str, kind: ShardIteratorType) -> String {
    let answer = client.get_shard_iterator().stream_name("s").shard_id(shard);
    let answer = answer.shard_iterator_type(kind).send().await.unwrap();
    answer.shard_iterator.unwrap()
}

pub(crate) async fn horizon(client: &Client, shard: &str) -> String {
    iterator(client, shard, ShardIteratorType::TrimHorizon).await
}

pub(crate) async fn read(client: &Client, iterator: &str) -> GetRecordsOutput {
    let page = client.get_records().shard_iterator(iterator).send().await;
    page.unwrap()
}

pub(crate) fn texts(page: &GetRecordsOutput) -> Vec<&str> {
    let records = page.records().iter();
    records
        .map(|record| std::str::from_utf8(record.data().as_ref()).unwrap())
        .collect()
}

pub(crate) fn entry(key: &str, data: impl Into<Vec<u8>>) -> PutRecordsRequestEntry {
    let entry = PutRecordsRequestEntry::builder().partition_key(key);
    entry.data(Blob::new(data.into())).build().unwrap()
}

/// The code of the error that a call must have ended in.
pub(crate) fn code<T: std::fmt::Debug, E: ProvideErrorMetadata>(
    met: Result<T, SdkError<E>>,
) -> String {
    let error = met.expect_err("the call is refused");
    error.code().expect("an error with a code").to_owned()
}

/// The code and the words of the error that a call must have ended in.
pub(crate) fn refusal<T: std::fmt::Debug, E: ProvideErrorMetadata>(
    met: Result<T, SdkError<E>>,
) -> (String, String) {
    let error = met.expect_err("the call is refused");
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    (text(error.code()), text(error.message()))
}

pub(crate) async fn summary(client: &Client) -> StreamDescriptionSummary {
    let summary = client.describe_stream_summary().stream_name("s").send();
    summary.await.unwrap().stream_description_summary.unwrap()
}

/// The stream `s` without limits on rates: its calls may follow each other at once.
pub(crate) fn unlimited(shards: u32) -> (Kinesis, Client) {
    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    kinesis.create_stream("s", shards).unwrap();
    let client = client(&kinesis);
    (kinesis, client)
}
