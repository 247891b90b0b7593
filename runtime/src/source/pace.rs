//! When a shard may be read again.

use std::time::Duration;

use kinesis_app_rules::{defaults, limits};
use tokio::time::Instant;

/// One read, as far as the pace is concerned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Done {
    pub(super) sent: Instant,
    pub(super) answered: Instant,
    pub(super) bytes: usize,
    pub(super) behind: Duration,
}

/// When the next read may be sent.
///
/// A shard serves 5 reads and 2 MiB a second, and answers more with throttles; a reader that keeps to it needs no throttle to find its
/// pace. Calls are counted from one sending to the next: every poll interval at the tip, as often as the service allows behind it.
/// Bytes are counted from the answer, since the service counts them when it has them together.
pub(super) fn next(read: Done, interval: Duration) -> Instant {
    let calls = if read.behind.is_zero() {
        interval
    } else {
        defaults::CATCH_UP_INTERVAL
    };
    (read.sent + calls).max(read.answered + time_of(read.bytes))
}

fn time_of(bytes: usize) -> Duration {
    let nanos =
        (bytes as u128 * 1_000_000_000).div_ceil(limits::SHARD_READ_BYTES_PER_SECOND as u128);
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn wait(bytes: usize, behind: Duration, latency: Duration) -> Duration {
        let sent = Instant::now();
        let read = Done {
            sent,
            answered: sent + latency,
            bytes,
            behind,
        };
        next(read, SECOND) - sent
    }

    #[test]
    fn at_the_tip_a_shard_is_read_at_its_interval() {
        assert_eq!(wait(100, Duration::ZERO, SECOND / 10), SECOND);
    }

    #[test]
    fn behind_the_tip_it_is_read_as_fast_as_the_service_allows() {
        assert_eq!(wait(100, SECOND, SECOND / 10), defaults::CATCH_UP_INTERVAL);
        assert_eq!(
            wait(10 << 20, SECOND, SECOND / 10),
            5 * SECOND + SECOND / 10
        );
    }

    #[test]
    fn an_answer_slower_than_the_pace_is_followed_at_once() {
        assert!(wait(0, SECOND, SECOND) <= SECOND);
    }
}
