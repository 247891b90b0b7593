use super::*;

const KEY: &str = "billing:orders:shardId-000000000000";

fn row() -> LeaseRow {
    LeaseRow {
        key: KEY.into(),
        shard_id: "shardId-000000000000".into(),
        parents: vec![],
        holder: None,
        counter: 0,
        checkpoint: None,
        generation: 0,
    }
}

fn holder(session: &str) -> Holder {
    Holder {
        owner_id: "host-1".into(),
        session: session.into(),
        lease_duration: Duration::from_secs(10),
    }
}

fn take(seen: &LeaseRow, session: &str) -> LeaseWrite {
    LeaseWrite::Take {
        key: KEY.into(),
        seen_session: seen.session().map(Into::into),
        seen_counter: seen.counter,
        holder: holder(session),
    }
}

fn held(session: &str, counter: u64) -> Held {
    Held {
        key: KEY.into(),
        session: session.into(),
        counter,
    }
}

fn after(sequence: &str) -> Checkpoint {
    Checkpoint::After(sequence.into())
}

#[test]
fn a_row_is_created_once() {
    let create = LeaseWrite::Create(row());
    assert_eq!(create.apply(None), Ok(Some(row())));
    assert_eq!(create.apply(Some(&row())), Err(Refused));
}

#[test]
fn of_two_takers_who_saw_the_same_row_one_wins() {
    let seen = row();
    let taken = take(&seen, "a")
        .apply(Some(&seen))
        .expect("free")
        .expect("a row");
    assert_eq!((taken.counter, taken.session()), (1, Some("a")));
    assert_eq!(take(&seen, "b").apply(Some(&taken)), Err(Refused));
}

#[test]
fn only_the_session_that_holds_the_lease_writes_and_the_counter_fences_its_older_writes() {
    let taken = take(&row(), "a")
        .apply(Some(&row()))
        .expect("free")
        .expect("a row");
    let beat = LeaseWrite::Beat {
        held: held("a", 1),
        checkpoint: Some(after("7")),
    };
    let beaten = beat.apply(Some(&taken)).expect("held").expect("a row");
    assert_eq!(
        (beaten.counter, beaten.checkpoint.clone()),
        (2, Some(after("7")))
    );
    assert_eq!(
        beat.apply(Some(&beaten)),
        Err(Refused),
        "the same write does not apply twice"
    );
    assert_eq!(
        LeaseWrite::Beat {
            held: held("b", 2),
            checkpoint: None
        }
        .apply(Some(&beaten)),
        Err(Refused)
    );
    let stolen = take(&beaten, "b")
        .apply(Some(&beaten))
        .expect("as seen")
        .expect("a row");
    let late = LeaseWrite::Release {
        held: held("a", 2),
        checkpoint: Some(after("9")),
    };
    assert_eq!(
        late.apply(Some(&stolen)),
        Err(Refused),
        "a late release is refused"
    );
}

#[test]
fn a_beat_without_a_checkpoint_keeps_the_one_that_stands() {
    let taken = LeaseRow {
        holder: Some(holder("a")),
        counter: 4,
        checkpoint: Some(after("7")),
        ..row()
    };
    let beaten = LeaseWrite::Beat {
        held: held("a", 4),
        checkpoint: None,
    }
    .apply(Some(&taken))
    .expect("held")
    .expect("a row");
    assert_eq!(beaten.checkpoint, Some(after("7")));
}

#[test]
fn a_lost_answer_counts_as_applied_only_if_everything_it_set_stands_there() {
    let before = LeaseRow {
        holder: Some(holder("a")),
        counter: 4,
        ..row()
    };
    let beat = LeaseWrite::Beat {
        held: held("a", 4),
        checkpoint: Some(after("7")),
    };
    let applied = beat.apply(Some(&before)).expect("held").expect("a row");
    assert!(beat.stands_in(Some(&applied)));
    assert!(!beat.stands_in(Some(&before)));
    assert!(
        !beat.stands_in(Some(&LeaseRow {
            checkpoint: Some(after("6")),
            ..applied.clone()
        })),
        "another checkpoint"
    );
    assert!(
        !beat.stands_in(Some(&LeaseRow {
            holder: Some(holder("b")),
            ..applied.clone()
        })),
        "another owner"
    );
    let release = LeaseWrite::Release {
        held: held("a", 5),
        checkpoint: None,
    };
    let released = release.apply(Some(&applied)).expect("held").expect("a row");
    assert!(release.stands_in(Some(&released)));
    assert!(!release.stands_in(Some(&applied)));
    let end = LeaseWrite::End { held: held("a", 5) };
    let ended = end.apply(Some(&applied)).expect("held").expect("a row");
    assert!(end.stands_in(Some(&ended)) && ended.holder.is_none());
    assert!(
        take(&released, "c").stands_in(
            take(&released, "c")
                .apply(Some(&released))
                .expect("free")
                .as_ref()
        )
    );
}

#[test]
fn only_a_finished_row_that_nobody_touched_is_deleted() {
    let delete = LeaseWrite::Delete {
        key: KEY.into(),
        seen_counter: 3,
    };
    let finished = LeaseRow {
        counter: 3,
        checkpoint: Some(Checkpoint::ShardEnd),
        ..row()
    };
    assert_eq!(delete.apply(Some(&finished)), Ok(None));
    assert_eq!(
        delete.apply(Some(&LeaseRow {
            counter: 4,
            ..finished.clone()
        })),
        Err(Refused)
    );
    assert_eq!(
        delete.apply(Some(&LeaseRow {
            checkpoint: None,
            ..finished
        })),
        Err(Refused)
    );
    assert!(delete.stands_in(None));
}
