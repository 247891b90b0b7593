//! The lease table, cell by cell: what a write needs, what it does, how its lost answer is recognised, and what a crash right after it
//! leaves to others.

use tokio::time::Instant;

use super::*;
use crate::leases::liveness::{Liveness, Observations};

const KEY: &str = "billing:orders:shardId-000000000000";
const LEASE: Duration = Duration::from_secs(10);

/// Nobody's.
fn row() -> LeaseRow {
    LeaseRow {
        key: KEY.into(),
        shard_id: "shardId-000000000000".into(),
        parents: vec![],
        holder: None,
        wanted_by: None,
        counter: 4,
        checkpoint: Some(after("6")),
        generation: 1,
    }
}

fn held_by(session: &str) -> LeaseRow {
    LeaseRow {
        holder: Some(holder(session)),
        ..row()
    }
}

fn holder(session: &str) -> Holder {
    Holder {
        owner_id: format!("host-{session}"),
        session: session.into(),
        lease_duration: LEASE,
    }
}

fn wanted(session: &str) -> Wanted {
    Wanted {
        owner_id: format!("host-{session}"),
        session: session.into(),
    }
}

fn after(sequence: &str) -> Checkpoint {
    Checkpoint::After(sequence.into())
}

fn reached(sequence: &str) -> Progress {
    Progress {
        generation: 1,
        checkpoint: Some(after(sequence)),
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

/// The owner's mark at the row of these tests.
fn held(session: &str) -> Held {
    Held {
        key: KEY.into(),
        session: session.into(),
        counter: 4,
    }
}

fn beat(progress: Option<Progress>) -> LeaseWrite {
    LeaseWrite::Beat {
        held: held("a"),
        lease_duration: LEASE,
        progress,
        answer: Answer::Open,
    }
}

fn with(base: &LeaseRow, change: impl FnOnce(&mut LeaseRow)) -> LeaseRow {
    let mut row = base.clone();
    change(&mut row);
    row
}

/// Rows that an owner's write of session `a` and counter 4 must not touch.
fn not_as_the_owner_left_it() -> [LeaseRow; 4] {
    [
        with(&held_by("a"), |row| row.counter = 6),
        with(&held_by("a"), |row| row.counter = 3),
        held_by("b"),
        row(),
    ]
}

/// What a write does to the row that it needs; it refuses the others, and no row.
fn applied(write: &LeaseWrite, needs: &LeaseRow, refuses: &[LeaseRow]) -> LeaseRow {
    for other in refuses {
        assert_eq!(write.apply(Some(other)), Err(Refused), "{write:?}");
        assert!(!write.stands_in(Some(other)), "{write:?} in {other:?}");
    }
    assert_eq!(write.apply(None), Err(Refused));
    assert!(!write.stands_in(None));
    assert!(
        !write.stands_in(Some(needs)),
        "not applied yet: {write:?} in {needs:?}"
    );
    let after = write
        .apply(Some(needs))
        .expect("the row that it needs")
        .expect("a row");
    assert!(write.stands_in(Some(&after)), "a lost answer is found");
    assert_eq!(
        write.apply(Some(&after)),
        Err(Refused),
        "a retry does not apply twice"
    );
    after
}

/// Nobody takes a lost answer for his own when one attribute that he set or removed is another's.
fn not_ours(write: &LeaseWrite, after: &LeaseRow, changes: &[fn(&mut LeaseRow)]) {
    for change in changes {
        let other = with(after, change);
        assert!(!write.stands_in(Some(&other)), "{write:?} in {other:?}");
    }
}

fn liveness_after(row: &LeaseRow, wait: Duration) -> Liveness {
    let mut seen = Observations::default();
    let now = Instant::now();
    seen.observe(row, now, now, LEASE);
    seen.observe(row, now + wait, now + wait, LEASE)
}

#[test]
fn create_needs_no_row_and_is_done_once() {
    let create = LeaseWrite::Create(row());
    assert_eq!(create.apply(None), Ok(Some(row())));
    assert_eq!(create.apply(Some(&row())), Err(Refused));
    assert!(create.stands_in(Some(&row())));
    let another = with(&row(), |row| row.checkpoint = None);
    assert!(!create.stands_in(Some(&another)), "another's creation");
    assert!(!create.stands_in(None));
    // A crash right after it leaves a free row: the next round goes on.
    assert_eq!(liveness_after(&row(), Duration::ZERO), Liveness::Free);
}

#[test]
fn take_needs_counter_and_session_as_seen_and_leaves_nobody_who_wants_it() {
    for seen in [row(), held_by("dead")] {
        let asked = with(&seen, |row| row.wanted_by = Some(wanted("c")));
        let write = take(&seen, "a");
        let refuses = [
            with(&seen, |row| row.counter += 1),
            with(&seen, |row| row.holder = Some(holder("b"))),
        ];
        let after = applied(&write, &asked, &refuses);
        assert_eq!(
            after,
            with(&seen, |row| {
                row.holder = Some(holder("a"));
                row.counter = 5;
            }),
            "and touches no checkpoint"
        );
        not_ours(
            &write,
            &after,
            &[
                |row| row.holder = Some(holder("b")),
                |row| row.holder = None,
                |row| row.counter = 6,
                |row| row.wanted_by = Some(wanted("c")),
            ],
        );
        // A crash right after it: dead after the lease duration, and not before.
        let almost = LEASE.saturating_sub(Duration::from_millis(1));
        assert_eq!(liveness_after(&after, almost), Liveness::Watched);
        assert_eq!(liveness_after(&after, LEASE), Liveness::Dead);
        assert_eq!(
            take(&seen, "b").apply(Some(&after)),
            Err(Refused),
            "of two takers who saw the same row one wins"
        );
    }
}

#[test]
fn beat_needs_session_and_counter_and_writes_a_checkpoint_with_its_generation() {
    let write = beat(Some(reached("7")));
    let after = applied(&write, &held_by("a"), &not_as_the_owner_left_it());
    assert_eq!(
        after,
        with(&held_by("a"), |row| {
            row.counter = 5;
            row.checkpoint = Some(self::after("7"));
        })
    );
    not_ours(
        &write,
        &after,
        &[
            |row| row.holder = Some(holder("b")),
            |row| row.counter = 6,
            |row| row.checkpoint = Some(self::after("6")),
            |row| row.generation = 2,
        ],
    );
    // A crash right after it: the next owner resumes after the stored checkpoint.
    let next = take(&after, "b").apply(Some(&after)).expect("as seen");
    assert_eq!(next.expect("a row").checkpoint, Some(self::after("7")));
}

#[test]
fn beat_without_news_keeps_what_stands_and_who_wants_it_and_stores_the_owners_lease_duration() {
    let granted = with(&held_by("a"), |row| {
        row.wanted_by = Some(wanted("c"));
        row.holder.as_mut().expect("held").lease_duration = LEASE * 3;
    });
    let write = beat(None);
    let after = applied(&write, &granted, &not_as_the_owner_left_it());
    assert_eq!(
        after,
        with(&granted, |row| {
            row.counter = 5;
            row.holder = Some(holder("a"));
        })
    );
    not_ours(
        &write,
        &after,
        &[|row| {
            row.holder.as_mut().expect("held").lease_duration = LEASE * 3;
        }],
    );
}

#[test]
fn beat_that_adopts_a_generation_takes_the_checkpoint_of_the_old_one_away() {
    for old in [Some(after("6")), Some(Checkpoint::ShardEnd), None] {
        let before = with(&held_by("a"), |row| row.checkpoint = old);
        let write = beat(Some(Progress {
            generation: 2,
            checkpoint: None,
        }));
        let after = applied(&write, &before, &not_as_the_owner_left_it());
        assert_eq!((after.generation, after.checkpoint), (2, None));
    }
}

#[test]
fn request_needs_the_owner_as_seen_and_nobody_who_asked_and_touches_no_counter() {
    let write = LeaseWrite::Request {
        key: KEY.into(),
        seen_session: "a".into(),
        wanted: wanted("b"),
    };
    let refuses = [
        held_by("c"),
        row(),
        with(&held_by("a"), |row| row.wanted_by = Some(wanted("c"))),
    ];
    let after = applied(&write, &held_by("a"), &refuses);
    assert_eq!(
        after,
        with(&held_by("a"), |row| row.wanted_by = Some(wanted("b")))
    );
    not_ours(
        &write,
        &after,
        &[
            |row| row.wanted_by = None,
            |row| {
                row.wanted_by = Some(Wanted {
                    owner_id: "host-b".into(),
                    session: "another start".into(),
                });
            },
        ],
    );
    // The owner's next write fits, and its answer shows him who asks; if he died, the ordinary rule takes the lease.
    let beaten = beat(None)
        .apply(Some(&after))
        .expect("his counter")
        .expect("a row");
    assert_eq!(beaten.wanted_by, Some(wanted("b")));
    assert_eq!(liveness_after(&after, LEASE), Liveness::Dead);
}

#[test]
fn withdraw_needs_ones_own_request_and_touches_nothing_else() {
    let asked = with(&held_by("a"), |row| row.wanted_by = Some(wanted("b")));
    let withdraw = |session: &str| LeaseWrite::Withdraw {
        key: KEY.into(),
        session: session.into(),
    };
    let write = withdraw("b");
    assert!(!write.stands_in(Some(&asked)));
    assert_eq!(write.apply(Some(&asked)), Ok(Some(held_by("a"))));
    assert!(write.stands_in(Some(&held_by("a"))));
    for other in [row(), held_by("a"), held_by("b")] {
        assert_eq!(write.apply(Some(&other)), Err(Refused), "it was answered");
    }
    assert_eq!(withdraw("c").apply(Some(&asked)), Err(Refused));
    assert_eq!(write.apply(None), Err(Refused));
    // The owner's next write fits; a crash in the middle leaves the request, and the ordinary rule.
    let beaten = beat(None).apply(Some(&held_by("a"))).expect("his counter");
    assert_eq!(beaten.expect("a row").wanted_by, None);
}

#[test]
fn grant_needs_session_and_counter_and_makes_the_lease_the_others() {
    let asked = with(&held_by("a"), |row| row.wanted_by = Some(wanted("b")));
    let write = LeaseWrite::Grant {
        held: held("a"),
        to: wanted("b"),
        progress: Some(reached("9")),
    };
    let after = applied(&write, &asked, &not_as_the_owner_left_it());
    assert_eq!(
        after,
        with(&held_by("b"), |row| {
            row.counter = 5;
            row.checkpoint = Some(self::after("9"));
        })
    );
    not_ours(
        &write,
        &after,
        &[
            |row| row.holder = Some(holder("a")),
            |row| row.holder = None,
            |row| row.wanted_by = Some(wanted("b")),
            |row| row.counter = 6,
            |row| row.checkpoint = Some(self::after("6")),
            |row| row.generation = 0,
        ],
    );
    // A crash of the old owner changes nothing: the new one works after a first beat of his own, and fences the old one's late writes.
    let first = LeaseWrite::Beat {
        held: Held {
            counter: 5,
            ..held("b")
        },
        lease_duration: LEASE,
        progress: None,
        answer: Answer::Open,
    };
    let worked = first.apply(Some(&after)).expect("his").expect("a row");
    assert_eq!(beat(Some(reached("8"))).apply(Some(&worked)), Err(Refused));
    // A crash of the new one: the ordinary rule.
    assert_eq!(liveness_after(&after, LEASE), Liveness::Dead);
}

#[test]
fn release_needs_session_and_counter_and_leaves_neither_owner_nor_session() {
    let write = LeaseWrite::Release {
        held: held("a"),
        progress: Some(reached("9")),
    };
    let after = applied(&write, &held_by("a"), &not_as_the_owner_left_it());
    assert_eq!(
        after,
        with(&row(), |row| {
            row.counter = 5;
            row.checkpoint = Some(self::after("9"));
        })
    );
    not_ours(
        &write,
        &after,
        &[
            |row| row.holder = Some(holder("a")),
            |row| row.holder = Some(holder("b")),
            |row| row.counter = 6,
            |row| row.checkpoint = Some(self::after("6")),
            |row| row.generation = 0,
        ],
    );
    // A crash right after it: free at once; and a late release touches nobody's lease.
    assert_eq!(liveness_after(&after, Duration::ZERO), Liveness::Free);
    let next = take(&after, "b").apply(Some(&after)).expect("free");
    assert_eq!(write.apply(next.as_ref()), Err(Refused));
}

#[test]
fn release_without_news_keeps_the_checkpoint() {
    let write = LeaseWrite::Release {
        held: held("a"),
        progress: None,
    };
    let after = applied(&write, &held_by("a"), &not_as_the_owner_left_it());
    assert_eq!(after.checkpoint, Some(self::after("6")));
}

#[test]
fn end_needs_session_and_counter_and_is_finished_in_its_generation_alone() {
    let write = LeaseWrite::End {
        held: held("a"),
        generation: 2,
    };
    let after = applied(&write, &held_by("a"), &not_as_the_owner_left_it());
    assert_eq!(
        after,
        with(&row(), |row| {
            row.counter = 5;
            row.checkpoint = Some(Checkpoint::ShardEnd);
            row.generation = 2;
        })
    );
    assert!(after.is_finished_in(2) && !after.is_finished_in(3));
    not_ours(
        &write,
        &after,
        &[
            |row| row.holder = Some(holder("a")),
            |row| row.counter = 6,
            |row| row.checkpoint = None,
            |row| row.generation = 3,
        ],
    );
    // A crash right after it: nobody reads it again in its generation; in a later one it is free.
    assert_eq!(liveness_after(&after, Duration::ZERO), Liveness::Free);
}

#[test]
fn delete_needs_a_finished_row_without_an_owner_as_it_was_seen() {
    let write = LeaseWrite::Delete {
        key: KEY.into(),
        seen_counter: 4,
    };
    let finished = with(&row(), |row| row.checkpoint = Some(Checkpoint::ShardEnd));
    assert_eq!(write.apply(Some(&finished)), Ok(None));
    assert!(write.stands_in(None) && !write.stands_in(Some(&finished)));
    for other in [
        row(),
        with(&finished, |row| row.counter = 5),
        with(&finished, |row| row.holder = Some(holder("a"))),
    ] {
        assert_eq!(write.apply(Some(&other)), Err(Refused));
    }
    assert_eq!(write.apply(None), Err(Refused));
}

#[test]
fn a_refusing_beat_takes_the_request_away_and_is_known_again_when_another_has_asked() {
    let asked = with(&held_by("a"), |row| row.wanted_by = Some(wanted("b")));
    let open = beat(None).apply(Some(&asked)).expect("his").expect("a row");
    assert_eq!(open.wanted_by, Some(wanted("b")), "a beat leaves it");
    let mut refusing = beat(None);
    if let LeaseWrite::Beat { answer, .. } = &mut refusing {
        *answer = Answer::Refused;
    }
    let after = refusing.apply(Some(&asked)).expect("his").expect("a row");
    assert_eq!((&after.wanted_by, after.counter), (&None, 5));
    assert_eq!(after.session(), Some("a"));
    let request = LeaseWrite::Request {
        key: KEY.into(),
        seen_session: "a".into(),
        wanted: wanted("c"),
    };
    let again = request
        .apply(Some(&after))
        .expect("nobody asks")
        .expect("a row");
    assert!(refusing.stands_in(Some(&after)) && refusing.stands_in(Some(&again)));
    assert!(!refusing.stands_in(Some(&asked)));
}
