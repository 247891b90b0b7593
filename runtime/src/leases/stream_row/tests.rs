//! The cells of the stream's row.

use super::*;

fn row() -> StreamRow {
    StreamRow {
        key: stream_key("billing", "orders"),
        created_millis: 7,
        start: StoredStart::At { millis: 5 },
        generation: 3,
        position: None,
        bell: 9,
    }
}

#[test]
fn seek_needs_the_generation_as_seen_and_moves_it_with_its_position_and_the_bell() {
    let seek = StreamWrite::Seek {
        key: row().key,
        seen_generation: 3,
        position: StoredStart::TrimHorizon,
    };
    let after = seek.apply(Some(&row())).expect("as seen");
    assert_eq!(
        after,
        StreamRow {
            generation: 4,
            position: Some(StoredStart::TrimHorizon),
            bell: 10,
            ..row()
        }
    );
    assert_eq!(
        (row().begins_at(), after.begins_at()),
        (StoredStart::At { millis: 5 }, StoredStart::TrimHorizon)
    );
    assert_eq!(seek.apply(Some(&after)), Err(Refused), "not twice");
    assert_eq!(seek.apply(None), Err(Refused));
    assert!(seek.stands_in(&after) && !seek.stands_in(&row()));
    for other in [
        StreamRow {
            position: Some(StoredStart::At { millis: 1 }),
            ..after.clone()
        },
        StreamRow {
            generation: 5,
            ..after.clone()
        },
    ] {
        assert!(!seek.stands_in(&other), "another's seek: {other:?}");
    }
}

#[test]
fn restart_needs_the_generation_as_seen_and_makes_the_row_another_streams() {
    let restart = StreamWrite::Restart {
        key: row().key,
        seen_generation: 3,
        created_millis: 70,
        start: StoredStart::TrimHorizon,
    };
    let sought = StreamRow {
        position: Some(StoredStart::At { millis: 1 }),
        ..row()
    };
    let after = restart.apply(Some(&sought)).expect("as seen");
    assert_eq!(
        after,
        StreamRow {
            created_millis: 70,
            start: StoredStart::TrimHorizon,
            generation: 4,
            position: None,
            bell: 10,
            ..row()
        }
    );
    assert_eq!(after.begins_at(), StoredStart::TrimHorizon);
    assert_eq!(restart.apply(Some(&after)), Err(Refused), "not twice");
    assert!(restart.stands_in(&after) && !restart.stands_in(&sought));
    for other in [
        StreamRow {
            created_millis: 7,
            ..after.clone()
        },
        StreamRow {
            start: StoredStart::At { millis: 1 },
            ..after.clone()
        },
        StreamRow {
            position: Some(StoredStart::TrimHorizon),
            ..after.clone()
        },
    ] {
        assert!(!restart.stands_in(&other), "another's: {other:?}");
    }
}

#[test]
fn a_ring_needs_a_row_and_moves_nothing_but_the_bell() {
    let ring = StreamWrite::Ring { key: row().key };
    let after = ring.apply(Some(&row())).expect("there is a row");
    assert_eq!(after, StreamRow { bell: 10, ..row() });
    assert!(ring.apply(Some(&after)).is_ok(), "as often as one likes");
    assert_eq!(ring.apply(None), Err(Refused));
    assert!(!ring.stands_in(&after), "anybody may have rung");
}

#[test]
fn lift_needs_the_generation_as_seen_and_moves_it_as_far_as_it_is_told() {
    let lift = StreamWrite::Lift {
        key: row().key,
        seen_generation: 3,
        generation: 8,
        created_millis: 70,
        position: StoredStart::At { millis: 4 },
    };
    let after = lift.apply(Some(&row())).expect("as seen");
    assert_eq!(
        after,
        StreamRow {
            created_millis: 70,
            generation: 8,
            position: Some(StoredStart::At { millis: 4 }),
            bell: 10,
            ..row()
        }
    );
    assert_eq!(lift.apply(Some(&after)), Err(Refused), "not twice");
    assert!(lift.stands_in(&after) && !lift.stands_in(&row()));
    for other in [
        StreamRow {
            generation: 4,
            ..after.clone()
        },
        StreamRow {
            position: Some(StoredStart::At { millis: 5 }),
            ..after.clone()
        },
        StreamRow {
            created_millis: 7,
            ..after.clone()
        },
    ] {
        assert!(!lift.stands_in(&other), "another's: {other:?}");
    }
}
