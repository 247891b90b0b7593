//! The one writer of one row: heartbeat, checkpoint and last word are fields of its next write.

use std::{sync::Arc, time::Duration};

use tokio::{
    select,
    sync::{mpsc, oneshot},
    time::{Instant, sleep, sleep_until},
};

use super::{
    row::{Held, LeaseRow, LeaseWrite},
    store::{LeaseStore, StoreError},
    tenure::{Tenure, Timing},
};
use crate::cause::Chain;

/// The last write of a tenure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Release,
    End,
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

    async fn order(&self, last: Last) -> bool {
        let (done, confirmed) = oneshot::channel();
        self.0.send((last, done)).await.is_ok() && confirmed.await.unwrap_or(false)
    }
}

impl RowWriter {
    /// Beats until the lease is lost, released or ended. Never behind a read, a handler or a back-off of theirs.
    pub(crate) async fn run(mut self) {
        let mut next_beat = self.tenure.began + self.timing.heartbeat;
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
            next_beat = Instant::now() + self.timing.heartbeat;
            match order {
                None => {
                    let checkpoint = self.tenure.take_pending();
                    if let Err(lost) = self
                        .write(|held| LeaseWrite::Beat {
                            held,
                            checkpoint: checkpoint.clone(),
                        })
                        .await
                    {
                        // The reader may have ended on its own.
                        let _ = self.lost.send(lost);
                        return;
                    }
                }
                Some((last, done)) => {
                    let deadline = self.tenure.deadline();
                    self.tenure.close();
                    let checkpoint = self.tenure.take_pending();
                    let confirmed = self
                        .write_until(deadline, |held| match last {
                            Last::Release => LeaseWrite::Release {
                                held,
                                checkpoint: checkpoint.clone(),
                            },
                            Last::End => LeaseWrite::End { held },
                        })
                        .await;
                    if let Err(lost) = &confirmed {
                        tracing::warn!(lease = %self.row.key, ?last, ?lost, "last write not confirmed");
                    }
                    // Whoever stops does not always wait for the answer.
                    let _ = done.send(confirmed.is_ok());
                    return;
                }
            }
        }
    }

    async fn write(&mut self, write: impl Fn(Held) -> LeaseWrite) -> Result<(), Lost> {
        let deadline = self.tenure.deadline();
        if let Some(sent) = self.write_until(deadline, write).await? {
            self.tenure.extend(sent, self.timing.lease_duration);
        }
        Ok(())
    }

    /// Tries one write until it is confirmed, refused or too late. The answer is when the confirmed try was sent, `None` if only a
    /// re-read confirmed it: that keeps the lease and moves no deadline.
    async fn write_until(
        &mut self,
        deadline: Instant,
        write: impl Fn(Held) -> LeaseWrite,
    ) -> Result<Option<Instant>, Lost> {
        let write = write(Held {
            key: self.row.key.clone(),
            session: self.session.clone(),
            counter: self.row.counter,
        });
        loop {
            let sent = Instant::now();
            let answer = select! {
                biased;
                answer = self.store.write(&write) => answer,
                () = sleep_until(deadline) => return Err(Lost::Deadline),
            };
            match answer {
                Ok(row) => {
                    self.confirm(row);
                    return Ok(Some(sent));
                }
                Err(StoreError::Refused) => match self.reread(&write, deadline).await? {
                    Reread::Ours(row) => {
                        self.confirm(row);
                        return Ok(None);
                    }
                    Reread::Unknown => {}
                },
                Err(error) => {
                    tracing::warn!(lease = %self.row.key, error = %Chain(&error), "lease write failed");
                }
            }
            if Instant::now() >= deadline {
                return Err(Lost::Deadline);
            }
            sleep(RETRY_PAUSE).await;
        }
    }

    fn confirm(&mut self, row: Option<LeaseRow>) {
        if let Some(row) = row {
            self.row = row;
        }
    }

    async fn reread(&self, write: &LeaseWrite, deadline: Instant) -> Result<Reread, Lost> {
        let answer = select! {
            biased;
            answer = self.store.lease(&self.row.key) => answer,
            () = sleep_until(deadline) => return Err(Lost::Deadline),
        };
        match answer {
            Ok(row) if write.stands_in(row.as_ref()) => Ok(Reread::Ours(row)),
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

enum Reread {
    Ours(Option<LeaseRow>),
    Unknown,
}

/// Short and without growth: the deadline bounds the tries, and a heartbeat has little time.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;
    use crate::{
        leases::{
            row::{Checkpoint, Holder},
            tenure::{Taken, take},
            unreliable::{Fate, Unreliable},
        },
        tasks::{self, Task},
    };

    const KEY: &str = "billing:orders:shardId-000000000000";
    const TIMING: Timing = Timing {
        lease_duration: Duration::from_secs(10),
        heartbeat: Duration::from_secs(3),
    };

    struct Held {
        store: Unreliable,
        tenure: Arc<Tenure>,
        handle: RowHandle,
        lost: oneshot::Receiver<Lost>,
        _writing: Task<()>,
    }

    fn holder(session: &str) -> Holder {
        Holder {
            owner_id: format!("owner-{session}"),
            session: session.into(),
            lease_duration: TIMING.lease_duration,
        }
    }

    async fn create(store: &Unreliable) -> LeaseRow {
        let row = LeaseRow {
            key: KEY.into(),
            shard_id: "shardId-000000000000".into(),
            parents: vec![],
            holder: None,
            counter: 0,
            checkpoint: None,
            generation: 0,
        };
        store
            .table
            .write(&LeaseWrite::Create(row.clone()))
            .await
            .expect("absent");
        row
    }

    async fn try_take(
        store: &Unreliable,
        seen: &LeaseRow,
        session: &str,
    ) -> Result<Option<Taken>, StoreError> {
        let store: Arc<dyn LeaseStore> = Arc::new(store.clone());
        take(&store, seen, holder(session), TIMING).await
    }

    async fn held(store: Unreliable) -> Held {
        let row = create(&store).await;
        let Taken {
            tenure,
            handle,
            writer,
            lost,
            ..
        } = try_take(&store, &row, "a")
            .await
            .expect("answers")
            .expect("free");
        Held {
            store,
            tenure,
            handle,
            lost,
            _writing: tasks::spawn(writer.run()),
        }
    }

    impl Held {
        fn row(&self) -> LeaseRow {
            self.store.table.rows().remove(0)
        }

        fn is_lost(&mut self) -> Option<Lost> {
            self.lost.try_recv().ok()
        }
    }

    /// Time passes in small steps, as it does for tasks that are polled in between.
    async fn pass(time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end {
            advance(Duration::from_millis(100)).await;
        }
    }

    fn after(sequence: &str) -> Checkpoint {
        Checkpoint::After(sequence.into())
    }

    #[tokio::test(start_paused = true)]
    async fn a_checkpoint_rides_on_the_heartbeat_and_writes_do_not_grow_with_records() {
        let mut held = held(Unreliable::default()).await;
        for number in 0..100 {
            held.tenure.publish((&*number.to_string()).into());
        }
        pass(Duration::from_secs(10)).await;
        assert_eq!(held.row().checkpoint, Some(after("99")));
        // Creation, take, and one beat every three seconds.
        assert_eq!(held.store.table.counts().writes, 2 + 3);
        assert_eq!(held.store.table.counts().checkpoints, 1);
        assert_eq!(held.is_lost(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_was_applied_without_an_answer_loses_no_lease() {
        let mut held = held(Unreliable::default()).await;
        held.tenure.publish("7".into());
        held.store
            .writes([Fate::AnswerLost, Fate::Fine, Fate::AnswerLost]);
        pass(Duration::from_secs(30)).await;
        assert_eq!(held.is_lost(), None);
        assert_eq!(held.row().checkpoint, Some(after("7")));
        assert!(held.tenure.deadline() > Instant::now());
    }

    #[tokio::test(start_paused = true)]
    async fn what_only_a_re_read_confirmed_moves_no_deadline() {
        let held = held(Unreliable::default()).await;
        let before = held.tenure.deadline();
        held.store.writes([Fate::AnswerLost]);
        pass(Duration::from_secs(4)).await;
        assert_eq!(
            held.row().counter,
            2,
            "the beat was applied, and a second try of it was not"
        );
        assert_eq!(held.tenure.deadline(), before);
        pass(Duration::from_secs(3)).await;
        assert!(
            held.tenure.deadline() > before,
            "the next answered write moves it"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_lease_that_another_took_is_lost_at_the_next_write() {
        let mut held = held(Unreliable::default()).await;
        let seen = held.row();
        try_take(&held.store, &seen, "b")
            .await
            .expect("answers")
            .expect("as seen");
        held.tenure.publish("9".into());
        pass(Duration::from_secs(4)).await;
        assert_eq!(
            held.is_lost(),
            Some(Lost::Taken {
                by: Some("owner-b".into())
            })
        );
        assert_eq!(
            held.row().checkpoint,
            None,
            "the loser's checkpoint is not written"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_row_deleted_under_its_owner_is_a_lost_lease() {
        let mut held = held(Unreliable::default()).await;
        held.tenure.publish("7".into());
        pass(Duration::from_secs(4)).await;
        held.store.table.delete(KEY);
        pass(Duration::from_secs(4)).await;
        let Some(Lost::Deleted { last }) = held.is_lost() else {
            panic!("the row is gone");
        };
        assert_eq!(
            last.checkpoint,
            Some(after("7")),
            "as the last confirmed write left it"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_does_not_answer_loses_the_lease_at_the_deadline_and_not_before() {
        for fates in [vec![Fate::Hangs], vec![Fate::Lost; 1000]] {
            let mut held = held(Unreliable::default()).await;
            held.store.writes(fates);
            pass(Duration::from_millis(7_800)).await;
            assert_eq!(held.is_lost(), None);
            pass(Duration::from_millis(400)).await;
            assert_eq!(held.is_lost(), Some(Lost::Deadline));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_store_that_stumbles_for_a_moment_loses_nothing() {
        let mut held = held(Unreliable::default()).await;
        held.store.writes([Fate::Lost; 10]);
        held.store.reads([Fate::Lost; 2]);
        pass(Duration::from_secs(30)).await;
        assert_eq!(held.is_lost(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_release_writes_the_last_checkpoint_and_frees_the_lease_at_once() {
        let held = held(Unreliable::default()).await;
        held.tenure.publish("7".into());
        assert!(held.handle.release().await);
        let row = held.row();
        assert_eq!(
            (row.holder, row.checkpoint, row.counter),
            (None, Some(after("7")), 2)
        );
        assert!(
            held.tenure.deadline() <= Instant::now(),
            "nothing begins any more"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn an_unanswered_release_is_found_applied() {
        let held = held(Unreliable::default()).await;
        held.store.writes([Fate::AnswerLost]);
        assert!(held.handle.release().await);
        assert_eq!(held.row().holder, None);
    }

    #[tokio::test(start_paused = true)]
    async fn an_end_finishes_the_row_and_frees_it() {
        let held = held(Unreliable::default()).await;
        held.tenure.publish("7".into());
        assert!(held.handle.end().await);
        assert!(held.row().is_finished() && held.row().holder.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_late_release_of_a_lost_lease_is_refused() {
        let held = held(Unreliable::default()).await;
        let seen = held.row();
        try_take(&held.store, &seen, "b")
            .await
            .expect("answers")
            .expect("as seen");
        assert!(!held.handle.release().await);
        assert_eq!(held.row().holder, Some(holder("b")));
    }

    #[tokio::test(start_paused = true)]
    async fn an_unanswered_take_works_only_after_an_answered_beat() {
        let store = Unreliable::default();
        let row = create(&store).await;
        store.writes([Fate::AnswerLost]);
        let taken = try_take(&store, &row, "a")
            .await
            .expect("answers")
            .expect("ours");
        assert_eq!(taken.row.counter, 2, "take and first beat");
        assert!(taken.tenure.deadline() > Instant::now());

        let store = Unreliable::default();
        let row = create(&store).await;
        store.writes([Fate::AnswerLost, Fate::Lost]);
        assert!(
            try_take(&store, &row, "a").await.is_err(),
            "not known to be ours for long enough to work"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn of_two_takers_one_works() {
        let store = Unreliable::default();
        let row = create(&store).await;
        assert!(
            try_take(&store, &row, "a")
                .await
                .expect("answers")
                .is_some()
        );
        assert!(
            try_take(&store, &row, "b")
                .await
                .expect("answers")
                .is_none()
        );
    }
}
