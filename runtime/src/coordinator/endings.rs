//! Readers that ended, and what each of them means for the stream.

use std::time::Duration;

use tokio::time::Instant;

use super::{Coordinator, Next, RoundError, identity::Identity};
use crate::{cause::HandlerError, leases::writer::Lost, reader::Ended};

/// When to look again.
pub(super) enum Again {
    /// At the latest.
    Within(Duration),
    /// Not earlier.
    After(Duration),
}

impl Coordinator {
    /// A reader has ended. The error is that of the stream.
    pub(super) async fn ended(
        &mut self,
        shard_id: &str,
        ended: Ended,
    ) -> Result<Again, HandlerError> {
        let source = match self.left(shard_id, ended).await {
            Ok(wait) => return Ok(Again::Within(wait)),
            Err(source) => source,
        };
        // A new stream under an old name refuses positions in the old one, for good.
        match self.doubt_identity().await {
            Ok(Identity::New) => Ok(Again::After(self.pause(Next::Soon))),
            Ok(Identity::Same) => Err(source),
            Err(RoundError::Later(error)) => {
                tracing::warn!(stream = self.stream.label, %source, %error, "it is not known yet whose refusal it is");
                Ok(Again::Within(self.stream.instance.timing.heartbeat))
            }
            Err(RoundError::Never(source)) => self.refused.stream(source).map(Again::After),
        }
    }

    /// How soon to look again, or why the shard cannot be read.
    async fn left(&mut self, shard_id: &str, ended: Ended) -> Result<Duration, HandlerError> {
        if matches!(ended, Ended::Doubtful) {
            self.doubts.add(shard_id, Instant::now());
        } else {
            self.doubts.end(shard_id);
        }
        let pause = self.stream.instance.timing.heartbeat;
        match ended {
            Ended::Finished => {
                self.listing = None;
                self.refused.shard_is_over(shard_id);
                Ok(Duration::ZERO)
            }
            Ended::Lost(Lost::Deleted { last }) => {
                tracing::error!(
                    stream = self.stream.label,
                    shard = shard_id,
                    "lease row was deleted by somebody; it is created again as it stood"
                );
                self.deleted.insert(shard_id.to_owned(), *last);
                Ok(pause)
            }
            Ended::Vanished => {
                self.listing = None;
                self.refused.doubt();
                Ok(pause)
            }
            // What was judged in the old generation is judged again at once.
            Ended::Outdated => Ok(Duration::ZERO),
            Ended::Silent | Ended::Lost(Lost::Silent) => {
                self.given_up.add(shard_id, Instant::now());
                Ok(pause)
            }
            Ended::Released | Ended::Doubtful | Ended::Lost(_) => Ok(pause),
            Ended::Fatal(error) => {
                self.given_up.add(shard_id, Instant::now());
                self.refused.shard(shard_id, error)
            }
            Ended::Panicked { words } => Ok(self.panicked(shard_id, &words).await),
        }
    }
}
