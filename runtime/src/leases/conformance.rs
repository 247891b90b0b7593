//! What every lease store must do, as one check that any store can run.

mod hand_over;
mod streams;

use std::time::Duration;

use super::{
    row::{Checkpoint, Holder, LeaseRow, Progress, Wanted},
    store::{LeaseStore, StoreError},
    write::{Answer, Held, LeaseWrite},
};

/// Runs a store through the lease table's writes, one by one, and through two owners at once.
///
/// `application` must be a name that the store has no rows of; the check leaves rows behind.
///
/// # Panics
///
/// At the first promise that the store breaks, with its name.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// kinesis_app::check_lease_store(&kinesis_app::MemoryLeases::new(), "conformance").await;
/// # }
/// ```
pub async fn check_lease_store(store: &dyn LeaseStore, application: &str) {
    store.prepare().await.expect("a store can be prepared");
    store.prepare().await.expect("and again, by the next start");
    let check = Check { store, application };
    check.a_stream_is_met_once().await;
    check.a_row_is_created_once_and_comes_back_as_it_was().await;
    check.a_free_lease_is_taken_by_one_of_two().await;
    check.an_owner_beats_checkpoints_and_releases().await;
    check
        .a_checkpoint_and_its_generation_are_written_as_one()
        .await;
    check.a_lease_is_requested_by_one_and_granted().await;
    check.a_stream_is_moved_by_one_of_two().await;
    check.a_write_is_fenced_by_session_and_counter().await;
    check
        .an_ended_row_is_finished_and_free_and_can_be_deleted()
        .await;
    check.rows_are_listed_by_their_stream().await;
    check.a_race_has_one_winner().await;
}

const LEASE: Duration = Duration::from_secs(10);

struct Check<'a> {
    store: &'a dyn LeaseStore,
    application: &'a str,
}

