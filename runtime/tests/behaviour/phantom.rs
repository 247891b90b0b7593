//! An instance of somewhere else that takes leases and does nothing more.

use kinesis_app::{Held, Holder, LeaseRow, LeaseStore, LeaseWrite, MemoryLeases};

use crate::world::{World, secs};

#[derive(Debug)]
pub(crate) struct Phantom {
    leases: MemoryLeases,
    held: Held,
}

impl Phantom {
    /// Takes a lease as it stands, whoever holds it; the row is created if there is none.
    pub(crate) async fn take(world: &World, shard_id: &str) -> Self {
        let leases = world.leases.clone();
        let row = LeaseRow {
            key: format!("billing:orders:{shard_id}"),
            shard_id: shard_id.into(),
            parents: Vec::new(),
            holder: None,
            wanted_by: None,
            counter: 0,
            checkpoint: None,
            generation: 0,
        };
        let key = row.key.clone();
        if leases.lease(&key).await.expect("a memory").is_none() {
            let created = leases.write(&LeaseWrite::Create(row)).await;
            created.expect("there is none");
        }
        let seen = leases.lease(&key).await.expect("a memory").expect("a row");
        let take = LeaseWrite::Take {
            key: key.clone(),
            seen_session: seen.holder.map(|holder| holder.session),
            seen_counter: seen.counter,
            holder: Holder {
                owner_id: "phantom".into(),
                session: "phantom".into(),
                lease_duration: secs(10),
            },
        };
        leases.write(&take).await.expect("as seen");
        let held = Held {
            key,
            session: "phantom".into(),
            counter: seen.counter + 1,
        };
        Self { leases, held }
    }

    /// Has read its shard to the end.
    pub(crate) async fn end(self) {
        let end = LeaseWrite::End {
            held: self.held,
            generation: 0,
        };
        self.leases.write(&end).await.expect("its own");
    }

    /// Lets go of it.
    pub(crate) async fn release(self) {
        let release = LeaseWrite::Release {
            held: self.held,
            progress: None,
        };
        self.leases.write(&release).await.expect("its own");
    }
}
