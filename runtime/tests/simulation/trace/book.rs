//! Where everybody writes.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::{
    Event, HookCall, What,
    ledger::{Ledger, Left},
};

#[derive(Debug, Clone, Default)]
pub(crate) struct Trace(Arc<Mutex<Book>>);

#[derive(Debug, Default)]
struct Book {
    /// By the clock of the run's own runtime, so not before it is there.
    began: Option<Instant>,
    events: Vec<Event>,
    ledger: Ledger,
}

impl Trace {
    pub(crate) fn begin(&self) {
        self.book().began = Some(Instant::now());
    }

    pub(crate) fn write(&self, what: What) {
        let mut book = self.book();
        let at = book.began.map_or(Duration::ZERO, |began| began.elapsed());
        book.ledger.note(&what);
        book.events.push(Event { at, what });
    }

    pub(crate) fn times_held(&self, record: u64) -> u32 {
        self.book().ledger.times_held(record)
    }

    /// A shard hook in its tenure.
    pub(crate) fn times_failed(&self, call: &HookCall) -> u32 {
        self.book().ledger.times_failed(call)
    }

    pub(crate) fn left(&self) -> Left {
        self.book().ledger.left()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.book().events.clone()
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
