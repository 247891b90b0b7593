//! A task's word that it lives, for those who must not wait for it in vain.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::time::Instant;

/// What a task reported last: until when it is busy with what it does.
///
/// Waiting for somebody else (handlers, room, parents) is no silence, however long it takes: whoever is waited for has a word of his own.
#[derive(Debug)]
pub(crate) struct Pulse {
    began: Instant,
    /// In nanoseconds since the beginning.
    until: AtomicU64,
}

const AS_LONG_AS_IT_TAKES: u64 = u64::MAX;

impl Pulse {
    pub(crate) fn new() -> Self {
        Self {
            began: Instant::now(),
            until: AtomicU64::new(0),
        }
    }

    /// The task's next report comes by then.
    pub(crate) fn until(&self, at: Instant) {
        let nanos = at.saturating_duration_since(self.began).as_nanos();
        let nanos = u64::try_from(nanos).unwrap_or(AS_LONG_AS_IT_TAKES);
        self.until.store(nanos, Ordering::Relaxed);
    }

    /// The task waits for somebody else.
    pub(crate) fn waits(&self) {
        self.until.store(AS_LONG_AS_IT_TAKES, Ordering::Relaxed);
    }

    /// From when on the task counts as silent if it reports nothing more: so long after its report ran out. Never while it waits.
    pub(crate) fn silent_at(&self, silence: Duration) -> Option<Instant> {
        match self.until.load(Ordering::Relaxed) {
            AS_LONG_AS_IT_TAKES => None,
            nanos => Some(self.began + Duration::from_nanos(nanos) + silence),
        }
    }

    pub(crate) fn is_silent(&self, silence: Duration) -> bool {
        self.silent_at(silence)
            .is_some_and(|at| Instant::now() >= at)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const SILENCE: Duration = Duration::from_secs(10);
    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_task_is_silent_so_long_after_its_report_ran_out() {
        let pulse = Pulse::new();
        pulse.until(Instant::now() + 240 * SECOND);
        advance(249 * SECOND).await;
        assert!(!pulse.is_silent(SILENCE), "a long sleep is no silence");
        advance(SECOND).await;
        assert!(pulse.is_silent(SILENCE));
        pulse.until(Instant::now());
        assert!(!pulse.is_silent(SILENCE), "a word is a life");
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_waits_for_others_is_never_silent() {
        let pulse = Pulse::new();
        pulse.waits();
        advance(1_000_000 * SECOND).await;
        assert!(!pulse.is_silent(SILENCE));
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_never_reports_is_silent_from_its_beginning() {
        let pulse = Pulse::new();
        assert_eq!(pulse.silent_at(SILENCE), Some(Instant::now() + SILENCE));
    }
}
