//! The one writer of one row: heartbeat, checkpoint and last word are fields of its next write.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use kinesis_app_rules::defaults;
use tokio::{
    select,
    sync::{Notify, mpsc, oneshot},
    time::{Instant, sleep, sleep_until},
};

use super::{
    clock::Moment,
    readings::Turn,
    row::{LeaseRow, Progress, Wanted},
    store::{LeaseStore, StoreError},
    tenure::{Tenure, Timing},
    write::{Answer, Held, LeaseWrite},
};
use crate::{
    cause::Chain,
    planted::{self, Bug, planted},
    telemetry::{observer::LeaseChange, watch::LeaseWatch},
};

/// The last write of a tenure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Last {
    Release,
    /// Of this reading.
    End(u64),
    Grant(Wanted),
}

/// What the writer is asked for, beside heartbeats, and who waits for its confirmation.
#[derive(Debug)]
pub(super) enum Order {
    Last(Last, oneshot::Sender<Said>),
    Rewind(Rewind, oneshot::Sender<Rewound>),
}

/// What became of a last write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    Confirmed,
    Unconfirmed,
    /// It was not sent: the end was that of a reading which does not count any more.
    Withdrawn,
}

/// The shard is to be read from a record on.
#[derive(Debug)]
pub(super) struct Rewind {
    /// In which the place means something.
    generation: u64,
    sequence: String,
    iterator: String,
    /// Whether a write of it may have been sent: should the reader end first, nobody knows what became of it.
    is_begun: Arc<AtomicBool>,
}

/// What became of a rewind.
#[derive(Debug)]
pub(crate) enum Rewound {
    /// The row stands there, and the reader is told.
    Confirmed,
    /// Nothing was written: the lease is on its way out, or in another generation.
    Refused,
    /// Nobody knows; the lease is lost.
    Unconfirmed(StoreError),
}

/// The task's side.
#[derive(Debug)]
pub(crate) struct RowWriter {
    pub(super) store: Arc<dyn LeaseStore>,
    pub(super) tenure: Arc<Tenure>,
    pub(super) timing: Timing,
    pub(super) session: String,
    /// As the last confirmed write left it.
    pub(super) row: LeaseRow,
    pub(super) orders: mpsc::Receiver<Order>,
    pub(super) lost: oneshot::Sender<Lost>,
    /// Told when an answer shows that somebody asks for the lease: his ring may be lost, and the answer is not.
    pub(crate) requested: Arc<Notify>,
    /// An observer may want to know.
    pub(crate) watch: Option<Arc<LeaseWatch>>,
}

/// The reader's side: it asks for the last write and waits for its confirmation.
#[derive(Debug)]
pub(crate) struct RowHandle(pub(super) mpsc::Sender<Order>);

/// The way to the writer for others than the reader. It keeps no lease: that ends with the reader.
#[derive(Debug, Clone)]
pub(crate) struct RowLine(mpsc::WeakSender<Order>);

impl RowLine {
    /// Moves the row to a record, and the reader with it.
    pub(crate) async fn rewind(
        &self,
        generation: u64,
        sequence: &str,
        iterator: String,
    ) -> Rewound {
        let is_begun = Arc::<AtomicBool>::default();
        let rewind = Rewind {
            generation,
            sequence: sequence.into(),
            iterator,
            is_begun: Arc::clone(&is_begun),
        };
        let (done, confirmed) = oneshot::channel();
        let Some(orders) = self.0.upgrade() else {
            return Rewound::Refused;
        };
        if orders.send(Order::Rewind(rewind, done)).await.is_err() {
            return Rewound::Refused;
        }
        drop(orders);
        match confirmed.await {
            Ok(rewound) => rewound,
            Err(_) if is_begun.load(Ordering::Acquire) => Rewound::Unconfirmed(
                StoreError::Unavailable("it did not answer before the reader ended".into()),
            ),
            // A writer that ends with the order unread has written nothing of it.
            Err(_) => Rewound::Refused,
        }
    }
}

/// Why a lease is not held any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The row shows another owner.
    Taken { by: Option<String> },
    /// The row is gone. It is created again from how it stood.
    Deleted { last: Box<LeaseRow> },
    /// The store did not confirm a write in time.
    Deadline,
    /// The reader reported nothing for a lease duration: its lease was given back over its head.
    Silent,
}

impl Lost {
    /// For people.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::Taken { .. } => "another instance took it",
            Self::Deleted { .. } => "its row was deleted",
            Self::Deadline => "the lease store did not confirm it in time",
            Self::Silent => "its reader reported nothing",
        }
    }
}

impl RowHandle {
    /// For others who have a word for the writer.
    pub(crate) fn line(&self) -> RowLine {
        RowLine(self.0.downgrade())
    }

