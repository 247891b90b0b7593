//! One shard, one tenure: from the lease that is to be taken to its last write.

pub(crate) mod children;
mod shard_hooks;

use std::{future::ready, sync::Arc};

use tokio::{
    select,
    sync::{Semaphore, oneshot},
    time::{Instant, sleep_until},
};

use self::children::{Children, create_children};
use crate::{
    app::{shard_hooks::ShardHooks, shared::Instance},
    cause::{Chain, HandlerError},
    dispatch::{
        rules::Rules,
        worker::{Assignment, Exit, Worker},
    },
    leases::{
        bell::Bell,
        generation::Known,
        row::{Checkpoint, LeaseRow, lease_key},
        store::StoreError,
        stream_row::StoredStart,
        tenure::{self, Taken, Tenure},
        tenures::Tenures,
        write::{Answer, Held, LeaseWrite},
        writer::{Lost, RowHandle, Said},
    },
    planted::{self, Bug, planted},
    source::{
        feed::{Feed, Opened},
        kinesis::{Anchor, Kinesis},
        polling::Polling,
    },
    spec::{Checkpoints, OnFatal, OnRecreated, Poll, Read, Start},
    stop::{self, Stop},
    tasks,
    telemetry::{board::Line, observer::LeaseChange, watch::LeaseWatch},
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
    pub(crate) known: Arc<Known>,
    /// Of its readers in this process.
    pub(crate) tenures: Tenures,
    /// Whether what another system stored counts.
    pub(crate) checkpoints: Checkpoints,
    /// Where another stream under its name begins.
    pub(crate) declared: Start,
    pub(crate) recreated: OnRecreated,
    pub(crate) read: Read,
    pub(crate) fatal: OnFatal,
    pub(crate) rules: Rules,
    pub(crate) worker: Arc<dyn Worker>,
    pub(crate) hooks: ShardHooks,
    /// A start with a thousand shards takes seconds, and the store is not flooded.
    pub(crate) takes: Semaphore,
    pub(crate) bell: Bell,
    /// Of the application.
    pub(crate) stop: Stop,
}

/// What is to become of a lease once it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Its shard is read.
    Read,
    /// Its shard is gone: the row is finished, so that nothing waits for it.
    Bury,
}

/// How a tenure ended for the stream.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The shard is finished: its children may start.
    Finished,
    /// The lease is free, or another's.
    Released,
    /// The lease is free: its source hung again after it was built anew.
    Silent,
    /// The stream moved to another generation, or the shard to another place, and the lease is free: what was judged is judged again.
    Outdated,
    /// Nobody knows whether the lease was taken.
    Doubtful,
    /// The lease was lost.
    Lost(Lost),
    /// The shard is not there any more.
    Vanished,
    /// The reader panicked, and its lease is as it was.
    Panicked { words: String },
    /// The shard, or its stream, can never be read.
    Fatal(HandlerError),
}

