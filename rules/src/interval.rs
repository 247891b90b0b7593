//! What a `poll_interval` that passes costs others.

use core::time::Duration;

use crate::limits::GET_RECORDS_INTERVAL;

/// The other side of the rule: a reason to think again, though it is kept.
pub const POLL_INTERVAL_SPENDS_BUDGET: &str =
    "poll interval 200ms spends the whole read budget of a shard";

/// Whether an interval that passes leaves no read of the shard to anybody else.
pub const fn poll_interval_spends_budget(interval: Duration) -> bool {
    interval.as_nanos() == GET_RECORDS_INTERVAL.as_nanos()
}
