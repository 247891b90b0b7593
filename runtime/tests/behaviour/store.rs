//! A lease store that remembers what it was asked to write, and may refuse to create rows or be slow to take leases.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use kinesis_app::{
    LeaseRow, LeaseStore, LeaseWrite, MemoryLeases, StoreError, StoreFuture, StreamRow, StreamWrite,
};
use tokio::time::sleep;

use crate::world::secs;

#[derive(Debug, Clone, Default)]
pub(crate) struct Recording {
    pub(crate) table: MemoryLeases,
    writes: Arc<Mutex<Vec<LeaseWrite>>>,
    no_creates: Arc<AtomicBool>,
    slow_takes: Arc<AtomicBool>,
    slow_releases: Arc<AtomicBool>,
    late_grant: Arc<Mutex<Option<String>>>,
    dead: Arc<AtomicBool>,
    hangs: Arc<Mutex<Vec<&'static str>>>,
    panics: Arc<AtomicBool>,
}

impl Recording {
    /// One of several over one table.
    pub(crate) fn over(table: &MemoryLeases) -> Self {
        Self {
            table: table.clone(),
            ..Self::default()
        }
    }

    pub(crate) fn writes(&self) -> Vec<LeaseWrite> {
        self.writes.lock().expect("no test panics with it").clone()
    }

    pub(crate) fn refuse_creates(&self) {
        self.no_creates.store(true, Ordering::SeqCst);
    }

    /// No write is answered any more.
    pub(crate) fn die(&self) {
        self.dead.store(true, Ordering::SeqCst);
    }

    /// A release that is carried out is answered five seconds later.
    pub(crate) fn release_slowly(&self) {
        self.slow_releases.store(true, Ordering::SeqCst);
    }

    /// A grant of this row is carried out five seconds after it was sent.
    pub(crate) fn grant_late(&self, key: &str) {
        *self.late_grant.lock().expect("no test panics with it") = Some(key.into());
    }

    fn is_late(&self, write: &LeaseWrite) -> bool {
        let late = self.late_grant.lock().expect("no test panics with it");
        matches!(write, LeaseWrite::Grant { .. }) && late.as_deref() == Some(write.key())
    }

    /// The next calls of `lease` or `leases` never end, so many of them.
    pub(crate) fn hang(&self, call: &'static str, times: usize) {
        let mut hangs = self.hangs.lock().expect("no test panics with it");
        hangs.extend(std::iter::repeat_n(call, times));
    }

    fn hangs(&self, call: &str) -> bool {
        let mut hangs = self.hangs.lock().expect("no test panics with it");
        hangs.pop_if(|next| *next == call).is_some()
    }

    /// Whoever creates a row that stands already panics, or not any more: readers do so for children that a listing told of before.
    pub(crate) fn panic_at_second_creations(&self, panic: bool) {
        self.panics.store(panic, Ordering::SeqCst);
    }

    fn panics(&self, write: &LeaseWrite) -> bool {
        let mut rows = self.table.rows().into_iter();
        self.panics.load(Ordering::SeqCst)
            && matches!(write, LeaseWrite::Create(_))
            && rows.any(|row| row.key == write.key())
    }

    /// Writes are answered again.
    pub(crate) fn revive(&self) {
        self.dead.store(false, Ordering::SeqCst);
    }

    /// A take that is carried out is answered a second later; one that is refused, at once.
    pub(crate) fn take_slowly(&self) {
        self.slow_takes.store(true, Ordering::SeqCst);
    }
}

impl LeaseStore for Recording {
    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<StreamRow>> {
        self.table.stream(key)
    }

    fn meet_stream<'a>(&'a self, row: &'a StreamRow) -> StoreFuture<'a, StreamRow> {
        self.table.meet_stream(row)
    }

    fn write_stream<'a>(&'a self, write: &'a StreamWrite) -> StoreFuture<'a, StreamRow> {
        self.table.write_stream(write)
    }

    fn rung<'a>(&'a self, key: &'a str, heard: u64) -> StoreFuture<'a, Option<StreamRow>> {
        self.table.rung(key, heard)
    }

    fn leases<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Vec<LeaseRow>> {
        if self.hangs("leases") {
            return Box::pin(std::future::pending());
        }
        self.table.leases(key)
    }

    fn lease<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<LeaseRow>> {
        if self.hangs("lease") {
            return Box::pin(std::future::pending());
        }
        self.table.lease(key)
    }

    fn write<'a>(&'a self, write: &'a LeaseWrite) -> StoreFuture<'a, Option<LeaseRow>> {
        Box::pin(async move {
            assert!(!self.panics(write), "planned");
            if self.dead.load(Ordering::SeqCst) {
                return std::future::pending().await;
            }
            if matches!(write, LeaseWrite::Create(_)) && self.no_creates.load(Ordering::SeqCst) {
                return Err(StoreError::Unavailable("throttled".into()));
            }
            if self.is_late(write) {
                sleep(secs(5)).await;
            }
            let answer = self.table.write(write).await;
            self.writes
                .lock()
                .expect("no test panics with it")
                .push(write.clone());
            let taken = matches!(write, LeaseWrite::Take { .. }) && answer.is_ok();
            if taken && self.slow_takes.load(Ordering::SeqCst) {
                sleep(secs(1)).await;
            }
            let released = matches!(write, LeaseWrite::Release { .. });
            if released && self.slow_releases.load(Ordering::SeqCst) {
                sleep(secs(5)).await;
            }
            answer
        })
    }
}