impl Check<'_> {
    fn row(&self, stream: &str, shard: u32) -> LeaseRow {
        let shard_id = format!("shardId-{shard:012}");
        LeaseRow {
            key: format!("{}:{stream}:{shard_id}", self.application),
            shard_id,
            parents: vec!["shardId-000000000901".into(), "shardId-000000000900".into()],
            holder: None,
            wanted_by: None,
            counter: 0,
            checkpoint: None,
            generation: 0,
        }
    }

    async fn created(&self, shard: u32) -> LeaseRow {
        let row = self.row("orders", shard);
        self.write(LeaseWrite::Create(row.clone()))
            .await
            .expect("an absent row is created");
        row
    }

    async fn held(&self, shard: u32, session: &str) -> LeaseRow {
        let row = self.created(shard).await;
        self.applied(take(&row, session)).await
    }

    async fn applied(&self, write: LeaseWrite) -> LeaseRow {
        let answer = self.write(write).await;
        answer
            .expect("its condition is met")
            .expect("and it answers with its row")
    }

    async fn write(&self, write: LeaseWrite) -> Result<Option<LeaseRow>, StoreError> {
        let expected = write.apply(self.read(write.key()).await.as_ref());
        let answer = self.store.write(&write).await;
        match (&answer, &expected) {
            (Ok(row), Ok(applied)) => {
                assert_eq!(row, applied, "a write answers with the row after it");
                assert_eq!(
                    &self.read(write.key()).await,
                    applied,
                    "a consistent read sees a write that was answered"
                );
            }
            (Err(StoreError::Refused), Err(_)) => {}
            _ => panic!("a write does what its condition says: {write:?} answered {answer:?}"),
        }
        answer
    }

    async fn read(&self, key: &str) -> Option<LeaseRow> {
        self.store.lease(key).await.expect("a row can be read")
    }

    async fn a_row_is_created_once_and_comes_back_as_it_was(&self) {
        let row = self.created(1).await;
        assert_eq!(
            self.read(&row.key).await,
            Some(row.clone()),
            "a row comes back as it was stored"
        );
        let again = self.write(LeaseWrite::Create(row)).await;
        assert!(
            matches!(again, Err(StoreError::Refused)),
            "a row is created once"
        );
    }

    async fn a_free_lease_is_taken_by_one_of_two(&self) {
        let row = self.created(2).await;
        assert!(
            self.write(take(&row, "a")).await.is_ok(),
            "a free lease is taken"
        );
        let second = self.write(take(&row, "b")).await;
        assert!(
            matches!(second, Err(StoreError::Refused)),
            "by one of two who saw it free"
        );
    }

    async fn an_owner_beats_checkpoints_and_releases(&self) {
        let row = self.held(3, "a").await;
        let beaten = self.applied(beat(&row, None)).await;
        let reached = Progress {
            generation: 0,
            checkpoint: Some(Checkpoint::After(
                "49590338271490256608559692538361571095921575989136588898".into(),
            )),
        };
        let moved = self.applied(beat(&beaten, Some(reached.clone()))).await;
        let kept = self.applied(beat(&moved, None)).await;
        assert_eq!(
            progress(&kept),
            reached,
            "a beat without a checkpoint keeps the one that stands"
        );
        let before = Progress {
            generation: 0,
            checkpoint: Some(Checkpoint::At("7".into())),
        };
        let rewound = self.applied(beat(&kept, Some(before.clone()))).await;
        assert_eq!(
            progress(&rewound),
            before,
            "a checkpoint before a record is another one than behind it"
        );
        let kept = self.applied(beat(&rewound, Some(reached.clone()))).await;
        let free = self
            .applied(LeaseWrite::Release {
                held: held(&kept),
                progress: None,
            })
            .await;
        assert_eq!(
            (&free.holder, progress(&free), free.counter),
            (&None, reached, 7),
            "a release frees the lease and keeps its checkpoint"
        );
    }

    async fn a_checkpoint_and_its_generation_are_written_as_one(&self) {
        let row = self.held(6, "a").await;
        let reached = Progress {
            generation: 0,
            checkpoint: Some(Checkpoint::After("7".into())),
        };
        let moved = self.applied(beat(&row, Some(reached))).await;
        let adopted = Progress {
            generation: 1,
            checkpoint: None,
        };
        let adopting = self.applied(beat(&moved, Some(adopted.clone()))).await;
        assert_eq!(
            progress(&adopting),
            adopted,
            "a beat that adopts a generation takes the old checkpoint away"
        );
        let ended = self
            .applied(LeaseWrite::End {
                held: held(&adopting),
                generation: 1,
            })
            .await;
        assert!(
            ended.is_finished_in(1) && !ended.is_finished_in(2),
            "an end is of its generation"
        );
    }

    async fn a_write_is_fenced_by_session_and_counter(&self) {
        let old = self.held(4, "a").await;
        let taken = self.applied(take(&old, "b")).await;
        let reached = Some(Progress {
            generation: 0,
            checkpoint: Some(Checkpoint::After("7".into())),
        });
        let other_session = Held {
            counter: taken.counter,
            ..held(&old)
        };
        for late in [
            beat(&old, reached.clone()),
            LeaseWrite::Release {
                held: held(&old),
                progress: reached.clone(),
            },
            LeaseWrite::Grant {
                held: held(&old),
                to: Wanted {
                    owner_id: "host-2".into(),
                    session: "c".into(),
                },
                progress: reached.clone(),
            },
            LeaseWrite::End {
                held: held(&old),
                generation: 0,
            },
            LeaseWrite::Beat {
                held: other_session,
                lease_duration: LEASE,
                progress: reached,
                answer: Answer::Open,
            },
            LeaseWrite::Delete {
                key: old.key.clone(),
                seen_counter: taken.counter,
            },
        ] {
            assert!(
                matches!(self.write(late).await, Err(StoreError::Refused)),
                "a late write is refused"
            );
        }
        assert_eq!(
            self.read(&old.key).await,
            Some(taken),
            "and leaves no trace"
        );
    }

    async fn an_ended_row_is_finished_and_free_and_can_be_deleted(&self) {
        let row = self.held(5, "a").await;
        let end = |row: &LeaseRow| LeaseWrite::End {
            held: held(row),
            generation: 0,
        };
        let ended = self.applied(end(&row)).await;
        assert!(
            ended.is_finished() && ended.holder.is_none(),
            "an ended row is finished and free"
        );
        let reopened = self.applied(take(&ended, "b")).await;
        let owned = LeaseWrite::Delete {
            key: row.key.clone(),
            seen_counter: reopened.counter,
        };
        assert!(
            matches!(self.write(owned).await, Err(StoreError::Refused)),
            "a row that is read again after a seek is not deleted under its reader"
        );
        let ended = self.applied(end(&reopened)).await;
        let stale = LeaseWrite::Delete {
            key: row.key.clone(),
            seen_counter: row.counter,
        };
        assert!(
            matches!(self.write(stale).await, Err(StoreError::Refused)),
            "it is deleted as it was seen"
        );
        self.write(LeaseWrite::Delete {
            key: row.key.clone(),
            seen_counter: ended.counter,
        })
        .await
        .expect("finished and unchanged");
        assert_eq!(self.read(&row.key).await, None, "and is gone");
    }

    async fn rows_are_listed_by_their_stream(&self) {
        for shard in 100..140 {
            let row = self.row("orders-eu", shard);
            self.write(LeaseWrite::Create(row))
                .await
                .expect("an absent row is created");
        }
        let rows = self
            .store
            .leases(&format!("{}:orders-eu", self.application))
            .await
            .expect("an answer");
        let shards: Vec<_> = rows.iter().map(|row| row.shard_id.clone()).collect();
        let expected: Vec<_> = (100..140)
            .map(|shard| format!("shardId-{shard:012}"))
            .collect();
        assert_eq!(
            shards, expected,
            "a listing has all rows of its stream, in order, and no others"
        );
    }

    async fn a_race_has_one_winner(&self) {
        for shard in 200..210 {
            let row = self.created(shard).await;
            let takes: Vec<_> = (0..8)
                .map(|taker| take(&row, &format!("taker-{taker}")))
                .collect();
            let answers =
                futures_util::future::join_all(takes.iter().map(|take| self.store.write(take)))
                    .await;
            let winners = answers.iter().filter(|answer| answer.is_ok()).count();
            assert_eq!(winners, 1, "of many takers who saw the same row one wins");
        }
    }
}

fn take(seen: &LeaseRow, session: &str) -> LeaseWrite {
    LeaseWrite::Take {
        key: seen.key.clone(),
        seen_session: seen.session().map(Into::into),
        seen_counter: seen.counter,
        holder: Holder {
            owner_id: "host-1".into(),
            session: session.into(),
            lease_duration: LEASE,
        },
    }
}

fn beat(row: &LeaseRow, progress: Option<Progress>) -> LeaseWrite {
    LeaseWrite::Beat {
        held: held(row),
        lease_duration: LEASE,
        progress,
        answer: Answer::Open,
    }
}

fn progress(row: &LeaseRow) -> Progress {
    Progress {
        generation: row.generation,
        checkpoint: row.checkpoint.clone(),
    }
}

fn held(row: &LeaseRow) -> Held {
    Held {
        key: row.key.clone(),
        session: row.session().unwrap_or_default().into(),
        counter: row.counter,
    }
}
