//! The handle of the tables.

use super::attribute::attributes;
use super::calls::{Call, CallId, CallLog, Capacity, Outcome, Scope};
use super::change::Change;
use super::faults::{Fault, FaultBook, FaultKind};
use super::request::Asked;
use super::service::{Reply, Service, StaleReads};
use super::tables::Tables;
use super::{EmulatorClock, Operation, Refusal};
use crate::Link;
use crate::data::DataError;
use crate::data::file::{Kind, Reader, Written};
use crate::hub::{Core, lock};
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// DynamoDB in this process, beside the streams of one [`Kinesis`](crate::Kinesis).
///
/// A handle: clones share the tables. Its clock, links and network are those of the `Kinesis`; a
/// cut link is cut for both. What an application does goes through [`client`](Self::client),
/// [`config`](Self::config) or [`sdk_config`](Self::sdk_config), whose `SdkConfig` serves clients
/// of both services.
///
/// ```
/// use aws_sdk_dynamodb::types::{
///     AttributeDefinition, AttributeValue, BillingMode, KeySchemaElement, KeyType,
///     ScalarAttributeType,
/// };
/// use kinesis_app_emulator::Kinesis;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tables = Kinesis::new().dynamodb();
/// let client = tables.client();
/// let name = || "lease_key".to_owned();
/// let key = KeySchemaElement::builder().attribute_name(name()).key_type(KeyType::Hash);
/// let definition = AttributeDefinition::builder()
///     .attribute_name(name())
///     .attribute_type(ScalarAttributeType::S);
/// client
///     .create_table()
///     .table_name("leases")
///     .billing_mode(BillingMode::PayPerRequest)
///     .key_schema(key.build()?)
///     .attribute_definitions(definition.build()?)
///     .send()
///     .await?;
///
/// let shard = AttributeValue::S("shardId-000000000000".into());
/// let put = client.put_item().table_name("leases").item("lease_key", shard);
/// put.condition_expression("attribute_not_exists(lease_key)").send().await?;
/// assert_eq!(tables.rows("leases").len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DynamoDb {
    core: Arc<Core>,
}

/// What the handles of one emulator share.
#[derive(Debug)]
pub(crate) struct Side {
    service: Mutex<Service>,
    wires: Mutex<Wires>,
}

#[derive(Debug)]
struct Wires {
    faults: FaultBook,
    calls: CallLog,
}

/// What the builder knows of the tables.
#[derive(Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) account: &'a str,
    pub(crate) region: &'a str,
    pub(crate) create_duration: Duration,
    pub(crate) seed: u64,
    pub(crate) log: usize,
}

impl Side {
    pub(crate) fn new(clock: EmulatorClock, settings: &Settings<'_>) -> Self {
        let Settings {
            account, region, ..
        } = settings;
        let prefix = format!("arn:aws:dynamodb:{region}:{account}:table/");
        let tables = Tables::new(prefix, settings.create_duration);
        // Faults draw from a generator of their own: arming one moves no read.
        Self {
            service: Mutex::new(Service::new(clock, tables, settings.seed)),
            wires: Mutex::new(Wires {
                faults: FaultBook::new(settings.seed.wrapping_add(1)),
                calls: CallLog::new(settings.log),
            }),
        }
    }

    /// How often something may have been changed.
    pub(crate) fn changes(&self) -> u64 {
        lock(&self.service).changes
    }

    pub(crate) fn write_to(
        &self,
        directory: &Path,
        kind: Kind,
    ) -> Result<Option<Written>, DataError> {
        lock(&self.service).write_to(directory, kind)
    }

    pub(crate) fn read_from(&self, reader: &mut Reader, directory: &Path) -> Result<(), DataError> {
        lock(&self.service).read_from(reader, directory)
    }

    pub(crate) fn read(&self, operation: Operation, body: &[u8]) -> Result<Asked, Refusal> {
        Asked::read(operation, body, lock(&self.service).prefix())
    }

    pub(crate) fn scope(&self, asked: &Asked) -> Scope {
        lock(&self.service).scope(asked)
    }

    pub(crate) fn answer(&self, asked: Asked, lag: Option<Duration>, link: &str) -> Reply {
        lock(&self.service).answer(asked, lag, link)
    }

    pub(crate) fn answer_later(&self, asked: Asked, late: Duration, link: &str) {
        lock(&self.service).answer_later(asked, late, link);
    }

    pub(crate) fn begin(&self, call: Call) -> CallId {
        lock(&self.wires).calls.begin(call)
    }

    pub(crate) fn consume(
        &self,
        call: CallId,
        operation: Operation,
        consumed: &[(String, Capacity)],
    ) {
        lock(&self.wires).calls.consume(call, operation, consumed);
    }

