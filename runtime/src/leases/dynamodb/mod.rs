//! Leases in a DynamoDB table: many instances share a stream, and checkpoints survive them.

mod change;
mod item;
mod table;

use std::{fmt, time::Duration};

use aws_sdk_dynamodb::{
    Client,
    config::{retry::RetryConfig, timeout::TimeoutConfig},
    error::{ProvideErrorMetadata, SdkError},
    types::ReturnValue,
};
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_runtime::client::retries::RetryPartition;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_types::SdkConfig;
use kinesis_app_rules::defaults;
use tokio::time::sleep;

use self::{
    change::Update,
    item::{Item, KEY, Unreadable, text},
};
use super::{
    foreign::ForeignRow,
    row::LeaseRow,
    store::{LeaseStore, StoreError, StoreFuture},
    stream_row::{StreamRow, StreamWrite},
    write::LeaseWrite,
};
use crate::{service_error::ServiceError, spec::MissingTable};

/// Leases in a DynamoDB table (cargo feature `dynamodb`).
///
/// The table has one string hash key, `lease_key`, and nothing else; several applications may share it, for each row carries its
/// application's name. Every write is one conditional `UpdateItem`, `PutItem` or `DeleteItem`: one a held shard and heartbeat (3 s),
/// whatever the record rate. For each stream, each instance reads the stream's row once a second (half a read unit) and scans the table,
/// all of it, every 10 s, or every 30 s while it is alone, and when that row's bell rings: an idle hour of one stream of 200 shards and 20
/// instances is 240,000 write units and 86,200 read units. Permissions: `dynamodb:DescribeTable`, `GetItem`, `PutItem`, `UpdateItem`, `DeleteItem`, `Scan`, and
/// `CreateTable` for [`create_if_missing`](Self::create_if_missing).
///
/// ```no_run
/// # async fn example(app: impl kinesis_app::Application, config: kinesis_app::SdkConfig) -> Result<(), kinesis_app::Error> {
/// // As `leases(dynamodb = "billing-leases", create_if_missing)` in the application does, with any configuration.
/// let leases = kinesis_app::DynamoLeases::new(&config, "billing-leases").create_if_missing();
/// kinesis_app::launch(app).aws(config).leases(leases).run().await
/// # }
/// ```
#[derive(Clone)]
pub struct DynamoLeases {
    client: Client,
    table: String,
    missing: MissingTable,
}

/// Whether a read sees every write that was answered before it was sent.
enum View {
    Consistent,
    /// At half the price.
    Eventual,
}

impl DynamoLeases {
    /// Leases in this table, reached like the application's streams.
    ///
    /// Calls are tried once and end after two seconds: a heartbeat has its own way to try again.
    pub fn new(config: &SdkConfig, table: &str) -> Self {
        Self::reached(config, table, None, defaults::ATTEMPT_TIMEOUT_DYNAMODB)
    }

    /// Leases that live so long, in a table that may have an endpoint of its own: a heartbeat of a short lease cannot wait long for
    /// an answer.
    pub(crate) fn for_duration(
        config: &SdkConfig,
        table: &str,
        endpoint: Option<&str>,
        lease_duration: Duration,
    ) -> Self {
        let share = lease_duration * defaults::ATTEMPT_PERCENT_DYNAMODB / 100;
        let attempt = defaults::ATTEMPT_TIMEOUT_DYNAMODB.min(share);
        Self::reached(config, table, endpoint, attempt)
    }