/// Takes a lease and does with it what it is for, as it was judged in a generation of the stream. `opened` is told when the first
/// iterator is there.
pub(crate) async fn run(
    stream: Arc<StreamContext>,
    seen: LeaseRow,
    purpose: Purpose,
    generation: u64,
    mut stop: Stop,
    opened: oneshot::Sender<()>,
) -> Ended {
    let instance = &stream.instance;
    // What an older generation left of a shard that is gone is closed in that one: a new shard of its name would be finished otherwise.
    let reads_in = match purpose {
        Purpose::Read => generation,
        Purpose::Bury if planted(Bug::BurialInLatest) => generation,
        Purpose::Bury => seen.generation,
    };
    let taken = match take(&stream, &seen, reads_in, &mut stop).await {
        Ok(taken) => taken,
        Err(ended) => return ended,
    };
    let Taken {
        row,
        tenure,
        handle,
        mut writer,
        lost,
    } = taken;
    writer.requested = stream.bell.calls();
    let watch = instance.board.shard(stream.label, &row.shard_id);
    let watch = LeaseWatch::taken(watch, row.counter);
    writer.watch = Some(Arc::clone(&watch));
    // Later requests show in the answers to heartbeats.
    if row.wanted_by.is_some() {
        stream.bell.call();
    }
    let writing = tasks::spawn(writer.run());
    // Before the generation is looked at: whoever changes it afterwards finds this tenure.
    let place = stream.tenures.enter(&row.shard_id, &tenure, &handle);
    let ended = match purpose {
        // Whether it may start was judged in another generation than it would be read in.
        _ if stream.known.generation() != generation => {
            release(&stream, &handle).await;
            Ended::Outdated
        }
        // The stream's row is read before anything begins.
        _ if row.generation > reads_in => {
            release(&stream, &handle).await;
            Ended::Released
        }
        Purpose::Bury => {
            if row.generation == generation && !planted(Bug::SilentLoss) {
                instance.board.vanished(stream.label, &row);
                tracing::error!(stream = stream.label, shard = %row.shard_id, checkpoint = ?row.checkpoint, "shard is gone before it was read to its end");
            }
            let reading = tenure.readings().current();
            end(&stream, &handle, &row.key, reading).await
        }
        Purpose::Read => {
            tracing::info!(stream = stream.label, shard = %row.shard_id, checkpoint = ?row.checkpoint, generation, token = row.counter, "shard taken");
            let health = instance.board.line(stream.label, &row.shard_id);
            let mut feed = Feed::new(
                source(&stream, &row, &health, opened),
                instance.budget.account(),
                anchor(&row, generation, stream.known.begins_at()),
                instance.timing.lease_duration,
            );
            // It has no checkpoint of its own.
            if row.generation < generation || row.checkpoint.is_none() {
                feed.begin_with(stream.known.take_iterator(generation, &row.shard_id));
            }
            let mut shard = Assignment {
                stream: stream.label,
                shard_id: row.shard_id.as_str().into(),
                tenure,
                known: Arc::clone(&stream.known),
                directory: Arc::clone(&instance.directory),
                lost,
                stop,
                leaving: Arc::new(stop::stop().0),
                rules: stream.rules.clone(),
                health,
            };
            let exit = match shard_hooks::start(&stream, &mut shard).await {
                Ok(()) => stream.worker.run(&mut shard, feed).await,
                Err(exit) => exit,
            };
            let (exit, until) = if planted(Bug::EndBeforeHook) {
                (exit, None)
            } else {
                shard_hooks::end(&stream, &mut shard, exit).await
            };
            leave(&stream, &row.shard_id, exit, until, &handle, &mut shard).await
        }
    };
    drop((place, writing));
    match &ended {
        Ended::Lost(why) => {
            tracing::warn!(stream = stream.label, shard = %row.shard_id, ?why, "lease lost");
            let reason = why.words();
            watch.ended(&LeaseChange::Lost { reason });
        }
        ended => tracing::info!(stream = stream.label, shard = %row.shard_id, ?ended, "shard left"),
    }
    ended
}

/// When it is its turn. Once it is sent, a take is waited for, also by a stop: its lease is given back and not left to die.
async fn take(
    stream: &StreamContext,
    seen: &LeaseRow,
    reads_in: u64,
    stop: &mut Stop,
) -> Result<Taken, Ended> {
    let _turn = select! {
        biased;
        _ = stop.asked() => return Err(Ended::Released),
        turn = stream.takes.acquire() => turn,
    };
    let Instance {
        store,
        clock,
        timing,
        ..
    } = &*stream.instance;
    let holder = stream.instance.holder();
    match tenure::take(store, clock, seen, holder, *timing, reads_in).await {
        Ok(Some(taken)) => Ok(taken),
        // Somebody else was faster.
        Ok(None) => Err(Ended::Released),
        Err(StoreError::Fatal(error)) => Err(Ended::Fatal(StoreError::Fatal(error).into())),
        Err(error) => {
            tracing::warn!(stream = stream.label, shard = %seen.shard_id, error = %Chain(&error), "lease not taken");
            Err(Ended::Doubtful)
        }
    }
}

fn source(
    stream: &StreamContext,
    row: &LeaseRow,
    health: &Arc<Line>,
    opened: oneshot::Sender<()>,
) -> Polling {
    let Read::Poll(Poll {
        batch_size,
        interval,
    }) = stream.read;
    Polling {
        kinesis: stream.kinesis.clone(),
        shard_id: row.shard_id.as_str().into(),
        batch_size,
        interval,
        backoff: stream.instance.backoff.clone(),
        health: Arc::clone(health),
        opened: Opened::new(opened),
    }
}

/// Where a reader of this row begins in a generation: a checkpoint of an older one means nothing in it.
fn anchor(row: &LeaseRow, generation: u64, begins_at: StoredStart) -> Anchor {
    match &row.checkpoint {
        _ if row.generation < generation && !planted(Bug::OldPosition) => begins_at.into(),
        Some(Checkpoint::After(sequence)) => Anchor::After {
            sequence: sequence.clone(),
        },
        Some(Checkpoint::At(sequence)) => Anchor::At {
            sequence: sequence.clone(),
        },
        Some(Checkpoint::ShardEnd) | None => begins_at.into(),
    }
}

