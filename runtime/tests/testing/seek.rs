//! Waits around repositioned streams.

use kinesis_app::{prelude::*, testing::TestApp};

use crate::billing::{Ledger, Then, and, app, order};

#[tokio::test(start_paused = true)]
async fn what_a_seek_delivers_again_is_waited_for() {
    let app = TestApp::start(app::App).await;
    for id in 0..3 {
        app.put::<app::Orders>("ada", &order(id)).await;
    }
    app.settled().await;
    let seeker = app.seeker::<app::Orders>();
    seeker.seek(Position::horizon()).await.expect("a seek");
    app.settled().await;
    app.handler::<app::Orders>().assert_done(6);
}

#[tokio::test(start_paused = true)]
async fn what_a_seek_to_the_tip_leaves_out_is_not_waited_for() {
    let ledger = Ledger::default();
    let app = TestApp::with_state(app::App, ledger.clone()).await;
    app.put::<app::Orders>("ada", &and(1, Then::SeekToTip))
        .await;
    app.put::<app::Orders>("ada", &order(2)).await;
    app.settled().await;
    app.put::<app::Orders>("ada", &order(3)).await;
    app.settled().await;
    let lines = ledger.lines();
    assert!(lines.contains(&"order 3".into()), "{lines:?}");
    assert!(!lines.contains(&"order 2".into()), "{lines:?}");
}
