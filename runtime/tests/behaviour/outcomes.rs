//! What becomes of a record is said by its handler's keys, and of nothing else.

use kinesis_app::{Activity, Running, prelude::*};
use kinesis_app_emulator::Put;
use tokio::time::{Instant, sleep};

use crate::world::{Deed, Entry, FIRST, Ledger, SECOND, STREAM, World, secs};

/// An application on `orders` with these keys.
macro_rules! app {
    ($name:ident, $($keys:tt)*) => {
        #[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
        mod $name {
            use super::*;

            #[stream(name = "orders", start(trim_horizon), codec(Raw))]
            struct Orders;

            #[stream(name = "rejected")]
            struct Rejected;

            #[stream(name = "broken")]
            struct Broken;

            #[on_start]
            async fn open() -> Result<Ledger, String> {
                Ok(Ledger::default())
            }

            #[on_record(Orders, concurrency = 4, $($keys)*)]
            async fn book(
                _: Text,
                entry: Entry,
                State(ledger): State<Ledger>,
            ) -> Result<Outcome, kinesis_app::HandlerError> {
                match &*entry.text {
                    "permanent" => Err(permanent("no such account"))?,
                    "given up" => return Ok(Outcome::dead_letter("closed account")),
                    _ => {}
                }
                Ok(ledger.handle(entry).await?)
            }
        }
    };
}

/// Text, and nothing else decodes.
#[derive(Debug)]
struct Text;

impl kinesis_app::Payload<'_, Raw> for Text {
    fn decode(record: kinesis_app::RecordRef<'_>) -> Result<Self, kinesis_app::Undecodable> {
        let text = str::from_utf8(record.data());
        text.map(|_| Self)
            .map_err(|error| kinesis_app::Undecodable::payload("Text", error))
    }
}

app!(
    halts,
    retry(attempts = 3, backoff = "1s", max_backoff = "1s")
);
app!(
    skips,
    retry(attempts = 3),
    exhausted(skip),
    undecodable(skip)
);
app!(
    letters,
    retry(attempts = 3),
    exhausted(dead_letter(Rejected)),
    undecodable(dead_letter(Broken))
);
app!(for_ever, retry(forever), exhausted(dead_letter(Rejected)));
app!(only_broken, undecodable(dead_letter(Broken)));
app!(
    short_pauses,
    retry(attempts = 5, backoff = "10ms", max_backoff = "20ms"),
    exhausted(skip)
);

fn world() -> World {
    let world = World::new(2);
    for stream in ["rejected", "broken"] {
        world.kinesis.create_stream(stream, 1).expect("a stream");
    }
    world
}

fn put_undecodable(world: &World) {
    let put = Put::new("a", b"\xff".to_vec()).hash_key(0);
    world.kinesis.put_with(STREAM, put).expect("a put");
}

fn halted(running: &Running) -> Option<String> {
    let health = running.health();
    let mut shards = health.shards.values();
    shards.find_map(|shard| match &shard.activity {
        Activity::Halted { reason, .. } => Some(reason.clone()),
        _ => None,
    })
}

fn stored(world: &World, stream: &str) -> usize {
    world.kinesis.records(stream, FIRST).len()
}

#[tokio::test(start_paused = true)]
async fn attempts_are_used_up_by_failures_of_every_kind_while_the_key_waits_and_others_go_on() {
    let world = world();
    let ways = [
        Deed::Fail,
        Deed::Panic,
        Deed::Retry,
        Deed::RetryAfter(secs(1)),
    ];
    for (number, deed) in ways.into_iter().enumerate() {
        let (text, key) = (format!("bad {number}"), format!("k{number}"));
        world.put_to(FIRST, &key, &text);
        world.put_to(FIRST, &key, &format!("next {number}"));
        world.ledger.plan(&text, [deed.clone(), deed.clone(), deed]);
    }
    let last = world.put_to(FIRST, "other", "other");
    let running = world.start_app(letters::App).await;
    sleep(secs(20)).await;
    let entries = world.ledger.entries();
    for number in 0..4 {
        let key = format!("k{number}");
        let of_key = entries.iter().filter(|entry| entry.key == key);
        let seen: Vec<_> = of_key
            .map(|entry| (entry.text.as_str(), entry.attempt))
            .collect();
        let (bad, next) = (format!("bad {number}"), format!("next {number}"));
        let expected = [(&*bad, 1), (&*bad, 2), (&*bad, 3), (&*next, 1)];
        assert_eq!(seen, expected);
    }
    assert_eq!(world.ledger.ended()[0], "other", "it waited for nobody");
    assert_eq!(stored(&world, "rejected"), 4);
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST), Some(last));
}

