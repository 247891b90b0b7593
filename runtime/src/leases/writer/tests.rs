use std::time::Duration;

use tokio::time::advance;

use super::*;
use crate::{
    leases::{
        clock::Clock,
        row::{Checkpoint, Holder},
        tenure::{Taken, take},
        unreliable::{Fate, Unreliable},
    },
    tasks::{self, Task},
};

const KEY: &str = "billing:orders:shardId-000000000000";
const TIMING: Timing = Timing {
    lease_duration: Duration::from_secs(10),
    heartbeat: Duration::from_secs(3),
};

struct Held {
    store: Unreliable,
    tenure: Arc<Tenure>,
    handle: RowHandle,
    lost: oneshot::Receiver<Lost>,
    requested: Arc<Notify>,
    writing: Task<()>,
}

fn holder(session: &str) -> Holder {
    Holder {
        owner_id: format!("owner-{session}"),
        session: session.into(),
        lease_duration: TIMING.lease_duration,
    }
}

async fn create(store: &Unreliable) -> LeaseRow {
    let row = LeaseRow {
        key: KEY.into(),
        shard_id: "shardId-000000000000".into(),
        parents: vec![],
        holder: None,
        wanted_by: None,
        counter: 0,
        checkpoint: None,
        generation: 0,
    };
    store
        .table
        .write(&LeaseWrite::Create(row.clone()))
        .await
        .expect("absent");
    row
}

async fn try_take(
    store: &Unreliable,
    seen: &LeaseRow,
    session: &str,
) -> Result<Option<Taken>, StoreError> {
    take_by_clock(store, &Clock::default(), seen, session).await
}

async fn take_by_clock(
    store: &Unreliable,
    clock: &Clock,
    seen: &LeaseRow,
    session: &str,
) -> Result<Option<Taken>, StoreError> {
    let store: Arc<dyn LeaseStore> = Arc::new(store.clone());
    take(&store, clock, seen, holder(session), TIMING, 0).await
}

async fn held(store: Unreliable) -> Held {
    held_by_clock(store, Clock::default()).await
}

async fn held_by_clock(store: Unreliable, clock: Clock) -> Held {
    let row = create(&store).await;
    let Taken {
        tenure,
        handle,
        writer,
        lost,
        ..
    } = take_by_clock(&store, &clock, &row, "a")
        .await
        .expect("answers")
        .expect("free");
    // Its reader waits for a handler.
    tenure.pulse().waits();
    Held {
        store,
        tenure,
        handle,
        lost,
        requested: Arc::clone(&writer.requested),
        writing: tasks::spawn(writer.run()),
    }
}

impl Held {
    fn row(&self) -> LeaseRow {
        self.store.table.rows().remove(0)
    }

    fn is_lost(&mut self) -> Option<Lost> {
        self.lost.try_recv().ok()
    }
}

/// Time passes in small steps, as it does for tasks that are polled in between.
async fn pass(time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        advance(Duration::from_millis(100)).await;
    }
}

fn after(sequence: &str) -> Checkpoint {
    Checkpoint::After(sequence.into())
}

#[tokio::test(start_paused = true)]
async fn a_checkpoint_rides_on_the_heartbeat_and_writes_do_not_grow_with_records() {
    let mut held = held(Unreliable::default()).await;
    for number in 0..100 {
        held.tenure
            .readings()
            .publish(0, (&*number.to_string()).into());
    }
    pass(Duration::from_secs(10)).await;
    assert_eq!(held.row().checkpoint, Some(after("99")));
    // Creation, take, and one beat every three seconds.
    assert_eq!(held.store.table.counts().writes, 2 + 3);
    assert_eq!(held.store.table.counts().checkpoints, 1);
    assert_eq!(held.is_lost(), None);
}

#[tokio::test(start_paused = true)]
async fn a_write_that_was_applied_without_an_answer_loses_no_lease() {
    let mut held = held(Unreliable::default()).await;
    held.tenure.readings().publish(0, "7".into());
    held.store
        .writes([Fate::AnswerLost, Fate::Fine, Fate::AnswerLost]);
    pass(Duration::from_secs(30)).await;
    assert_eq!(held.is_lost(), None);
    assert_eq!(held.row().checkpoint, Some(after("7")));
    assert!(held.tenure.deadline() > Instant::now());
}

