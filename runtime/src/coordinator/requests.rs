//! Leases that this instance asks others for, and asks for no more when it stops.

use std::{collections::BTreeSet, sync::Arc};

use futures_util::{StreamExt, stream};
use kinesis_app_rules::defaults;
use tokio::time::timeout;

use super::{Coordinator, RoundError, balance::Listed, give_back::give_back};
use crate::{
    cause::Chain,
    leases::{balance::Plan, row::lease_key, store::StoreError, write::LeaseWrite},
    reader::StreamContext,
};

/// The shards whose leases may have been asked for and not come yet, or have come and have no reader yet.
#[derive(Debug, Default)]
pub(super) struct Requests(BTreeSet<String>);

impl Requests {
    fn of(listed: &Listed<'_>, session: &str) -> Self {
        let rows = listed.all();
        let rows = rows.filter(|row| row.is_wanted_by(session) || row.session() == Some(session));
        Self(rows.map(|row| row.shard_id.clone()).collect())
    }

    /// Those of shards that nobody here reads: a reader that stops gives its lease back itself.
    pub(super) fn but_for(mut self, readers: &BTreeSet<String>) -> Self {
        self.0.retain(|shard_id| !readers.contains(shard_id));
        self
    }

    /// Takes back what is not answered yet: the owner would hand the lease to one who is gone, and the shard would stand still until that
    /// one is seen to be dead. That is also what comes of a withdrawal that fails.
    pub(super) async fn withdraw(&self, stream: &StreamContext) {
        let each = self.0.iter().map(|shard_id| withdraw(stream, shard_id));
        in_time(stream, "withdraw", all(each.collect())).await;
    }

    /// Gives back what was granted nonetheless.
    pub(super) async fn give_back(&self, stream: &StreamContext) {
        let each = self.0.iter().map(|shard_id| async move {
            if let Err(error) = give_back(stream, shard_id).await {
                tracing::debug!(stream = stream.label, shard = shard_id, error = %Chain(&error), "lease not given back");
            }
        });
        in_time(stream, "give back", all(each.collect())).await;
    }
}

async fn withdraw(stream: &StreamContext, shard_id: &str) {
    let instance = &stream.instance;
    let write = LeaseWrite::Withdraw {
        key: lease_key(&instance.app, &stream.name, shard_id),
        session: instance.session.clone(),
    };
    match instance.store.write(&write).await {
        Ok(_) => tracing::debug!(stream = stream.label, shard = shard_id, "request withdrawn"),
        // It was answered, or never stood.
        Err(StoreError::Refused) => {}
        Err(error) => {
            tracing::debug!(stream = stream.label, shard = shard_id, error = %Chain(&error), "request not withdrawn");
        }
    }
}

async fn all<T>(calls: Vec<impl Future<Output = T>>) -> Vec<T> {
    let calls = stream::iter(calls).buffered(defaults::STORE_CALLS_AT_A_TIME);
    calls.collect().await
}

/// A stop waits for courtesies no longer than for a heartbeat.
async fn in_time<T>(stream: &StreamContext, what: &str, calls: impl Future<Output = T>) {
    if timeout(stream.instance.timing.heartbeat, calls)
        .await
        .is_err()
    {
        tracing::debug!(stream = stream.label, what, "store did not answer in time");
    }
}

impl Coordinator {
    /// How many requests stand. One that is refused was somebody else's just before.
    pub(super) async fn ask(
        &mut self,
        listed: &Listed<'_>,
        plan: &Plan,
    ) -> Result<usize, RoundError> {
        let stream = Arc::clone(&self.stream);
        let instance = &stream.instance;
        self.requests = Requests::of(listed, &instance.session);
        // A start that fails in `#[on_ready]`, again and again, must not be handed what others read.
        self.asks_when_ready = !plan.request.is_empty() && !*instance.ready.borrow();
        if self.asks_when_ready {
            return Ok(0);
        }
        // Before they are sent: a round can be dropped in the middle.
        self.requests.0.extend(plan.request.iter().cloned());
        let requests = plan.request.iter().filter_map(|shard_id| {
            let row = listed.row(shard_id)?;
            Some(LeaseWrite::Request {
                key: row.key.clone(),
                seen_session: row.session()?.to_owned(),
                wanted: instance.wanted(),
            })
        });
        let requests: Vec<_> = requests.collect();
        let writes = requests.iter().map(|request| instance.store.write(request));
        let answers = all(writes.collect()).await;
        let mut asked = 0;
        for answer in answers {
            match answer {
                Ok(_) => asked += 1,
                Err(StoreError::Refused) => {}
                Err(error @ StoreError::Fatal(_)) => return Err(error.into()),
                Err(error) => {
                    tracing::debug!(stream = self.stream.label, error = %Chain(&error), "request not answered");
                }
            }
        }
        Ok(asked)
    }
}
