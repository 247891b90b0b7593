//! What generated code names and nobody else should: no part of the public API.

use std::{sync::Arc, time::Duration};

use kinesis_app_rules::{self as rules, count::Count, length::Length};

use crate::{LeaseStore, Observer};

pub use crate::app::{
    shard_hooks::{OneHookPerStream, ShardEnd, ShardHook, ShardStart},
    state_of::{NoResult, Returned, StateOf},
    wire::{Builder, Wire, broken, wired},
};

/// What `#[leases]` comes to.
pub type SharedStore = Arc<dyn LeaseStore>;

/// What `#[observe]` comes to.
pub type SharedObserver = Arc<dyn Observer>;

/// A rule that const evaluation applies to an expression the macro cannot read: its text is the compile error.
macro_rules! checked {
    ($(#[$doc:meta])* $name:ident($value:ident: $from:ty) -> $to:ty = $rule:expr) => {
        $(#[$doc])*
        #[track_caller]
        pub const fn $name($value: $from) -> $to {
            match $rule {
                Ok(value) => value,
                Err(fault) => panic!("{}", fault.rule()),
            }
        }
    };
}

checked! {
    /// `batch_size = EXPR`.
    batch_size(size: u32) -> u32 = Count::BatchSize.check(size as u64)
}
checked! {
    /// `concurrency = EXPR`.
    concurrency(concurrency: u32) -> u32 = Count::Concurrency.check(concurrency as u64)
}
checked! {
    /// `concurrency(total = EXPR)`.
    total(total: u32) -> u32 = Count::Total.check(total as u64)
}
checked! {
    /// `retry(attempts = EXPR)`.
    attempts(attempts: u32) -> u32 = Count::Attempts.check(attempts as u64)
}
checked! {
    /// `max_records = EXPR`.
    max_records(records: u32) -> u32 = Count::MaxRecords.check(records as u64)
}
checked! {
    checked_max_wait(wait: Duration) -> Duration = Length::MaxWait.check(wait)
}
checked! {
    /// `create_if_missing(shards = EXPR)`.
    shard_count(count: u32) -> u32 = Count::Shards.check(count as u64)
}
checked! {
    /// `#[kinesis_app(name = EXPR)]`.
    app_name(name: &'static str) -> &'static str = rules::name::app_name(name)
}
checked! {
    /// `partition_key = EXPR`.
    partition_key(key: &'static str) -> &'static str = rules::partition_key::partition_key(key)
}
checked! {
    /// `owner_id = EXPR`.
    owner_id(id: &'static str) -> &'static str = rules::name::owner_id(id)
}
checked! {
    /// `label = EXPR`.
    handler_label(label: &'static str) -> &'static str = rules::name::handler_label(label)
}
checked! {
    /// `#[stream(name = EXPR)]`.
    stream_name(name: &'static str) -> &'static str = rules::name::stream_name(name)
}
checked! {
    /// `region = EXPR`.
    region(region: &'static str) -> &'static str = rules::region::region(region)
}
checked! {
    /// `endpoint = EXPR`.
    endpoint(endpoint: &'static str) -> &'static str = rules::endpoint::endpoint(endpoint)
}
checked! {
    /// `start(timestamp = EXPR)`, in milliseconds since the Unix epoch.
    timestamp(text: &'static str) -> i64 = rules::timestamp::timestamp(text)
}
/// `prefetch = EXPR`.
#[track_caller]
pub const fn prefetch(text: &'static str) -> &'static str {
    match rules::prefetch::prefetch_text(text) {
        Ok(_) => text,
        Err(fault) => panic!("{}", fault.rule()),
    }
}

checked! {
    /// `leases(file = EXPR)`.
    lease_file(path: &'static str) -> &'static str = rules::lease_file::lease_file(path)
}
checked! {
    /// `leases(dynamodb = EXPR)`.
    lease_table(name: &'static str) -> &'static str = rules::table::lease_table(name)
}
checked! {
    /// `leases(.., endpoint = EXPR)`.
    lease_endpoint(endpoint: &'static str) -> &'static str = rules::endpoint::endpoint(endpoint)
}
checked! {
    duration(text: &'static str) -> Duration = rules::duration::duration(text)
}
checked! {
    checked_interval(interval: Duration) -> Duration = Length::PollInterval.check(interval)
}
checked! {
    checked_lease(lease: Duration) -> Duration = Length::LeaseDuration.check(lease)
}
checked! {
    checked_shutdown_timeout(timeout: Duration) -> Duration = Length::ShutdownTimeout.check(timeout)
}

checked! {
    checked_backoff(length: Duration) -> Duration = Length::Backoff.check(length)
}
checked! {
    checked_max_backoff(length: Duration) -> Duration = Length::MaxBackoff.check(length)
}
checked! {
    checked_timeout(length: Duration) -> Duration = Length::Timeout.check(length)
}

/// `retry(backoff = EXPR)`.
#[track_caller]
pub const fn backoff(text: &'static str) -> Duration {
    checked_backoff(duration(text))
}

/// `retry(max_backoff = EXPR)`.
#[track_caller]
pub const fn max_backoff(text: &'static str) -> Duration {
    checked_max_backoff(duration(text))
}

/// Both of them, where one is an expression.
#[track_caller]
pub const fn backoffs(first: Duration, longest: Duration) {
    if let Err(fault) = rules::backoffs::backoffs(first, longest) {
        panic!("{}", fault.rule());
    }
}

/// `concurrency(shard = .., total = ..)`, where one is an expression.
#[track_caller]
pub const fn below_total(shard: u32, total: u32) {
    if let Err(fault) = rules::concurrency::below_total(shard, total) {
        panic!("{}", fault.rule());
    }
}

/// `ordered(shard), concurrency = EXPR`.
#[track_caller]
pub const fn one_at_a_time(shard: u32) {
    if let Err(fault) = rules::concurrency::one_at_a_time(shard) {
        panic!("{}", fault.rule());
    }
}

/// `timeout = EXPR`.
#[track_caller]
pub const fn timeout(text: &'static str) -> Duration {
    checked_timeout(duration(text))
}

/// `arn = EXPR`.
#[track_caller]
pub const fn stream_arn(arn: &'static str) -> &'static str {
    match rules::arn::stream_arn(arn) {
        Ok(_) => arn,
        Err(fault) => panic!("{}", fault.rule()),
    }
}

/// `poll_interval = EXPR`.
#[track_caller]
pub const fn poll_interval(text: &'static str) -> Duration {
    checked_interval(duration(text))
}

/// `leases(.., duration = EXPR)`.
#[track_caller]
pub const fn lease_duration(text: &'static str) -> Duration {
    checked_lease(duration(text))
}

/// `shutdown_timeout = EXPR`.
#[track_caller]
pub const fn shutdown_timeout(text: &'static str) -> Duration {
    checked_shutdown_timeout(duration(text))
}

/// `max_wait = EXPR`.
#[track_caller]
pub const fn max_wait(text: &'static str) -> Duration {
    checked_max_wait(duration(text))
}
