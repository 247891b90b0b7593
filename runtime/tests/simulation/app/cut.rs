//! Handlings that are dropped.

use crate::trace::{Handling, Trace, What};

/// Notes the handlings of a call that is dropped before it is over.
pub(super) struct Cut<'a> {
    trace: &'a Trace,
    handlings: Vec<Handling>,
}

impl<'a> Cut<'a> {
    pub(super) fn new(trace: &'a Trace, handlings: Vec<Handling>) -> Self {
        Self { trace, handlings }
    }

    pub(super) fn is_over(&mut self) {
        self.handlings.clear();
    }
}

impl Drop for Cut<'_> {
    fn drop(&mut self) {
        for handling in self.handlings.drain(..) {
            self.trace.write(What::Cut(handling));
        }
    }
}
