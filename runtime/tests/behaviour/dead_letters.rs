//! Rule 8: what is given up on is stored in its dead-letter stream, as it arrived, before its checkpoint moves.

use kinesis_app::{
    Activity, Headers, RawRecord, Running, ShardHealth, ShardName, dead_letter, prelude::*,
};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation, StoredRecord};
use tokio::time::sleep;

use crate::log::Errors;
use crate::world::{Deed, Entry, FIRST, Ledger, SECOND, STREAM, World, secs};

const REJECTED: &str = "rejected";

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod twice {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(crate) struct Orders;

    #[stream(name = "rejected")]
    struct Rejected;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(
        Orders,
        label = "book-orders",
        concurrency = 2,
        retry(attempts = 2),
        exhausted(dead_letter(Rejected))
    )]
    async fn book(
        record: RawRecord,
        State(ledger): State<Ledger>,
        attempt: Attempt,
    ) -> Result<Outcome, String> {
        let entry = Entry {
            key: record.partition_key.unwrap_or_default(),
            text: String::from_utf8_lossy(&record.data).into_owned(),
            shard_id: record.shard_id,
            attempt: attempt.get(),
        };
        ledger.handle(entry).await
    }
}

/// Two handlers with one dead-letter stream, which is read by another application.
#[kinesis_app(name = "shared", leases(memory))]
mod shared {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[stream(name = "refunds", start(trim_horizon))]
    struct Refunds;

    #[on_record(Orders, undecodable(dead_letter(super::review::Rejected)))]
    async fn book(_: u64) -> Outcome {
        Outcome::Done
    }

    #[on_record(Refunds, undecodable(dead_letter(super::review::Rejected)))]
    async fn refund(_: u64) -> Outcome {
        Outcome::Done
    }
}

#[kinesis_app(name = "review", leases(memory))]
pub(crate) mod review {
    use super::*;

    #[stream(name = "rejected", start(trim_horizon), codec(Raw))]
    pub(crate) struct Rejected;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Rejected)]
    async fn review(
        bytes: Bytes,
        headers: Headers,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        let header = |name| headers.get(name).unwrap_or_default().to_owned();
        let entry = Entry {
            key: header(dead_letter::HANDLER_HEADER),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            shard_id: header(dead_letter::STREAM_HEADER),
            attempt: 1,
        };
        ledger.handle(entry).await
    }
}

fn world() -> World {
    let world = World::new(2);
    world
        .kinesis
        .create_stream(REJECTED, 1)
        .expect("a new stream");
    world
}

fn letters(world: &World) -> Vec<StoredRecord> {
    world.kinesis.records(REJECTED, FIRST)
}

/// A letter's headers and payload, told apart as the README says that `RSK1` is written.
fn opened(letter: &StoredRecord) -> (Headers, Vec<u8>) {
    let rest = letter.data.strip_prefix(b"RSK1").expect("an envelope");
    let (length, rest) = rest.split_first_chunk::<4>().expect("a length");
    let (lines, payload) = rest.split_at(u32::from_be_bytes(*length) as usize);
    let lines = str::from_utf8(lines).expect("text");
    let headers = lines
        .lines()
        .map(|line| line.split_once(": ").expect("a header"))
        .collect();
    (headers, payload.to_vec())
}

fn payloads(world: &World) -> Vec<String> {
    let letters = letters(world);
    let payloads = letters.iter().map(|letter| opened(letter).1);
    payloads
        .map(|payload| String::from_utf8(payload).expect("text"))
        .collect()
}

fn health(running: &Running) -> ShardHealth {
    let name = ShardName {
        stream: "Orders",
        shard_id: FIRST.to_owned(),
    };
    running.health().shards[&name].clone()
}

fn refuse(code: ErrorCode) -> Fault {
    Fault::new(Operation::PutRecords, FaultKind::Refuse(code))
        .stream(REJECTED)
        .always()
}

