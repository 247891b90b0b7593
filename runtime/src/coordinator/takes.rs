//! Leases that are to be taken: each row is read once more, and taken if it is as it was thought to be.

use std::{pin::pin, sync::Arc};

use futures_util::{StreamExt, stream};
use kinesis_app_rules::defaults;
use tokio::{select, sync::oneshot, time::Instant};

use super::{Coordinator, Next, RoundError, first_round::tell};
use crate::{
    leases::{
        liveness::Liveness,
        row::{LeaseRow, lease_key},
        store::StoreError,
    },
    reader::{self, Ended, Purpose, StreamContext},
    tasks::{self, Task},
};

/// A lease that is to be taken, if its row is as it is thought to be.
pub(super) struct Candidate {
    pub(super) shard_id: String,
    pub(super) purpose: Purpose,
    /// For a row that carries this process's session.
    pub(super) must_be_ours: bool,
}

impl Candidate {
    pub(super) fn to_read(shard_id: String) -> Self {
        Self {
            shard_id,
            purpose: Purpose::Read,
            must_be_ours: false,
        }
    }

    pub(super) fn to_bury(shard_id: String) -> Self {
        Self {
            purpose: Purpose::Bury,
            ..Self::to_read(shard_id)
        }
    }
}

struct Look {
    row: LeaseRow,
    candidate: Candidate,
    sent: Instant,
    answered: Instant,
}

/// The read before a take is of one row, and consistent.
async fn look(
    stream: Arc<StreamContext>,
    candidate: Candidate,
) -> Result<Option<Look>, StoreError> {
    let key = lease_key(&stream.instance.app, &stream.name, &candidate.shard_id);
    let sent = Instant::now();
    let row = stream.instance.store.lease(&key).await?;
    Ok(row.map(|row| Look {
        row,
        candidate,
        sent,
        answered: Instant::now(),
    }))
}

impl Coordinator {
    /// What it leaves to the next round.
    pub(super) async fn take(
        &mut self,
        wanted: Vec<Candidate>,
        generation: u64,
    ) -> Result<Next, RoundError> {
        let stream = Arc::clone(&self.stream);
        let instance = &stream.instance;
        let mut next = Next::Later;
        let looks = wanted
            .into_iter()
            .map(|candidate| look(Arc::clone(&stream), candidate))
            .collect::<Vec<_>>();
        let looks: Vec<_> = stream::iter(looks)
            .buffered(defaults::STORE_CALLS_AT_A_TIME)
            .collect()
            .await;
        for look in looks {
            let Some(Look {
                row,
                candidate,
                sent,
                answered,
            }) = look?
            else {
                continue;
            };
            // A row with this process's session and no reader is a take or a tenure that was cut off: nobody else reads it.
            let ours = row.session() == Some(&*instance.session);
            let liveness = self
                .seen
                .observe(&row, sent, answered, instance.timing.lease_duration);
            if liveness == Liveness::Moving {
                self.namesake.look(&stream, &row);
            }
            match liveness {
                _ if row.is_finished_in(generation) => self.refused.shard_is_over(&row.shard_id),
                _ if ours
                    && self.doubts.keep_away(
                        &row.shard_id,
                        answered,
                        instance.timing.lease_duration,
                    ) =>
                {
                    next = next.sooner(Next::Watch);
                }
                Liveness::Moving | Liveness::Watched if !ours => {
                    // Whoever holds it reads it.
                    self.refused.shard_is_over(&row.shard_id);
                    next = next.sooner(Next::Watch);
                }
                // The listing lagged behind a grant or a release.
                _ if candidate.must_be_ours && !ours => {}
                Liveness::Free | Liveness::Dead | Liveness::Moving | Liveness::Watched => {
                    self.start(row, candidate.purpose, generation);
                }
            }
        }
        Ok(next)
    }

    fn start(&mut self, row: LeaseRow, purpose: Purpose, generation: u64) {
        let shard_id = row.shard_id.clone();
        let (opened_in, opened) = oneshot::channel();
        let reading = tasks::spawn(reader::run(
            Arc::clone(&self.stream),
            row,
            purpose,
            generation,
            self.stopping.listener(),
            opened_in,
        ));
        let telling = tell(opened, shard_id.clone(), self.first_round.tell.clone());
        self.readers.insert(shard_id.clone());
        self.reads_since.get_or_insert_with(Instant::now);
        self.running.push(Box::pin(async move {
            (shard_id, joined(reading, telling).await)
        }));
    }
}

async fn joined(reading: Task<Ended>, telling: impl Future<Output = ()>) -> Ended {
    let mut reading = reading;
    let mut telling = pin!(telling);
    let mut told = false;
    loop {
        select! {
            biased;
            ended = &mut reading => return ended.unwrap_or_else(|panic| Ended::Panicked { words: panic.to_string() }),
            () = &mut telling, if !told => told = true,
        }
    }
}
