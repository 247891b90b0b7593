//! Rows that somebody deletes or puts back under those who read: a stream's row that is behind those of its shards hides none of them.

use kinesis_app::{LeaseStore, LeaseWrite, Setup, StoredStart, StreamRow, StreamWrite, prelude::*};
use kinesis_app_emulator::Operation;
use tokio::time::sleep;

use crate::{
    log::Errors,
    store::Recording,
    world::{Entry, FIRST, Ledger, SECOND, STREAM, World, ledger, secs},
};

const STREAM_KEY: &str = "billing:orders";

impl World {
    async fn stored(&self) -> StreamRow {
        let row = self.leases.stream(STREAM_KEY).await.expect("a memory");
        row.expect("met")
    }

    /// Moves the stream on to its next generation, where every shard begins at the horizon.
    async fn next_generation(&self) {
        let seek = StreamWrite::Seek {
            key: STREAM_KEY.into(),
            seen_generation: self.stored().await.generation,
            position: StoredStart::TrimHorizon,
        };
        self.leases.write_stream(&seek).await.expect("as seen");
    }

    async fn put_back(&self, row: &StreamRow) {
        self.leases.delete(STREAM_KEY);
        self.leases.meet_stream(row).await.expect("a memory");
    }
}

fn lifts(errors: &Errors) -> usize {
    let errors = errors.all().into_iter();
    errors
        .filter(|error| error.get("message").starts_with("stream row is behind"))
        .count()
}

#[tokio::test(start_paused = true)]
async fn a_stream_row_from_a_backup_hides_no_shard_and_no_checkpoint_of_a_later_generation() {
    let world = World::new(2);
    world.put_to(FIRST, "ada", "a1");
    world.put_to(SECOND, "bob", "b1");
    let running = world.start().await;
    sleep(secs(5)).await;
    let backup = world.stored().await;
    world.next_generation().await;
    sleep(secs(35)).await;
    running.shutdown().await.expect("a clean stop");
    world.put_back(&backup).await;
    world.put_to(FIRST, "ada", "a2");
    let (errors, _logged) = Errors::capture();
    let store = Recording::over(&world.leases);
    let launch = world.launch(ledger::App).leases(store.clone());
    let running = launch.start().await.expect("a start");
    sleep(secs(60)).await;
    let mut begun = world.ledger.begun();
    begun[..4].sort();
    assert_eq!(begun, ["a1", "a1", "b1", "b1", "a2"]);
    assert_eq!(world.stored().await.generation, 1);
    assert_eq!(lifts(&errors), 1);
    let writes = store.writes();
    let takes = writes
        .iter()
        .filter(|write| matches!(write, LeaseWrite::Take { .. }));
    assert_eq!(takes.count(), 2, "nothing is taken in vain");
    assert!(running.health().is_good());
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn rows_that_are_deleted_under_a_run_come_back_in_its_generation_for_one_that_joins_as_well()
{
    let world = World::new(2);
    world.put_to(FIRST, "ada", "a1");
    world.put_to(SECOND, "bob", "b1");
    let one = world.start().await;
    sleep(secs(5)).await;
    world.next_generation().await;
    sleep(secs(40)).await;
    let (errors, _logged) = Errors::capture();
    for row in world.leases.rows() {
        world.leases.delete(&row.key);
    }
    world.leases.delete(STREAM_KEY);
    let two = world.start_another().await;
    sleep(secs(60)).await;
    assert_eq!(world.stored().await.generation, 1);
    assert_eq!(lifts(&errors), 1);
    // Whoever is left reads on.
    drop(one);
    world.put_to(FIRST, "ada", "a2");
    world.put_to(SECOND, "bob", "b2");
    sleep(secs(60)).await;
    let ended = world.ledger.ended();
    for text in ["a1", "b1", "a2", "b2"] {
        assert!(ended.iter().any(|other| other == text), "{ended:?}");
    }
    assert!(two.health().is_good());
    assert_eq!(two.health().shards.len(), 2);
    two.shutdown().await.expect("a clean stop");
}

/// Reads whatever stream has the name.
#[kinesis_app(name = "billing", leases(memory))]
mod whichever {
    use super::*;

    #[stream(
        name = "orders",
        start(trim_horizon),
        codec(Raw),
        on_recreated(restart)
    )]
    struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

/// The generation that the run knows of is of a stream that is gone, and the row says that the new one has seen none.
#[tokio::test(start_paused = true)]
async fn a_row_that_is_deleted_when_its_stream_is_recreated_keeps_no_run_from_the_new_one() {
    let world = World::new(1);
    let launch = |seed| {
        world
            .launch(whichever::App)
            .setup(Setup::empty())
            .seed(seed)
    };
    world.put("ada", "old");
    let one = launch(1).start().await.expect("a start");
    sleep(secs(5)).await;
    world.next_generation().await;
    sleep(secs(40)).await;
    world.kinesis.delete_stream(STREAM).expect("it is there");
    while world.kinesis.create_stream(STREAM, 1).is_err() {
        sleep(secs(1) / 10).await;
    }
    for row in world.leases.rows() {
        world.leases.delete(&row.key);
    }
    world.leases.delete(STREAM_KEY);
    let two = launch(2).start().await.expect("a start");
    let before = world.kinesis.calls(Operation::DescribeStreamSummary);
    world.put("ada", "new 1");
    sleep(secs(60)).await;
    let looks = world.kinesis.calls(Operation::DescribeStreamSummary) - before;
    assert!(looks < 20, "{looks} looks at the stream in a minute");
    assert!(world.stored().await.generation > 1);
    drop(two);
    world.put("ada", "new 2");
    sleep(secs(60)).await;
    let ended = world.ledger.ended();
    for text in ["old", "new 1", "new 2"] {
        assert!(ended.iter().any(|other| other == text), "{ended:?}");
    }
    one.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_into_a_stream_row_from_a_backup_is_not_done_before_the_row_is_lifted() {
    let world = World::new(1);
    world.put_to(FIRST, "ada", "a1");
    let running = world.start().await;
    sleep(secs(5)).await;
    let backup = world.stored().await;
    for _ in 0..3 {
        world.next_generation().await;
        sleep(secs(5)).await;
    }
    assert_eq!(world.stored().await.generation, 3);
    let before = world.ledger.begun().len();
    world.put_back(&backup).await;
    let seeker = running.seeker::<ledger::Orders>();
    seeker.seek(Position::horizon()).await.expect("in the end");
    sleep(secs(5)).await;
    assert_eq!(world.stored().await.generation, 4);
    assert_eq!(world.ledger.begun().len(), before + 1, "it is read again");
    running.shutdown().await.expect("a clean stop");
}
