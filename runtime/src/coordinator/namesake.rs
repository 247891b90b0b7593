//! Another live process under the owner id of this one.

use crate::{leases::row::LeaseRow, reader::StreamContext};

/// Whether it was told of already: once for each stream is enough for a person to act.
#[derive(Debug, Default)]
pub(super) enum Namesake {
    #[default]
    Unheard,
    Told,
}

impl Namesake {
    /// Takes in a row that its holder was seen to write. That of a predecessor that died stands still, and is no mistake of anybody.
    pub(super) fn look(&mut self, stream: &StreamContext, row: &LeaseRow) {
        let instance = &stream.instance;
        let is_another = row.holder.as_ref().is_some_and(|holder| {
            holder.owner_id == instance.owner_id && holder.session != instance.session
        });
        if is_another && matches!(self, Self::Unheard) {
            *self = Self::Told;
            tracing::error!(
                owner_id = instance.owner_id,
                stream = stream.label,
                shard = row.shard_id,
                "another live process has this `owner_id`; both go on, but rows and logs do not tell them apart"
            );
        }
    }
}
