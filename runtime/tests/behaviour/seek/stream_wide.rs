//! A seek of a whole stream: from a handler, a hook, the program around and another instance.

use std::time::Duration;

use kinesis_app::{LeaseStore, Position};
use tokio::time::{Instant, sleep};

use super::world::{Plans, numbers, seeking::Orders};
use crate::world::{Deed, FIRST, STREAM, World, secs};

#[tokio::test(start_paused = true)]
async fn a_handler_that_seeks_to_the_tip_behind_any_backlog_leaves_the_rest_of_it_out() {
    let (world, plans) = (World::new(1), Plans::default());
    for number in 0..5000 {
        world.put("one key", &number.to_string());
    }
    plans.at("700", Position::latest());
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(20)).await;
    assert_eq!(plans.told(), [Ok(())]);
    assert_eq!(
        numbers(&world.ledger.begun()),
        (0..=700).collect::<Vec<_>>()
    );
    world.put("one key", "new");
    sleep(secs(3)).await;
    assert_eq!(world.ledger.ended().last().map(String::as_str), Some("new"));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_waits_for_no_handler_and_no_lane() {
    let (world, plans) = (World::new(2), Plans::default());
    world.ledger.always(Deed::Take(secs(3600)));
    world.put_numbers(0..500);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(5)).await;
    let before = world.ledger.begun().len();
    let asked = Instant::now();
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::latest()).await.expect("sought");
    assert!(asked.elapsed() < secs(1), "{:?}", asked.elapsed());
    sleep(secs(30)).await;
    assert_eq!(world.ledger.begun().len(), before, "nothing old begins");
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn when_a_seek_returns_nothing_that_was_read_before_begins_any_more() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_numbers(0..2000);
    world.ledger.always(Deed::Take(Duration::from_millis(100)));
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(6)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::latest()).await.expect("sought");
    let begun = world.ledger.begun().len();
    assert!(begun < 1000, "there is a backlog: {begun}");
    sleep(secs(60)).await;
    assert_eq!(world.ledger.begun().len(), begun);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn the_tip_is_behind_the_newest_record_on_shards_that_are_read_here() {
    let (world, plans) = (World::new(1), Plans::default());
    let running = world.start_seeking(&plans, 1).await;
    world.ledger.plan("1", [Deed::Take(secs(4))]);
    world.put_all("ada", ["1", "2", "3"]);
    sleep(secs(2)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::latest()).await.expect("sought");
    world.put("ada", "4");
    sleep(secs(10)).await;
    let begun = world.ledger.begun();
    assert_eq!(begun, ["1", "4"], "none of the seconds before comes");
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn the_program_around_seeks_to_the_horizon_and_to_a_time() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_all("ada", ["1", "2"]);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(60)).await;
    let then = world.kinesis.now();
    sleep(secs(60)).await;
    world.put("ada", "3");
    sleep(secs(5)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    sleep(secs(3)).await;
    assert_eq!(world.ledger.ended(), ["1", "2", "3", "1", "2", "3"]);
    seeker
        .seek(Position::timestamp(then))
        .await
        .expect("sought");
    sleep(secs(3)).await;
    assert_eq!(world.ledger.ended()[6..], ["3"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_hook_seeks_when_the_application_is_ready() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put_all("ada", ["1", "2"]);
    world.ledger.plan("1", [Deed::Hang]);
    plans.at("ready", Position::latest());
    let running = world.start_seeking(&plans, 1).await;
    world.put("bob", "3");
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended(), ["3"]);
    drop(running);
}

#[tokio::test(start_paused = true)]
async fn other_instances_follow_a_seek_within_moments() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_numbers(0..20);
    let one = world.start_seeking(&plans, 1).await;
    let two = world.start_seeking(&plans, 2).await;
    sleep(secs(10)).await;
    assert_eq!(world.ledger.ended().len(), 20);
    let seeker = two.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    sleep(secs(5)).await;
    assert_eq!(world.ledger.ended().len(), 40);
    one.shutdown().await.expect("a clean stop");
    two.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_crash_right_after_a_seek_takes_nothing_of_it_away() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_numbers(0..20);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(10)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    drop(running);
    let running = world.start_seeking(&plans, 2).await;
    sleep(secs(30)).await;
    let ended = numbers(&world.ledger.ended());
    assert!((0..20).all(|number| ended.iter().filter(|other| **other == number).count() >= 2));
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn a_seek_at_a_shards_end_returns_and_parents_come_before_their_children_again() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put_all("ada", ["a1", "a2"]);
    plans.at("a2", Position::horizon());
    let [left, _] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(30)).await;
    assert_eq!(plans.told(), [Ok(())]);
    assert_eq!(world.ledger.ended(), ["a1", "a2", "a1", "a2", "left"]);
    // And from below: the children are read, and everything begins at the top again.
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::horizon()).await.expect("sought");
    sleep(secs(30)).await;
    assert_eq!(world.ledger.ended()[5..], ["a1", "a2", "left"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn shards_that_are_found_later_begin_where_the_seek_says() {
    let (world, plans) = (World::new(1), Plans::default());
    world.put("ada", "old");
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(60)).await;
    let seeker = running.seeker::<Orders>();
    seeker.seek(Position::latest()).await.expect("sought");
    sleep(secs(10)).await;
    let [left, right] = world.kinesis.split(STREAM, FIRST).expect("a split");
    world.put_to(&left, "l", "left");
    world.put_to(&right, "r", "right");
    sleep(secs(30)).await;
    let mut ended = world.ledger.ended();
    ended.sort();
    assert_eq!(ended, ["left", "old", "right"]);
    running.shutdown().await.expect("a clean stop");
}

#[tokio::test(start_paused = true)]
async fn two_that_seek_at_once_both_do_and_the_later_one_counts() {
    let (world, plans) = (World::new(2), Plans::default());
    world.put_numbers(0..20);
    let running = world.start_seeking(&plans, 1).await;
    sleep(secs(10)).await;
    let seeker = running.seeker::<Orders>();
    let (one, two) = tokio::join!(
        seeker.seek(Position::horizon()),
        seeker.seek(Position::horizon())
    );
    assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
    sleep(secs(5)).await;
    let row = world
        .leases
        .stream("billing:orders")
        .await
        .expect("a memory");
    let generation = row.expect("met").generation;
    assert!((1..=2).contains(&generation), "{generation}");
    let ended = numbers(&world.ledger.ended());
    assert!((0..20).all(|number| ended.iter().filter(|other| **other == number).count() >= 2));
    running.shutdown().await.expect("a clean stop");
}
