//! The one writer of one row: heartbeat, checkpoint and last word are fields of its next write.

use std::sync::Arc;

use kinesis_app_rules::defaults;
use tokio::{
    select,
    sync::{mpsc, oneshot},
    time::{Instant, sleep, sleep_until},
};

use super::{
    clock::Moment,
    row::{LeaseRow, Wanted},
    store::{LeaseStore, StoreError},
    tenure::{Tenure, Timing},
    write::{Held, LeaseWrite},
};
use crate::{
    cause::Chain,
    planted::{self, Bug, planted},
};

/// The last write of a tenure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Last {
    Release,
    End,
    Grant(Wanted),
}

/// A last write, and who waits for its confirmation.
pub(super) type Order = (Last, oneshot::Sender<bool>);

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
}

/// The reader's side: it asks for the last write and waits for its confirmation.
#[derive(Debug)]
pub(crate) struct RowHandle(pub(super) mpsc::Sender<Order>);

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

impl RowHandle {
    /// Gives the lease back with the last checkpoint. Whether it was confirmed.
    pub(crate) async fn release(&self) -> bool {
        self.order(Last::Release).await
    }

    /// Marks the shard as finished. Whether it was confirmed.
    pub(crate) async fn end(&self) -> bool {
        self.order(Last::End).await
    }

    /// Hands the lease to another with the last checkpoint. Whether it was confirmed.
    #[cfg_attr(not(test), expect(dead_code, reason = "balance decides who gets it"))]
    pub(crate) async fn grant(&self, to: Wanted) -> bool {
        self.order(Last::Grant(to)).await
    }

    async fn order(&self, last: Last) -> bool {
        let (done, confirmed) = oneshot::channel();
        self.0.send((last, done)).await.is_ok() && confirmed.await.unwrap_or(false)
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
                None => match self.beat().await {
                    Ok(Confirmed::Answered) => next_beat = begun + self.timing.heartbeat,
                    // The lease is kept, and its deadline comes nearer.
                    Ok(Confirmed::Reread) => next_beat = Instant::now() + defaults::LEASE_RETRY,
                    Err(lost) => {
                        // The reader may have ended on its own.
                        let _ = self.lost.send(lost);
                        return;
                    }
                },
                Some((last, done)) => {
                    let confirmed = self.last(last).await;
                    // Whoever stops does not always wait for the answer.
                    let _ = done.send(confirmed);
                    return;
                }
            }
        }
    }

    async fn last(&mut self, last: Last) -> bool {
        let deadline = self.tenure.deadline();
        self.tenure.close();
        let write = self.last_write(last);
        let confirmed = self.write_until(deadline, &write).await;
        if let Err(lost) = &confirmed {
            tracing::warn!(lease = %self.row.key, ?write, ?lost, "last write not confirmed");
        }
        confirmed.is_ok()
    }

    async fn beat(&mut self) -> Result<Confirmed, Lost> {
        // A machine that was suspended wakes up with its timers as they were.
        if self.tenure.is_over() {
            return Err(Lost::Deadline);
        }
        let write = LeaseWrite::Beat {
            held: self.held(),
            lease_duration: self.timing.lease_duration,
            progress: self.tenure.readings().take_pending(),
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

    fn last_write(&self, last: Last) -> LeaseWrite {
        let held = self.held();
        let progress = self.tenure.readings().take_pending();
        match last {
            Last::Release => LeaseWrite::Release { held, progress },
            Last::Grant(to) => LeaseWrite::Grant { held, to, progress },
            Last::End => LeaseWrite::End {
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
