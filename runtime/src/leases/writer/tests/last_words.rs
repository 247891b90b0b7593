//! Writes whose answer is lost or late: what the sender may still do, and who takes up what he left.

use futures_util::FutureExt;

use super::*;
use crate::leases::row::Wanted;

fn wanted(session: &str) -> Wanted {
    Wanted {
        owner_id: format!("owner-{session}"),
        session: session.into(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_grant_writes_the_last_checkpoint_and_the_new_owner_works_after_a_first_beat_of_his_own()
{
    for fates in [vec![], vec![Fate::AnswerLost], vec![Fate::Lost]] {
        let held = held(Unreliable::default()).await;
        held.tenure.readings().publish(0, "7".into());
        held.store.writes(fates);
        assert!(held.handle.grant(wanted("b")).await);
        assert!(held.tenure.is_over(), "nothing begins any more");
        let granted = held.row();
        assert_eq!(
            (granted.session(), &granted.checkpoint, granted.counter),
            (Some("b"), &Some(after("7")), 2)
        );
        let taken = try_take(&held.store, &granted, "b")
            .await
            .expect("answers")
            .expect("his");
        assert_eq!(taken.row.counter, 3);
        assert!(!taken.tenure.is_over());
    }
}

#[tokio::test(start_paused = true)]
async fn a_row_with_this_processs_session_is_taken_up_by_a_first_beat_and_who_wants_it_still_does()
{
    let store = Unreliable::default();
    let row = create(&store).await;
    // The take reached the table, and neither it nor its re-read was answered.
    store.writes([Fate::AnswerLost]);
    store.reads([Fate::Lost]);
    assert!(try_take(&store, &row, "a").await.is_err());
    let request = LeaseWrite::Request {
        key: KEY.into(),
        seen_session: "a".into(),
        wanted: wanted("b"),
    };
    let seen = store
        .table
        .write(&request)
        .await
        .expect("nobody asked")
        .expect("a row");
    let taken = try_take(&store, &seen, "a")
        .await
        .expect("answers")
        .expect("ours");
    assert_eq!(
        (taken.row.counter, taken.row.wanted_by),
        (seen.counter + 1, Some(wanted("b")))
    );
}

#[tokio::test(start_paused = true)]
async fn a_late_take_of_a_lost_try_fits_no_row_that_was_written_since() {
    let store = Unreliable::default();
    let row = create(&store).await;
    // The first try is on its way for long, and everything after it is faster.
    let late = LeaseWrite::Take {
        key: KEY.into(),
        seen_session: None,
        seen_counter: 0,
        holder: holder("a"),
    };
    store.writes([Fate::Lost]);
    assert!(
        try_take(&store, &row, "a").await.is_err(),
        "the row is as it was, and the write may still arrive"
    );
    let other = try_take(&store, &row, "b").await.expect("answers");
    assert!(other.is_some());
    assert!(matches!(
        store.table.write(&late).await,
        Err(StoreError::Refused)
    ));
}

#[tokio::test(start_paused = true)]
async fn once_a_last_write_was_sent_nothing_begins_not_even_after_a_lost_answer() {
    for order in ["release", "end", "grant"] {
        let held = held(Unreliable::default()).await;
        held.store.writes([Fate::Hangs]);
        let (handle, tenure) = (held.handle, Arc::clone(&held.tenure));
        let last = tasks::spawn(async move {
            match order {
                "release" => handle.release().await,
                "end" => handle.end(0).await == Said::Confirmed,
                _ => handle.grant(wanted("b")).await,
            }
        });
        for _ in 0..100 {
            advance(Duration::from_millis(100)).await;
            assert!(tenure.is_over(), "{order}");
        }
        assert!(!last.await.expect("no panic"), "{order} is not confirmed");
        assert!(tenure.is_over(), "{order}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_shows_in_the_answer_to_the_owners_next_write_and_is_told_once() {
    let held = held(Unreliable::default()).await;
    let request = LeaseWrite::Request {
        key: KEY.into(),
        seen_session: "a".into(),
        wanted: wanted("b"),
    };
    let asked = held.store.table.write(&request).await;
    asked.expect("nobody asked").expect("a row");
    let told = || held.requested.notified().now_or_never().is_some();
    assert!(!told());
    pass(TIMING.heartbeat * 2).await;
    assert!(told());
    pass(TIMING.heartbeat * 2).await;
    assert!(!told(), "once");
}

#[tokio::test(start_paused = true)]
async fn an_end_that_is_tried_again_repeats_its_own_generation_whatever_was_adopted_since() {
    let held = held(Unreliable::default()).await;
    held.store.writes([Fate::Lost]);
    let handle = held.handle;
    let ended = tasks::spawn(async move { handle.end(0).await });
    while !held.tenure.is_over() {
        advance(Duration::from_millis(10)).await;
    }
    assert_eq!(held.store.table.rows()[0].checkpoint, None, "it was lost");
    held.tenure.readings().adopt(1);
    assert_eq!(ended.await.expect("no panic"), Said::Confirmed);
    let row = held.store.table.rows().remove(0);
    assert_eq!(
        (row.generation, row.checkpoint),
        (0, Some(Checkpoint::ShardEnd)),
        "a shard of generation 1 is not finished by it"
    );
}