    /// Gives the lease back with the last checkpoint. Whether it was confirmed.
    pub(crate) async fn release(&self) -> bool {
        self.order(Last::Release).await == Said::Confirmed
    }

    /// Marks the shard as finished, if it is still in that reading.
    pub(crate) async fn end(&self, reading: u64) -> Said {
        self.order(Last::End(reading)).await
    }

    /// Hands the lease to another with the last checkpoint. Whether it was confirmed.
    pub(crate) async fn grant(&self, to: Wanted) -> bool {
        self.order(Last::Grant(to)).await == Said::Confirmed
    }

    async fn order(&self, last: Last) -> Said {
        let (done, confirmed) = oneshot::channel();
        if self.0.send(Order::Last(last, done)).await.is_err() {
            return Said::Unconfirmed;
        }
        confirmed.await.unwrap_or(Said::Unconfirmed)
    }
}

impl RowWriter {
    /// Beats until the lease is lost, released or ended. Never behind a read, a handler or a back-off of theirs.
    pub(crate) async fn run(mut self) {
        let mut next_beat = self.tenure.after(self.timing.heartbeat);
        loop {
            let order = select! {
                biased;
                order = self.orders.recv() => match order {
                    Some(order) => Some(order),
                    // The reader is gone without a last word: it was dropped, and so is its lease.
                    None => return,
                },
                () = sleep_until(next_beat) => None,
            };
            let begun = Instant::now();
            match order {
                None if self.tenure.pulse().is_silent(self.timing.lease_duration) => {
                    tracing::error!(lease = %self.row.key, "reader reports nothing; its lease is given back");
                    self.last(Last::Release).await;
                    // Should the reader wake up, it has to know.
                    let _ = self.lost.send(Lost::Silent);
                    return;
                }
                None if planted::is_noted(Bug::HeartbeatBehindHandler, &self.row.shard_id) => {
                    next_beat = begun + defaults::LEASE_RETRY;
                }
                Some(Order::Last(Last::End(reading), done))
                    if reading != self.tenure.readings().current() =>
                {
                    let _ = done.send(Said::Withdrawn);
                }
                Some(Order::Last(last, done)) => {
                    let said = if self.last(last).await {
                        Said::Confirmed
                    } else {
                        Said::Unconfirmed
                    };
                    // Whoever stops does not always wait for the answer.
                    let _ = done.send(said);
                    return;
                }
                Some(Order::Rewind(rewind, done))
                    if rewind.generation != self.tenure.readings().generation() =>
                {
                    let _ = done.send(Rewound::Refused);
                }
                None | Some(Order::Rewind(..)) => {
                    let confirmed = match order {
                        Some(Order::Rewind(rewind, done)) => self.rewind(rewind, done).await,
                        _ => self.beat(self.tenure.readings().take_pending()).await,
                    };
                    match confirmed {
                        Ok(Confirmed::Answered) => next_beat = begun + self.timing.heartbeat,
                        // The lease is kept, and its deadline comes nearer.
                        Ok(Confirmed::Reread) => {
                            next_beat = Instant::now() + defaults::LEASE_RETRY;
                        }
                        Err(lost) => {
                            // The reader may have ended on its own, and tells of no loss then.
                            if let Some(watch) = &self.watch {
                                watch.ended(&LeaseChange::Lost {
                                    reason: lost.words(),
                                });
                            }
                            let _ = self.lost.send(lost);
                            return;
                        }
                    }
                }
            }
        }
    }

    async fn last(&mut self, last: Last) -> bool {
        let deadline = self.tenure.deadline();
        self.tenure.close();
        let write = self.last_write(&last);
        let confirmed = self.write_until(deadline, &write).await;
        if let Err(lost) = &confirmed {
            tracing::warn!(lease = %self.row.key, ?write, ?lost, "last write not confirmed");
        }
        if let Some(watch) = &self.watch {
            watch.ended(&match (&confirmed, &last) {
                (Ok(_), Last::Release) => LeaseChange::Released,
                (Ok(_), Last::Grant(to)) => LeaseChange::HandedOver { to: &to.owner_id },
                (Ok(_), Last::End(_)) => LeaseChange::Finished,
                (Err(why), _) => LeaseChange::Lost {
                    reason: why.words(),
                },
            });
        }
        confirmed.is_ok()
    }

    /// A heartbeat that moves the row to a record. Whoever waits for it is answered when the reader is told.
    async fn rewind(
        &mut self,
        rewind: Rewind,
        done: oneshot::Sender<Rewound>,
    ) -> Result<Confirmed, Lost> {
        let tenure = Arc::clone(&self.tenure);
        let Rewind {
            sequence,
            iterator,
            is_begun,
            ..
        } = rewind;
        is_begun.store(true, Ordering::Release);
        let (reading, progress) = tenure.readings().rewind(&sequence);
        let confirmed = self.beat(Some(progress)).await;
        let answer = match &confirmed {
            Ok(_) => {
                tenure.readings().tell(Turn::Rewound {
                    reading,
                    sequence,
                    iterator,
                });
                Rewound::Confirmed
            }
            Err(Lost::Taken { .. } | Lost::Deleted { .. }) => Rewound::Refused,
            Err(Lost::Deadline | Lost::Silent) => Rewound::Unconfirmed(StoreError::Unavailable(
                "it did not answer before the lease was lost".into(),
            )),
        };
        // A handler that was dropped waits no more.
        let _ = done.send(answer);
        confirmed
    }

