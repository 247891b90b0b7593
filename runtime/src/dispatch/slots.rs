//! The places in which handlers run: as many as the handler's concurrency, reused for every record.

use std::{
    fmt,
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

    /// Takes the lowest woken slot.
    fn take(&self) -> Option<usize> {
        for (word, bits) in self.bits.iter().enumerate() {
            let seen = bits.load(Ordering::Acquire);
            if seen != 0 {
                let bit = seen.trailing_zeros() as usize;
                bits.fetch_and(!(1 << bit), Ordering::AcqRel);
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

    /// The next output, in the order of wake-ups. Pending for ever while nothing runs.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.woken.task.register(cx.waker());
        while let Some(index) = self.woken.take() {
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

    /// Drops everything that runs.
    pub(crate) fn drop_all(&mut self) {
        for slot in &mut self.all {
            slot.future.as_mut().set(None);
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
