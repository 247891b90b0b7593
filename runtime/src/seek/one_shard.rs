//! One shard goes back, or forward, to a record.

use super::{error::SeekError, stream_wide::patiently};
use crate::{
    leases::{row::lease_key, stream_row::stream_key, writer::Rewound},
    reader::StreamContext,
    source::kinesis::Anchor,
};

/// The iterator first, for it may be refused; then a write of the shard's own row by its one writer, who answers when it stands and the
/// reader is told.
pub(super) async fn seek(
    context: &StreamContext,
    shard_id: &str,
    sequence: &str,
) -> Result<(), SeekError> {
    let stream = context.label;
    let moving = || SeekError::Moving {
        stream,
        shard: shard_id.into(),
    };
    let Some(held) = context.tenures.find(shard_id) else {
        return Err(not_held(context, shard_id).await);
    };
    // Another instance may have sought in all shards, and this one not have heard of it yet: its position would make this one void.
    let key = stream_key(&context.instance.app, &context.name);
    let stands = context.instance.store.stream(&key).await;
    let stands = stands.map_err(|source| SeekError::Store { stream, source })?;
    let generation = context.known.generation();
    if stands.is_some_and(|row| row.generation > generation) {
        context.bell.call();
        return Err(moving());
    }
    if held.tenure.readings().generation() != generation {
        return Err(moving());
    }
    let anchor = Anchor::At {
        sequence: sequence.into(),
    };
    let iterator = patiently(context, || context.kinesis.iterator(shard_id, &anchor)).await;
    let iterator = iterator.map_err(|source| SeekError::Service { stream, source })?;
    match held.row.rewind(generation, sequence, iterator).await {
        Rewound::Confirmed => {
            tracing::info!(stream, shard = shard_id, sequence, "shard repositioned");
            Ok(())
        }
        Rewound::Refused => Err(moving()),
        Rewound::Unconfirmed(source) => Err(SeekError::Unknown { stream, source }),
    }
}

async fn not_held(context: &StreamContext, shard_id: &str) -> SeekError {
    let instance = &context.instance;
    let (stream, shard) = (context.label, shard_id.to_owned());
    let key = lease_key(&instance.app, &context.name, shard_id);
    match instance.store.lease(&key).await {
        Err(source) => SeekError::Store { stream, source },
        // Taken, and about to be read.
        Ok(Some(row)) if row.session() == Some(&*instance.session) => {
            SeekError::Moving { stream, shard }
        }
        Ok(row) => SeekError::NotHeld {
            stream,
            shard,
            owner: row.and_then(|row| row.holder).map(|holder| holder.owner_id),
        },
    }
}
