//! One shard, one tenure: a source, a worker and a row writer, from the taken lease to its last write.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};

use crate::{
    app::shared::Instance,
    dispatch::{
        outcome::Chain,
        worker::{Assignment, Exit, Rules, Worker},
    },
    leases::{
        row::{Checkpoint, LeaseRow, LeaseWrite, StoredStart, lease_key},
        store::StoreError,
        tenure::Taken,
        writer::Lost,
    },
    shards::ListedShard,
    source::{
        error::ServiceError,
        kinesis::{Anchor, Kinesis},
        polling::Polling,
    },
    spec::Read,
    tasks,
};

/// What every reader of a stream needs.
#[derive(Debug)]
pub(crate) struct StreamContext {
    pub(crate) instance: Arc<Instance>,
    /// The struct's name, for people.
    pub(crate) label: &'static str,
    /// The name in row keys.
    pub(crate) name: String,
    pub(crate) kinesis: Kinesis,
    pub(crate) start: StoredStart,
    pub(crate) read: Read,
    pub(crate) rules: Rules,
    pub(crate) worker: Arc<dyn Worker>,
}

/// How a tenure ended for the stream.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The shard is finished: its children may start.
    Finished,
    /// The lease is free, or another's.
    Released,
    /// The lease was lost.
    Lost(Lost),
    /// The shard, or its whole stream, does not exist any more.
    Vanished(ServiceError),
    /// The shard can never be read.
    Fatal(ServiceError),
}

/// Reads a shard until it ends, its lease is lost, or it is asked to stop. `opened` is told when the first iterator is there.
pub(crate) async fn run(
    stream: Arc<StreamContext>,
    taken: Taken,
    stop: oneshot::Receiver<Duration>,
    opened: oneshot::Sender<()>,
) -> Ended {
    let Taken {
        row,
        tenure,
        handle,
        writer,
        lost,
    } = taken;
    let instance = &stream.instance;
    let writing = tasks::spawn(writer.run());
    let (pages, events) = mpsc::channel(1);
    let Read::Poll {
        batch_size,
        interval,
    } = stream.read;
    let source = Polling {
        kinesis: stream.kinesis.clone(),
        shard_id: row.shard_id.as_str().into(),
        batch_size,
        interval,
        backoff: instance.backoff,
        account: instance.budget.account(),
        chance: Arc::clone(&instance.chance),
    };
    let reading = tasks::spawn(source.run(anchor(&row, stream.start), pages, opened));
    tracing::info!(stream = stream.label, shard = %row.shard_id, checkpoint = ?row.checkpoint, token = row.counter, "shard taken");

    let shard = Assignment {
        stream: stream.label,
        shard_id: row.shard_id.as_str().into(),
        events,
        tenure,
        lost,
        stop,
        rules: stream.rules,
        health: instance.board.line(stream.label, &row.shard_id),
        chance: Arc::clone(&instance.chance),
    };
    let exit = stream.worker.run(shard).await;
    drop(reading);
    let ended = match exit {
        Exit::ShardEnd { children } => {
            match create_children(&stream, &row.shard_id, children).await {
                Ok(()) if handle.end().await => Ended::Finished,
                Ok(()) => Ended::Lost(Lost::Deadline),
                Err(error) => {
                    handle.release().await;
                    Ended::Fatal(error)
                }
            }
        }
        Exit::Stopped => {
            handle.release().await;
            Ended::Released
        }
        Exit::Lost(why) => Ended::Lost(why),
        Exit::Vanished(error) => {
            // The coordinator tells a trimmed shard, which is over, from a deleted stream, which is a failure.
            handle.release().await;
            Ended::Vanished(error)
        }
        Exit::Fatal(error) => {
            handle.release().await;
            Ended::Fatal(error)
        }
    };
    drop(writing);
    match &ended {
        Ended::Lost(why) => {
            tracing::warn!(stream = stream.label, shard = %row.shard_id, ?why, "lease lost");
        }
        ended => tracing::info!(stream = stream.label, shard = %row.shard_id, ?ended, "shard left"),
    }
    ended
}

/// Where a reader of this row begins.
fn anchor(row: &LeaseRow, start: StoredStart) -> Anchor {
    match (&row.checkpoint, start) {
        (Some(Checkpoint::After(sequence)), _) => Anchor::After {
            sequence: sequence.clone(),
        },
        (_, StoredStart::TrimHorizon) => Anchor::Horizon,
        (_, StoredStart::At { millis }) => Anchor::Timestamp { millis },
    }
}

/// A finished row whose children have none would hide them for ever: their rows come first.
async fn create_children(
    stream: &StreamContext,
    shard_id: &str,
    named: Vec<ListedShard>,
) -> Result<(), ServiceError> {
    let mut children = named;
    let mut failures = 0;
    loop {
        // A closed shard always has children, but a listing may lag behind its closing.
        if children.is_empty() {
            children = match stream.kinesis.list_shards().await {
                Ok(listing) => listing
                    .into_iter()
                    .filter(|shard| shard.parents.iter().any(|parent| parent == shard_id))
                    .collect(),
                Err(error) if error.is_retryable() => Vec::new(),
                Err(error) => return Err(error),
            };
        }
        let mut stored = !children.is_empty();
        for child in &children {
            if let Err(error) = create_row(stream, child).await {
                tracing::warn!(stream = stream.label, shard = %child.shard_id, error = %Chain(&error), "child row not created yet");
                stored = false;
            }
        }
        if stored {
            return Ok(());
        }
        failures += 1;
        sleep(
            stream
                .instance
                .backoff
                .wait(failures, stream.instance.chance.part()),
        )
        .await;
    }
}

/// Creates the row of a shard; a row that stands already is as good.
pub(crate) async fn create_row(
    stream: &StreamContext,
    shard: &ListedShard,
) -> Result<(), StoreError> {
    let row = LeaseRow {
        key: lease_key(&stream.instance.app, &stream.name, &shard.shard_id),
        shard_id: shard.shard_id.clone(),
        parents: shard.parents.clone(),
        holder: None,
        counter: 0,
        checkpoint: None,
        generation: 0,
    };
    match stream.instance.store.write(&LeaseWrite::Create(row)).await {
        Ok(_) | Err(StoreError::Refused) => Ok(()),
        Err(error) => Err(error),
    }
}