/// The last words of a tenure, while its heartbeat goes on. They hear a stop and a lost lease; a shard whose `#[on_shard_end]` has run while
/// it was to be left may still be finished until then, or the hook would run again.
async fn leave(
    stream: &StreamContext,
    shard_id: &str,
    exit: Exit,
    until: Option<Instant>,
    handle: &RowHandle,
    shard: &mut Assignment,
) -> Ended {
    let tenure = Arc::clone(&shard.tenure);
    let pulse = tenure.pulse();
    let generation = tenure.readings().generation();
    match exit {
        Exit::ShardEnd { children, reading } => {
            let created = select! {
                biased;
                why = &mut shard.lost => return Ended::Lost(why.unwrap_or(Lost::Deadline)),
                () = gives_up(&mut shard.stop, until) => None,
                () = ready(()), if planted(Bug::EndWithoutChildren) => Some(Children::Stored),
                created = create_children(stream, shard_id, generation, children, pulse) => Some(created),
            };
            match created {
                // The end was that of an older generation, and is not sent.
                Some(Children::Stored) if generation != stream.known.generation() => {
                    release(stream, handle).await;
                    Ended::Outdated
                }
                Some(Children::Stored) => {
                    let key = lease_key(&stream.instance.app, &stream.name, shard_id);
                    end(stream, handle, &key, reading).await
                }
                Some(Children::Fatal(error)) => {
                    release(stream, handle).await;
                    Ended::Fatal(error)
                }
                // The checkpoint stands at the last record: whoever takes the lease next finds the end again.
                Some(Children::None) | None => {
                    let_go(stream, handle, &tenure).await;
                    Ended::Released
                }
            }
        }
        Exit::Stopped => {
            let_go(stream, handle, &tenure).await;
            Ended::Released
        }
        Exit::Silent => {
            release(stream, handle).await;
            Ended::Silent
        }
        Exit::Outdated => {
            release(stream, handle).await;
            Ended::Outdated
        }
        Exit::Lost(why) => {
            if planted(Bug::SettlementAfterLoss) {
                write_after_loss(stream, shard_id, &tenure).await;
            }
            Ended::Lost(why)
        }
        Exit::Fatal(error) => {
            release(stream, handle).await;
            if generation != stream.known.generation() {
                tracing::debug!(stream = stream.label, shard = shard_id, %error, "refused in an older generation");
                return Ended::Outdated;
            }
            Ended::Fatal(error.into())
        }
        Exit::Vanished(error) => {
            release(stream, handle).await;
            // The next listing tells a trimmed shard, which is over, from a deleted stream, which is a failure.
            tracing::warn!(stream = stream.label, shard = shard_id, %error, "shard is not there any more");
            Ended::Vanished
        }
    }
}

async fn gives_up(stop: &mut Stop, until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => drop(stop.asked().await),
    }
}

/// Hands the lease to whom it was granted to, or else frees it.
async fn let_go(stream: &StreamContext, handle: &RowHandle, tenure: &Tenure) {
    match tenure.petition().granted() {
        Some(to) => {
            if handle.grant(to.clone()).await {
                stream.bell.ring(&stream.instance.store).await;
            }
        }
        None => release(stream, handle).await,
    }
}

/// Somebody else may take it at once.
async fn release(stream: &StreamContext, handle: &RowHandle) {
    if handle.release().await {
        stream.bell.ring(&stream.instance.store).await;
    }
}

/// What was read to its end counts only if nobody has repositioned the shard meanwhile.
async fn end(stream: &StreamContext, handle: &RowHandle, key: &str, reading: u64) -> Ended {
    planted::note(Bug::ChildrenBeforeConfirmation, key);
    match handle.end(reading).await {
        Said::Withdrawn => {
            release(stream, handle).await;
            Ended::Outdated
        }
        Said::Unconfirmed if !planted(Bug::ChildrenBeforeConfirmation) => {
            Ended::Lost(Lost::Deadline)
        }
        Said::Confirmed | Said::Unconfirmed => {
            stream.bell.ring(&stream.instance.store).await;
            Ended::Finished
        }
    }
}

/// A planted bug: the row is read and written as if it were still ours.
async fn write_after_loss(stream: &StreamContext, shard_id: &str, tenure: &Tenure) {
    let key = lease_key(&stream.instance.app, &stream.name, shard_id);
    let row = stream.instance.store.lease(&key).await;
    if let Ok(Some(row)) = row
        && let Some(session) = row.session()
    {
        let held = Held {
            key,
            session: session.into(),
            counter: row.counter,
        };
        let beat = LeaseWrite::Beat {
            held,
            lease_duration: stream.instance.timing.lease_duration,
            progress: tenure.readings().take_pending(),
            answer: Answer::Open,
        };
        // Carried out or not: it is a bug either way.
        let _ = stream.instance.store.write(&beat).await;
    }
}
