//! Declarative consumers of Amazon Kinesis Data Streams.
//!
//! An application is one annotated module: its streams are unit structs, its handlers are `async fn`s. `#[kinesis_app]` checks it while
//! it compiles and wires it to this runtime, which discovers shards across splits and merges, leases them, reads them, runs handlers in
//! order per partition key, retries what fails, and moves checkpoints over what has settled and nothing else.
//!
//! ```no_run
//! use kinesis_app::prelude::*;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! pub struct Order {
//!     pub id: u64,
//! }
//!
//! #[kinesis_app(name = "billing", region = "eu-west-1", leases(memory))]
//! pub mod billing {
//!     use super::*;
//!
//!     #[stream(name = "orders", start(trim_horizon))]
//!     pub struct Orders;
//!
//!     #[on_record(Orders, concurrency = 8)]
//!     async fn book(order: Order, key: PartitionKey) -> Result<(), String> {
//!         println!("{key}: order {}", order.id);
//!         Ok(())
//!     }
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), kinesis_app::Error> {
//!     kinesis_app::run(billing::App).await
//! }
//! ```
//!
//! What holds: a record is handled at least once; records of one partition key are handled in order, across splits and merges; a
//! checkpoint never passes a record that has not settled.

#[doc(hidden)]
#[path = "ide.rs"]
pub mod __ide;
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod app;
mod cause;
mod chance;
mod checkpoint;
mod coordinator;
mod dispatch;
mod leases;
mod nudge;
mod planted;
mod publish;
mod pulse;
mod reader;
mod record;
mod refused;
mod seek;
mod service_error;
mod shards;
#[cfg(feature = "simulation")]
#[doc(hidden)]
pub mod simulation;
mod source;
mod stop;
mod tasks;
mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;

pub use app::{
    config::AppConfig,
    describe::{Description, HandlerDescription, NamedBy, Server, StreamDescription, describe},
    error::Error,
    handler_config::HandlerConfig,
    hooks::{
        AwsOutput, FromApp, HookContext, HookError, HookFuture, HookOutput, LeasesOutput,
        ObserveOutput, StartOutput,
    },
    launch::{Launch, launch, start},
    problem::{ConfigError, ConfigErrors, StreamError, StreamErrors, StreamProblem},
    run::{Applications, Run, run},
    running::Running,
    setup::{Setup, SetupError},
    shard_hooks::{FromShard, ShardContext},
    spec,
    stream_config::StreamConfig,
    wire::{Application, Wired},
};
pub use aws_types::SdkConfig;
pub use cause::HandlerError;
pub use dispatch::{
    batches::{
        batch::{Batch, BatchItem},
        extract::{BatchContext, FromBatch, FromRecords},
        handler::{BatchFuture, BatchHandler},
        outcome::{BatchOutcome, BatchSettled, IntoBatchOutcome, NotGiven, OkBatchOutcome},
    },
    codec::Payload,
    extract::{
        ArrivalTime, Attempt, FromRecord, Lag, Lease, NoState, PartitionKey, Provides,
        RecordContext, ShardId, State,
    },
    handler::{OneHandlerPerStream, RecordFuture, RecordHandler, Stream},
    outcome::{IntoOutcome, OkOutcome, Outcome, Reason, Settled, Undecodable},
    permanent::{Permanent, permanent},
    shutdown::Shutdown,
};
pub use kinesis_app_macros::{
    AppState, aws, configure, kinesis_app, leases, observe, on_batch, on_ready, on_record,
    on_shard_end, on_shard_start, on_shutdown, on_start, stream,
};
#[cfg(feature = "dynamodb")]
pub use leases::dynamodb::DynamoLeases;
pub use leases::{
    conformance::check_lease_store,
    file::FileLeases,
    foreign::ForeignRow,
    memory::{Counts, MemoryLeases},
    row::{Checkpoint, Holder, LeaseRow, Progress, Wanted},
    store::{LeaseStore, StoreError, StoreFuture},
    stream_row::{StoredStart, StreamRow, StreamWrite},
    write::{Answer, Held, LeaseWrite, Refused},
};
pub use publish::{
    IntoReply, Keyed, Message, Outgoing, Parts, PublishError, Published, Publisher, Publishing,
    Reply, Unkeyed,
};
pub use record::{
    Headers, PARTITION_KEY_HEADER, Position, RawRecord, RecordRef, SEQUENCE_NUMBER_HEADER,
    SHARD_ID_HEADER,
};
pub use seek::{error::SeekError, seeker::Seeker};
pub use service_error::{Class, ServiceError};
pub use source::budget::PrefetchLoad;
pub use telemetry::health::{
    Activity, Failing, Health, HeldRecords, ShardHealth, ShardName, StreamActivity, StreamHealth,
    UnstoredDeadLetters, UnstoredRecords,
};
pub use telemetry::observer::Observer;

/// What an [`Observer`] is told.
pub mod observer {
    pub use crate::telemetry::observer::{
        Halted, LeaseChange, Observer, PageRead, Parcel, RecordCounts, Refusal, RefusalKind,
        Unstored,
    };
}

/// The headers of a dead letter, beside those that its record was published with.
///
/// A dead letter is the record that was given up on: its partition key (one of its own if it had none), its payload byte for byte, its
/// headers, and these. One that would be larger than its stream takes has its payload and [`CAUSE_HEADER`](dead_letter::CAUSE_HEADER),
/// in short; a shard whose record does not even fit like that halts before it. A header of one of these names that the record had before,
/// being a dead letter itself, is replaced.
pub mod dead_letter {
    pub use crate::dispatch::dead_letter::{
        ARRIVAL_HEADER, ATTEMPTS_HEADER, CAUSE_HEADER, HANDLER_HEADER, SEQUENCE_NUMBER_HEADER,
        SHARD_ID_HEADER, STREAM_HEADER,
    };
}

/// How payloads are decoded and encoded.
pub mod codec {
    pub use crate::dispatch::codec::{Cbor, Encode, Json, MessagePack, Payload, Prost, Raw};
}

/// Everything that an application's module names.
pub mod prelude {
    #[cfg(feature = "testing")]
    pub use crate::testing::TestApp;
    pub use bytes::Bytes;

    pub use crate::{
        AppConfig, AppState, ArrivalTime, Attempt, Batch, BatchItem, BatchOutcome, ConfigError,
        FromRecord, Headers, Keyed, Lag, Lease, LeaseStore, Observer, Outcome, Outgoing,
        PartitionKey, Position, PublishError, Publisher, RawRecord, Reply, SdkConfig, SeekError,
        Seeker, Setup, ShardId, Shutdown, State, Stream, aws,
        codec::{Cbor, Json, MessagePack, Prost, Raw},
        configure, kinesis_app, leases, observe, on_batch, on_ready, on_record, on_shard_end,
        on_shard_start, on_shutdown, on_start, permanent, stream,
    };
}
