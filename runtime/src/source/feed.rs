//! One shard's source as its worker has it: events in order, from a place that can be chosen anew.

use std::{
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

use super::{
    budget::Account,
    kinesis::Anchor,
    polling::{Event, Polling},
};
use crate::{
    pulse::Pulse,
    tasks::{self, Task},
};

/// A source that is begun when it is first asked, and can be begun again elsewhere: what it had read by then is dropped.
#[derive(Debug)]
pub(crate) struct Feed {
    source: Arc<Polling>,
    account: Arc<Account>,
    anchor: Anchor,
    /// For this place, fetched before.
    iterator: Option<String>,
    silence: Duration,
    reading: Option<Reading>,
}

#[derive(Debug)]
struct Reading {
    events: mpsc::Receiver<Event>,
    pulse: Arc<Pulse>,
    _task: Task<()>,
}

impl Feed {
    /// Events of the records behind `anchor`. A source that reports nothing for `silence` is silent.
    pub(crate) fn new(
        source: Polling,
        account: Arc<Account>,
        anchor: Anchor,
        silence: Duration,
    ) -> Self {
        Self {
            source: Arc::new(source),
            account,
            anchor,
            iterator: None,
            silence,
            reading: None,
        }
    }

    /// What the shard's pages are booked on.
    pub(crate) fn account(&self) -> &Account {
        &self.account
    }

    /// The next reading books its pages on an account of its own: what is held of the last one does not keep it from reading.
    pub(crate) fn renew_account(&mut self) {
        self.account = self.account.renewed();
    }

    /// Whether the source waits, for its page to be taken or for room for the next one.
    pub(crate) fn waits(&self) -> bool {
        self.reading
            .as_ref()
            .is_some_and(|reading| reading.pulse.silent_at(self.silence).is_none())
    }

    /// Whether something was read that nobody has asked for yet.
    pub(crate) fn has_unseen(&self) -> bool {
        self.reading
            .as_ref()
            .is_some_and(|reading| !reading.events.is_empty())
    }

    /// Reads no more, and gives back what it has read.
    pub(crate) fn close(&mut self) {
        self.reading = None;
    }

    /// Where it was told to begin.
    pub(crate) fn anchor(&self) -> &Anchor {
        &self.anchor
    }

    /// `None` if the source ended without a word, which it only does by a panic.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        let reading = self.reading.get_or_insert_with(|| {
            let iterator = self.iterator.take();
            Reading::begin(&self.source, &self.account, self.anchor.clone(), iterator)
        });
        reading.events.poll_recv(cx)
    }

    /// Gives back everything that was read and not handed on. When it is asked the next time, it reads behind `anchor`.
    pub(crate) fn go_to(&mut self, anchor: Anchor) {
        self.reading = None;
        self.anchor = anchor;
        self.iterator = None;
    }

    /// The next reading begins with an iterator that was fetched for its place, and behind the anchor if that has expired.
    pub(crate) fn begin_with(&mut self, iterator: Option<String>) {
        self.iterator = iterator;
    }

    /// From when on the source is silent, if it reports nothing more.
    pub(crate) fn silent_at(&self) -> Option<Instant> {
        self.reading.as_ref()?.pulse.silent_at(self.silence)
    }
}

impl Reading {
    fn begin(
        source: &Arc<Polling>,
        account: &Arc<Account>,
        anchor: Anchor,
        iterator: Option<String>,
    ) -> Self {
        let (pages, events) = mpsc::channel(1);
        let pulse = Arc::new(Pulse::new());
        let begin = (anchor, iterator);
        let run = Arc::clone(source).run(Arc::clone(account), begin, pages, Arc::clone(&pulse));
        Self {
            events,
            pulse,
            _task: tasks::spawn(run),
        }
    }
}

/// Somebody waits for the first iterator of a shard, whichever of its readings gets it.
#[derive(Debug)]
pub(crate) struct Opened(Mutex<Option<oneshot::Sender<()>>>);

impl Opened {
    pub(crate) fn new(waiting: oneshot::Sender<()>) -> Self {
        Self(Mutex::new(Some(waiting)))
    }

    pub(super) fn tell(&self) {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waiting) = waiting {
            // Nobody may be waiting any more; the reading goes on all the same.
            let _ = waiting.send(());
        }
    }
}