    async fn beat(&mut self, progress: Option<Progress>) -> Result<Confirmed, Lost> {
        // A machine that was suspended wakes up with its timers as they were.
        if self.tenure.is_over() {
            return Err(Lost::Deadline);
        }
        let answer = if self.tenure.petition().take_refusal() {
            Answer::Refused
        } else {
            Answer::Open
        };
        let write = LeaseWrite::Beat {
            held: self.held(),
            lease_duration: self.timing.lease_duration,
            progress,
            answer,
        };
        let Some(sent) = self.write_until(self.tenure.deadline(), &write).await? else {
            if planted(Bug::DeadlineFromReread) {
                self.tenure
                    .extend(self.tenure.now(), self.timing.lease_duration);
            }
            return Ok(Confirmed::Reread);
        };
        let sent = if planted(Bug::DeadlineFromAnswer) {
            self.tenure.now()
        } else {
            sent
        };
        self.tenure.extend(sent, self.timing.lease_duration);
        Ok(Confirmed::Answered)
    }

    fn last_write(&self, last: &Last) -> LeaseWrite {
        let held = self.held();
        let progress = self.tenure.readings().take_pending();
        match last {
            Last::Release => LeaseWrite::Release { held, progress },
            Last::Grant(to) => LeaseWrite::Grant {
                held,
                to: to.clone(),
                progress,
            },
            Last::End(_) => LeaseWrite::End {
                held,
                generation: self.tenure.readings().generation(),
            },
        }
    }

    fn held(&self) -> Held {
        Held {
            key: self.row.key.clone(),
            session: self.session.clone(),
            counter: self.row.counter,
        }
    }

    /// Tries one write until it is confirmed, refused or too late. The answer is when the confirmed try was sent, `None` if only a
    /// re-read confirmed it: that keeps the lease and moves no deadline.
    async fn write_until(
        &mut self,
        deadline: Instant,
        write: &LeaseWrite,
    ) -> Result<Option<Moment>, Lost> {
        loop {
            let sent = self.tenure.now();
            let answer = select! {
                biased;
                answer = self.store.write(write) => answer,
                () = sleep_until(deadline) => return Err(Lost::Deadline),
            };
            match answer {
                Ok(row) => {
                    self.confirm(row);
                    return Ok(Some(sent));
                }
                Err(StoreError::Refused) => match self.reread(write, deadline).await? {
                    Reread::Ours => return Ok(None),
                    Reread::Unknown => {}
                },
                Err(error) => {
                    tracing::warn!(lease = %self.row.key, error = %Chain(&error), "lease write failed");
                }
            }
            if Instant::now() >= deadline {
                return Err(Lost::Deadline);
            }
            sleep(defaults::LEASE_RETRY).await;
        }
    }

    fn confirm(&mut self, row: Option<LeaseRow>) {
        if let Some(row) = row {
            if row.wanted_by.is_some() && row.wanted_by != self.row.wanted_by {
                self.requested.notify_one();
            }
            if let (Some(watch), Some(checkpoint)) = (&self.watch, &row.checkpoint)
                && row.checkpoint != self.row.checkpoint
            {
                watch.stored(checkpoint);
            }
            self.row = row;
        }
    }

    async fn reread(&mut self, write: &LeaseWrite, deadline: Instant) -> Result<Reread, Lost> {
        let answer = select! {
            biased;
            answer = self.store.lease(&self.row.key) => answer,
            () = sleep_until(deadline) => return Err(Lost::Deadline),
        };
        match answer {
            Ok(row) if write.stands_in(row.as_ref()) => {
                self.confirm(row);
                Ok(Reread::Ours)
            }
            Ok(Some(row)) => Err(Lost::Taken {
                by: row.holder.map(|holder| holder.owner_id),
            }),
            Ok(None) => Err(Lost::Deleted {
                last: Box::new(self.row.clone()),
            }),
            Err(error) => {
                tracing::warn!(lease = %self.row.key, error = %Chain(&error), "lease read failed");
                Ok(Reread::Unknown)
            }
        }
    }
}

/// How a heartbeat is known to be applied.
enum Confirmed {
    Answered,
    Reread,
}

enum Reread {
    Ours,
    Unknown,
}

#[cfg(test)]
mod tests;
