//! What may be done so often within a rolling span.

use super::Moment;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);

/// Counts what was done in the last 24 hours.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct DailyQuota {
    done: VecDeque<Moment>,
}

impl DailyQuota {
    /// Whether one more is allowed; it counts if so.
    pub(crate) fn take(&mut self, most: usize, now: Moment) -> bool {
        self.done.retain(|done| now.since(*done) < DAY);
        let allowed = self.done.len() < most;
        if allowed {
            self.done.push_back(now);
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_a_day_ago_counts_no_more() {
        let hours = |hours: u64| Moment::from_millis(hours * 3_600_000);
        let mut quota = DailyQuota::default();
        assert!(quota.take(2, hours(0)) && quota.take(2, hours(1)));
        assert!(!quota.take(2, hours(23)));
        assert!(quota.take(2, hours(24)));
        assert!(!quota.take(2, hours(24)));
        assert!(quota.take(2, hours(25)));
    }
}