#[tokio::test(start_paused = true)]
async fn a_letter_is_its_record_with_where_it_came_from_and_why() {
    let world = world();
    let headers = "trace-id: 4bf92f\n";
    let mut blob = b"RSK1".to_vec();
    blob.extend_from_slice(&u32::try_from(headers.len()).expect("short").to_be_bytes());
    blob.extend_from_slice(headers.as_bytes());
    blob.extend_from_slice(b"bad");
    let put = kinesis_app_emulator::Put::new("ada", blob).hash_key(0);
    let put = world.kinesis.put_with(STREAM, put).expect("a put");
    world.ledger.plan("bad", [Deed::Fail, Deed::Panic]);
    let running = world.start_app(twice::App).await;
    sleep(secs(10)).await;
    let [letter] = &letters(&world)[..] else {
        panic!("one letter");
    };
    assert_eq!(letter.partition_key.as_deref(), Some("ada"));
    let (headers, payload) = opened(letter);
    assert_eq!(payload, b"bad");
    for (name, value) in [
        ("trace-id", "4bf92f"),
        (dead_letter::CAUSE_HEADER, "the handler panicked: planned"),
        (dead_letter::HANDLER_HEADER, "book-orders"),
        (dead_letter::STREAM_HEADER, "orders"),
        (dead_letter::SHARD_ID_HEADER, FIRST),
        (dead_letter::SEQUENCE_NUMBER_HEADER, &put.sequence_number),
        (dead_letter::ATTEMPTS_HEADER, "2"),
    ] {
        assert_eq!(headers.get(name), Some(value), "{name}");
    }
    let arrival = headers.get(dead_letter::ARRIVAL_HEADER).expect("a time");
    assert!(arrival.ends_with('Z') && arrival.contains('T'), "{arrival}");
    assert_eq!(headers.len(), 8, "{headers:?}");
    let health = health(&running);
    assert_eq!((health.dead_lettered, health.failed_attempts), (1, 2));
    assert_eq!((health.settled, health.unstored_dead_letters), (1, None));
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST), Some(put.sequence_number));
}

