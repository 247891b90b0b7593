//! Whether the stream is still the one whose checkpoints are stored, and in which generation it is read.

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::{Coordinator, RoundError};
use crate::{
    app::{meet, problem::StreamProblem},
    leases::{
        given_up::GivenUp,
        lift::lift,
        row::LeaseRow,
        stream_row::{StreamRow, StreamWrite},
    },
    seek,
    shards::ListedShard,
    spec::OnRecreated,
};

/// What a look at the stream says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Identity {
    Same,
    /// Another stream has the name, and what is stored was made its own.
    New,
}

impl Coordinator {
    /// A seek of somebody else is heard of here; readers adopt it when lineage was asked in the new generation. `rows` were read before.
    pub(super) async fn look_at_stream(
        &mut self,
        key: &str,
        rows: &[LeaseRow],
    ) -> Result<(), RoundError> {
        let known = self.stream.known.row();
        let store = &self.stream.instance.store;
        let mut row = if let Some(row) = store.stream(key).await? {
            row
        } else {
            tracing::error!(
                stream = self.stream.label,
                "stream row was deleted by somebody; it is created again as it stood"
            );
            store.meet_stream(&known).await?
        };
        if row.created_millis != known.created_millis {
            self.allow_another(&row)?;
        }
        // Otherwise what is ahead of it would be taken and given back for ever, and read by nobody.
        if let Some(write) = lift(&row, &known, rows) {
            tracing::error!(
                stream = self.stream.label,
                ?row,
                ?write,
                "stream row is behind its lease rows or readers: somebody deleted it or put it back; it is lifted to their generation, and \
                 what has no checkpoint in that one is read again"
            );
            row = seek::write_stream(&self.stream.instance, &write).await?;
        }
        self.adopt(row);
        Ok(())
    }

    /// Asked when something is gone, and before shards are taken if it was not asked for a while: the positions of a stream mean nothing
    /// in another one of its name, or something else.
    pub(super) async fn check_identity(
        &mut self,
        listing: &[ListedShard],
    ) -> Result<Identity, RoundError> {
        let unread = listing
            .iter()
            .any(|shard| !self.readers.contains(&shard.shard_id));
        let is_due = unread && self.checked.elapsed() >= defaults::LIST_SHARDS;
        if !self.refused.doubts() && !is_due {
            return Ok(Identity::Same);
        }
        let description = self.stream.kinesis.describe().await?;
        if !description.readable {
            return Err(RoundError::Later(StreamProblem::NotReady.into()));
        }
        let known = self.stream.known.row();
        self.checked = Instant::now();
        // An older one is an answer that lags.
        if description.created_millis <= known.created_millis {
            self.refused.trust();
            return Ok(Identity::Same);
        }
        self.allow_another(&known)?;
        let start = meet::resolve(self.stream.declared, &description)
            .map_err(|problem| RoundError::Never(problem.into()))?;
        let write = StreamWrite::Restart {
            key: known.key,
            seen_generation: known.generation,
            created_millis: description.created_millis,
            start,
        };
        let stands = seek::write_stream(&self.stream.instance, &write).await?;
        self.adopt(stands);
        Ok(Identity::New)
    }

    /// Whose a refusal is: that of another stream under the name, perhaps, and what is stored was made its own.
    pub(super) async fn doubt_identity(&mut self) -> Result<Identity, RoundError> {
        self.refused.doubt();
        self.check_identity(&[]).await
    }

    fn allow_another(&self, known: &StreamRow) -> Result<(), RoundError> {
        match self.stream.recreated {
            OnRecreated::Restart => {
                tracing::warn!(
                    stream = self.stream.label,
                    "stream was deleted and created again; it is read from its start"
                );
                Ok(())
            }
            OnRecreated::Refuse => {
                let rows = known.key.clone();
                Err(RoundError::Never(StreamProblem::Recreated { rows }.into()))
            }
        }
    }

    fn adopt(&mut self, row: StreamRow) {
        let known = &self.stream.known;
        known.learn(row);
        // A seek of this instance is known before it is heard of here.
        let generation = known.generation();
        if self.judged < generation {
            tracing::info!(stream = self.stream.label, row = ?known.row(), "stream is in another generation");
            self.judged = generation;
            self.behind = Some(Instant::now());
            self.refused.begin_anew();
            self.given_up = GivenUp::default();
            self.listing = None;
        }
    }
}
