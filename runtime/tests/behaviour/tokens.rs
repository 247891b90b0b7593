//! The fencing token that a handler hands to a sink.

use std::sync::{Arc, Mutex};

use kinesis_app::prelude::*;
use tokio::time::sleep;

use crate::world::{World, secs};

type Tokens = Arc<Mutex<Vec<u64>>>;

#[kinesis_app(name = "billing", leases(memory))]
mod fenced {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Tokens, String> {
        Ok(Tokens::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, lease: Lease, State(tokens): State<Tokens>) -> Outcome {
        tokens.lock().expect("no panic").push(lease.token());
        Outcome::Done
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_lasts_for_a_tenure_and_every_later_one_is_larger() {
    let world = World::new(1);
    let tokens = Tokens::default();
    let launch = |seed| world.launch(fenced::App).state(tokens.clone()).seed(seed);
    let taken = || std::mem::take(&mut *tokens.lock().expect("no panic"));

    let one = launch(1).start().await.expect("a start");
    world.put_all("k", ["a", "b"]);
    sleep(secs(30)).await;
    world.put("k", "c");
    sleep(secs(5)).await;
    let first = taken();
    assert_eq!(first, vec![first[0]; 3], "heartbeats do not change it");

    one.shutdown().await.expect("a stop");
    let two = launch(2).start().await.expect("a start");
    world.put("k", "d");
    sleep(secs(5)).await;
    let second = taken();
    assert!(second[0] > first[0], "{second:?} after {first:?}");

    drop(two);
    let three = launch(3).start().await.expect("a start");
    world.put("k", "e");
    sleep(secs(60)).await;
    let third = taken();
    assert!(third[0] > second[0], "{third:?} after {second:?}");
    three.shutdown().await.expect("a stop");
}