#[tokio::test(start_paused = true)]
async fn what_only_a_re_read_confirmed_moves_no_deadline_and_the_next_answer_comes_soon() {
    let held = held(Unreliable::default()).await;
    let before = held.tenure.deadline();
    held.store.writes([Fate::AnswerLost]);
    pass(Duration::from_millis(3_300)).await;
    assert_eq!(
        held.row().counter,
        2,
        "the beat was applied, and a second try of it was not"
    );
    assert_eq!(held.tenure.deadline(), before);
    pass(Duration::from_millis(500)).await;
    assert_eq!(held.row().counter, 3, "it waits for no heartbeat");
    assert!(
        held.tenure.deadline() > before,
        "the next answered write moves it"
    );
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_another_took_is_lost_at_the_next_write() {
    let mut held = held(Unreliable::default()).await;
    let seen = held.row();
    try_take(&held.store, &seen, "b")
        .await
        .expect("answers")
        .expect("as seen");
    held.tenure.readings().publish(0, "9".into());
    pass(Duration::from_secs(4)).await;
    assert_eq!(
        held.is_lost(),
        Some(Lost::Taken {
            by: Some("owner-b".into())
        })
    );
    assert_eq!(
        held.row().checkpoint,
        None,
        "the loser's checkpoint is not written"
    );
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_another_took_while_an_answer_was_lost_is_lost() {
    let mut held = held(Unreliable::default()).await;
    held.store.writes([Fate::AnswerLost]);
    held.store.reads([Fate::Lost]);
    pass(Duration::from_millis(3_100)).await;
    let seen = held.row();
    assert_eq!(seen.counter, 2, "the beat was applied");
    try_take(&held.store, &seen, "b")
        .await
        .expect("answers")
        .expect("as seen");
    pass(Duration::from_millis(700)).await;
    let by = Some("owner-b".into());
    assert_eq!(held.is_lost(), Some(Lost::Taken { by }));
    assert_eq!(held.row().counter, 3, "and nothing more is written");
}

#[tokio::test(start_paused = true)]
async fn a_row_deleted_under_its_owner_is_a_lost_lease() {
    let mut held = held(Unreliable::default()).await;
    held.tenure.readings().publish(0, "7".into());
    pass(Duration::from_secs(4)).await;
    held.store.table.delete(KEY);
    pass(Duration::from_secs(4)).await;
    let Some(Lost::Deleted { last }) = held.is_lost() else {
        panic!("the row is gone");
    };
    assert_eq!(
        last.checkpoint,
        Some(after("7")),
        "as the last confirmed write left it"
    );
}

#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_answer_loses_the_lease_at_the_deadline_and_not_before() {
    for fates in [vec![Fate::Hangs], vec![Fate::Lost; 1000]] {
        let mut held = held(Unreliable::default()).await;
        held.store.writes(fates);
        pass(Duration::from_millis(7_800)).await;
        assert_eq!(held.is_lost(), None);
        pass(Duration::from_millis(400)).await;
        assert_eq!(held.is_lost(), Some(Lost::Deadline));
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_stumbles_for_a_moment_loses_nothing() {
    let mut held = held(Unreliable::default()).await;
    held.store.writes([Fate::Lost; 10]);
    held.store.reads([Fate::Lost; 2]);
    pass(Duration::from_secs(30)).await;
    assert_eq!(held.is_lost(), None);
}

#[tokio::test(start_paused = true)]
async fn the_lease_of_a_reader_that_reports_nothing_is_given_back() {
    let mut held = held(Unreliable::default()).await;
    held.tenure.readings().publish(0, "7".into());
    held.tenure
        .pulse()
        .until(Instant::now() + Duration::from_secs(20));
    pass(Duration::from_secs(29)).await;
    assert!(held.row().holder.is_some(), "silent for nine seconds");
    pass(Duration::from_secs(4)).await;
    assert_eq!(held.is_lost(), Some(Lost::Silent));
    let row = held.row();
    assert_eq!((row.holder, row.checkpoint), (None, Some(after("7"))));
    assert!(
        held.tenure.deadline() <= Instant::now(),
        "should it wake up, it begins nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn a_release_writes_the_last_checkpoint_and_frees_the_lease_at_once() {
    let held = held(Unreliable::default()).await;
    held.tenure.readings().publish(0, "7".into());
    assert!(held.handle.release().await);
    let row = held.row();
    assert_eq!(
        (row.holder, row.checkpoint, row.counter),
        (None, Some(after("7")), 2)
    );
    assert!(
        held.tenure.deadline() <= Instant::now(),
        "nothing begins any more"
    );
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_release_is_found_applied() {
    let held = held(Unreliable::default()).await;
    held.store.writes([Fate::AnswerLost]);
    assert!(held.handle.release().await);
    assert_eq!(held.row().holder, None);
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_end_is_found_applied() {
    let held = held(Unreliable::default()).await;
    held.store.writes([Fate::AnswerLost]);
    assert_eq!(held.handle.end(0).await, Said::Confirmed);
    assert_eq!(held.row().counter, 2, "once");
    assert!(held.row().is_finished() && held.row().holder.is_none());
}

#[tokio::test(start_paused = true)]
async fn an_end_finishes_the_row_and_frees_it() {
    let held = held(Unreliable::default()).await;
    held.tenure.readings().publish(0, "7".into());
    assert_eq!(held.handle.end(0).await, Said::Confirmed);
    assert!(held.row().is_finished() && held.row().holder.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_late_release_of_a_lost_lease_is_refused() {
    let held = held(Unreliable::default()).await;
    let seen = held.row();
    try_take(&held.store, &seen, "b")
        .await
        .expect("answers")
        .expect("as seen");
    assert!(!held.handle.release().await);
    assert_eq!(held.row().holder, Some(holder("b")));
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_take_works_only_after_an_answered_beat() {
    let store = Unreliable::default();
    let row = create(&store).await;
    store.writes([Fate::AnswerLost]);
    let taken = try_take(&store, &row, "a")
        .await
        .expect("answers")
        .expect("ours");
    assert_eq!(taken.row.counter, 2, "take and first beat");
    assert!(taken.tenure.deadline() > Instant::now());

    let store = Unreliable::default();
    let row = create(&store).await;
    store.writes([Fate::AnswerLost, Fate::Lost]);
    assert!(
        try_take(&store, &row, "a").await.is_err(),
        "not known to be ours for long enough to work"
    );
}

#[tokio::test(start_paused = true)]
async fn of_two_takers_one_works() {
    let store = Unreliable::default();
    let row = create(&store).await;
    assert!(
        try_take(&store, &row, "a")
            .await
            .expect("answers")
            .is_some()
    );
    assert!(
        try_take(&store, &row, "b")
            .await
            .expect("answers")
            .is_none()
    );
}

mod last_words;
mod rewinds;
mod suspended;
