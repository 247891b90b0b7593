//! Timers and sockets that are looked after while a handler blocks its thread.

use std::{
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use tokio::runtime::{Handle, RuntimeFlavor};

/// Wakes a worker thread of the runtime now and then, until it is dropped.
///
/// One worker at a time waits for timers and sockets. When it has a task to run it wakes nobody to wait in its stead, so that a task
/// which blocks it stops every timer of the runtime, heartbeats among them, while the other workers sleep. A task from outside wakes one
/// of these, and with nothing else to do it waits for timers and sockets.
#[derive(Debug)]
pub(crate) struct Nudge {
    /// Its end is the thread's.
    _on: Sender<()>,
}

impl Nudge {
    /// None in a runtime of one thread, where nobody else could be woken.
    pub(crate) fn begin(every: Duration) -> Option<Self> {
        let runtime = Handle::current();
        if runtime.runtime_flavor() == RuntimeFlavor::CurrentThread {
            return None;
        }
        let (on, off) = channel::<()>();
        let nudging = thread::Builder::new().name("kinesis-app-nudge".into());
        let nudging = nudging.spawn(move || {
            while off.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                runtime.spawn(async {});
            }
        });
        match nudging {
            Ok(_) => Some(Self { _on: on }),
            Err(error) => {
                tracing::warn!(%error, "no thread left; a handler that blocks its thread may cost its leases");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_runtime_of_one_thread_is_left_alone() {
        assert!(Nudge::begin(Duration::from_secs(1)).is_none());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_runtime_of_two_threads_is_nudged() {
        assert!(Nudge::begin(Duration::from_secs(1)).is_some());
    }
}
