//! The port with both services on it, the stream, and who owns what, as the lease table says.

use std::{collections::BTreeMap, future::pending, net::SocketAddr, time::Duration};

use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_kinesis::primitives::Blob;
use kinesis_app_emulator::{Kinesis, server::Server};
use tokio::{net::TcpListener, task::JoinHandle};

use super::{
    app::{STREAM, TABLE},
    show::ShowError,
};
use crate::orders::{Stream, Target};

/// How long the emulated service takes to create or split.
const CHANGE: Duration = Duration::from_millis(400);

pub(super) struct Stage {
    pub(super) endpoint: String,
    pub(super) stream: Stream,
    tables: aws_sdk_dynamodb::Client,
    serving: JoinHandle<()>,
}

/// The open shards of each owner, by their numbers; nobody's under an empty name.
pub(super) type Owners = BTreeMap<String, Vec<String>>;

impl Stage {
    pub(super) async fn open(shards: i32) -> Result<Self, ShowError> {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
        let endpoint = format!("http://{}", listener.local_addr()?);
        let settings = Kinesis::builder()
            .wall_clock()
            .create_duration(CHANGE)
            .update_duration(CHANGE);
        #[expect(clippy::disallowed_methods, reason = "the show's own task")]
        let serving = tokio::spawn(async move {
            if let Err(error) = Server::new(settings).serve(listener, pending()).await {
                eprintln!("error: the emulator ended: {error}");
            }
        });
        let reached = Target::Endpoint(endpoint.clone()).reach().await?;
        let stream = Stream {
            client: reached.client(),
            name: STREAM.into(),
            place: endpoint.clone(),
        };
        stream.create(shards).await?;
        Ok(Self {
            endpoint,
            stream,
            tables: aws_sdk_dynamodb::Client::new(&reached.sdk),
            serving,
        })
    }

    pub(super) async fn put(&self, customer: &str, id: u64) -> Result<(), ShowError> {
        let put = self.stream.client.put_record().stream_name(STREAM);
        let put = put
            .partition_key(customer)
            .data(Blob::new(format!("{{\"id\":{id}}}")));
        put.send().await.map_err(self.stream.failed("PutRecord"))?;
        Ok(())
    }

    /// Of the shards that are not read to their end.
    pub(super) async fn owners(&self) -> Owners {
        let mut owners = Owners::new();
        let scan = self.tables.scan().table_name(TABLE).consistent_read(true);
        // There is no table before the first instance has made it.
        let Ok(page) = scan.send().await else {
            return owners;
        };
        for item in page.items() {
            let text = |name: &str| {
                item.get(name)
                    .and_then(|value: &AttributeValue| value.as_s().ok())
            };
            let Some(shard_id) = text("shard_id") else {
                continue;
            };
            if text("checkpoint").is_some_and(|reached| reached == "SHARD_END") {
                continue;
            }
            let owner = text("lease_owner").cloned().unwrap_or_default();
            let number = shard_id
                .trim_start_matches("shardId-")
                .trim_start_matches('0');
            let number = if number.is_empty() { "0" } else { number };
            owners.entry(owner).or_default().push(number.to_owned());
        }
        for shards in owners.values_mut() {
            shards.sort_by_key(|number| (number.len(), number.clone()));
        }
        owners
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
