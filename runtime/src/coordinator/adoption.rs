//! Readers that are in another generation than their stream.

use super::Coordinator;
use crate::{leases::readings::Turn, shards::lineage::Plan};

impl Coordinator {
    /// Has every reader of an older generation begin anew where the stream stands. One whose parents are to be read again gives its
    /// shard back: lineage was asked in the new generation, and it begins nothing before they are done with.
    ///
    /// Whether a reader is behind is looked at in every round, so that no word can be missed.
    pub(super) fn have_adopted(&mut self, plan: &Plan, generation: u64) {
        let known = self.stream.known.row();
        if known.generation != generation {
            // It moved on while the plan was made, and another round is due.
            return;
        }
        for (shard_id, tenure) in self.stream.tenures.all() {
            if tenure.readings().generation() >= generation {
                continue;
            }
            let turn = if plan.startable.contains(&shard_id) {
                Turn::Adopt {
                    generation,
                    begins_at: known.begins_at(),
                }
            } else {
                Turn::GiveBack
            };
            tracing::info!(
                stream = self.stream.label,
                shard = shard_id,
                generation,
                ?turn,
                "reader is in an older generation"
            );
            tenure.readings().tell(turn);
        }
        self.behind = None;
    }

    /// Rounds fail, so that readers of an older generation do not hear where to begin, and may begin nothing where they are. After a
    /// while their shards are given back: others may be able to ask.
    pub(super) fn let_others_read(&self) {
        let lease_duration = self.stream.instance.timing.lease_duration;
        if self
            .behind
            .is_none_or(|since| since.elapsed() < lease_duration)
        {
            return;
        }
        let generation = self.stream.known.generation();
        for (shard_id, tenure) in self.stream.tenures.all() {
            if tenure.readings().generation() < generation {
                tracing::warn!(
                    stream = self.stream.label,
                    shard = shard_id,
                    "rounds fail after a seek; the shard is given back"
                );
                tenure.readings().tell(Turn::GiveBack);
            }
        }
    }
}
