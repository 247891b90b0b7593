//! The other system: publishing and reading as its own integration tests do.

use std::{pin::pin, time::Duration};

use futures_util::StreamExt;
use ruststream::{
    Broker, HeaderMap, IncomingMessage, OutgoingMessage, Publisher, StartAt, Subscriber,
    SubscriptionSource,
};
use ruststream_kinesis::{
    ConnectedKinesisBroker, KinesisBroker, KinesisPosition, KinesisStream, PARTITION_KEY_HEADER,
    SEQUENCE_HEADER, SHARD_HEADER,
};
use tokio::time::timeout;

use crate::{samples::Sample, world::PATIENCE};

pub(crate) async fn connect(endpoint: &str) -> ConnectedKinesisBroker {
    let broker = KinesisBroker::new()
        .endpoint(endpoint)
        .test_credentials()
        .region("us-east-1");
    broker.connect().await.expect("it connects")
}

pub(crate) async fn publish(broker: &ConnectedKinesisBroker, stream: &str, sample: &Sample) {
    let mut headers = HeaderMap::new();
    for (name, value) in &sample.headers {
        headers.insert(name.clone(), value.clone());
    }
    headers.insert(PARTITION_KEY_HEADER, sample.key.clone());
    let message = OutgoingMessage::new(stream, sample.payload.as_slice()).with_headers(headers);
    let published = broker.publisher().publish(message, None).await;
    published.expect("it publishes");
}

/// The first so many records of a stream.
pub(crate) async fn read(
    broker: &ConnectedKinesisBroker,
    stream: &str,
    count: usize,
) -> Vec<Sample> {
    let source = KinesisStream::new(stream).poll_interval(Duration::from_millis(250));
    let source = StartAt::new(source, KinesisPosition::horizon());
    let mut subscriber = source.subscribe(broker).await.expect("it subscribes");
    let mut messages = pin!(subscriber.stream());
    let mut read = Vec::new();
    while read.len() < count {
        let next = timeout(PATIENCE, messages.next()).await;
        let message = next
            .unwrap_or_else(|_| panic!("it reads no more after {read:?}"))
            .expect("its subscription goes on")
            .expect("it reads");
        let headers = message.headers();
        read.push(Sample {
            key: headers
                .get_str(PARTITION_KEY_HEADER)
                .unwrap_or_default()
                .to_owned(),
            headers: headers
                .iter()
                .filter(|(name, _)| {
                    ![PARTITION_KEY_HEADER, SEQUENCE_HEADER, SHARD_HEADER].contains(name)
                })
                .map(|(name, value)| (name.to_owned(), value.to_vec()))
                .collect(),
            payload: message.payload().to_vec(),
        });
        message.ack().await.expect("it acknowledges");
    }
    read
}
