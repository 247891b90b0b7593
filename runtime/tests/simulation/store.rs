//! A machine's own view of the lease table: what it sends, and what it hears.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use kinesis_app::{
    DynamoLeases, LeaseRow, LeaseStore, LeaseWrite, StoreError, StoreFuture, StreamRow, StreamWrite,
};

use crate::trace::{Answer, MachineId, Trace, What};

/// The application's store, unchanged, with a note of every write.
#[derive(Clone)]
pub(crate) struct Noted {
    pub(crate) inner: DynamoLeases,
    pub(crate) machine: MachineId,
    pub(crate) trace: Trace,
    pub(crate) calls: Arc<AtomicU64>,
}

impl fmt::Debug for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "leases of {}", self.machine)
    }
}

impl LeaseStore for Noted {
    fn prepare(&self) -> StoreFuture<'_, ()> {
        self.inner.prepare()
    }

    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<StreamRow>> {
        self.inner.stream(key)
    }

    fn meet_stream<'a>(&'a self, row: &'a StreamRow) -> StoreFuture<'a, StreamRow> {
        self.inner.meet_stream(row)
    }

    fn write_stream<'a>(&'a self, write: &'a StreamWrite) -> StoreFuture<'a, StreamRow> {
        self.inner.write_stream(write)
    }

    fn rung<'a>(&'a self, key: &'a str, heard: u64) -> StoreFuture<'a, Option<StreamRow>> {
        self.inner.rung(key, heard)
    }

    fn leases<'a>(&'a self, stream_key: &'a str) -> StoreFuture<'a, Vec<LeaseRow>> {
        self.inner.leases(stream_key)
    }

    fn lease<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<LeaseRow>> {
        self.inner.lease(key)
    }

    fn write<'a>(&'a self, write: &'a LeaseWrite) -> StoreFuture<'a, Option<LeaseRow>> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let mut note = Note {
            store: self,
            call,
            answer: Answer::None,
        };
        self.trace.write(What::Sent {
            machine: self.machine,
            call,
            write: write.clone(),
        });
        Box::pin(async move {
            let answer = self.inner.write(write).await;
            note.hear(match &answer {
                Ok(_) => Answer::Applied,
                Err(StoreError::Refused) => Answer::Refused,
                Err(_) => Answer::None,
            });
            answer
        })
    }
}

/// A call ends also when it is given up.
struct Note<'a> {
    store: &'a Noted,
    call: u64,
    answer: Answer,
}

impl Note<'_> {
    fn hear(&mut self, answer: Answer) {
        self.answer = answer;
    }
}

impl Drop for Note<'_> {
    fn drop(&mut self) {
        self.store.trace.write(What::Answered {
            machine: self.store.machine,
            call: self.call,
            answer: self.answer,
        });
    }
}