    pub(crate) fn finish(&self, call: CallId, outcome: Outcome) {
        lock(&self.wires).calls.finish(call, outcome);
    }

    pub(crate) fn strike(
        &self,
        operation: Operation,
        scope: &Scope,
        link: &str,
    ) -> Option<FaultKind> {
        lock(&self.wires).faults.strike(operation, scope, link)
    }
}

impl DynamoDb {
    pub(crate) fn new(core: Arc<Core>) -> Self {
        Self { core }
    }

    /// A client configuration with everything set; see [`Link::dynamodb_config`].
    pub fn config(&self) -> aws_sdk_dynamodb::config::Builder {
        self.link("").dynamodb_config()
    }

    /// A client with everything set.
    pub fn client(&self) -> aws_sdk_dynamodb::Client {
        self.link("").dynamodb_client()
    }

    /// What an application that is configured by an `SdkConfig` needs, for streams and tables; see
    /// [`Link::sdk_config`].
    pub fn sdk_config(&self) -> aws_types::SdkConfig {
        self.link("").sdk_config()
    }

    /// A connection with a name, to the tables and to the streams.
    pub fn link(&self, name: &str) -> Link {
        Link {
            core: Arc::clone(&self.core),
            name: name.into(),
        }
    }

    /// The ARN that a table of this name has.
    pub fn table_arn(&self, name: &str) -> String {
        let service = lock(&self.core.tables.service);
        format!("{}{name}", service.prefix())
    }

    /// The rows of a table as they stand, in the order of their keys' text; none if there is no
    /// such table. Past the wire: it takes no time, is not counted and meets no faults.
    pub fn rows(&self, table: &str) -> Vec<BTreeMap<String, AttributeValue>> {
        let rows = lock(&self.core.tables.service).rows(table);
        rows.iter().map(attributes).collect()
    }

    /// Tells of every item that a write puts, updates or deletes, when it is carried out: also of
    /// writes whose answer is lost, and of late ones. Writes by PartiQL are not told.
    ///
    /// The callback runs while the tables are locked: it must not ask them anything.
    ///
    /// ```
    /// use kinesis_app_emulator::Kinesis;
    /// use std::sync::{Arc, Mutex};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let changes = Arc::new(Mutex::new(Vec::new()));
    /// let seen = Arc::clone(&changes);
    /// Kinesis::new().dynamodb().watch(move |change| seen.lock().unwrap().push(change));
    /// # }
    /// ```
    pub fn watch(&self, told: impl FnMut(Change) + Send + 'static) {
        lock(&self.core.tables.service).watcher.0 = Some(Box::new(told));
    }

    /// Deletes the items whose time to live is over, in all tables: how many. The service does it
    /// within days, here nothing does it unasked.
    pub fn expire(&self) -> usize {
        lock(&self.core.tables.service).sweep()
    }

    /// Lets eventual reads lag behind; `None` ends it (the default).
    ///
    /// ```
    /// use kinesis_app_emulator::Kinesis;
    /// use kinesis_app_emulator::dynamodb::StaleReads;
    /// use std::time::Duration;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let tables = Kinesis::new().dynamodb();
    /// tables.stale_reads(StaleReads::within(Duration::from_secs(1)).probability(0.2));
    /// tables.stale_reads(None);
    /// # }
    /// ```
    pub fn stale_reads(&self, stale: impl Into<Option<StaleReads>>) {
        lock(&self.core.tables.service).stale = stale.into();
    }

    /// How often an operation was called over the wire: every attempt, whatever became of it.
    pub fn calls(&self, operation: Operation) -> u64 {
        lock(&self.core.tables.wires).calls.count(operation)
    }

    /// How often an operation was called for a table.
    pub fn calls_for(&self, operation: Operation, table: &str) -> u64 {
        let wires = lock(&self.core.tables.wires);
        wires.calls.count_for(operation, table)
    }

    /// What an operation's calls have consumed of a table, also those whose answer was lost.
    pub fn consumed(&self, operation: Operation, table: &str) -> Capacity {
        let wires = lock(&self.core.tables.wires);
        wires.calls.consumed(operation, table)
    }

    /// The newest calls, oldest first; see
    /// [`KinesisBuilder::log_calls`](crate::KinesisBuilder::log_calls).
    pub fn call_log(&self) -> Vec<Call> {
        lock(&self.core.tables.wires).calls.newest()
    }

    /// Arms a fault. Of several that fit a request, the one armed first strikes.
    pub fn fault(&self, fault: Fault) {
        lock(&self.core.tables.wires).faults.arm(fault);
    }

    /// Disarms all faults, and leaves [`stale_reads`](Self::stale_reads) as they are.
    pub fn clear_faults(&self) {
        lock(&self.core.tables.wires).faults.clear();
    }
}
