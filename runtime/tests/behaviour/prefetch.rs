//! Rule 7: what is read ahead is bounded, and shards that stand still slow nobody.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use kinesis_app::{Running, prelude::*};
use kinesis_app_emulator::Put;
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};

use crate::world::{Deed, FIRST, STREAM, World, secs, shard};

const MIB: usize = 1 << 20;

/// Records stand still, by their first letter, until they are let go.
#[derive(Debug, Clone)]
pub(crate) struct Dam {
    open: Arc<watch::Sender<bool>>,
    done: Arc<Mutex<BTreeMap<String, Vec<Bytes>>>>,
}

impl Dam {
    fn new() -> Self {
        Self {
            open: Arc::new(watch::channel(false).0),
            done: Arc::default(),
        }
    }

    fn open(&self) {
        self.open.send_replace(true);
    }

    /// The payloads of a shard in the order in which they were done, one letter and four digits each.
    fn done(&self, shard_id: &str) -> Vec<String> {
        let done = self.done.lock().expect("no test panics with it");
        let done = done.get(shard_id).into_iter().flatten();
        done.map(|bytes| String::from_utf8_lossy(&bytes[..5]).into_owned())
            .collect()
    }

    async fn handle(&self, shard_id: &str, bytes: Bytes) -> Outcome {
        match bytes[0] {
            b'h' => {
                let opened = self.open.subscribe().wait_for(|open| *open).await.is_ok();
                assert!(opened, "the dam outlives its records");
            }
            b'r' if !*self.open.borrow() => return Outcome::RetryAfter(secs(20)),
            _ => {}
        }
        // Copied, so that the test holds no page.
        let text = Bytes::copy_from_slice(&bytes[..5]);
        let mut done = self.done.lock().expect("no test panics with it");
        done.entry(shard_id.to_owned()).or_default().push(text);
        Outcome::Done
    }
}

/// Four MiB for all shards.
#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "1s")]
mod small {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[configure]
    fn settings(config: &mut AppConfig, _: &Setup) -> Result<(), ConfigError> {
        config.set_prefetch(4 * MIB)
    }

    #[on_start]
    async fn open() -> Result<Dam, String> {
        Ok(Dam::new())
    }

    #[on_record(Orders, concurrency = 2)]
    async fn book(bytes: Bytes, shard: ShardId, State(dam): State<Dam>) -> Outcome {
        dam.handle(&shard, bytes).await
    }
}

async fn start(world: &World, dam: &Dam) -> Running {
    let launch = world.launch(small::App).state(dam.clone());
    launch.start().await.expect("a start")
}

/// Puts so many records of `bytes` bytes: `letter`, a number, filling.
fn fill(world: &World, shard_id: &str, letter: char, count: usize, bytes: usize) {
    let shards = world.kinesis.shards(STREAM).expect("the stream is there");
    let shard = shards.iter().find(|shard| shard.shard_id == shard_id);
    let hash = shard.expect("the shard is there").hash_range.start;
    for number in 0..count {
        let data = format!("{letter}{number:04}{}", " ".repeat(bytes - 5));
        // Handlers that hang fill the slots; records that are tried again are all of one key.
        let key = match letter {
            'h' => format!("k{number}"),
            _ => "k".to_owned(),
        };
        let put = Put::new(&key, data).hash_key(hash);
        world
            .kinesis
            .put_with(STREAM, put)
            .expect("the shard is open");
    }
}

