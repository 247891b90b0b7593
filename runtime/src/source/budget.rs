//! How many bytes of unhandled payload a process holds.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::sync::Notify;

/// The process's allowance for pages that are read and not yet handled.
///
/// A shard that holds nothing may always read, so that stalled shards never starve the others; the bound is therefore the allowance
/// plus one page a shard.
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
    /// Waits until the shard may read its next page.
    pub(crate) async fn admit(&self) {
        loop {
            let freed = self.budget.freed.notified();
            if self.used.load(Ordering::Acquire) == 0
                || self.budget.used.load(Ordering::Acquire) < self.budget.allowance
            {
                return;
            }
            freed.await;
        }
    }

    /// Books a page; the guard goes with it.
    pub(crate) fn hold(self: &Arc<Self>, bytes: usize) -> Held {
        self.used.fetch_add(bytes, Ordering::AcqRel);
        self.budget.used.fetch_add(bytes, Ordering::AcqRel);
        Held(Some((Arc::clone(self), bytes)))
    }
}

/// Booked bytes, given back when the page is dropped.
#[derive(Debug)]
pub(crate) struct Held(Option<(Arc<Account>, usize)>);

impl Held {
    /// For a page that nobody counts.
    #[cfg(test)]
    pub(crate) fn nothing() -> Self {
        Self(None)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some((account, bytes)) = self.0.take() {
            account.used.fetch_sub(bytes, Ordering::AcqRel);
            account.budget.used.fetch_sub(bytes, Ordering::AcqRel);
            account.budget.freed.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_full_budget_stops_the_shards_that_fill_it_and_no_other() {
        let budget = Budget::new(100);
        let (full, empty) = (budget.account(), budget.account());
        let page = full.hold(100);
        assert!(full.admit().now_or_never().is_none());
        assert!(
            empty.admit().now_or_never().is_some(),
            "a shard that holds nothing may always read"
        );
        drop(page);
        assert_eq!(budget.used(), 0);
        assert!(full.admit().now_or_never().is_some());
    }

    #[tokio::test]
    async fn freed_bytes_wake_a_waiting_shard() {
        let budget = Budget::new(10);
        let account = budget.account();
        let page = account.hold(10);
        let mut waiting = Box::pin(account.admit());
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(page);
        assert!(waiting.now_or_never().is_some());
    }
}
