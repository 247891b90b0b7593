//! When a stream is ready.

use std::collections::BTreeSet;

use tokio::sync::{mpsc, oneshot};

/// A stream is ready when every shard that its first round found startable has its iterator, or is somebody else's.
#[derive(Debug)]
pub(super) struct FirstRound {
    ready: Option<oneshot::Sender<()>>,
    waiting: Option<BTreeSet<String>>,
    /// Those that opened before the round was through: a look that fails ends it, and its readers run all the same.
    early: BTreeSet<String>,
    pub(super) opened: mpsc::UnboundedReceiver<String>,
    pub(super) tell: mpsc::UnboundedSender<String>,
}

impl FirstRound {
    pub(super) fn new(ready: oneshot::Sender<()>) -> Self {
        let (tell, opened) = mpsc::unbounded_channel();
        Self {
            ready: Some(ready),
            waiting: None,
            early: BTreeSet::new(),
            opened,
            tell,
        }
    }

    /// Whether it is still to be gone through.
    pub(super) fn is_on(&self) -> bool {
        self.waiting.is_none()
    }

    pub(super) fn begun(&mut self, readers: &BTreeSet<String>) {
        if self.waiting.is_none() {
            self.waiting = Some(readers - &self.early);
            self.tell_when_ready();
        }
    }

    pub(super) fn opened(&mut self, shard_id: &str) {
        if let Some(waiting) = &mut self.waiting {
            waiting.remove(shard_id);
            self.tell_when_ready();
        } else {
            self.early.insert(shard_id.to_owned());
        }
    }

    fn tell_when_ready(&mut self) {
        if self.waiting.as_ref().is_some_and(BTreeSet::is_empty)
            && let Some(ready) = self.ready.take()
        {
            // A start that was given up waits no more.
            let _ = ready.send(());
        }
    }
}

pub(super) async fn tell(
    opened: oneshot::Receiver<()>,
    shard_id: String,
    tell: mpsc::UnboundedSender<String>,
) {
    // A reader that ends before it has an iterator is heard of by its end.
    if opened.await.is_ok() {
        let _ = tell.send(shard_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_shard_that_opened_before_its_round_was_through_is_not_waited_for() {
        let (ready, mut told) = oneshot::channel();
        let mut first = FirstRound::new(ready);
        let readers = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        first.opened("a");
        first.begun(&readers);
        assert!(told.try_recv().is_err(), "one is still to open");
        first.opened("b");
        assert!(told.try_recv().is_ok());
    }
}
