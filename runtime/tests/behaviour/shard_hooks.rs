//! `#[on_shard_start]` and `#[on_shard_end]`: what waits for them, and what ends the waiting.

use std::time::Duration;

use kinesis_app::{Activity, Running, prelude::*};
use tokio::time::{Instant, sleep};

use crate::{
    log::{Errors, Fields},
    world::{Deed, Entry, Event, FIRST, Ledger, SECOND, STREAM, World, secs},
};

#[kinesis_app(name = "billing", leases(memory), shutdown_timeout = "10s")]
mod hooked {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    pub(super) struct Orders;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    /// A plan may send it to a record, too: `seek` holds its number.
    #[on_shard_start(Orders)]
    async fn begin(
        shard: ShardId,
        lease: Lease,
        seeker: Seeker<Orders>,
        State(ledger): State<Ledger>,
    ) -> Result<(), String> {
        assert!(lease.token() > 0);
        call(&ledger, "begin", &shard).await?;
        let place = ledger.place(&shard);
        match place {
            Some(sequence) => {
                let sought = seeker.seek(Position::sequence(&shard, &sequence)).await;
                sought.map_err(|error| error.to_string())
            }
            None => Ok(()),
        }
    }

    #[on_shard_end(Orders)]
    async fn end(shard: ShardId, State(ledger): State<Ledger>) -> Result<(), String> {
        call(&ledger, "end", &shard).await
    }

