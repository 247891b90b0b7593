//! What the project's own simulation needs of the runtime, and nobody else: machines that stand still (feature `simulation`).

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

pub use crate::planted::{Bug, plant};

tokio::task_local! {
    static MACHINE: Machine;
}

/// A machine that can be frozen: none of its tasks is polled then, while timers run and the network goes on.
#[derive(Clone, Default)]
pub struct Machine(Arc<Mutex<State>>);

#[derive(Default)]
enum State {
    #[default]
    Running,
    /// Who wanted to be polled meanwhile, in this order.
    Frozen(Vec<Waker>),
}

impl Machine {
    /// Stops polling its tasks.
    pub fn freeze(&self) {
        let mut state = self.state();
        if matches!(*state, State::Running) {
            *state = State::Frozen(Vec::new());
        }
    }

    /// Goes on with whatever was due meanwhile.
    pub fn thaw(&self) {
        let state = std::mem::take(&mut *self.state());
        if let State::Frozen(waiting) = state {
            waiting.into_iter().for_each(Waker::wake);
        }
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
        let frozen = matches!(*self.state(), State::Frozen(_));
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
        if let State::Frozen(waiting) = &mut *self.machine.state() {
            waiting.push(cx.waker().clone());
            return Poll::Pending;
        }
        let machine = self.machine.clone();
        MACHINE.sync_scope(machine, || self.future.as_mut().poll(cx))
    }
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
