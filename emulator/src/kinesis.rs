//! The handle.

use crate::Operation;
use crate::arrivals::{Arrival, Watcher};
use crate::builder::KinesisBuilder;
use crate::calls::{Call, Scope};
use crate::client::Link;
use crate::clock::EmulatorClock;
use crate::error::ServiceError;
use crate::faults::Fault;
use crate::hub::{Core, lock};
use crate::service::alter::Alteration;
use crate::service::registry::ConsumerDeletion;
use crate::service::request::{Entry, Metered, NewStream, StreamRef};
use crate::service::run::Run;
use crate::service::{Moment, Service};
use crate::views::{Put, ShardView, Stored, StoredRecord, Trim};
use crate::wire::check;
use bytes::Bytes;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Kinesis Data Streams in this process.
///
/// A handle: clones share the streams, instances that were built apart share nothing. The methods
/// act on the service directly, past the wire: they take no time, are not counted or limited, and
/// meet no faults. What an application does goes through [`config`](Self::config),
/// [`client`](Self::client) or [`sdk_config`](Self::sdk_config).
///
/// ```
/// use aws_sdk_kinesis::types::ShardIteratorType;
/// use kinesis_app_emulator::Kinesis;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let kinesis = Kinesis::new();
/// kinesis.create_stream("orders", 1)?;
/// let stored = kinesis.put("orders", "customer-7", "an order")?;
///
/// let client = kinesis.client();
/// let iterator = client
///     .get_shard_iterator()
///     .stream_name("orders")
///     .shard_id(&stored.shard_id)
///     .shard_iterator_type(ShardIteratorType::TrimHorizon)
///     .send()
///     .await?;
/// let page = client
///     .get_records()
///     .set_shard_iterator(iterator.shard_iterator)
///     .send()
///     .await?;
/// assert_eq!(page.records()[0].sequence_number(), stored.sequence_number);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Kinesis {
    pub(crate) core: Arc<Core>,
}

impl Default for Kinesis {
    fn default() -> Self {
        Self::new()
    }
}

impl Kinesis {
    /// With every setting at its default. Call it inside the tokio runtime that will use it.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// To set something first.
    pub fn builder() -> KinesisBuilder {
        KinesisBuilder::default()
    }

    /// A connection with a name, for tests with several instances of an application.
    pub fn link(&self, name: &str) -> Link {
        Link {
            core: Arc::clone(&self.core),
            name: name.into(),
        }
    }

    /// A client configuration with everything set; see [`Link::config`].
    pub fn config(&self) -> aws_sdk_kinesis::config::Builder {
        self.link("").config()
    }

    /// A client with everything set.
    pub fn client(&self) -> aws_sdk_kinesis::Client {
        self.link("").client()
    }

    /// What an application that is configured by an `SdkConfig` needs; see [`Link::sdk_config`].
    pub fn sdk_config(&self) -> aws_types::SdkConfig {
        self.link("").sdk_config()
    }

    /// DynamoDB beside these streams: the same clock, links and network.
    #[cfg(feature = "dynamodb")]
    pub fn dynamodb(&self) -> crate::dynamodb::DynamoDb {
        crate::dynamodb::DynamoDb::new(Arc::clone(&self.core))
    }

    /// The emulator's wall-clock time.
    pub fn now(&self) -> SystemTime {
        self.core.clock.now()
    }