    #[on_record(Orders, concurrency = 8)]
    async fn book(
        _record: RawRecord,
        entry: Entry,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

/// A call of a hook is written down like that of a handler, and planned like it.
async fn call(ledger: &Ledger, hook: &str, shard_id: &str) -> Result<(), String> {
    let entry = Entry {
        key: String::new(),
        text: name(hook, shard_id),
        shard_id: shard_id.into(),
        attempt: 1,
    };
    ledger.handle(entry).await.map(drop)
}

fn name(hook: &str, shard_id: &str) -> String {
    format!("{hook} {shard_id}")
}

impl World {
    async fn start_hooked(&self) -> Running {
        self.start_app(hooked::App).await
    }

    fn row_ids(&self) -> Vec<String> {
        let rows = self.leases.rows().into_iter();
        rows.map(|row| row.shard_id).collect()
    }
}

fn activity(running: &Running, shard_id: &str) -> Option<Activity> {
    let shards = running.health().shards;
    let mut shards = shards.into_iter();
    let found = shards.find(|(name, _)| name.shard_id == shard_id);
    found.map(|(_, shard)| shard.activity)
}

fn failing(running: &Running, shard_id: &str) -> Option<String> {
    let shards = running.health().shards;
    let mut shards = shards.into_iter();
    let found = shards.find(|(name, _)| name.shard_id == shard_id)?;
    Some(found.1.failing?.error)
}

#[tokio::test(start_paused = true)]
async fn no_record_of_a_shard_begins_before_its_start_hook_has_succeeded() {
    let world = World::new(2);
    world.put_to(FIRST, "a", "one");
    world.put_to(SECOND, "b", "two");
    let begin = name("begin", FIRST);
    world
        .ledger
        .plan(&begin, [Deed::Fail, Deed::Panic, Deed::Take(secs(5))]);
    let running = world.start_hooked().await;
    sleep(secs(2)).await;
    let all = world.ledger.begun();
    let place = |text: &str| all.iter().position(|begun| begun == text);
    assert_eq!(all.iter().filter(|text| **text == begin).count(), 3);
    assert!(place("one") > all.iter().rposition(|text| *text == begin));
    assert!(
        place("two") < place("one"),
        "one shard waits for its own hook alone: {all:?}"
    );
    let ended = world.ledger.ended();
    assert!(
        ended.iter().position(|text| *text == begin) < ended.iter().position(|text| text == "one")
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn health_shows_why_a_shard_has_not_begun_and_its_lease_is_kept() {
    let world = World::new(1);
    let running = world.start_hooked().await;
    running.shutdown().await.expect("a clean stop");
    world.put("a", "one");
    world
        .ledger
        .plan(&name("begin", FIRST), std::iter::repeat_n(Deed::Fail, 6));
    let look = async {
        sleep(secs(3)).await;
        world.leases.rows().remove(0)
    };
    let (running, row) = tokio::join!(world.start_hooked(), look);
    let held_at = row.counter;
    assert!(row.holder.is_some());
    assert_eq!(failing(&running, FIRST), None, "it is over");
    assert_eq!(activity(&running, FIRST), Some(Activity::Reading));
    sleep(secs(3)).await;
    assert_eq!(world.ledger.ended().last().map(String::as_str), Some("one"));
    assert!(world.leases.rows().remove(0).counter > held_at);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_child_whose_start_hook_fails_shows_it_and_the_others_go_on() {
    let world = World::new(1);
    world.put("a", "one");
    let running = world.start_hooked().await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("an open shard");
    world
        .ledger
        .plan(&name("begin", &left), std::iter::repeat_n(Deed::Fail, 8));
    world.put_to(&left, "a", "left");
    world.put_to(&right, "b", "right");
    sleep(secs(10)).await;
    assert_eq!(activity(&running, &left), Some(Activity::Starting));
    let why = failing(&running, &left).expect("a reason");
    assert_eq!(why, "`#[on_shard_start]`: the sink is down");
    assert!(world.ledger.ended().contains(&"right".to_owned()));
    assert!(!world.ledger.begun().contains(&"left".to_owned()));
    sleep(secs(200)).await;
    assert_eq!(activity(&running, &left), Some(Activity::Reading));
    assert!(world.ledger.ended().contains(&"left".to_owned()));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_start_hook_that_takes_longer_than_a_lease_keeps_its_shard() {
    let world = World::new(1);
    world.put("a", "one");
    world
        .ledger
        .plan(&name("begin", FIRST), [Deed::Take(secs(45))]);
    let running = world.start_hooked().await;
    sleep(secs(2)).await;
    assert_eq!(world.ledger.begun(), [&*name("begin", FIRST), "one"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_shard_begins_at_the_sequence_number_that_its_start_hook_seeks_to() {
    let world = World::new(1);
    world.put_all("a", ["0", "1", "2"]);
    let third = world.put("a", "3");
    world.put("a", "4");
    world.ledger.set_place(FIRST, &third);
    let running = world.start_hooked().await;
    sleep(secs(5)).await;
    assert_eq!(world.ledger.begun(), [&*name("begin", FIRST), "3", "4"]);
    running.shutdown().await.expect("a clean stop");
    let after = world.kinesis.records(STREAM, FIRST).pop().expect("five");
    assert_eq!(world.checkpoint(FIRST), Some(after.sequence_number));
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_for_a_start_hook_beyond_its_timeout_and_nothing_begins_after_it() {
    let world = World::new(1);
    let running = world.start_hooked().await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("an open shard");
    world.put_to(&left, "a", "left");
    world.put_to(&right, "b", "right");
    world.ledger.plan(&name("begin", &left), [Deed::Hang]);
    world
        .ledger
        .plan(&name("begin", &right), [Deed::Take(secs(12))]);
    sleep(secs(8)).await;
    assert_eq!(world.ledger.running(), 2);
    let asked = Instant::now();
    running.shutdown().await.expect("a clean stop");
    let took = asked.elapsed();
    assert!(took >= secs(10) && took < secs(11), "{took:?}");
    assert!(
        world.ledger.ended().contains(&name("begin", &right)),
        "it had the time"
    );
    assert!(!world.ledger.begun().contains(&"right".to_owned()));
    assert_eq!(world.ledger.running(), 0, "the other was dropped");
    assert!(world.leases.rows().iter().all(|row| row.holder.is_none()));
}

/// Its owner knows how the row stood: nothing of it is forgotten.
#[tokio::test(start_paused = true)]
async fn a_row_that_is_deleted_during_a_start_hook_is_made_again_with_its_checkpoint() {
    let world = World::new(1);
    world.put_all("ada", ["1", "2", "3"]);
    let running = world.start_hooked().await;
    sleep(secs(5)).await;
    running.shutdown().await.expect("a clean stop");
    let before = world.leases.rows().remove(0);
    world.ledger.plan(&name("begin", FIRST), [Deed::Hang]);
    // It is ready when the hook is through.
    let launch = world.launch(hooked::App);
    let (errors, _guard) = Errors::capture();
    let (another, ()) = tokio::join!(launch.start(), async {
        sleep(secs(5)).await;
        world.leases.delete(&before.key);
    });
    sleep(secs(60)).await;
    let after = world.leases.rows().remove(0);
    assert_eq!(after.checkpoint, before.checkpoint);
    assert!(after.counter > before.counter);
    let records = world.ledger.begun();
    assert_eq!(records.iter().filter(|text| *text == "1").count(), 1);
    let errors = errors.all();
    let panicked = |error: &Fields| error.get("message").contains("panicked");
    assert!(!errors.iter().any(panicked), "{errors:?}");
    another
        .expect("a start")
        .shutdown()
        .await
        .expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_lost_lease_ends_the_waiting_for_a_start_hook() {
    let (errors, _guard) = Errors::capture();
    let world = World::new(1);
    let running = world.start_hooked().await;
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("an open shard");
    let begin = name("begin", &left);
    world.ledger.plan(&begin, [Deed::Hang]);
    sleep(secs(8)).await;
    assert_eq!(world.ledger.running(), 1);
    let row = world
        .leases
        .rows()
        .into_iter()
        .find(|row| row.shard_id == left);
    world.leases.delete(&row.expect("it is held").key);
    sleep(secs(5)).await;
    assert_eq!(world.ledger.running(), 0, "it was dropped");
    sleep(secs(60)).await;
    let all = world.ledger.begun();
    assert_eq!(
        all.iter().filter(|text| **text == begin).count(),
        2,
        "once in each tenure"
    );
    let errors = errors.all();
    let panicked = |error: &Fields| error.get("message").contains("panicked");
    assert!(!errors.iter().any(panicked), "{errors:?}");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn children_have_no_rows_and_do_not_begin_before_the_end_hook_of_their_parent_has_succeeded()
{
    let world = World::new(1);
    world.put_all("a", ["0", "1", "2"]);
    world.ledger.plan("2", [Deed::Take(secs(5))]);
    let end = name("end", FIRST);
    world.ledger.plan(
        &end,
        [Deed::Fail, Deed::Panic, Deed::Fail, Deed::Take(secs(30))],
    );
    let running = world.start_hooked().await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("an open shard");
    world.put_to(&left, "a", "left");
    world.put_to(&right, "b", "right");
    while !world.ledger.begun().contains(&end) {
        sleep(Duration::from_millis(100)).await;
    }
    assert!(
        world.ledger.ended().contains(&"2".to_owned()),
        "the last record has settled"
    );
    sleep(secs(20)).await;
    assert_eq!(world.row_ids(), [FIRST], "no row of a child");
    assert_ne!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    assert_eq!(activity(&running, FIRST), Some(Activity::Ending));
    sleep(secs(60)).await;
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    let events = world.ledger.events();
    let at = |event, text: &str| {
        let mut events = events.iter();
        events.position(|(found, entry)| *found == event && entry.text == text)
    };
    for child in [
        "left",
        "right",
        &name("begin", &left),
        &name("begin", &right),
    ] {
        assert!(at(Event::Begun, child) > at(Event::Ended, &end), "{child}");
    }
    assert_eq!(
        world
            .ledger
            .begun()
            .iter()
            .filter(|text| **text == end)
            .count(),
        4
    );
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn health_shows_why_a_shard_does_not_end() {
    let world = World::new(1);
    world
        .ledger
        .plan(&name("end", FIRST), std::iter::repeat_n(Deed::Fail, 12));
    let running = world.start_hooked().await;
    world.kinesis.split(STREAM, FIRST).expect("an open shard");
    sleep(secs(90)).await;
    assert_eq!(activity(&running, FIRST), Some(Activity::Ending));
    let why = failing(&running, FIRST).expect("a reason");
    assert_eq!(why, "`#[on_shard_end]`: the sink is down");
    assert!(!running.health().is_good(), "for longer than a minute");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_stop_runs_no_end_hook_and_one_that_runs_may_finish_its_shard() {
    let world = World::new(1);
    world.put("a", "one");
    let running = world.start_hooked().await;
    sleep(secs(2)).await;
    running.shutdown().await.expect("a clean stop");
    let end = name("end", FIRST);
    assert!(
        !world.ledger.begun().contains(&end),
        "the shard has not ended"
    );
    world.ledger.plan(&end, [Deed::Take(secs(8))]);
    let running = world.start_hooked().await;
    world.kinesis.split(STREAM, FIRST).expect("an open shard");
    sleep(secs(3)).await;
    assert_eq!(world.ledger.running(), 1);
    running.shutdown().await.expect("a clean stop");
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    let again = world.start_hooked().await;
    sleep(secs(30)).await;
    let ends = world
        .ledger
        .begun()
        .iter()
        .filter(|text| **text == end)
        .count();
    assert_eq!(ends, 1, "what has succeeded is not run again");
    again.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn an_end_hook_that_a_stop_cut_off_runs_again_at_the_next_owner() {
    let world = World::new(1);
    let end = name("end", FIRST);
    world.ledger.plan(&end, [Deed::Hang]);
    let running = world.start_hooked().await;
    world.kinesis.split(STREAM, FIRST).expect("an open shard");
    sleep(secs(3)).await;
    running.shutdown().await.expect("a clean stop");
    assert_ne!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    let again = world.start_hooked().await;
    sleep(secs(10)).await;
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    assert_eq!(
        world
            .ledger
            .ended()
            .iter()
            .filter(|text| **text == end)
            .count(),
        1
    );
    again.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_takes_an_end_back_whose_hook_has_not_succeeded() {
    let world = World::new(1);
    world.put("a", "one");
    let end = name("end", FIRST);
    world.ledger.plan(&end, std::iter::repeat_n(Deed::Fail, 5));
    let running = world.start_hooked().await;
    world.kinesis.split(STREAM, FIRST).expect("an open shard");
    sleep(secs(4)).await;
    let seeker = running.seeker::<hooked::Orders>();
    seeker.seek(Position::horizon()).await.expect("a seek");
    sleep(secs(90)).await;
    let ones = world
        .ledger
        .ended()
        .iter()
        .filter(|text| *text == "one")
        .count();
    assert_eq!(ones, 2, "it is read again");
    assert_eq!(world.checkpoint(FIRST).as_deref(), Some("SHARD_END"));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_panics_while_it_is_dropped_keeps_no_lease() {
    let world = World::new(1);
    world.ledger.plan(&name("end", FIRST), [Deed::HangAndPanic]);
    let running = world.start_hooked().await;
    world.put("ada", "a1");
    sleep(secs(2)).await;
    world.kinesis.split(STREAM, FIRST).expect("a split");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.running(), 1, "the hook");
    running.shutdown().await.expect("a clean stop");
    let rows = world.leases.rows();
    assert_eq!(rows.len(), 1);
    assert!(rows.iter().all(|row| row.holder.is_none()), "{rows:?}");
}
