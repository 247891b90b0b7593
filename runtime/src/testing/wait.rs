//! The waits of a test: exact, bounded, and with a reason when they are in vain.

use std::{future::Future, panic::Location, pin::pin, time::Duration};

use kinesis_app_rules::defaults;
use tokio::{
    select,
    time::{Instant, sleep},
};

use super::{
    TestApp,
    survey::{Report, Standing, Survey},
    text,
};
use crate::{RawRecord, Stream, codec::Encode};

/// What a test waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    Settled,
    AtRest,
}

/// Why it makes no sense to wait any longer.
#[derive(Debug)]
enum Vain {
    Stuck,
    NotRunning,
    Failed(String),
    Late(Duration),
}

impl Vain {
    fn text(&self, report: &Report<'_>) -> String {
        match self {
            Self::Stuck => format!(
                "cannot settle: {report}\nhelp: `at_rest()` takes held records and halted shards as they are, and waits for the others"
            ),
            Self::NotRunning => format!("was stopped: {report}"),
            Self::Failed(failure) => format!("does not run any more: {failure}\n{report}"),
            Self::Late(patience) => format!("has not settled after {patience:?}: {report}"),
        }
    }
}

impl TestApp {
    /// Waits until every record of every consumed stream has settled: those that the test put, and those that the application published
    /// meanwhile. After a crash or a seek it waits for what is handled again.
    ///
    /// It looks at the records themselves, and not at the time: when it returns, each is done or skipped.
    ///
    /// # Panics
    ///
    /// * At once, when a record is held or a shard is halted ([`at_rest`](Self::at_rest) takes them as they are), when a stream cannot be
    ///   read any more, and when no instance runs.
    /// * When a minute has passed ([`patience`](super::TestAppBuilder::patience)).
    ///
    /// The text says which records are pending, where, and why.
    #[track_caller]
    pub fn settled(&self) -> impl Future<Output = ()> {
        self.wait(Goal::Settled, Location::caller())
    }

    /// Waits until nothing moves any more: every record has settled, is held, or stands in or behind a shard that is halted.
    ///
    /// # Panics
    ///
    /// As [`settled`](Self::settled), but for what it waits for.
    #[track_caller]
    pub fn at_rest(&self) -> impl Future<Output = ()> {
        self.wait(Goal::AtRest, Location::caller())
    }

    /// Waits until a record with this key and this value lies in the stream `S`, and gives it with its headers.
    ///
    /// The value is compared as it is encoded.
    ///
    /// # Panics
    ///
    /// The record does not come within a minute ([`patience`](super::TestAppBuilder::patience)); the text shows what is there.
    #[track_caller]
    pub fn expect_published<S: Stream>(
        &self,
        key: &str,
        value: impl Encode<S::Codec>,
    ) -> impl Future<Output = RawRecord> {
        let caller = Location::caller();
        let expected = self.encode::<S>(value);
        async move {
            let deadline = Instant::now() + self.patience;
            loop {
                let mut records = self.published::<S>().raw().into_iter();
                let found = records.find(|record| {
                    record.partition_key.as_deref() == Some(key) && record.data == expected
                });
                if let Some(found) = found {
                    return found;
                }
                assert!(
                    Instant::now() < deadline,
                    "{caller}: `{}` holds no record `{key}`: {} after {:?}\n{}",
                    S::SPEC.label,
                    text::preview(&expected),
                    self.patience,
                    self.published::<S>(),
                );
                sleep(defaults::TEST_LOOK).await;
            }
        }
    }

    async fn wait(&self, goal: Goal, caller: &Location<'_>) {
        // What is ready now comes first: readers follow a seek that was answered.
        sleep(Duration::from_millis(1)).await;
        let deadline = Instant::now() + self.patience;
        loop {
            let survey = Survey::of(&self.kinesis, &self.consumed, &self.instances);
            let vain = match (survey.standing(), goal) {
                (Standing::Settled, _) | (Standing::Stuck, Goal::AtRest) => return,
                (Standing::Stuck | Standing::PartlyStuck, Goal::Settled) => Some(Vain::Stuck),
                (Standing::Moving | Standing::PartlyStuck, _) => self.in_vain(deadline),
            };
            if let Some(vain) = vain {
                let report = survey.report(&self.instances);
                panic!("{caller}: `{}` {}", self.name, vain.text(&report));
            }
            self.news(&survey).await;
        }
    }

    fn in_vain(&self, deadline: Instant) -> Option<Vain> {
        if self.instances.none_runs() {
            return Some(Vain::NotRunning);
        }
        if let Some(failure) = self.instances.failure() {
            return Some(Vain::Failed(failure));
        }
        let late = Instant::now() >= deadline;
        late.then_some(Vain::Late(self.patience))
    }

    /// Something that the survey waits for has happened, or it is time to look again.
    async fn news(&self, survey: &Survey) {
        let witness = &self.instances.witness;
        let last = survey.last_pending();
        let (stuck, _) = witness.glance(last);
        let mut look = pin!(sleep(defaults::TEST_LOOK));
        loop {
            let changed = witness.changed();
            let (stuck_now, settled) = witness.glance(last);
            if settled || stuck_now != stuck {
                return;
            }
            select! {
                biased;
                () = &mut look => return,
                () = changed => {}
            }
        }
    }
}