    /// Moves this emulator's time ahead, in whole milliseconds, without waiting: iterators and tokens
    /// expire, records age out of the retention, changes that are under way end.
    ///
    /// The clients that were made here go by the same clock. Timers do not: who sleeps goes on
    /// sleeping. With a paused clock `tokio::time::advance` moves both.
    ///
    /// ```
    /// use kinesis_app_emulator::Kinesis;
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let kinesis = Kinesis::builder().wall_clock().build();
    /// kinesis.create_stream("orders", 1)?;
    /// let stored = kinesis.put("orders", "customer-7", "an order")?;
    /// kinesis.advance(Duration::from_hours(25));
    /// assert!(kinesis.records("orders", &stored.shard_id).is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn advance(&self, by: Duration) {
        self.core.clock.advance(by);
        self.core.ring_all();
    }

    /// The service's clock, as a time source for other clients.
    pub fn clock(&self) -> EmulatorClock {
        self.core.clock.clone()
    }

    /// The ARN that a stream of this name has.
    pub fn stream_arn(&self, name: &str) -> String {
        lock(&self.core.service).arn(name)
    }

    /// Does something to a stream; its subscriptions then look again.
    fn change<T>(&self, stream: &str, deed: impl FnOnce(&mut Service, Moment) -> T) -> T {
        let now = self.core.clock.moment();
        let done = deed(&mut lock(&self.core.service), now);
        self.core.ring(&Scope {
            stream: Some(stream.to_owned()),
            shards: Vec::new(),
        });
        done
    }

    /// Creates a provisioned stream of that many shards.
    ///
    /// # Errors
    ///
    /// `ResourceInUseException` when there is one of that name, `LimitExceededException` beyond the
    /// account's quotas, `ValidationException` for an illegal name or no shards.
    pub fn create_stream(&self, name: &str, shards: u32) -> Result<(), ServiceError> {
        let name = check::name(name.to_owned(), "streamName")?;
        let shards = check::shard_count(shards.into())?;
        let new = NewStream::provisioned(&name, shards);
        lock(&self.core.service).create_stream(&new, self.core.clock.moment())
    }

    /// Deletes a stream with its shards, records and consumers.
    ///
    /// # Errors
    ///
    /// `ResourceNotFoundException`, or `ResourceInUseException` when it is not `ACTIVE`.
    pub fn delete_stream(&self, name: &str) -> Result<(), ServiceError> {
        self.change(name, |service, now| {
            service.delete_stream(name, ConsumerDeletion::Enforced, now)
        })
    }

    /// Registers a consumer of a stream for enhanced fan-out: its ARN.
    ///
    /// # Errors
    ///
    /// `ResourceNotFoundException`; `ResourceInUseException` when the stream is not `ACTIVE` or has a
    /// consumer of that name; `LimitExceededException` beyond 20 consumers, or 5 that are `CREATING`.
    pub fn register_consumer(&self, stream: &str, name: &str) -> Result<String, ServiceError> {
        let name = check::name(name.to_owned(), "consumerName")?;
        let (stream, now) = (StreamRef::named(stream), self.core.clock.moment());
        lock(&self.core.service)
            .register_consumer(&stream, &name, BTreeMap::new(), now)
            .map(|consumer| consumer.arn)
    }

    /// Puts a record.
    ///
    /// # Errors
    ///
    /// `ResourceNotFoundException` when the stream is not there or not `ACTIVE`,
    /// `ValidationException` and `InvalidArgumentException` for an illegal key or size.
    pub fn put(
        &self,
        stream: &str,
        partition_key: &str,
        data: impl Into<Bytes>,
    ) -> Result<Stored, ServiceError> {
        self.put_with(stream, Put::new(partition_key, data))
    }

    /// Puts a record with an explicit hash key, without a partition key, or within the limits.
    ///
    /// # Errors
    ///
    /// As [`put`](Self::put); `ProvisionedThroughputExceededException` for a
    /// [metered](Put::metered) one.
    pub fn put_with(&self, stream: &str, put: Put) -> Result<Stored, ServiceError> {
        if let Some(key) = &put.partition_key {
            check::partition_key(key, || "partitionKey".to_owned())?;
        }
        let metered = if put.metered {
            Metered::Yes
        } else {
            Metered::No
        };
        let entry = Entry::new(put.partition_key, put.hash_key, put.data);
        let stream = StreamRef::named(stream);
        let now = self.core.clock.moment();
        let mut service = lock(&self.core.service);
        let receipt = service.put_record(&stream, entry, metered, Run::Real, now)?;
        self.core.tell(&mut service, "");
        drop(service);
        self.core.ring(&Scope {
            stream: stream.name,
            shards: vec![receipt.shard_id.clone()],
        });
        Ok(Stored {
            shard_id: receipt.shard_id,
            sequence_number: receipt.sequence_number,
        })
    }

    /// Tells of every record that is stored, in the order in which they are: also of one whose
    /// answer is lost, and of one that is put past the wire.
    ///
    /// The callback runs while the streams are locked: it must not ask them anything.
    ///
    /// ```
    /// use kinesis_app_emulator::Kinesis;
    /// use std::sync::{Arc, Mutex};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let kinesis = Kinesis::new();
    /// let arrivals = Arc::new(Mutex::new(Vec::new()));
    /// let seen = Arc::clone(&arrivals);
    /// kinesis.watch(move |arrival| seen.lock().unwrap().push(arrival));
    /// kinesis.create_stream("orders", 1)?;
    /// kinesis.put("orders", "customer-7", "an order")?;
    /// assert_eq!(arrivals.lock().unwrap()[0].stream, "orders");
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch(&self, told: impl FnMut(Arrival) + Send + 'static) {
        self.core.watch(Watcher(Some(Box::new(told))));
    }

    /// Splits a shard in the middle of its range: the ids of the children, the lower range first.
    ///
    /// They take over when the builder's `update_duration` has passed; at once by default.
    ///
    /// # Errors
    ///
    /// `ResourceNotFoundException`; `ResourceInUseException` when the stream is not `ACTIVE` or the
    /// shard is closed; `InvalidArgumentException` when its range is too narrow.
    pub fn split(&self, stream: &str, shard_id: &str) -> Result<[String; 2], ServiceError> {
        self.change(stream, |service, now| {
            let middle = service.middle_of(stream, shard_id, now)?;
            service.split_shard(stream, shard_id, middle, now)
        })
    }

    /// Splits a shard at a hash key, which becomes the lowest of the second child.
    ///
    /// # Errors
    ///
    /// As [`split`](Self::split).
    pub fn split_at(
        &self,
        stream: &str,
        shard_id: &str,
        hash_key: u128,
    ) -> Result<[String; 2], ServiceError> {
        self.change(stream, |service, now| {
            service.split_shard(stream, shard_id, hash_key, now)
        })
    }

    /// Merges two shards whose ranges touch, named in either order: the id of the child, whose
    /// `parent` is the one with the lower range.
    ///
    /// # Errors
    ///
    /// `ResourceNotFoundException`; `ResourceInUseException` when the stream is not `ACTIVE` or a
    /// shard is closed; `InvalidArgumentException` when something lies between them.
    pub fn merge(
        &self,
        stream: &str,
        shard_id: &str,
        adjacent: &str,
    ) -> Result<String, ServiceError> {
        self.change(stream, |service, now| {
            service.merge_shards(stream, shard_id, adjacent, now)
        })
    }

    /// Brings a stream to so many shards of equal width, as `UpdateShardCount` does: by splits and
    /// merges with lineage, short-lived shards among them.
    ///
    /// # Errors
    ///
    /// `ResourceNotFoundException`; `ResourceInUseException` when the stream is not `ACTIVE`;
    /// `LimitExceededException` for more than double or less than half of the open shards.
    pub fn scale(&self, stream: &str, shards: u32) -> Result<(), ServiceError> {
        let alteration = Alteration::ShardCount(check::shard_count(shards.into())?);
        self.change(stream, |service, now| {
            let stream = StreamRef::named(stream);
            service.alter(&stream, &alteration, now).map(drop)
        })
    }

    /// Forgets records of a shard, as retention does: how many.
    ///
    /// A closed shard that keeps none then is gone: it is listed no more, and its iterators find
    /// nothing.
    ///
    /// # Errors
    ///
    /// `ResourceNotFoundException`.
    pub fn trim(&self, stream: &str, shard_id: &str, trim: Trim) -> Result<usize, ServiceError> {
        self.change(stream, |service, now| {
            service.trim(stream, shard_id, trim, now)
        })
    }

    /// The shards of a stream, closed ones among them, in the order of their ids.
    ///
    /// # Errors
    ///
    /// `ResourceNotFoundException`.
    pub fn shards(&self, stream: &str) -> Result<Vec<ShardView>, ServiceError> {
        lock(&self.core.service).view_shards(stream, self.core.clock.moment())
    }

    /// The records that a shard keeps, oldest first; none for a shard that is not there.
    pub fn records(&self, stream: &str, shard_id: &str) -> Vec<StoredRecord> {
        lock(&self.core.service).view_records(stream, shard_id, self.core.clock.moment())
    }

    /// How often an operation was called over the wire: every attempt, whatever became of it.
    pub fn calls(&self, operation: Operation) -> u64 {
        lock(&self.core.wires).calls.count(operation)
    }

    /// How often an operation was called for a shard. A `PutRecords` counts once for each shard
    /// that one of its records goes to; `""` counts the calls for the stream, whatever the shard.
    pub fn calls_for(&self, operation: Operation, stream: &str, shard_id: &str) -> u64 {
        lock(&self.core.wires)
            .calls
            .count_for(operation, stream, shard_id)
    }

    /// The newest calls, oldest first; see [`KinesisBuilder::log_calls`].
    pub fn call_log(&self) -> Vec<Call> {
        lock(&self.core.wires).calls.newest()
    }

    /// Arms a fault. Of several that fit a request, the one armed first strikes.
    pub fn fault(&self, fault: Fault) {
        lock(&self.core.wires).faults.arm(fault);
    }

    /// Disarms all faults.
    pub fn clear_faults(&self) {
        lock(&self.core.wires).faults.clear();
    }

    /// Cuts every link: new requests are reset at once, answers under way are lost.
    pub fn cut(&self) {
        self.core.set_cut(None, true);
    }

    /// Ends the cut of every link; a link that was [cut on its own](Link::cut) stays so.
    pub fn restore(&self) {
        self.core.set_cut(None, false);
    }
}
