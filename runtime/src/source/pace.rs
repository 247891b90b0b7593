//! When a shard may be read again.

use std::time::Duration;

use kinesis_app_rules::{defaults, limits};

/// The pause from the sending of one read to the sending of the next.
///
/// A shard serves 5 reads and 2 MiB a second, and answers more with throttles; a reader that keeps to it needs no throttle to find its
/// pace. Behind the tip that is the only wait; at the tip it is the stream's poll interval.
pub(crate) fn pause(bytes: usize, behind: Duration, interval: Duration) -> Duration {
    // Whole nanoseconds: a page is at most 10 MiB, so that this is at most five seconds.
    let nanos = bytes as u128 * 1_000_000_000 / limits::SHARD_READ_BYTES_PER_SECOND as u128;
    let by_bytes = Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX));
    let by_calls = if behind.is_zero() {
        interval
    } else {
        defaults::CATCH_UP_INTERVAL
    };
    by_bytes.max(by_calls)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn at_the_tip_a_shard_is_read_at_its_interval() {
        assert_eq!(pause(100, Duration::ZERO, SECOND), SECOND);
    }

    #[test]
    fn behind_the_tip_it_is_read_as_fast_as_the_service_allows() {
        assert_eq!(pause(100, SECOND, SECOND), defaults::CATCH_UP_INTERVAL);
        assert_eq!(pause(10 << 20, SECOND, SECOND), 5 * SECOND);
    }
}
