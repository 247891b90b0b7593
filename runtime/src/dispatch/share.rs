//! A shard's share in what a handler may do at the same time in the whole process.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// Lets one record run; nothing where there is no limit.
pub(super) type Permit = Option<OwnedSemaphorePermit>;

type Turn = Pin<Box<dyn Future<Output = Result<OwnedSemaphorePermit, AcquireError>> + Send>>;

/// Shards take turns in the order in which they ask, each with one record, so that none of them starves. One that waits takes nothing.
pub(super) struct Share {
    /// `None`: without a limit.
    all: Option<Arc<Semaphore>>,
    place: Place,
}

enum Place {
    None,
    InTheQueue(Turn),
    Next(OwnedSemaphorePermit),
}

impl Share {
    pub(super) fn new(all: Option<Arc<Semaphore>>) -> Self {
        Self {
            all,
            place: Place::None,
        }
    }

    /// A permit to begin a record. Without one, the shard stands in the queue from the next poll on.
    pub(super) fn take(&mut self) -> Option<Permit> {
        let Some(all) = &self.all else {
            return Some(None);
        };
        match std::mem::replace(&mut self.place, Place::None) {
            Place::Next(permit) => return Some(Some(permit)),
            Place::InTheQueue(turn) => self.place = Place::InTheQueue(turn),
            // What is free has nobody waiting for it.
            Place::None => match Arc::clone(all).try_acquire_owned() {
                Ok(permit) => return Some(Some(permit)),
                Err(_) => self.place = Place::InTheQueue(Box::pin(Arc::clone(all).acquire_owned())),
            },
        }
        None
    }

    pub(super) fn waits(&self) -> bool {
        matches!(self.place, Place::InTheQueue(_))
    }

    /// There is nothing to begin: the place in the queue is others'.
    pub(super) fn leave(&mut self) {
        self.place = Place::None;
    }

    /// Ready when the shard's turn has come.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Place::InTheQueue(turn) = &mut self.place else {
            return Poll::Pending;
        };
        let Poll::Ready(permit) = turn.as_mut().poll(cx) else {
            return Poll::Pending;
        };
        self.place = Place::Next(permit.expect("the semaphore of a handler is never closed"));
        Poll::Ready(())
    }
}

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.place {
            Place::None => "Share",
            Place::InTheQueue(_) => "Share(in the queue)",
            Place::Next(_) => "Share(next)",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    #[tokio::test]
    async fn shards_take_turns_and_one_that_leaves_the_queue_holds_up_nobody() {
        let all = Arc::new(Semaphore::new(1));
        let [mut one, mut two, mut three] = [(); 3].map(|()| Share::new(Some(Arc::clone(&all))));
        let permit = one.take().expect("nobody else runs");
        for waiting in [&mut two, &mut three] {
            assert!(waiting.take().is_none());
            assert!(poll_fn(|cx| Poll::Ready(waiting.poll(cx).is_pending())).await);
        }
        drop(permit);
        assert!(one.take().is_none(), "others asked before");
        assert!(poll_fn(|cx| Poll::Ready(one.poll(cx).is_pending())).await);
        two.leave();
        poll_fn(|cx| three.poll(cx)).await;
        drop(three.take().expect("its turn has come"));
        poll_fn(|cx| one.poll(cx)).await;
        assert!(one.take().is_some());
    }

    #[test]
    fn without_a_limit_there_is_no_queue() {
        let mut share = Share::new(None);
        assert!(share.take().is_some() && share.take().is_some());
    }
}
