//! What a test costs.

use std::time::{Duration, Instant};

use kinesis_app::prelude::*;

use crate::billing::{Ledger, app, order};

/// A typical test, ten times. The bound is far above what is measured, for machines that are busy.
#[tokio::test(start_paused = true)]
#[expect(clippy::disallowed_methods, reason = "wall time is what is measured")]
async fn a_typical_test_takes_a_fraction_of_a_second() {
    let begin = Instant::now();
    for _ in 0..10 {
        let app = TestApp::with_state(app::App, Ledger::default()).await;
        app.put::<app::Orders>("ada", &order(1)).await;
        app.settled().await;
        app.handler::<app::Orders>().assert_done(1);
        app.published::<app::Receipts>().assert_keys(["ada"]);
    }
    let each = begin.elapsed() / 10;
    println!("a typical test took {each:?}");
    assert!(each < Duration::from_millis(500), "{each:?}");
}
