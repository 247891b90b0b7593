//! Hooks of a shard that take long, and a test that waits.

use std::time::Duration;

use kinesis_app::{prelude::*, testing::TestApp};
use tokio::time::{Instant, sleep};

use crate::billing::Ledger;

const OPENING: Duration = Duration::from_secs(20);
const PARENT: &str = "shardId-000000000000";

#[kinesis_app(name = "billing", leases(memory))]
mod app {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    pub(crate) struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_shard_start(Orders)]
    async fn begin(shard: ShardId, State(ledger): State<Ledger>) {
        sleep(OPENING).await;
        ledger.note(format!("{shard} is open"));
    }

    #[on_record(Orders)]
    async fn book(order: u64, State(ledger): State<Ledger>) -> Outcome {
        ledger.note(format!("order {order}"));
        Outcome::Done
    }
}

#[tokio::test(start_paused = true)]
async fn settled_waits_for_a_start_hook_that_takes_long_and_for_the_records_behind_it() {
    let ledger = Ledger::default();
    let app = TestApp::with_state(app::App, ledger.clone()).await;
    app.put::<app::Orders>("ada", &1).await;
    app.settled().await;
    // The hooks of the children run when the application has long been started.
    app.split::<app::Orders>(PARENT);
    app.put::<app::Orders>("ada", &2).await;
    let begin = Instant::now();
    app.settled().await;
    assert!(begin.elapsed() >= OPENING, "{:?}", begin.elapsed());
    app.handler::<app::Orders>().assert_done(2);
    let lines = ledger.lines();
    let [opened, first, .., second] = &lines[..] else {
        panic!("{lines:?}")
    };
    assert_eq!((&**first, &**second), ("order 1", "order 2"));
    assert_eq!(*opened, format!("{PARENT} is open"));
    assert!(lines[2].ends_with(" is open"), "{lines:?}");
}

#[tokio::test(start_paused = true)]
#[should_panic(
    expected = "`billing` has not settled after 5s: 1 of 2 records are pending:\n  Orders/shardId-0000000000"
)]
async fn a_hook_that_takes_longer_than_the_patience_is_told_by_the_record_it_holds_up() {
    let builder = TestApp::builder(app::App).patience(Duration::from_secs(5));
    let app = builder.start().await;
    app.put::<app::Orders>("ada", &1).await;
    app.settled().await;
    app.split::<app::Orders>(PARENT);
    app.put::<app::Orders>("ada", &2).await;
    app.settled().await;
}
