//! A record of a batch that is given up on is stored before the checkpoint passes it, and nothing else waits for that.

use kinesis_app::prelude::*;
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::sleep;

use super::world::{Batches, Log, Say, Whole, texts};
use crate::world::{FIRST, secs};

const REJECTED: &str = "rejected";

#[kinesis_app(name = "billing", leases(memory))]
mod letters {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[stream(name = "rejected", codec(Raw))]
    struct Rejected;

    #[on_start]
    async fn open() -> Result<Log, String> {
        Ok(Log::default())
    }

    #[on_batch(
        Orders,
        max_records = 10,
        retry(attempts = 2),
        exhausted(dead_letter(Rejected))
    )]
    async fn book(
        orders: Batch<Bytes>,
        State(log): State<Log>,
    ) -> Result<BatchOutcome, kinesis_app::HandlerError> {
        log.handle(&orders).await
    }
}

fn batches() -> Batches {
    let batches = Batches::new(1);
    let kinesis = &batches.world.kinesis;
    kinesis.create_stream(REJECTED, 1).expect("a new stream");
    batches
}

/// The payloads of all dead letters.
fn stored(batches: &Batches) -> Vec<String> {
    let records = batches.world.kinesis.records(REJECTED, FIRST);
    let texts = records
        .iter()
        .map(|record| String::from_utf8_lossy(&record.data).into_owned());
    texts.collect()
}

#[tokio::test(start_paused = true)]
async fn a_poison_record_becomes_a_dead_letter_and_so_does_one_that_its_handler_gives_up() {
    let batches = batches();
    let last = batches.put_numbers(0..10, 3);
    batches.log.poison("4", Whole::Fail);
    batches.log.plan("7", [Say::DeadLetter("closed account")]);
    let running = batches.start(letters::App).await;
    sleep(secs(20)).await;
    let stored = stored(&batches);
    assert_eq!(stored.len(), 2);
    assert!(
        stored[0].ends_with('4') && stored[1].ends_with('7'),
        "{stored:?}"
    );
    assert_eq!(batches.log.done(), texts([0, 1, 2, 3, 5, 6, 8, 9]));
    assert_eq!(batches.world.checkpoint(FIRST), Some(last));
    let shard = running.health().shards.into_values().next();
    assert_eq!(shard.map(|shard| shard.dead_lettered), Some(2));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_letter_that_is_not_stored_holds_its_key_and_the_checkpoint_and_nothing_else() {
    let batches = batches();
    let before = batches.put_numbers(0..4, 2);
    batches.put_numbers(4..30, 2);
    batches.log.plan("4", [Say::DeadLetter("closed account")]);
    batches.world.kinesis.fault(
        Fault::new(
            Operation::PutRecords,
            FaultKind::Refuse(ErrorCode::AccessDenied),
        )
        .stream(REJECTED)
        .always(),
    );
    let running = batches.start(letters::App).await;
    sleep(secs(30)).await;
    let expected: Vec<_> = (0..30)
        .filter(|n| *n < 10 && *n != 4 || n % 2 == 1)
        .collect();
    assert_eq!(batches.log.done(), texts(expected));
    assert_eq!(batches.world.checkpoint(FIRST), Some(before));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_record_waits_for_no_dead_letter_of_a_later_one_of_its_key() {
    let batches = batches();
    batches.put_numbers(0..3, 1);
    batches.log.plan("0", [Say::Retry]);
    batches.log.plan("2", [Say::DeadLetter("closed account")]);
    let refuse = FaultKind::Refuse(ErrorCode::AccessDenied);
    let refuse = Fault::new(Operation::PutRecords, refuse);
    let kinesis = &batches.world.kinesis;
    kinesis.fault(refuse.stream(REJECTED).always());
    let running = batches.start(letters::App).await;
    sleep(secs(5)).await;
    assert_eq!(batches.log.done(), texts([1, 0]));
    running.shutdown().await.expect("a clean stop");
}