#[tokio::test(start_paused = true)]
async fn a_record_that_is_no_envelope_though_it_begins_like_one_is_passed_on_byte_for_byte() {
    let world = world();
    let blob = b"RSK1\0\0\xff\xffbroken".to_vec();
    let text = String::from_utf8_lossy(&blob).into_owned();
    let put = kinesis_app_emulator::Put::new("ada", blob.clone()).hash_key(0);
    world.kinesis.put_with(STREAM, put).expect("a put");
    world.ledger.plan(&text, [Deed::Fail, Deed::Fail]);
    let running = world.start_app(twice::App).await;
    sleep(secs(10)).await;
    assert_eq!(opened(&letters(&world)[0]).1, blob);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_key_waits_for_its_dead_letter_and_other_keys_go_on() {
    let world = world();
    world.put_to(FIRST, "a", "a1");
    let first = world.put_to(FIRST, "b", "b1");
    world.put_to(FIRST, "a", "a2");
    world.ledger.plan("a1", [Deed::Fail, Deed::Fail]);
    let throttle = Fault::new(Operation::PutRecords, FaultKind::Throttle)
        .stream(REJECTED)
        .always();
    world.kinesis.fault(throttle);
    let running = world.start_app(twice::App).await;
    sleep(secs(300)).await;
    for text in ["b2", "b3", "b4"] {
        world.put_to(FIRST, "b", text);
    }
    sleep(secs(10)).await;
    assert_eq!(
        world.ledger.ended(),
        ["b1", "b2", "b3", "b4"],
        "a letter that waits takes no slot"
    );
    assert_eq!(world.checkpoint(FIRST), None, "before the letter is stored");
    let stands = health(&running);
    let letters = stands.unstored_dead_letters.expect("one is not stored");
    assert_eq!(letters.records, 1);
    assert!(letters.for_how_long > secs(290), "{letters:?}");
    let error = letters.error.expect("tried in vain");
    assert!(error.contains("Rejected"), "{error}");
    assert!(!running.health().is_good());
    world.kinesis.clear_faults();
    sleep(secs(60)).await;
    assert_eq!(payloads(&world), ["a1"]);
    assert_eq!(world.ledger.ended().last().map(String::as_str), Some("a2"));
    assert!(running.health().is_good());
    assert!(world.checkpoint(FIRST) > Some(first));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_letter_to_a_stream_that_refuses_it_is_an_error_in_the_log_and_stored_when_that_is_mended()
 {
    for code in [ErrorCode::AccessDenied, ErrorCode::ResourceNotFound] {
        let world = world();
        let put = world.put_to(FIRST, "a", "a1");
        world.ledger.plan("a1", [Deed::Fail, Deed::Fail]);
        world.kinesis.fault(refuse(code));
        let (errors, _guard) = Errors::capture();
        let running = world.start_app(twice::App).await;
        sleep(secs(120)).await;
        let errors = errors.all();
        let refused = errors.iter().filter(|error| error.get("to") == "Rejected");
        assert!(refused.count() > 2, "{errors:?}");
        assert_eq!(world.checkpoint(FIRST), None);
        let letters = health(&running).unstored_dead_letters;
        assert!(letters.is_some_and(|letters| letters.error.is_some()));
        world.kinesis.clear_faults();
        sleep(secs(60)).await;
        assert_eq!(payloads(&world), ["a1"]);
        running.shutdown().await.expect("a clean stop");
        assert_eq!(world.checkpoint(FIRST), Some(put));
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_gives_a_letter_its_time_and_leaves_it_to_the_next_start() {
    let world = world();
    let put = world.put_to(FIRST, "a", "a1");
    world.ledger.plan("a1", [Deed::Fail, Deed::Fail]);
    let slow = FaultKind::Delay(secs(5));
    let slow = Fault::new(Operation::PutRecords, slow).stream(REJECTED);
    world.kinesis.fault(slow.times(1));
    let running = world.start_app(twice::App).await;
    sleep(secs(3)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!(payloads(&world), ["a1"]);
    assert_eq!(world.checkpoint(FIRST), Some(put), "it had its time");

    let world = self::world();
    let put = world.put_to(FIRST, "a", "a1");
    world.ledger.plan("a1", [Deed::Fail, Deed::Fail]);
    world.kinesis.fault(refuse(ErrorCode::AccessDenied));
    let running = world.start_app(twice::App).await;
    sleep(secs(3)).await;
    running.shutdown().await.expect("a clean stop");
    assert_eq!((letters(&world).len(), world.checkpoint(FIRST)), (0, None));
    world.kinesis.clear_faults();
    let running = world.start_app(twice::App).await;
    sleep(secs(10)).await;
    let attempts: Vec<_> = world.ledger.entries().iter().map(|at| at.attempt).collect();
    assert_eq!(attempts, [1, 2, 1], "attempts are counted anew");
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST), Some(put), "this time it passed");
}

#[tokio::test(start_paused = true)]
async fn a_crash_behind_a_stored_letter_may_bring_it_twice_and_never_not_at_all() {
    let world = world();
    world.put_to(FIRST, "a", "a1");
    world.ledger.plan("a1", [(); 4].map(|()| Deed::Fail));
    let running = world.start_app(twice::App).await;
    while letters(&world).is_empty() {
        sleep(std::time::Duration::from_millis(1)).await;
    }
    drop(running);
    assert_eq!(world.checkpoint(FIRST), None, "not written yet");
    sleep(secs(30)).await;
    let running = world
        .launch(twice::App)
        .seed(9)
        .start()
        .await
        .expect("a start");
    sleep(secs(20)).await;
    assert_eq!(payloads(&world), ["a1", "a1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_while_a_letter_is_under_way_holds_its_key_and_nothing_else() {
    let world = world();
    world.put_to(FIRST, "a", "a1");
    world.put_to(FIRST, "a", "a2");
    world.ledger.plan("a1", [Deed::Fail, Deed::Fail]);
    let slow = FaultKind::Delay(secs(8));
    let slow = Fault::new(Operation::PutRecords, slow).stream(REJECTED);
    world.kinesis.fault(slow.times(1));
    let running = world.start_app(twice::App).await;
    sleep(secs(3)).await;
    running
        .seeker::<twice::Orders>()
        .seek(Position::horizon())
        .await
        .expect("a seek");
    world.put_to(FIRST, "b", "b1");
    sleep(secs(3)).await;
    assert_eq!(world.ledger.ended(), ["b1"], "the key waits");
    sleep(secs(20)).await;
    assert_eq!(world.ledger.ended(), ["b1", "a1", "a2"]);
    assert_eq!(payloads(&world), ["a1"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_letter_that_is_too_large_is_cut_to_its_payload_and_a_short_cause_and_else_halts_its_shard()
 {
    let world = world();
    let mib = 1 << 20;
    // The longest record that leaves room for a short cause, and the longest that there is.
    let (fits, too_large) = ("x".repeat(mib - 200), "y".repeat(mib - 1));
    world.put_to(FIRST, "a", &fits);
    world.put_to(SECOND, "b", &too_large);
    for text in [&fits, &too_large] {
        world.ledger.plan(text, [Deed::Fail, Deed::Fail]);
    }
    let running = world.start_app(twice::App).await;
    sleep(secs(20)).await;
    let [letter] = &letters(&world)[..] else {
        panic!("one letter");
    };
    let (headers, payload) = opened(letter);
    assert_eq!(payload, fits.as_bytes());
    assert_eq!(
        headers.get(dead_letter::CAUSE_HEADER),
        Some("the sink is down")
    );
    assert_eq!(headers.len(), 1);
    let health = running.health();
    let halted = health
        .shards
        .values()
        .find_map(|shard| match &shard.activity {
            Activity::Halted { reason, .. } => Some(reason.clone()),
            _ => None,
        });
    let reason = halted.expect("the other shard stands");
    assert!(
        reason.starts_with("the sink is down; its dead letter does not fit: record of "),
        "{reason}"
    );
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(SECOND), None);
}

#[tokio::test(start_paused = true)]
async fn a_record_without_a_key_gets_one_of_its_own() {
    let world = World::new(1);
    world.kinesis.create_stream(REJECTED, 1).expect("a stream");
    for text in ["n1", "n2"] {
        let put = kinesis_app_emulator::Put::keyless(text);
        world.kinesis.put_with(STREAM, put).expect("a put");
        world.ledger.plan(text, [Deed::Fail, Deed::Fail]);
    }
    let running = world.start_app(twice::App).await;
    sleep(secs(10)).await;
    let letters = letters(&world);
    let mut keys: Vec<_> = letters
        .iter()
        .map(|letter| letter.partition_key.clone().expect("a key"))
        .collect();
    keys.dedup();
    assert_eq!(keys.len(), 2, "{keys:?}");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn two_handlers_share_a_dead_letter_stream_that_another_application_reads() {
    let world = world();
    world.kinesis.create_stream("refunds", 1).expect("a stream");
    world.put("a", "no number");
    world
        .kinesis
        .put("refunds", "b", "none either")
        .expect("a put");
    let running = kinesis_app::launch(shared::App)
        .setup(kinesis_app::Setup::empty())
        .aws(world.kinesis.sdk_config())
        .seed(3)
        .start()
        .await
        .expect("a start");
    let reviewing = world.start_app(review::App).await;
    sleep(secs(20)).await;
    let mut seen: Vec<_> = world
        .ledger
        .entries()
        .into_iter()
        .map(|entry| (entry.key, entry.shard_id, entry.text))
        .collect();
    seen.sort();
    let line = |handler: &str, stream: &str, text: &str| {
        (handler.to_owned(), stream.to_owned(), text.to_owned())
    };
    assert_eq!(
        seen,
        [
            line("book", "orders", "no number"),
            line("refund", "refunds", "none either")
        ]
    );
    running.shutdown().await.expect("a clean stop");
    reviewing.shutdown().await.expect("a clean stop");
}
