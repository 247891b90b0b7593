//! A stream's bell: that the table shows something which others should look at.
//!
//! A ring that fails, and one that is not heard, only delay what the next scan of the table finds.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use kinesis_app_rules::defaults;
use tokio::{
    sync::{Mutex, Notify},
    time::{sleep, timeout},
};

use super::{
    store::{LeaseStore, StoreError},
    stream_row::StreamWrite,
};
use crate::cause::Chain;

/// One stream's bell, as one instance rings and hears it.
#[derive(Debug)]
pub(crate) struct Bell {
    key: String,
    /// How it stood when it was heard last.
    heard: AtomicU64,
    asked: AtomicU64,
    /// How many of those who asked are rung for; held while a ring is on its way.
    rung: Mutex<u64>,
    /// Somebody else rang.
    calls: Arc<Notify>,
}

impl Bell {
    /// The bell of the stream with this key, which stands so.
    pub(crate) fn new(key: String, stands: u64) -> Self {
        Self {
            key,
            heard: AtomicU64::new(stands),
            asked: AtomicU64::new(0),
            rung: Mutex::new(0),
            calls: Arc::default(),
        }
    }

    /// Rings, once for all who ask before the ring is sent: a stop that gives a hundred leases back rings about twice.
    pub(crate) async fn ring(&self, store: &Arc<dyn LeaseStore>) {
        let mine = self.asked.fetch_add(1, Ordering::AcqRel) + 1;
        let mut rung = self.rung.lock().await;
        if *rung >= mine {
            return;
        }
        let for_these = self.asked.load(Ordering::Acquire);
        let write = StreamWrite::Ring {
            key: self.key.clone(),
        };
        let answer = timeout(
            defaults::ATTEMPT_TIMEOUT_DYNAMODB,
            store.write_stream(&write),
        );
        match answer.await {
            Ok(Ok(row)) => {
                // One's own ring is no news, unless somebody else's is among what it tells of.
                let _ = self.heard.compare_exchange(
                    row.bell.saturating_sub(1),
                    row.bell,
                    Ordering::AcqRel,
                    Ordering::Acquire,
                );
            }
            Ok(Err(StoreError::Refused)) => {
                tracing::debug!(stream = self.key, "no stream row to ring in");
            }
            Ok(Err(error)) => {
                tracing::debug!(stream = self.key, error = %Chain(&error), "bell not rung");
            }
            Err(_) => tracing::debug!(stream = self.key, "bell not rung in time"),
        }
        // Whoever asked meanwhile is rung for by the next in line, and not tried for twice.
        *rung = for_these;
    }

    /// Has this instance look at the table at once.
    pub(crate) fn call(&self) {
        self.calls.notify_one();
    }

    /// For those who have this instance look at the table, and know nothing of bells.
    pub(crate) fn calls(&self) -> Arc<Notify> {
        Arc::clone(&self.calls)
    }

    /// Waits until somebody else rings, or calls here. What rang before is heard at once, and once.
    pub(crate) async fn called(&self) {
        self.calls.notified().await;
    }

    /// Listens for ever.
    pub(crate) async fn listen(&self, store: &Arc<dyn LeaseStore>) {
        loop {
            let heard = self.heard.load(Ordering::Acquire);
            match store.rung(&self.key, heard).await {
                Ok(Some(row)) if row.bell != self.heard.swap(row.bell, Ordering::AcqRel) => {
                    self.calls.notify_one();
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(stream = self.key, error = %Chain(&error), "bell not read");
                    sleep(defaults::BELL).await;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, future::join_all};

    use super::*;
    use crate::leases::{
        memory::MemoryLeases,
        stream_row::{StoredStart, StreamRow},
    };

    async fn bells() -> (MemoryLeases, Arc<dyn LeaseStore>, [Arc<Bell>; 2]) {
        let table = MemoryLeases::new();
        let row = StreamRow {
            key: "app:s".into(),
            created_millis: 1,
            start: StoredStart::TrimHorizon,
            generation: 0,
            position: None,
            bell: 7,
        };
        table.meet_stream(&row).await.expect("an answer");
        let bell = || Arc::new(Bell::new("app:s".into(), 7));
        let store = Arc::new(table.clone());
        (table, store, [bell(), bell()])
    }

    #[tokio::test(start_paused = true)]
    async fn a_ring_is_heard_by_others_and_not_by_who_rang() {
        let (_, store, [one, other]) = bells().await;
        let listening = async {
            tokio::join!(one.listen(&store), other.listen(&store));
        };
        let ringing = async {
            one.ring(&store).await;
            other.called().await;
            sleep(defaults::BELL).await;
            assert!(one.called().now_or_never().is_none());
        };
        tokio::select! {
            biased;
            () = ringing => {}
            () = listening => unreachable!("it listens for ever"),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_asks_while_a_ring_is_on_its_way_shares_the_next_one() {
        let (table, store, [bell, _]) = bells().await;
        let before = table.counts().writes;
        let on_its_way = bell.rung.lock().await;
        let mut rings = Box::pin(join_all((0..100).map(|_| bell.ring(&store))));
        assert!((&mut rings).now_or_never().is_none());
        drop(on_its_way);
        rings.await;
        assert_eq!(table.counts().writes - before, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_ring_into_nothing_ends() {
        let store: Arc<dyn LeaseStore> = Arc::new(MemoryLeases::new());
        Bell::new("app:s".into(), 0).ring(&store).await;
    }
}
