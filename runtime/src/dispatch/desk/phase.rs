//! What a worker may do, and how its tenure ends.

use std::time::Duration;

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::Desk;
use crate::{
    dispatch::worker::Exit,
    planted::{Bug, planted},
};

pub(super) enum Phase {
    Reading,
    /// The source has given all it will; the rest is handled.
    Draining(Option<Exit>),
    /// A record needs a person: what runs may end, nothing begins.
    Halted,
    /// When what runs has ended, the shard is read anew from its first held record.
    Restarting,
    /// Until then what has begun may end, and what lies before it may begin and end: a successor is given none of it again.
    Leaving {
        exit: Option<Exit>,
        until: Instant,
    },
    /// Time is up.
    Left(Option<Exit>),
}

impl Desk {
    pub(in crate::dispatch) fn begins(&self) -> bool {
        !self.reading.has_halted
            && matches!(
                self.phase,
                Phase::Reading | Phase::Draining(_) | Phase::Leaving { .. }
            )
    }

    pub(in crate::dispatch) fn stop(&mut self, grace: Duration) {
        // A failure that is on its way out stays one; it only has less time.
        let exit = match &mut self.phase {
            Phase::Leaving { exit, .. } => exit.take(),
            _ => None,
        };
        self.leave(exit.unwrap_or(Exit::Stopped), grace);
    }

    pub(super) fn leave(&mut self, exit: Exit, grace: Duration) {
        if self.begins() {
            let front = self.reading.front;
            self.reading.waiting.cut(front);
        }
        self.feed.close();
        self.leaving.ask(grace);
        self.phase = Phase::Leaving {
            exit: Some(exit),
            until: Instant::now() + grace.min(defaults::LONGEST_WAIT),
        };
    }

    /// Nothing runs, and nothing can begin just now; `begins` says whether something may when its time comes. The answer is how the tenure
    /// ends, if it does.
    pub(in crate::dispatch) fn at_rest(&mut self, begins: bool) -> Option<Exit> {
        let next_retry = self.reading.waiting.due(begins);
        match &mut self.phase {
            // Children wait for held records, too.
            Phase::Draining(Some(Exit::ShardEnd { .. })) if self.holds.any() => None,
            Phase::Draining(exit)
                if self.reading.waiting.is_empty() || planted(Bug::EndBeforeSettlement) =>
            {
                exit.take()
            }
            // A retry that comes too late is not waited for.
            Phase::Leaving { exit, until } if next_retry.is_none_or(|due| due >= *until) => {
                exit.take()
            }
            Phase::Left(exit) => exit.take(),
            Phase::Restarting => {
                self.read_anew();
                None
            }
            _ => None,
        }
    }

    pub(in crate::dispatch) fn is_out_of_patience(&self) -> bool {
        matches!(self.phase, Phase::Leaving { until, .. } if Instant::now() >= until)
    }

    /// What runs was dropped.
    pub(in crate::dispatch) fn give_up(&mut self) {
        if let Phase::Leaving { exit, .. } = &mut self.phase {
            self.phase = Phase::Left(exit.take());
        }
    }

    /// When something is to be done though nothing happens.
    pub(in crate::dispatch) fn next_timer(&mut self, batch_may_begin: bool) -> Option<Instant> {
        let retry = self.reading.waiting.due(batch_may_begin);
        match &self.phase {
            Phase::Leaving { until, .. } => sooner(retry, Some(*until)),
            Phase::Halted | Phase::Restarting | Phase::Left(_) => None,
            Phase::Reading | Phase::Draining(_) => {
                let own = sooner(self.next_restart(), self.next_return());
                let silent = match self.phase {
                    Phase::Reading => self.feed.silent_at(),
                    _ => None,
                };
                sooner(sooner(retry, silent), own)
            }
        }
    }

    /// A timer fired.
    pub(in crate::dispatch) fn on_timer(&mut self, has_idle_slot: bool) {
        let now = Instant::now();
        self.mind_source(now);
        self.mind_prefetch(now, has_idle_slot);
        self.mind_holds(now);
    }
}

fn sooner(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
