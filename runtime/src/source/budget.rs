//! How many bytes of unhandled payload a process holds.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use kinesis_app_rules::{defaults, limits};
use tokio::sync::Notify;

/// The process's allowance for pages that are being read, or read and not yet handled.
///
/// A shard whose unread pages are less than half of its least share may always read, so that stalled shards never starve the others;
/// the bound is therefore the allowance, and for each shard about that share and the records that its handlers have at hand.
#[derive(Debug)]
pub(crate) struct Budget {
    allowance: usize,
    used: AtomicUsize,
    most: AtomicUsize,
    freed: Notify,
}

/// How much of its prefetch a process uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrefetchLoad {
    /// Bytes of records that are read and not handled yet, or booked for reads under way.
    pub bytes: usize,
    /// The most that they ever were.
    pub most: usize,
    /// What they may be; each shard may exceed it by about 1 MiB, so that none has to stand still.
    pub allowance: usize,
}

impl Budget {
    pub(crate) fn new(allowance: usize) -> Arc<Self> {
        Arc::new(Self {
            allowance,
            used: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            freed: Notify::new(),
        })
    }

    /// A shard's own account.
    pub(crate) fn account(self: &Arc<Self>) -> Arc<Account> {
        Arc::new(Account {
            budget: Arc::clone(self),
            used: AtomicUsize::new(0),
        })
    }

    pub(crate) fn load(&self) -> PrefetchLoad {
        PrefetchLoad {
            bytes: self.used.load(Ordering::Acquire),
            most: self.most.load(Ordering::Acquire),
            allowance: self.allowance,
        }
    }

    #[cfg(test)]
    fn used(&self) -> usize {
        self.load().bytes
    }
}

/// What one shard holds.
#[derive(Debug)]
pub(crate) struct Account {
    budget: Arc<Budget>,
    used: AtomicUsize,
}

impl Account {
    /// Waits until the shard may read, and books what the answer may hold: the answer's own limit, less if little is left.
    pub(crate) async fn admit(self: &Arc<Self>) -> Held {
        loop {
            let freed = self.budget.freed.notified();
            if let Some(held) = self.try_admit() {
                return held;
            }
            freed.await;
        }
    }

    fn try_admit(self: &Arc<Self>) -> Option<Held> {
        let mut used = self.budget.used.load(Ordering::Acquire);
        loop {
            let left = self.budget.allowance.saturating_sub(used);
            let bytes = if left >= defaults::PREFETCH_SHARE_LEAST {
                left.min(limits::GET_RECORDS_BYTES)
            } else {
                let own = self.used.load(Ordering::Acquire);
                if own > defaults::PREFETCH_SHARE_LEAST / 2 {
                    return None;
                }
                defaults::PREFETCH_SHARE_LEAST - own
            };
            // Booked at once: shards that look at the same moment must not all see the same room.
            let booked = self.budget.used.compare_exchange_weak(
                used,
                used + bytes,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            match booked {
                Ok(before) => {
                    self.used.fetch_add(bytes, Ordering::AcqRel);
                    self.budget.most.fetch_max(before + bytes, Ordering::AcqRel);
                    return Some(Held(Some((Arc::clone(self), bytes))));
                }
                Err(seen) => used = seen,
            }
        }
    }
}

impl Account {
    /// Books bytes of a record that left its page, whether or not there is room. They are no page of the shard and do not keep it from
    /// reading.
    pub(crate) fn book(&self, bytes: usize) -> Held {
        let mut held = Held(Some((self.renewed(), 0)));
        held.settle(bytes);
        held
    }

    /// Another account of the same shard, which nothing is booked on.
    pub(crate) fn renewed(&self) -> Arc<Self> {
        self.budget.account()
    }

    /// Whether a shard that reads now gets no more than its least share.
    pub(crate) fn is_short(&self) -> bool {
        let load = self.budget.load();
        load.allowance.saturating_sub(load.bytes) < defaults::PREFETCH_SHARE_LEAST
    }
}

/// Booked bytes, given back when their page is dropped.
#[derive(Debug)]
pub(crate) struct Held(Option<(Arc<Account>, usize)>);

impl Held {
    /// For a page that nobody counts.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn nothing() -> Self {
        Self(None)
    }

    /// How many records of this size fit; `None` if a full answer does.
    pub(crate) fn records(&self, record_bytes: usize) -> Option<u32> {
        let bytes = self.0.as_ref().map_or(0, |(_, bytes)| *bytes);
        if bytes >= limits::GET_RECORDS_BYTES {
            return None;
        }
        let records = (bytes / record_bytes.max(1)).max(1);
        Some(
            u32::try_from(records)
                .unwrap_or(u32::MAX)
                .min(limits::GET_RECORDS_RECORDS),
        )
    }

