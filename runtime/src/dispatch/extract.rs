//! The later parameters of a handler: what it wants to know about its record and its application.

use std::{
    fmt,
    num::NonZeroU32,
    ops::Deref,
    sync::Arc,
    time::{Duration, SystemTime},
};

use super::{outcome::Undecodable, shutdown::Shutdown};
use crate::{
    app::directory::Directory,
    record::{Headers, Position, RecordRef, text::SharedText},
};

/// One attempt at one record, as generated code and extractors see it; `S` is the application's state.
#[derive(Debug)]
pub struct RecordContext<'r, S> {
    pub(crate) record: RecordRef<'r>,
    pub(crate) shard_id: &'r SharedText,
    pub(crate) attempt: NonZeroU32,
    pub(crate) token: u64,
    pub(crate) behind: Duration,
    pub(crate) shutdown: &'r Shutdown,
    pub(crate) state: &'r S,
    pub(crate) directory: &'r Arc<Directory>,
}

impl<'r, S> RecordContext<'r, S> {
    /// The record.
    pub fn record(&self) -> RecordRef<'r> {
        self.record
    }

    /// The application's state.
    pub fn state(&self) -> &'r S {
        self.state
    }

    /// Which attempt at the record this is; the first is 1.
    pub fn attempt(&self) -> NonZeroU32 {
        self.attempt
    }

    /// The lease under which the record is handled.
    pub fn lease(&self) -> Lease {
        Lease::with(self.token)
    }

    /// How far behind the tip of the shard the reader was after the record's page.
    pub fn behind(&self) -> Duration {
        self.behind
    }
}

/// A type that a record handler may take after its record; `S` is the application's state.
///
/// ```
/// use kinesis_app::{FromRecord, RecordContext, Undecodable};
///
/// /// The part of the partition key in front of its first colon.
/// struct Tenant(String);
///
/// impl<S> FromRecord<S> for Tenant {
///     fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
///         let key = cx.record().partition_key().ok_or(Undecodable::NoPartitionKey)?;
///         let (tenant, _) = key.split_once(':').ok_or_else(|| Undecodable::argument("the key names no tenant"))?;
///         Ok(Tenant(tenant.into()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a record handler",
    label = "not an extractor",
    note = "the first argument is the record; every later one implements `FromRecord`: `PartitionKey`, `Position`, `State<T>`, .."
)]
pub trait FromRecord<S>: Sized {
    /// Takes the argument from the record, its shard or the state.
    ///
    /// # Errors
    ///
    /// [`Undecodable`] if the record lacks it; the record is then never given to the handler.
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable>;
}

/// The record's partition key, 1 to 256 characters.
///
/// A record of a stream with automatic distribution has none: take `Option<PartitionKey>` there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PartitionKey(SharedText);

impl PartitionKey {
    /// The key's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The shard that holds the record.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShardId(SharedText);

impl ShardId {
    pub(crate) fn of(shard_id: &SharedText) -> Self {
        Self(shard_id.clone())
    }

    /// The shard's id, such as `shardId-000000000000`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

macro_rules! text {
    ($name:ident) => {
        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
text!(PartitionKey);
text!(ShardId);

/// When the service took the record in, to the millisecond, by the service's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrivalTime(pub SystemTime);

/// How far behind the tip of the shard its reader was after the record's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lag(pub Duration);

impl Lag {
    /// Zero at the tip.
    pub fn behind(self) -> Duration {
        self.0
    }
}

/// Which attempt at the record this is. Counting starts again when another instance takes the shard over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt(pub NonZeroU32);

impl Attempt {
    /// 1 for the first attempt.
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

/// The lease under which the record is handled.
///
/// A handler that was under way when its instance lost the shard may still run while another instance handles the record again. A sink
/// that remembers the largest token it has seen of each shard, and refuses smaller ones, takes nothing from such a handler:
///
/// ```
/// use kinesis_app::Lease;
///
/// fn accepts(largest_seen: &mut u64, lease: Lease) -> bool {
///     *largest_seen = (*largest_seen).max(lease.token());
///     lease.token() == *largest_seen
/// }
/// # let _ = accepts;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    token: u64,
}

impl Lease {
    pub(crate) const fn with(token: u64) -> Self {
        Self { token }
    }

    /// The same for as long as this instance holds the shard without a break, and larger for everybody who holds it later.
    pub fn token(self) -> u64 {
        self.token
    }
}

/// A clone of the application's state, or of a field of it (see [`AppState`](crate::AppState)).
#[derive(Debug, Clone, Copy)]
pub struct State<T>(pub T);

/// The state of an application without an `#[on_start]` hook.
#[derive(Debug, Clone, Copy)]
pub struct NoState;

/// An application state that has a `T` in it.
#[diagnostic::on_unimplemented(
    message = "the application has no state of type `{T}`",
    label = "no `#[on_start]` hook provides this",
    note = "return it from `#[on_start]`, alone or as a field of a struct that derives `AppState`"
)]
pub trait Provides<T> {
    /// A clone of it.
    fn provide(&self) -> T;
}

impl<T: Clone> Provides<T> for T {
    fn provide(&self) -> T {
        self.clone()
    }
}

impl<S: Provides<T>, T> FromRecord<S> for State<T> {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(Self(cx.state.provide()))
    }
}

impl<S> FromRecord<S> for PartitionKey {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        cx.record
            .shared_key()
            .map(Self)
            .ok_or(Undecodable::NoPartitionKey)
    }
}

impl<S> FromRecord<S> for Option<PartitionKey> {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(cx.record.shared_key().map(PartitionKey))
    }
}

impl<S> FromRecord<S> for Headers {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(cx.record.headers())
    }
}

impl<S> FromRecord<S> for Position {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(Self::of_record(
            cx.shard_id.clone(),
            cx.record.shared_sequence(),
        ))
    }
}

impl<S> FromRecord<S> for ShardId {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(Self(cx.shard_id.clone()))
    }
}

impl<S> FromRecord<S> for ArrivalTime {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(Self(cx.record.arrival()))
    }
}

impl<S> FromRecord<S> for Lag {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(Self(cx.behind))
    }
}

impl<S> FromRecord<S> for Lease {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(cx.lease())
    }
}

impl<S> FromRecord<S> for Attempt {
    fn from_record(cx: &RecordContext<'_, S>) -> Result<Self, Undecodable> {
        Ok(Self(cx.attempt))
    }
}