fn in_order(letter: char, count: usize) -> Vec<String> {
    (0..count)
        .map(|number| format!("{letter}{number:04}"))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn stalled_shards_hold_a_bounded_part_of_the_prefetch_and_slow_nobody() {
    const STALLED: usize = 256;
    const FLOWING: usize = 2;
    let world = World::new(u32::try_from(STALLED + FLOWING).expect("some hundred"));
    for number in 0..STALLED {
        let letter = if number % 2 == 0 { 'h' } else { 'r' };
        fill(&world, &shard(number), letter, 30, 8_000);
    }
    for number in STALLED..STALLED + FLOWING {
        fill(&world, &shard(number), 'f', 400, 20_000);
    }
    let dam = Dam::new();
    let begun = Instant::now();
    let running = start(&world, &dam).await;
    let flowing = |number: usize| dam.done(&shard(number)).len();
    while (STALLED..STALLED + FLOWING).any(|number| flowing(number) < 400) {
        sleep(Duration::from_millis(100)).await;
    }
    // 8 MB at 2 MiB a second, and a second for the first read.
    assert!(begun.elapsed() < secs(6), "{:?}", begun.elapsed());

    sleep(secs(15)).await;
    let load = running.health().prefetch;
    assert_eq!(load.allowance, 4 * MIB);
    assert!(
        load.most <= 4 * MIB + (STALLED + FLOWING) * MIB * 3 / 2,
        "{load:?}"
    );
    // What runs, what waits for its retry, and the pages of those that came before the room was short.
    let at_hand = STALLED / 2 * 2 * 8_003 + STALLED / 2 * 8_001;
    assert!(load.bytes <= 4 * MIB + at_hand, "{load:?}");
    for number in 0..STALLED {
        assert_eq!(world.checkpoint(&shard(number)), None);
    }

    dam.open();
    while (0..STALLED).any(|number| dam.done(&shard(number)).len() < 30) {
        sleep(secs(1)).await;
    }
    for number in 0..STALLED {
        let mut done = dam.done(&shard(number));
        let letter = if number % 2 == 0 { 'h' } else { 'r' };
        if letter == 'h' {
            done.sort();
        }
        assert_eq!(done, in_order(letter, 30), "each once, and in order");
    }
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_stands_still_gives_back_what_it_has_not_begun_if_others_need_the_room() {
    let world = World::new(1);
    // One page of 8 records fills the allowance, and the next ones wait unseen.
    fill(&world, FIRST, 'r', 12, 500_000);
    let dam = Dam::new();
    let running = start(&world, &dam).await;
    sleep(secs(4)).await;
    assert!(running.health().prefetch.bytes > 3 * MIB);
    sleep(secs(8)).await;
    let load = running.health().prefetch;
    assert_eq!(load.bytes, 500_001, "the record that waits for its retry");
    assert_eq!(
        running
            .health()
            .shards
            .into_values()
            .map(|s| s.window)
            .sum::<u64>(),
        1
    );
    dam.open();
    sleep(secs(60)).await;
    assert_eq!(dam.done(FIRST), in_order('r', 12));
    assert_eq!(running.health().prefetch.bytes, 0);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_closed_shard_that_gives_pages_back_reads_them_again_and_ends() {
    let world = World::new(1);
    fill(&world, FIRST, 'r', 8, 500_000);
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    fill(&world, &left, 'f', 1, 5);
    let dam = Dam::new();
    let running = start(&world, &dam).await;
    sleep(secs(12)).await;
    assert_eq!(running.health().prefetch.bytes, 500_001);
    dam.open();
    sleep(secs(60)).await;
    assert_eq!(dam.done(FIRST), in_order('r', 8));
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    assert_eq!(dam.done(&left), in_order('f', 1));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_answer_larger_than_its_room_is_cut_and_its_rest_read_again() {
    let world = World::new(2);
    // The first shard takes what there is; the second asks for a thousand records, for it does not know how large they are.
    fill(&world, FIRST, 'h', 8, 500_000);
    let dam = Dam::new();
    let running = start(&world, &dam).await;
    sleep(secs(1)).await;
    fill(&world, &shard(1), 'f', 60, 100_000);
    sleep(secs(4)).await;
    let load = running.health().prefetch;
    let at_hand = 2 * 500_003;
    assert!(load.most <= 4 * MIB + MIB * 3 / 2 + at_hand, "{load:?}");
    sleep(secs(10)).await;
    assert_eq!(dam.done(&shard(1)), in_order('f', 60));
    running.shutdown().await.expect("a stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_waits_for_its_retry_holds_itself_and_not_its_page() {
    let world = World::new(1);
    let text = "x".repeat(10_000);
    world.ledger.plan("retried", [Deed::RetryAfter(secs(600))]);
    world.put("ada", "retried");
    for number in 0..100 {
        world.put(&format!("k{number}"), &text);
    }
    let running = world.start().await;
    sleep(Duration::from_millis(5_500)).await;
    assert_eq!(world.ledger.ended().len(), 100);
    assert_eq!(
        running.health().prefetch.bytes,
        "retried".len() + "ada".len()
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_halted_shard_holds_no_page() {
    let world = World::new(1);
    world.ledger.plan("halts", [Deed::Halt("planned")]);
    world.put("ada", "halts");
    for number in 0..100 {
        world.put("ada", &number.to_string());
    }
    let running = world.start().await;
    sleep(secs(5)).await;
    assert!(!running.health().is_good());
    assert_eq!(running.health().prefetch.bytes, 0);
    running.shutdown().await.expect("a clean stop");
}
