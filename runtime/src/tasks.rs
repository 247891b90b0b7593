//! The one door through which tasks are spawned.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::task::{JoinError, JoinHandle};

/// A task that ends with its handle: whoever drops the handle has stopped it.
#[derive(Debug)]
pub(crate) struct Task<T>(JoinHandle<T>);

pub(crate) fn spawn<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
) -> Task<T> {
    #[cfg(feature = "simulation")]
    let future = crate::simulation::here(future);
    #[expect(clippy::disallowed_methods, reason = "this is the door")]
    Task(tokio::spawn(future))
}

/// Runs what blocks a thread on a thread of its own. It goes on if nobody waits for it any more.
pub(crate) async fn blocking<T: Send + 'static>(
    step: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    tokio::task::spawn_blocking(step).await
}

impl<T> Future for Task<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(cx)
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