    fn reached(config: &SdkConfig, table: &str, endpoint: Option<&str>, attempt: Duration) -> Self {
        let mut builder = aws_sdk_dynamodb::config::Builder::from(config);
        if config.behavior_version().is_none() {
            builder = builder.behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest());
        }
        if config.sleep_impl().is_none() {
            builder = builder.sleep_impl(TokioSleep::new());
        }
        if let Some(endpoint) = endpoint {
            builder = builder.endpoint_url(endpoint);
        }
        let timeouts = TimeoutConfig::builder().operation_attempt_timeout(attempt);
        let config = builder
            .retry_config(RetryConfig::disabled())
            .timeout_config(timeouts.build())
            .retry_partition(RetryPartition::custom(format!("kinesis-app leases {table}")).build())
            .build();
        Self {
            client: Client::from_conf(config),
            table: table.into(),
            missing: MissingTable::Refused,
        }
    }

    /// Creates the table at start if it is not there: on demand, with the one key, and waits until it can be used.
    pub fn create_if_missing(mut self) -> Self {
        self.missing = MissingTable::Created;
        self
    }

    async fn get(&self, key: &str, view: View) -> Result<Option<Item>, StoreError> {
        let answer = self
            .client
            .get_item()
            .table_name(&self.table)
            .key(KEY, text(key))
            .consistent_read(matches!(view, View::Consistent))
            .send()
            .await;
        Ok(answer.map_err(|error| refused("GetItem", error))?.item)
    }

    async fn put(&self, item: Item) -> Result<(), StoreError> {
        let put = self
            .client
            .put_item()
            .table_name(&self.table)
            .set_item(Some(item));
        put.condition_expression(change::absent())
            .send()
            .await
            .map(drop)
            .map_err(|error| refused("PutItem", error))
    }

    async fn scan(&self, stream_key: &str) -> Result<Vec<LeaseRow>, StoreError> {
        let mut rows = Vec::new();
        let mut from = None;
        loop {
            let scan = self
                .client
                .scan()
                .table_name(&self.table)
                .filter_expression(format!("begins_with({KEY}, :prefix)"))
                .expression_attribute_values(":prefix", text(&format!("{stream_key}:")))
                .set_exclusive_start_key(from.take());
            let page = scan.send().await.map_err(|error| refused("Scan", error))?;
            for item in page.items.unwrap_or_default() {
                rows.push(item::to_lease(&item)?);
            }
            match page.last_evaluated_key {
                Some(last) => from = Some(last),
                None => break,
            }
        }
        // A scan has no order; what is done with its rows has one.
        rows.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(rows)
    }

    /// The answer is the row after it.
    async fn update(&self, key: &str, update: Update) -> Result<Item, StoreError> {
        let call = self
            .client
            .update_item()
            .table_name(&self.table)
            .key(KEY, text(key))
            .update_expression(update.expression())
            .condition_expression(update.condition)
            .set_expression_attribute_values(Some(update.values))
            .set_expression_attribute_names((!update.names.is_empty()).then_some(update.names))
            .return_values(ReturnValue::AllNew);
        let answer = call.send().await;
        let answer = answer.map_err(|error| refused("UpdateItem", error))?;
        Ok(answer.attributes.unwrap_or_default())
    }

    async fn apply(&self, write: &LeaseWrite) -> Result<Option<LeaseRow>, StoreError> {
        match (write, Update::of(write)) {
            (LeaseWrite::Create(row), _) => {
                self.put(item::of_lease(row)).await?;
                Ok(Some(row.clone()))
            }
            (_, Some(update)) => {
                let item = self.update(write.key(), update).await?;
                Ok(Some(item::to_lease(&item)?))
            }
            (LeaseWrite::Delete { key, seen_counter }, None) => {
                let (condition, values) = change::finished(*seen_counter);
                let call = self
                    .client
                    .delete_item()
                    .table_name(&self.table)
                    .key(KEY, text(key))
                    .condition_expression(condition)
                    .set_expression_attribute_values(Some(values));
                call.send()
                    .await
                    .map_err(|error| refused("DeleteItem", error))?;
                Ok(None)
            }
            (_, None) => unreachable!("every write is a creation, a deletion or an update"),
        }
    }
}

impl LeaseStore for DynamoLeases {
    fn prepare(&self) -> StoreFuture<'_, ()> {
        Box::pin(table::prepare(&self.client, &self.table, self.missing))
    }

    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<StreamRow>> {
        Box::pin(async move {
            Ok(self
                .get(key, View::Consistent)
                .await?
                .map(|item| item::to_stream(&item))
                .transpose()?)
        })
    }

    fn meet_stream<'a>(&'a self, row: &'a StreamRow) -> StoreFuture<'a, StreamRow> {
        Box::pin(async move {
            match self.put(item::of_stream(row)).await {
                Ok(()) => Ok(row.clone()),
                Err(StoreError::Refused) => {
                    let stands = self.stream(&row.key).await?;
                    stands.ok_or_else(|| {
                        StoreError::Unavailable("the stream's row came and went".into())
                    })
                }
                Err(error) => Err(error),
            }
        })
    }

    fn write_stream<'a>(&'a self, write: &'a StreamWrite) -> StoreFuture<'a, StreamRow> {
        Box::pin(async move {
            let item = self.update(write.key(), Update::of_stream(write)).await?;
            Ok(item::to_stream(&item)?)
        })
    }

    fn rung<'a>(&'a self, key: &'a str, _heard: u64) -> StoreFuture<'a, Option<StreamRow>> {
        Box::pin(async move {
            sleep(defaults::BELL).await;
            let item = self.get(key, View::Eventual).await?;
            Ok(item.map(|item| item::to_stream(&item)).transpose()?)
        })
    }

    fn leases<'a>(&'a self, stream_key: &'a str) -> StoreFuture<'a, Vec<LeaseRow>> {
        Box::pin(self.scan(stream_key))
    }

    fn lease<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<LeaseRow>> {
        Box::pin(async move {
            Ok(self
                .get(key, View::Consistent)
                .await?
                .map(|item| item::to_lease(&item))
                .transpose()?)
        })
    }

    fn foreign<'a>(
        &'a self,
        stream: &'a str,
        shard_id: &'a str,
    ) -> StoreFuture<'a, Option<ForeignRow>> {
        Box::pin(async move {
            let item = self
                .get(&format!("{stream}:{shard_id}"), View::Consistent)
                .await?;
            Ok(item.map(|item| item::to_foreign(&item)).transpose()?)
        })
    }

    fn write<'a>(&'a self, write: &'a LeaseWrite) -> StoreFuture<'a, Option<LeaseRow>> {
        Box::pin(self.apply(write))
    }
}

impl fmt::Debug for DynamoLeases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamoLeases")
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

impl From<Unreadable> for StoreError {
    fn from(error: Unreadable) -> Self {
        Self::Fatal(error.into())
    }
}

fn refused<E>(operation: &'static str, error: SdkError<E, HttpResponse>) -> StoreError
where
    E: std::error::Error + ProvideErrorMetadata + Send + Sync + 'static,
{
    if error.code() == Some("ConditionalCheckFailedException") {
        return StoreError::Refused;
    }
    let error = ServiceError::new(operation, error);
    if error.is_retryable() {
        StoreError::Unavailable(error.into())
    } else {
        StoreError::Fatal(error.into())
    }
}
