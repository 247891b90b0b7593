//! Rows that carry this process's session and have no reader.

use crate::{
    leases::{
        row::lease_key,
        store::StoreError,
        write::{Held, LeaseWrite},
    },
    reader::StreamContext,
};

/// Frees such a row. Nobody else reads it, nor takes it before it stood still for a lease duration.
pub(super) async fn give_back(stream: &StreamContext, shard_id: &str) -> Result<(), StoreError> {
    let instance = &stream.instance;
    let key = lease_key(&instance.app, &stream.name, shard_id);
    let row = instance.store.lease(&key).await?;
    let Some(row) = row.filter(|row| row.session() == Some(&*instance.session)) else {
        return Ok(());
    };
    let release = LeaseWrite::Release {
        held: Held {
            key,
            session: instance.session.clone(),
            counter: row.counter,
        },
        progress: None,
    };
    instance.store.write(&release).await?;
    stream.bell.ring(&instance.store).await;
    Ok(())
}
