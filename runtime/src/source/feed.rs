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
    anchor: Anchor,
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
    pub(crate) fn new(source: Polling, anchor: Anchor, silence: Duration) -> Self {
        Self {
            source: Arc::new(source),
            anchor,
            silence,
            reading: None,
        }
    }

    /// Where it was told to begin.
    pub(crate) fn anchor(&self) -> &Anchor {
        &self.anchor
    }

    /// `None` if the source ended without a word, which it only does by a panic.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        let reading = self
            .reading
            .get_or_insert_with(|| Reading::begin(&self.source, self.anchor.clone()));
        reading.events.poll_recv(cx)
    }

    /// Gives back everything that was read and not handed on. When it is asked the next time, it reads behind `anchor`.
    pub(crate) fn go_to(&mut self, anchor: Anchor) {
        self.reading = None;
        self.anchor = anchor;
    }

    /// From when on the source is silent, if it reports nothing more.
    pub(crate) fn silent_at(&self) -> Option<Instant> {
        self.reading.as_ref()?.pulse.silent_at(self.silence)
    }
}

impl Reading {
    fn begin(source: &Arc<Polling>, anchor: Anchor) -> Self {
        let (pages, events) = mpsc::channel(1);
        let pulse = Arc::new(Pulse::new());
        let run = Arc::clone(source).run(anchor, pages, Arc::clone(&pulse));
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
