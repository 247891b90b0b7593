//! Applications that share a lease table, and know nothing of each other.

use kinesis_app::prelude::*;
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::sleep;

use crate::world::{Deed, Entry, FIRST, Ledger, World, ledger, secs};

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

#[tokio::test(start_paused = true)]
async fn of_applications_that_run_together_the_end_of_one_stops_the_others() {
    let world = World::new(2);
    let checked = Ledger::default();
    world.put_all("ada", ["1", "2"]);
    let billing = world.kinesis.link("billing");
    let both = (
        world.launch(ledger::App).aws(billing.sdk_config()),
        world.launch(audit::App).state(checked.clone()),
    );
    let run = kinesis_app::run(both);
    let fails = async {
        sleep(secs(5)).await;
        world.put_all("ada", ["3"]);
        sleep(secs(5)).await;
        assert_eq!(world.ledger.ended(), ["1", "2", "3"]);
        assert_eq!(checked.ended(), ["1", "2", "3"]);
        checked.always(Deed::Take(secs(10)));
        world.put_all("ada", ["4"]);
        sleep(secs(2)).await;
        let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
        let fault = Fault::new(Operation::GetRecords, kind);
        world.kinesis.fault(fault.link("billing").always());
    };
    let (error, ()) = tokio::join!(run, fails);
    let error = error.expect_err("a stream cannot be read").to_string();
    assert!(
        error.starts_with("billing: stream `Orders` is not read any more: GetRecords was refused"),
        "{error}"
    );
    assert_eq!(checked.ended(), ["1", "2", "3", "4"], "what ran has ended");
    let rows = world.leases.rows();
    assert!(rows.iter().all(|row| row.holder.is_none()), "{rows:?}");
    assert!(rows.iter().any(|row| row.key.starts_with("audit:")));
}

#[tokio::test(start_paused = true)]
async fn of_applications_that_run_together_one_that_cannot_start_keeps_all_from_running() {
    let world = World::new(1);
    world.put("ada", "1");
    let wrong_state = world.launch(audit::App).state("no ledger");
    let error = kinesis_app::run((world.launch(ledger::App), wrong_state)).await;
    let error = error.expect_err("the state is another").to_string();
    assert!(
        error.starts_with("audit: the application's state is a"),
        "{error}"
    );
    assert!(world.ledger.begun().is_empty());
    let rows = world.leases.rows();
    assert!(rows.iter().all(|row| row.holder.is_none()), "{rows:?}");
}
