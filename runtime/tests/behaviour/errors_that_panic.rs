//! Errors of handlers and hooks that panic themselves, when they are shown or asked for their cause.

use std::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering},
};

use kinesis_app::{FromShard, Setup, ShardContext, prelude::*};
use tokio::time::sleep;

use crate::world::{FIRST, World, secs};

/// Panics when it is shown, or when it is asked for its cause.
#[derive(Debug)]
enum Rude {
    Shown,
    Asked,
}

impl fmt::Display for Rude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shown => panic!("nothing to show"),
            Self::Asked => f.write_str("ask for more"),
        }
    }
}

impl std::error::Error for Rude {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        panic!("nothing below")
    }
}

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod rude {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[stream(name = "rejected", codec(Raw))]
    struct Rejected;

    #[on_record(Orders, retry(attempts = 2), exhausted(dead_letter(Rejected)))]
    async fn book(order: Bytes) -> Result<(), Rude> {
        match &*order {
            b"shown" => Err(Rude::Shown),
            b"asked" => Err(Rude::Asked),
            _ => Ok(()),
        }
    }

    #[on_shard_start(Orders)]
    async fn begin(attempts: Attempts) -> Result<(), Rude> {
        if attempts.is_first() {
            return Err(Rude::Shown);
        }
        Ok(())
    }
}

/// Counts the calls of a hook in one test: each runs on a thread of its own.
struct Attempts(usize);

thread_local! {
    static CALLS: AtomicUsize = const { AtomicUsize::new(0) };
}

impl<S> FromShard<S> for Attempts {
    fn from_shard(_: &ShardContext<'_, S>) -> Self {
        Self(CALLS.with(|calls| calls.fetch_add(1, Ordering::SeqCst)))
    }
}

impl Attempts {
    fn is_first(&self) -> bool {
        self.0 == 0
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_that_panics_when_it_is_shown_is_a_panic_of_its_handler() {
    let world = World::new(1);
    let created = world.kinesis.create_stream("rejected", 1);
    created.expect("a new stream");
    let launch = kinesis_app::launch(rude::App)
        .setup(Setup::empty())
        .aws(world.kinesis.sdk_config())
        .leases(world.leases.clone());
    let running = launch.start().await.expect("a start");
    world.put("ada", "shown");
    world.put("eve", "asked");
    let last = world.put("bob", "good");
    sleep(secs(20)).await;
    assert_eq!(world.checkpoint(FIRST), Some(last));
    let letters = world.kinesis.records("rejected", FIRST);
    let mut letters: Vec<_> = letters
        .iter()
        .map(|letter| String::from_utf8_lossy(&letter.data).into_owned())
        .collect();
    letters.sort();
    assert_eq!(letters.len(), 2);
    let says = |text: &str| letters.iter().any(|letter| letter.contains(text));
    assert!(says("the handler panicked: nothing to show"), "{letters:?}");
    assert!(says("the handler panicked: nothing below"), "{letters:?}");
    assert!(running.health().is_good());
    running.shutdown().await.expect("a clean stop");
}
