//! Bugs that the simulation plants to show that it would find them. Without the feature `simulation` no bug can be planted, and the
//! questions are constants.
#![cfg_attr(
    not(feature = "simulation"),
    expect(
        unreachable_pub,
        reason = "the simulation is told of bugs, and nobody else"
    )
)]

/// A bug that breaks a rule of the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bug {
    /// A heartbeat waits until no handler of its shard runs.
    HeartbeatBehindHandler,
    /// A checkpoint is written whatever the counter says.
    #[cfg_attr(
        not(any(feature = "dynamodb", feature = "simulation")),
        expect(dead_code, reason = "it is planted in the store of that feature")
    )]
    CheckpointWithoutCounter,
    /// A re-read takes another session's write for its own.
    RereadWithoutSession,
    /// The deadline runs from the answer of a write.
    DeadlineFromAnswer,
    /// A shard is finished while handlers of it run.
    EndBeforeSettlement,
    /// Children start before the parent's end is confirmed.
    ChildrenBeforeConfirmation,
    /// A child starts when one of its parents is finished.
    ChildBeforeSecondParent,
    /// Each instance goes by its own `latest`.
    LatestPerInstance,
    /// An expired iterator is replaced by one at the checkpoint.
    IteratorFromCheckpoint,
    /// What settles after the lease was lost is written all the same.
    SettlementAfterLoss,
    /// A write that only a re-read confirmed moves the deadline.
    DeadlineFromReread,
    /// Lanes do not look at the deadline.
    NoDeadline,
    /// A shard is finished before its children have rows.
    EndWithoutChildren,
    /// A take that is never answered is tried again and again, and keeps its row alive.
    NoDoubt,
    /// A record that its handler skips is not told of.
    SilentSkip,
    /// A lease is granted while handlers of its shard run.
    GrantBeforeHandlersEnd,
    /// Who was granted a lease works without a beat of his own.
    NoFirstBeat,
    /// A record that its handler holds is settled.
    HoldSettles,
    /// The deadline goes by the monotonic clock, which stands still in a suspended machine.
    MonotonicClockOnly,
    /// A beat that adopts a generation keeps the checkpoint of the one before.
    #[cfg_attr(
        not(any(feature = "dynamodb", feature = "simulation")),
        expect(dead_code, reason = "it is planted in the store of that feature")
    )]
    AdoptionKeepsCheckpoint,
    /// What settled before a seek is written as if it had settled after it.
    SeekWithoutGeneration,
    /// A reader begins at a checkpoint of an older generation.
    OldPosition,
    /// Rows that are created in a later generation count from the beginning.
    CountersFromZero,
    /// What an older generation left of a shard that is gone is finished in the one that is known.
    BurialInLatest,
    /// A shard that is gone is told of to nobody.
    SilentLoss,
    /// A parent that vanished is done with before its row says so.
    VanishedIsFinished,
    /// Checkpoints are ignored also by those who join.
    JoinIgnoresCheckpoints,
    /// A record that is given up on is settled before its dead letter is stored.
    DeadLetterBehindCheckpoint,
    /// A record is settled before its replies are stored.
    ReplyBehindCheckpoint,
    /// The key of a record that was given to a batch goes on before its dead letter is stored.
    KeyBeforeLetter,
    /// A shard is finished though `#[on_shard_end]` has not run.
    EndBeforeHook,
    /// Children start before `#[on_shard_end]` of their parent has succeeded.
    ChildrenBeforeHook,
    /// Of a batch that is halved only the first half is tried.
    ForgottenHalf,
    /// A shard with held records is read again behind them.
    RestartBehindHeld,
}

#[cfg(feature = "simulation")]
mod planting {
    use std::{
        cell::{Cell, RefCell},
        collections::BTreeSet,
    };

    use super::Bug;

    thread_local! {
        static PLANTED: Cell<Option<Bug>> = const { Cell::new(None) };
        static NOTES: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    }

    /// Plants a bug in everything that runs on this thread, or removes it.
    pub fn plant(bug: Option<Bug>) {
        PLANTED.set(bug);
        NOTES.take();
    }

    pub(crate) fn planted(bug: Bug) -> bool {
        PLANTED.get() == Some(bug)
    }

    /// Remembers a key for as long as the bug is planted.
    pub(crate) fn note(bug: Bug, key: &str) {
        if planted(bug) {
            NOTES.with_borrow_mut(|notes| notes.insert(key.to_owned()));
        }
    }

    pub(crate) fn forget(key: &str) {
        NOTES.with_borrow_mut(|notes| notes.remove(key));
    }

    pub(crate) fn is_noted(bug: Bug, key: &str) -> bool {
        planted(bug) && NOTES.with_borrow(|notes| notes.contains(key))
    }
}

#[cfg(feature = "simulation")]
pub use planting::plant;
#[cfg(feature = "simulation")]
pub(crate) use planting::{forget, is_noted, note, planted};

#[cfg(not(feature = "simulation"))]
mod planting {
    use super::Bug;

    pub(crate) const fn planted(_: Bug) -> bool {
        false
    }

    pub(crate) const fn note(_: Bug, _: &str) {}

    pub(crate) const fn forget(_: &str) {}

    pub(crate) const fn is_noted(_: Bug, _: &str) -> bool {
        false
    }
}

#[cfg(not(feature = "simulation"))]
pub(crate) use planting::{forget, is_noted, note, planted};
