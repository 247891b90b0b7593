//! Readers that panic: a bug of ours.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::{Coordinator, give_back::give_back};
use crate::cause::Chain;

impl Coordinator {
    /// The shard is read again, by a reader that is built anew once. When that panics as well its lease is given back: nobody else could
    /// take one whose row every new reader of ours moves, and what panics here may not do so elsewhere. The answer is the wait before
    /// the next try.
    pub(super) async fn panicked(&mut self, shard_id: &str, words: &str) -> Duration {
        let (times, wait) = self.refused.panicked(shard_id, words);
        tracing::error!(
            stream = self.stream.label,
            shard = shard_id,
            times,
            ?wait,
            words,
            "reader panicked; its shard is read again"
        );
        if times > 1 {
            self.given_up.add(shard_id, Instant::now());
            let heartbeat = self.stream.instance.timing.heartbeat;
            match timeout(heartbeat, give_back(&self.stream, shard_id)).await {
                Ok(Ok(())) => {}
                // Whoever it is that does not answer: the row stands still, and its lease dies.
                Ok(Err(error)) => {
                    tracing::warn!(stream = self.stream.label, shard = shard_id, error = %Chain(&error), "lease not given back");
                }
                Err(_) => {
                    tracing::warn!(
                        stream = self.stream.label,
                        shard = shard_id,
                        "lease not given back in time"
                    );
                }
            }
        }
        wait
    }
}
