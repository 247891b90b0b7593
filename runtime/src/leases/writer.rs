//! The one writer of one row: heartbeat, checkpoint and last word are fields of its next write.

mod orders;

use std::sync::{Arc, atomic::Ordering};

use kinesis_app_rules::defaults;
use tokio::{
    select,
    sync::{Notify, mpsc, oneshot},
    time::{Instant, sleep, sleep_until},
};

pub(super) use self::orders::{Last, Order, Rewind};
pub(crate) use self::orders::{Lost, Rewound, RowHandle, RowLine, Said};
use super::{
    clock::Moment,
    readings::Turn,
    row::{LeaseRow, Progress},
    store::{LeaseStore, StoreError},
    tenure::{Tenure, Timing},
    write::{Answer, Held, LeaseWrite},
};
use crate::{
    cause::Chain,
    planted::{self, Bug, planted},
    telemetry::{observer::LeaseChange, watch::LeaseWatch},
};

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
