//! Splits and merges under a running application.

use kinesis_app::testing::TestApp;

use crate::billing::{Ledger, app, order};

#[tokio::test(start_paused = true)]
async fn records_of_one_key_stay_in_order_across_a_split_and_a_merge() {
    let ledger = Ledger::default();
    let app = TestApp::with_state(app::App, ledger.clone()).await;
    app.put::<app::Orders>("ada", &order(1)).await;
    let [low, high] = app.split::<app::Orders>("shardId-000000000000");
    app.put::<app::Orders>("ada", &order(2)).await;
    let child = app.merge::<app::Orders>(&low, &high);
    let stored = app.put::<app::Orders>("ada", &order(3)).await;
    assert_eq!(stored.shard_id, child);
    app.settled().await;
    let lines = ledger.lines().into_iter();
    let orders: Vec<_> = lines.filter(|line| line.starts_with("order")).collect();
    assert_eq!(orders, ["order 1", "order 2", "order 3"]);
    assert_eq!(
        app.shards::<app::Orders>()
            .iter()
            .filter(|shard| shard.open)
            .count(),
        1
    );
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "`Orders/shardId-000000000009` is not split: ")]
async fn a_split_of_a_shard_that_is_not_there_is_a_failure() {
    let app = TestApp::start(app::App).await;
    app.split::<app::Orders>("shardId-000000000009");
}
