//! A consumer that subscribes, and what it is told.

use std::time::Duration;

use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_kinesis::operation::subscribe_to_shard::{
    SubscribeToShardError, SubscribeToShardOutput,
};
use aws_sdk_kinesis::types::error::SubscribeToShardEventStreamError;
use aws_sdk_kinesis::types::{
    ShardIteratorType, StartingPosition, SubscribeToShardEvent, SubscribeToShardEventStream,
};
use kinesis_app_emulator::Kinesis;

use crate::common::*;

pub(crate) type Subscribed = Result<SubscribeToShardOutput, SdkError<SubscribeToShardError>>;

pub(crate) const SECOND: Duration = Duration::from_secs(1);

/// A client with all that an SDK client does by default, and the ARN of a consumer of `s`.
pub(crate) fn consumer(kinesis: &Kinesis) -> (Client, String) {
    let arn = kinesis.register_consumer("s", "c").unwrap();
    (client(kinesis), arn)
}

pub(crate) fn at(
    kind: ShardIteratorType,
) -> aws_sdk_kinesis::types::builders::StartingPositionBuilder {
    StartingPosition::builder().r#type(kind)
}

pub(crate) fn after(number: &str) -> StartingPosition {
    let start = at(ShardIteratorType::AfterSequenceNumber).sequence_number(number);
    start.build().unwrap()
}

pub(crate) fn simple(kind: ShardIteratorType) -> StartingPosition {
    at(kind).build().unwrap()
}

pub(crate) fn horizon() -> StartingPosition {
    simple(ShardIteratorType::TrimHorizon)
}

pub(crate) fn latest() -> StartingPosition {
    simple(ShardIteratorType::Latest)
}

pub(crate) async fn subscribe(
    client: &Client,
    arn: &str,
    shard: &str,
    start: StartingPosition,
) -> Subscribed {
    let call = client.subscribe_to_shard().consumer_arn(arn);
    call.shard_id(shard).starting_position(start).send().await
}

/// The next event; `None` at the end of the connection.
pub(crate) async fn next(output: &mut SubscribeToShardOutput) -> Option<SubscribeToShardEvent> {
    match output.event_stream.recv().await.unwrap()? {
        SubscribeToShardEventStream::SubscribeToShardEvent(event) => Some(event),
        other => panic!("no event: {other:?}"),
    }
}

/// The headers of the message name the exception; its payload has the words alone.
pub(crate) fn exception(error: &SubscribeToShardEventStreamError) -> &'static str {
    use SubscribeToShardEventStreamError as E;
    assert!(error.message().is_some(), "{error:?}");
    match error {
        E::ResourceInUseException(_) => "ResourceInUseException",
        E::ResourceNotFoundException(_) => "ResourceNotFoundException",
        E::InternalFailureException(_) => "InternalFailureException",
        E::KmsThrottlingException(_) => "KMSThrottlingException",
        other => panic!("{other:?}"),
    }
}

/// What the events end in: an exception, or a connection that breaks.
pub(crate) async fn broken(output: &mut SubscribeToShardOutput) -> String {
    loop {
        match output.event_stream.recv().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the events end without an error"),
            Err(SdkError::ServiceError(met)) => {
                return exception(met.err()).to_owned();
            }
            Err(SdkError::DispatchFailure(_)) => return "reset".to_owned(),
            Err(SdkError::ResponseError(_)) => return "broken off".to_owned(),
            Err(other) => panic!("{other:?}"),
        }
    }
}

pub(crate) fn texts(event: &SubscribeToShardEvent) -> Vec<&str> {
    let records = event.records.iter();
    records
        .map(|record| std::str::from_utf8(record.data().as_ref()).unwrap())
        .collect()
}
