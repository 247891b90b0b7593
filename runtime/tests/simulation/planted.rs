//! The judge can find what he looks for: bugs that are planted come to light within a bounded number of seeds.

use kinesis_app::simulation::Bug;

use crate::{app::Shape, judge::judge, number, world::run_as};

/// Each bug breaks one of these rules within so many seeds. What random weather is too unlikely to bring about has tests by name: a deadline
/// by a wall clock that is set back (`leases/writer/tests/suspended.rs`), an observer's wait from the sending of its first read
/// (`leases/liveness.rs`), a deletion before the children have rows (`shards/lineage.rs`), a row of a later generation
/// (`tests/behaviour/put_back.rs`), a beginning after the last write (`leases/writer/tests/last_words.rs`).
///
/// A bug that takes many seeds is sought `from` the one that it was found at: the whole search would take as long as half of all others
/// together. Where a change moves it, `SIM_FIRST=0` finds the seed to write here.
const WITHIN: u64 = 200;

fn comes_to_light(bug: Bug, shape: Shape, rules: &[u8], found_at: Option<u64>) {
    crate::hush();
    let first = number("SIM_FIRST", found_at.unwrap_or(0));
    let within = number("SIM_PLANTED", WITHIN);
    for seed in first..first + within {
        let violations = judge(&run_as(seed, shape, Some(bug)).evidence);
        if let Some(violation) = violations.iter().find(|found| rules.contains(&found.rule)) {
            eprintln!("{bug:?}: seed {seed}, {violation}");
            let without = judge(&run_as(seed, shape, None).evidence);
            assert!(without.is_empty(), "without it as well: {without:?}");
            return;
        }
    }
    panic!("{bug:?} was not found within {within} seeds");
}

macro_rules! planted {
    ($($shape:ident { $($name:ident: $bug:ident breaks $rules:expr $(, from $found_at:literal)?;)* })*) => {
        $($(
            #[test]
            fn $name() {
                comes_to_light(Bug::$bug, Shape::$shape, &$rules, None$(.or(Some($found_at)))?);
            }
        )*)*
    };
}

planted! {
    Plain {
        a_heartbeat_behind_a_handler_comes_to_light: HeartbeatBehindHandler breaks [4];
        a_checkpoint_without_the_counter_comes_to_light: CheckpointWithoutCounter breaks [3, 5];
        a_re_read_without_the_session_comes_to_light: RereadWithoutSession breaks [3];
        a_deadline_from_the_answer_comes_to_light: DeadlineFromAnswer breaks [4];
        an_end_before_the_last_settlement_comes_to_light: EndBeforeSettlement breaks [1];
        children_before_the_confirmed_end_come_to_light: ChildrenBeforeConfirmation breaks [2];
        a_child_before_its_second_parent_comes_to_light: ChildBeforeSecondParent breaks [2];
        a_latest_of_each_instance_comes_to_light: LatestPerInstance breaks [1, 6];
        an_iterator_from_the_checkpoint_comes_to_light: IteratorFromCheckpoint breaks [6];
        a_settlement_after_the_loss_comes_to_light: SettlementAfterLoss breaks [1, 3, 5];
        a_deadline_from_a_re_read_comes_to_light: DeadlineFromReread breaks [4], from 110;
        lanes_without_a_deadline_come_to_light: NoDeadline breaks [3, 4];
        an_end_before_the_rows_of_children_comes_to_light: EndWithoutChildren breaks [5];
        a_take_that_is_tried_for_ever_comes_to_light: NoDoubt breaks [9];
        a_grant_before_handlers_end_comes_to_light: GrantBeforeHandlersEnd breaks [10];
        work_without_a_first_beat_comes_to_light: NoFirstBeat breaks [3, 4];
        a_skip_in_silence_comes_to_light: SilentSkip breaks [8];
        a_deadline_by_the_monotonic_clock_alone_comes_to_light: MonotonicClockOnly breaks [3, 4];
        a_seek_without_a_generation_comes_to_light: SeekWithoutGeneration breaks [1, 5];
        an_adoption_that_keeps_its_checkpoint_comes_to_light: AdoptionKeepsCheckpoint breaks [1, 5];
        a_position_of_an_older_generation_comes_to_light: OldPosition breaks [1];
        counters_that_begin_anew_come_to_light: CountersFromZero breaks [3];
        a_burial_in_the_latest_generation_comes_to_light: BurialInLatest breaks [1, 5, 8];
        a_shard_that_goes_in_silence_comes_to_light: SilentLoss breaks [8];
        a_vanished_parent_that_is_not_waited_for_comes_to_light: VanishedIsFinished breaks [2];
        one_who_joins_and_ignores_checkpoints_comes_to_light: JoinIgnoresCheckpoints breaks [6];
        a_restart_behind_held_records_comes_to_light: RestartBehindHeld breaks [1];
        a_held_record_that_settles_comes_to_light: HoldSettles breaks [1];
    }
    Records {
        a_dead_letter_behind_the_checkpoint_comes_to_light: DeadLetterBehindCheckpoint breaks [8];
        a_reply_behind_the_checkpoint_comes_to_light: ReplyBehindCheckpoint breaks [8];
        an_end_before_the_hook_of_its_shard_comes_to_light: EndBeforeHook breaks [5];
        children_before_the_hook_of_their_parent_come_to_light: ChildrenBeforeHook breaks [2];
    }
    Batches {
        a_key_before_its_dead_letter_comes_to_light: KeyBeforeLetter breaks [2];
        a_forgotten_half_of_a_batch_comes_to_light: ForgottenHalf breaks [1, 2];
    }
}
