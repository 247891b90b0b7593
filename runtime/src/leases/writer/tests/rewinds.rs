//! A row that is moved to a record while it is held.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_rewind_is_a_write_of_its_own_and_is_answered_when_it_stands_and_the_reader_is_told() {
    let held = held(Unreliable::default()).await;
    held.tenure.readings().publish(0, "7".into());
    let line = held.handle.line();
    let rewound = line.rewind(0, "3", "iterator".into()).await;
    assert!(matches!(rewound, Rewound::Confirmed));
    let row = held.row();
    assert_eq!(
        (row.checkpoint, row.counter),
        (Some(Checkpoint::At("3".into())), 2)
    );
    let told = std::future::poll_fn(|cx| held.tenure.readings().poll_told(cx)).await;
    let expected = Turn::Rewound {
        reading: 1,
        sequence: "3".into(),
        iterator: "iterator".into(),
    };
    assert_eq!(told, expected);
    // What settles of the reading before is written no more.
    held.tenure.readings().publish(0, "8".into());
    pass(TIMING.heartbeat * 2).await;
    assert_eq!(held.row().checkpoint, Some(Checkpoint::At("3".into())));
    held.tenure.readings().publish(1, "3".into());
    pass(TIMING.heartbeat * 2).await;
    assert_eq!(held.row().checkpoint, Some(after("3")));
}

#[tokio::test(start_paused = true)]
async fn a_rewind_whose_answer_is_lost_is_confirmed_by_what_stands() {
    let held = held(Unreliable::default()).await;
    held.store.writes([Fate::AnswerLost]);
    let rewound = held.handle.line().rewind(0, "3", "i".into()).await;
    assert!(matches!(rewound, Rewound::Confirmed));
    assert_eq!(held.row().checkpoint, Some(Checkpoint::At("3".into())));
}

#[tokio::test(start_paused = true)]
async fn a_rewind_that_is_never_answered_costs_the_lease_and_is_neither_failed_nor_done() {
    let mut held = held(Unreliable::default()).await;
    held.store.writes([Fate::Hangs]);
    let rewound = held.handle.line().rewind(0, "3", "i".into()).await;
    assert!(matches!(rewound, Rewound::Unconfirmed(_)));
    assert_eq!(held.is_lost(), Some(Lost::Deadline));
}

#[tokio::test(start_paused = true)]
async fn a_rewind_that_is_under_way_when_the_reader_ends_is_neither_failed_nor_done() {
    let held = held(Unreliable::default()).await;
    held.store.writes([Fate::Hangs]);
    let line = held.handle.line();
    let rewinding = line.rewind(0, "3", "i".into());
    let ending = async {
        pass(TIMING.heartbeat / 2).await;
        drop(held.writing);
    };
    let (rewound, ()) = tokio::join!(rewinding, ending);
    assert!(matches!(rewound, Rewound::Unconfirmed(_)), "{rewound:?}");
}

#[tokio::test(start_paused = true)]
async fn an_end_of_what_was_read_before_a_rewind_is_withdrawn_and_the_lease_is_still_held() {
    let held = held(Unreliable::default()).await;
    held.handle.line().rewind(0, "3", "i".into()).await;
    assert_eq!(held.handle.end(0).await, Said::Withdrawn);
    assert_eq!(held.row().checkpoint, Some(Checkpoint::At("3".into())));
    assert!(!held.tenure.is_over());
    assert!(held.handle.release().await);
    let row = held.row();
    assert_eq!(
        (row.checkpoint, row.holder),
        (Some(Checkpoint::At("3".into())), None)
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_is_rewound_in_another_generation_nor_when_the_reader_is_gone() {
    let held = held(Unreliable::default()).await;
    let line = held.handle.line();
    assert!(matches!(
        line.rewind(1, "3", "i".into()).await,
        Rewound::Refused
    ));
    assert_eq!(held.row().checkpoint, None);
    assert!(held.handle.release().await);
    assert!(matches!(
        line.rewind(0, "3", "i".into()).await,
        Rewound::Refused
    ));
    assert_eq!(held.row().checkpoint, None);
}