#[tokio::test(start_paused = true)]
async fn without_a_place_the_last_attempt_halts_the_shard_before_the_record() {
    let world = world();
    world.put_to(FIRST, "a", "bad");
    world.ledger.plan("bad", [(); 9].map(|()| Deed::Fail));
    let running = world.start_app(halts::App).await;
    sleep(secs(30)).await;
    assert_eq!(world.ledger.begun(), ["bad", "bad", "bad"]);
    assert_eq!(
        halted(&running).as_deref(),
        Some("attempt 3 of 3 failed: the sink is down")
    );
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST), None);
}

#[tokio::test(start_paused = true)]
async fn skip_passes_over_what_failed_and_what_does_not_decode_and_counts_both() {
    let world = world();
    put_undecodable(&world);
    world.put_to(FIRST, "a", "permanent");
    world.put_to(FIRST, "a", "bad");
    let last = world.put_to(FIRST, "a", "good");
    world.ledger.plan("bad", [(); 3].map(|()| Deed::Fail));
    let running = world.start_app(skips::App).await;
    sleep(secs(20)).await;
    assert_eq!(world.ledger.begun(), ["bad", "bad", "bad", "good"]);
    let health = running.health();
    let skipped: u64 = health.shards.values().map(|shard| shard.skipped).sum();
    assert_eq!(skipped, 3);
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST), Some(last));
}

#[tokio::test(start_paused = true)]
async fn what_does_not_decode_and_what_is_exhausted_go_to_streams_of_their_own() {
    let world = world();
    put_undecodable(&world);
    world.put_to(FIRST, "a", "permanent");
    world.put_to(FIRST, "a", "given up");
    let last = world.put_to(FIRST, "a", "good");
    let running = world.start_app(letters::App).await;
    sleep(secs(10)).await;
    assert_eq!(
        (stored(&world, "rejected"), stored(&world, "broken")),
        (2, 1)
    );
    assert_eq!(world.ledger.begun(), ["good"]);
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST), Some(last));
}

#[tokio::test(start_paused = true)]
async fn without_an_end_to_retries_only_what_is_permanent_or_given_up_on_leaves() {
    let world = world();
    world.put_to(FIRST, "a", "permanent");
    world.put_to(FIRST, "b", "given up");
    world.put_to(SECOND, "c", "bad");
    world.ledger.plan("bad", [(); 12].map(|()| Deed::Fail));
    let running = world.start_app(for_ever::App).await;
    sleep(secs(600)).await;
    assert_eq!(stored(&world, "rejected"), 2);
    assert_eq!(world.ledger.begun().len(), 13, "and done in the end");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_handlers_dead_letter_goes_where_there_is_a_place_for_one_and_else_halts_and_says_why() {
    let world = world();
    world.put_to(FIRST, "a", "given up");
    let running = world.start_app(only_broken::App).await;
    sleep(secs(10)).await;
    assert_eq!(stored(&world, "broken"), 1);
    running.shutdown().await.expect("a clean stop");

    let world = self::world();
    world.put_to(FIRST, "a", "given up");
    let running = world.start_app(halts::App).await;
    sleep(secs(10)).await;
    let reason = halted(&running).expect("halted");
    assert!(
        reason.contains("`exhausted(dead_letter(Stream))`") && reason.ends_with("closed account"),
        "{reason}"
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn pauses_are_as_long_as_the_handler_says() {
    let world = world();
    world.put_to(FIRST, "a", "bad");
    world.ledger.plan("bad", [(); 5].map(|()| Deed::Fail));
    let running = world.start_app(short_pauses::App).await;
    let begin = Instant::now();
    while world.ledger.begun().len() < 5 {
        sleep(std::time::Duration::from_millis(1)).await;
    }
    assert!(begin.elapsed() < secs(1), "{:?}", begin.elapsed());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_take_over_counts_attempts_anew() {
    let world = world();
    world.put_to(FIRST, "a", "bad");
    world.ledger.plan("bad", [(); 5].map(|()| Deed::Fail));
    let running = world.start_app(halts::App).await;
    while world.ledger.begun().len() < 2 {
        sleep(std::time::Duration::from_millis(1)).await;
    }
    drop(running);
    sleep(secs(30)).await;
    let next = world.launch(halts::App).seed(9).start();
    let running = next.await.expect("a start");
    sleep(secs(30)).await;
    let attempts: Vec<_> = world.ledger.entries().iter().map(|at| at.attempt).collect();
    assert_eq!(attempts, [1, 2, 1, 2, 3]);
    running.shutdown().await.expect("a clean stop");
}