    /// How many of these records, from the first on, are about what was booked: at least one. A page that is far larger than its
    /// predecessors let expect would break the bound of all.
    pub(crate) fn room_for(&self, sizes: impl IntoIterator<Item = usize>) -> usize {
        let booked = self.0.as_ref().map_or(usize::MAX, |(_, bytes)| *bytes);
        if booked >= limits::GET_RECORDS_BYTES {
            return usize::MAX;
        }
        let mut left = booked + booked / 2;
        let fit = sizes.into_iter().take_while(|size| {
            let fits = *size <= left;
            left = left.saturating_sub(*size);
            fits
        });
        fit.count().max(1)
    }

    /// The answer is there: what was booked beyond it is given back, what it has beyond that is booked.
    pub(crate) fn settle(&mut self, actual: usize) {
        let Some((account, bytes)) = &mut self.0 else {
            return;
        };
        let booked = std::mem::replace(bytes, actual);
        let budget = &account.budget;
        // What is new first: a moment of too much hides nothing, a moment of too little would let others in.
        account.used.fetch_add(actual, Ordering::AcqRel);
        account.used.fetch_sub(booked, Ordering::AcqRel);
        if actual > booked {
            let more = actual - booked;
            let before = budget.used.fetch_add(more, Ordering::AcqRel);
            budget.most.fetch_max(before + more, Ordering::AcqRel);
        } else {
            budget.used.fetch_sub(booked - actual, Ordering::AcqRel);
        }
        account.budget.freed.notify_waiters();
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.settle(0);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const ALLOWANCE: usize = 8 << 20;

    fn hold(account: &Arc<Account>, bytes: usize) -> Held {
        let mut held = account.admit().now_or_never().expect("room");
        held.settle(bytes);
        held
    }

    #[tokio::test]
    async fn a_full_budget_stops_the_shards_that_fill_it_and_no_other() {
        let budget = Budget::new(ALLOWANCE);
        let (full, other) = (budget.account(), budget.account());
        let page = hold(&full, ALLOWANCE);
        assert!(full.admit().now_or_never().is_none());
        let _little = hold(&other, 1);
        assert!(
            other.admit().now_or_never().is_some(),
            "a shard below its least share may always read"
        );
        drop(page);
        assert_eq!(budget.used(), 1);
        assert!(full.admit().now_or_never().is_some());
    }

    #[tokio::test]
    async fn shards_that_look_at_the_same_moment_do_not_all_get_the_same_room() {
        let budget = Budget::new(ALLOWANCE);
        let held: Vec<_> = (0..20)
            .map(|_| {
                budget
                    .account()
                    .admit()
                    .now_or_never()
                    .expect("a least share each")
            })
            .collect();
        assert!(budget.used() <= ALLOWANCE + 20 * defaults::PREFETCH_SHARE_LEAST);
        drop(held);
        assert_eq!(budget.used(), 0);
    }

    #[tokio::test]
    async fn little_room_cuts_the_limit_of_a_read() {
        let budget = Budget::new(limits::GET_RECORDS_BYTES + defaults::PREFETCH_SHARE_LEAST);
        let account = budget.account();
        let whole = account.admit().now_or_never().expect("room");
        assert_eq!(whole.records(1000), None);
        let rest = account.admit().now_or_never().expect("room");
        assert_eq!(rest.records(1000), Some(1048));
        assert_eq!(rest.records(5 << 20), Some(1), "one record always fits");
    }

    #[tokio::test]
    async fn a_page_far_larger_than_what_was_booked_is_cut_to_it() {
        let budget = Budget::new(2 * defaults::PREFETCH_SHARE_LEAST);
        let held = budget.account().admit().now_or_never().expect("room");
        let half = defaults::PREFETCH_SHARE_LEAST / 2;
        assert_eq!(held.room_for([half; 5]), 5, "about what was booked");
        assert_eq!(held.room_for([half; 100]), 6);
        assert_eq!(held.room_for([100 * half]), 1, "one record always fits");
        let large = Budget::new(2 * limits::GET_RECORDS_BYTES);
        let held = large.account().admit().now_or_never().expect("room");
        assert!(
            held.room_for([half; 100]) >= 100,
            "a full answer was booked"
        );
    }

    #[tokio::test]
    async fn the_most_that_was_ever_held_is_known_exactly() {
        let budget = Budget::new(ALLOWANCE);
        let held = hold(&budget.account(), 1000);
        let more = budget.account().book(500);
        drop(held);
        assert_eq!(budget.load().bytes, 500);
        assert_eq!(
            budget.load().most,
            ALLOWANCE,
            "a read books what its answer may hold"
        );
        drop(more);
        assert!(!budget.account().is_short());
        let _full = budget.account().book(ALLOWANCE);
        assert!(budget.account().is_short());
    }

    #[tokio::test]
    async fn freed_bytes_wake_a_waiting_shard() {
        let budget = Budget::new(ALLOWANCE);
        let account = budget.account();
        let page = hold(&account, ALLOWANCE);
        let mut waiting = Box::pin(account.admit());
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(page);
        assert!(waiting.now_or_never().is_some());
    }
}
