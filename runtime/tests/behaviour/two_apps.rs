//! Applications that share a lease table, and know nothing of each other.

use kinesis_app::prelude::*;
use tokio::time::sleep;

use crate::world::{Entry, FIRST, Ledger, World, ledger, secs};

/// The same stream, for another purpose.
#[kinesis_app(name = "audit", leases(memory))]
mod audit {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn check(
        _: Bytes,
        entry: Entry,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

#[tokio::test(start_paused = true)]
async fn two_applications_on_one_table_are_each_given_every_record() {
    let world = World::new(2);
    let other = Ledger::default();
    world.put_all("ada", ["1", "2", "3"]);
    let billing = world.start().await;
    let launch = world.launch(audit::App).state(other.clone());
    let audit = launch.start().await.expect("a start");
    sleep(secs(5)).await;
    world.put_all("ada", ["4", "5"]);
    world.kinesis.split("orders", FIRST).expect("a split");
    world.put_all("bob", ["6", "7"]);
    sleep(secs(60)).await;
    for handled in [world.ledger.ended(), other.ended()] {
        let mut handled = handled;
        handled.sort();
        assert_eq!(handled, ["1", "2", "3", "4", "5", "6", "7"]);
    }
    let rows = world.leases.rows();
    let keys: Vec<_> = rows.iter().map(|row| row.key.split(':').next()).collect();
    assert_eq!(keys.iter().filter(|app| **app == Some("audit")).count(), 4);
    assert_eq!(
        keys.iter().filter(|app| **app == Some("billing")).count(),
        4
    );
    let owners = |app: &str| {
        let rows = rows.iter().filter(|row| row.key.starts_with(app));
        rows.filter_map(|row| row.holder.clone()).count()
    };
    assert_eq!(
        (owners("audit:"), owners("billing:")),
        (3, 3),
        "each reads what is open"
    );
    billing.shutdown().await.expect("a clean stop");
    sleep(secs(60)).await;
    world.put_all("ada", ["8"]);
    sleep(secs(5)).await;
    assert_eq!(other.ended().len(), 8, "it goes on when the other stops");
    assert_eq!(
        world.ledger.ended().len(),
        7,
        "and takes nothing of it over"
    );
    audit.shutdown().await.expect("a clean stop");
    let again = world.launch(ledger::App).start().await.expect("a start");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended().len(), 8, "from its own checkpoints");
    again.shutdown().await.expect("a clean stop");
}
