//! `Shutdown`: a handler that takes long hears that its shard is about to be left.

use std::time::Duration;

use kinesis_app::{Launch, prelude::*};
use tokio::{
    select,
    sync::mpsc,
    time::{Instant, sleep},
};

use crate::world::{FIRST, World, secs};

/// When a handling was asked to finish, by the text of its record.
type Told = mpsc::UnboundedSender<(String, Instant)>;

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod patient {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(super) struct Orders;

    #[on_start]
    async fn open() -> Result<Told, String> {
        Err("it is given".into())
    }

    /// Works for as long as it may; what is spawned hears more than the handler, which is dropped with its lease.
    #[on_record(Orders)]
    async fn work(bytes: Bytes, shutdown: Shutdown, State(told): State<Told>) -> Outcome {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if text == "spawn" {
            later(told, text, shutdown);
            return Outcome::Done;
        }
        assert!(!shutdown.requested());
        select! {
            () = shutdown.wait() => {
                assert!(shutdown.requested());
                told.send((text, Instant::now())).expect("the test listens");
                // Some time for what must be done in any case.
                sleep(secs(1)).await;
                Outcome::Done
            }
            () = sleep(secs(3600)) => Outcome::Done,
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "as an application may")]
fn later(told: Told, text: String, shutdown: Shutdown) {
    tokio::spawn(async move {
        shutdown.wait().await;
        told.send((text, Instant::now())).expect("the test listens");
    });
}

fn launch(
    world: &World,
) -> (
    Launch<patient::App>,
    mpsc::UnboundedReceiver<(String, Instant)>,
) {
    let (told, heard) = mpsc::unbounded_channel();
    (world.launch(patient::App).state(told), heard)
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_hears_of_a_stop_finishes_early_and_its_record_is_done() {
    let world = World::new(1);
    let sequence = world.put("a", "long");
    let (launch, mut heard) = launch(&world);
    let running = launch.start().await.expect("a start");
    sleep(secs(30)).await;
    assert!(heard.try_recv().is_err(), "nobody has asked");
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    let (text, at) = heard.try_recv().expect("it was told");
    assert_eq!((&*text, at), ("long", asked));
    assert!(asked.elapsed() < secs(2), "{:?}", asked.elapsed());
    assert_eq!(world.checkpoint(FIRST), Some(sequence));
}

#[tokio::test(start_paused = true)]
async fn a_handler_hears_of_a_hand_over() {
    let world = World::new(2);
    world.put_to(FIRST, "a", "first");
    world.put_to(crate::world::SECOND, "b", "second");
    let (one, mut heard) = launch(&world);
    let one = one.start().await.expect("a start");
    sleep(secs(5)).await;
    let joined = Instant::now();
    let (another, _elsewhere) = launch(&world);
    let another = another.seed(8).start().await.expect("a start");
    sleep(secs(20)).await;
    let (_, at) = heard.try_recv().expect("one of its shards moved");
    assert!(at - joined < secs(10), "{:?}", at - joined);
    assert!(
        heard.try_recv().is_err(),
        "the other shard stays where it is"
    );
    one.shutdown().await.expect("a clean stop");
    another.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn what_a_handler_has_spawned_hears_of_a_lost_lease() {
    let world = World::new(1);
    world.put("a", "spawn");
    let (launch, mut heard) = launch(&world);
    let running = launch.start().await.expect("a start");
    sleep(secs(5)).await;
    assert!(
        heard.try_recv().is_err(),
        "its handler has ended, its lease has not"
    );
    world.leases.delete(&world.leases.rows().remove(0).key);
    let deleted = Instant::now();
    sleep(secs(10)).await;
    let (_, at) = heard.try_recv().expect("it was told");
    assert!(at - deleted < Duration::from_secs(4), "{:?}", at - deleted);
    running.shutdown().await.expect("a clean stop");
}
