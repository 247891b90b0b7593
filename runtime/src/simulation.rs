//! What the project's own simulation needs of the runtime, and nobody else: machines that stand still (feature `simulation`).

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

use tokio::time::Instant;

pub use crate::planted::{Bug, plant};

tokio::task_local! {
    static MACHINE: Machine;
}

/// A machine that can stand still: none of its tasks is polled then, while timers run and the network goes on.
#[derive(Clone, Default)]
pub struct Machine(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    standstill: Option<Standstill>,
    /// How long its monotonic clock stood still, all in all.
    suspended: Duration,
}

struct Standstill {
    /// Who wanted to be polled meanwhile, in this order.
    waiting: Vec<Waker>,
    /// Since when its monotonic clock stands still as well.
    suspended_at: Option<Instant>,
}

impl Machine {
    /// Stops polling its tasks.
    pub fn freeze(&self) {
        self.stand_still(None);
    }

    /// Stops polling its tasks, and its monotonic clock.
    pub fn suspend(&self) {
        self.stand_still(Some(Instant::now()));
    }

    fn stand_still(&self, suspended_at: Option<Instant>) {
        self.state().standstill.get_or_insert(Standstill {
            waiting: Vec::new(),
            suspended_at,
        });
    }

    /// Goes on with whatever was due meanwhile.
    pub fn thaw(&self) {
        let mut state = self.state();
        let Some(standstill) = state.standstill.take() else {
            return;
        };
        state.suspended += standstill
            .suspended_at
            .map_or(Duration::ZERO, |at| at.elapsed());
        drop(state);
        standstill.waiting.into_iter().for_each(Waker::wake);
    }

    /// Runs a future on this machine, and all that the runtime spawns in it.
    pub fn run<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        Inside {
            machine: self.clone(),
            future: Box::pin(future),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frozen = self.state().standstill.is_some();
        f.debug_struct("Machine").field("frozen", &frozen).finish()
    }
}

struct Inside<F> {
    machine: Machine,
    future: Pin<Box<F>>,
}

impl<F: Future> Future for Inside<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(standstill) = &mut self.machine.state().standstill {
            standstill.waiting.push(cx.waker().clone());
            return Poll::Pending;
        }
        let machine = self.machine.clone();
        MACHINE.sync_scope(machine, || self.future.as_mut().poll(cx))
    }
}

/// How long the monotonic clock of this task's machine stood still, all in all.
pub(crate) fn suspended() -> Duration {
    MACHINE
        .try_with(|machine| machine.state().suspended)
        .unwrap_or_default()
}

/// A task runs on the machine of the task that spawned it.
pub(crate) fn here<F: Future>(future: F) -> impl Future<Output = F::Output> + use<F> {
    let machine = MACHINE.try_with(Clone::clone).ok();
    async move {
        match machine {
            Some(machine) => machine.run(future).await,
            None => future.await,
        }
    }
}
