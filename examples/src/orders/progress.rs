//! How far the run is, shared by all that take part in it.

use tokio::sync::watch;

/// Counts acknowledged records, and holds the producer back until the timeline has caught up with it.
#[derive(Debug)]
pub(crate) struct Progress {
    acknowledged: watch::Sender<u64>,
    limit: watch::Sender<u64>,
}

impl Progress {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            acknowledged: watch::Sender::new(0),
            limit: watch::Sender::new(limit),
        }
    }

    pub(crate) fn acknowledge(&self, records: u64) {
        self.acknowledged.send_modify(|count| *count += records);
    }

    pub(crate) fn acknowledged(&self) -> u64 {
        *self.acknowledged.borrow()
    }

    /// Waits until so many records were acknowledged.
    pub(crate) async fn reach(&self, records: u64) {
        Self::at_least(&self.acknowledged, records).await;
    }

    /// Lets the producer go on up to this record.
    pub(crate) fn extend(&self, limit: u64) {
        self.limit
            .send_modify(|current| *current = limit.max(*current));
    }

    /// Waits until the producer may go on.
    pub(crate) async fn room(&self) {
        let mut limit = self.limit.subscribe();
        loop {
            if self.acknowledged() < *limit.borrow_and_update() {
                return;
            }
            // The sender lives as long as `self`.
            let _ = limit.changed().await;
        }
    }

    async fn at_least(counter: &watch::Sender<u64>, value: u64) {
        // As above: there is a sender for as long as there is somebody who waits.
        let _ = counter
            .subscribe()
            .wait_for(|current| *current >= value)
            .await;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    const SOON: Duration = Duration::from_millis(1);

    #[tokio::test(start_paused = true)]
    async fn the_producer_waits_for_the_timeline_and_the_timeline_for_the_producer() {
        let progress = Progress::new(10);
        assert!(timeout(SOON, progress.room()).await.is_ok());
        assert!(timeout(SOON, progress.reach(10)).await.is_err());
        progress.acknowledge(10);
        assert!(timeout(SOON, progress.reach(10)).await.is_ok());
        assert!(timeout(SOON, progress.room()).await.is_err());
        progress.extend(20);
        assert!(timeout(SOON, progress.room()).await.is_ok());
        assert_eq!(progress.acknowledged(), 10);
    }
}
