//! How many bytes of unhandled payload a process holds.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use kinesis_app_rules::{defaults, limits};
use tokio::sync::Notify;

/// The process's allowance for pages that are being read, or read and not yet handled.
///
/// A shard that holds less than its least share may always read, so that stalled shards never starve the others; the bound is
/// therefore the allowance plus about that share for each shard.
#[derive(Debug)]
pub(crate) struct Budget {
    allowance: usize,
    used: AtomicUsize,
    freed: Notify,
}

impl Budget {
    pub(crate) fn new(allowance: usize) -> Arc<Self> {
        Arc::new(Self {
            allowance,
            used: AtomicUsize::new(0),
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

    #[cfg(test)]
    fn used(&self) -> usize {
        self.used.load(Ordering::Acquire)
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
            } else if self.used.load(Ordering::Acquire) < defaults::PREFETCH_SHARE_LEAST {
                defaults::PREFETCH_SHARE_LEAST
            } else {
                return None;
            };
            // Booked at once: shards that look at the same moment must not all see the same room.
            let booked = self.budget.used.compare_exchange_weak(
                used,
                used + bytes,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            match booked {
                Ok(_) => {
                    self.used.fetch_add(bytes, Ordering::AcqRel);
                    return Some(Held(Some((Arc::clone(self), bytes))));
                }
                Err(seen) => used = seen,
            }
        }
    }
}

/// Booked bytes, given back when their page is dropped.
#[derive(Debug)]
pub(crate) struct Held(Option<(Arc<Account>, usize)>);

impl Held {
    /// For a page that nobody counts.
    #[cfg(test)]
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

    /// The answer is there: what was booked beyond it is given back, what it has beyond that is booked.
    pub(crate) fn settle(&mut self, actual: usize) {
        let Some((account, bytes)) = &mut self.0 else {
            return;
        };
        let booked = std::mem::replace(bytes, actual);
        for used in [&account.used, &account.budget.used] {
            used.fetch_add(actual, Ordering::AcqRel);
            used.fetch_sub(booked, Ordering::AcqRel);
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
