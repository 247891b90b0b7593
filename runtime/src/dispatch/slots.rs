//! The places in which handlers run: as many as the handler's concurrency, reused for every record.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures_util::task::AtomicWaker;

const BITS: usize = u64::BITS as usize;

/// A fixed set of futures that are polled one by one when they are woken. A future is stored in place of the one before it, so a
/// record costs no allocation, and a wake-up polls the slot that it is for.
pub(crate) struct Slots<F> {
    all: Vec<Slot<F>>,
    idle: Vec<usize>,
    woken: Arc<Woken>,
    /// Where the next search for a woken slot begins.
    turn: usize,
}

struct Slot<F> {
    future: Pin<Box<Option<F>>>,
    waker: Waker,
}

/// One bit a slot, and the task that polls them.
struct Woken {
    bits: Vec<AtomicU64>,
    task: AtomicWaker,
}

struct SlotWaker {
    woken: Arc<Woken>,
    slot: usize,
}

impl Wake for SlotWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.set(self.slot);
        self.woken.task.wake();
    }
}

impl Woken {
    fn set(&self, slot: usize) {
        self.bits[slot / BITS].fetch_or(1 << (slot % BITS), Ordering::AcqRel);
    }

    /// Takes the first woken slot at `from` or behind it, and else the first one before it.
    fn take(&self, from: usize) -> Option<usize> {
        let words = self.bits.len();
        let behind = u64::MAX << (from % BITS);
        for step in 0..=words {
            let word = (from / BITS + step) % words;
            let mask = match step {
                0 => behind,
                _ if step == words => !behind,
                _ => u64::MAX,
            };
            let found = self.bits[word].load(Ordering::Acquire) & mask;
            if found != 0 {
                let bit = found.trailing_zeros() as usize;
                self.bits[word].fetch_and(!(1 << bit), Ordering::AcqRel);
                return Some(word * BITS + bit);
            }
        }
        None
    }
}

impl<F: Future> Slots<F> {
    pub(crate) fn new(count: usize) -> Self {
        let woken = Arc::new(Woken {
            bits: (0..count.div_ceil(BITS))
                .map(|_| AtomicU64::new(0))
                .collect(),
            task: AtomicWaker::new(),
        });
        let all = (0..count)
            .map(|slot| Slot {
                future: Box::pin(None),
                waker: Waker::from(Arc::new(SlotWaker {
                    woken: Arc::clone(&woken),
                    slot,
                })),
            })
            .collect();
        Self {
            all,
            idle: (0..count).rev().collect(),
            woken,
            turn: 0,
        }
    }

    pub(crate) fn has_idle(&self) -> bool {
        !self.idle.is_empty()
    }

    pub(crate) fn running(&self) -> usize {
        self.all.len() - self.idle.len()
    }

    /// Puts a future into an idle slot; the next poll polls it.
    pub(crate) fn start(&mut self, future: F) {
        let slot = self.idle.pop().expect("asked for an idle slot first");
        self.all[slot].future.as_mut().set(Some(future));
        self.woken.set(slot);
    }

    /// The next output. Pending for ever while nothing runs.
    ///
    /// Slots take turns: one that is always ready cannot keep the others from being polled, and one that wakes itself cannot keep the
    /// task from the runtime.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.woken.task.register(cx.waker());
        for _ in 0..self.all.len() {
            let Some(index) = self.woken.take(self.turn) else {
                break;
            };
            self.turn = (index + 1) % self.all.len();
            let slot = &mut self.all[index];
            // A wake-up may come for a future that has ended since.
            let Some(future) = slot.future.as_mut().as_pin_mut() else {
                continue;
            };
            if let Poll::Ready(output) = future.poll(&mut Context::from_waker(&slot.waker)) {
                slot.future.as_mut().set(None);
                self.idle.push(index);
                return Poll::Ready(output);
            }
        }
        Poll::Pending
    }

    /// Drops everything that runs. What panics while it is dropped must not keep the others from it, nor the caller from its last words.
    pub(crate) fn drop_all(&mut self) {
        for slot in &mut self.all {
            let dropped = catch_unwind(AssertUnwindSafe(|| slot.future.as_mut().set(None)));
            if dropped.is_err() {
                tracing::error!("a handler panicked while it was dropped");
            }
        }
        self.idle = (0..self.all.len()).rev().collect();
    }
}

impl<F> fmt::Debug for Slots<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slots")
            .field("slots", &self.all.len())
            .field("idle", &self.idle.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::sync::oneshot;

    use super::*;

    /// Wakes itself without end, as a future that yields does.
    async fn restless() -> u32 {
        loop {
            let mut yielded = false;
            poll_fn(|cx| {
                if std::mem::replace(&mut yielded, true) {
                    return Poll::Ready(());
                }
                cx.waker().wake_by_ref();
                Poll::Pending
            })
            .await;
        }
    }

    #[tokio::test]
    async fn a_future_that_wakes_itself_gives_the_task_back() {
        let mut slots = Slots::new(70);
        for _ in 0..70 {
            slots.start(restless());
        }
        // It would never return otherwise.
        assert!(poll_fn(|cx| Poll::Ready(slots.poll_next(cx).is_pending())).await);
    }

    #[tokio::test]
    async fn a_slot_that_is_always_ready_starves_no_other() {
        use futures_util::future::{Either, ready};

        let mut slots = Slots::new(2);
        let (sender, receiver) = oneshot::channel::<()>();
        slots.start(Either::Right(async move {
            receiver.await.expect("sent");
            "waited"
        }));
        slots.start(Either::Left(ready("at once")));
        sender.send(()).expect("received");
        let mut outputs = Vec::new();
        for _ in 0..4 {
            outputs.push(poll_fn(|cx| slots.poll_next(cx)).await);
            slots.start(Either::Left(ready("at once")));
        }
        assert!(outputs.contains(&"waited"), "{outputs:?}");
    }

    #[tokio::test]
    async fn every_slot_is_polled_when_it_is_woken_and_reused() {
        let mut slots = Slots::new(130);
        let mut senders = Vec::new();
        for number in 0..130 {
            let (sender, receiver) = oneshot::channel::<()>();
            senders.push(Some(sender));
            slots.start(async move {
                receiver.await.expect("sent");
                number
            });
        }
        assert!(!slots.has_idle());
        for number in [129, 0, 64] {
            senders[number]
                .take()
                .expect("still there")
                .send(())
                .expect("received");
            assert_eq!(poll_fn(|cx| slots.poll_next(cx)).await, number);
        }
        assert_eq!(slots.running(), 127);
        let (sender, receiver) = oneshot::channel::<()>();
        drop(sender);
        drop(receiver);
        assert!(slots.has_idle());
        slots.drop_all();
        assert_eq!(slots.running(), 0);
    }
}
