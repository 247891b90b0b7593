//! This project: an application that hands on what it reads, to the test and to another stream.

use kinesis_app::{
    Outgoing, PARTITION_KEY_HEADER, Running, SEQUENCE_NUMBER_HEADER, SHARD_ID_HEADER, Setup,
};
use tokio::{sync::mpsc, time::timeout};

use crate::{samples::Sample, world::PATIENCE};

#[kinesis_app::kinesis_app(
    name = "interop",
    region = "us-east-1",
    endpoint(env = "ENDPOINT"),
    credentials(test),
    leases(memory)
)]
mod app {
    use kinesis_app::prelude::*;
    use tokio::sync::mpsc::UnboundedSender;

    use super::{Sample, sample};

    #[stream(
        name = "theirs",
        codec(Raw),
        start(trim_horizon),
        poll_interval = "250ms"
    )]
    pub(super) struct Theirs;

    #[stream(name = "ours", codec(Raw))]
    pub(super) struct Ours;

    #[stream(name = "passed-on", codec(Raw))]
    pub(super) struct PassedOn;

    #[on_start]
    async fn nobody_listens() -> Result<UnboundedSender<Sample>, String> {
        Ok(tokio::sync::mpsc::unbounded_channel().0)
    }

    #[on_record(Theirs)]
    async fn pass_on(
        payload: Bytes,
        key: PartitionKey,
        headers: Headers,
        passed_on: Publisher<PassedOn>,
        State(test): State<UnboundedSender<Sample>>,
    ) -> Result<(), PublishError> {
        // The test may have seen enough.
        let _ = test.send(sample(&key, &headers, &payload));
        let message = payload.keyed(key.as_str()).headers(&headers);
        passed_on.publish(message).await?;
        Ok(())
    }
}

pub(crate) struct Ours {
    running: Running,
    read: mpsc::UnboundedReceiver<Sample>,
}

pub(crate) async fn start(endpoint: &str) -> Ours {
    let (test, read) = mpsc::unbounded_channel();
    let setup = Setup::empty().with_env("ENDPOINT", endpoint);
    let launch = kinesis_app::launch(app::App).setup(setup).state(test);
    Ours {
        running: launch.start().await.expect("the application starts"),
        read,
    }
}

impl Ours {
    pub(crate) async fn read(&mut self, count: usize) -> Vec<Sample> {
        let mut read = Vec::new();
        while read.len() < count {
            let next = timeout(PATIENCE, self.read.recv()).await;
            let next = next.unwrap_or_else(|_| panic!("nothing more is read after {read:?}"));
            read.push(next.expect("the application runs"));
        }
        read
    }

    pub(crate) async fn publish(&self, sample: &Sample) {
        let mut message = sample.payload.clone().keyed(sample.key.clone());
        for (name, value) in &sample.headers {
            message = message.header(name, value);
        }
        let published = self.running.publisher::<app::Ours>().publish(message).await;
        published.expect("the record is published");
    }
}

fn sample(key: &str, headers: &kinesis_app::Headers, payload: &[u8]) -> Sample {
    let added = [
        PARTITION_KEY_HEADER,
        SEQUENCE_NUMBER_HEADER,
        SHARD_ID_HEADER,
    ];
    Sample {
        key: key.into(),
        headers: headers
            .iter()
            .filter(|(name, _)| !added.contains(name))
            .map(|(name, value)| (name.to_owned(), value.to_vec()))
            .collect(),
        payload: payload.to_vec(),
    }
}
