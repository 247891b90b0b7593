//! Handlers of whole batches: which records one is given, what it says of them, and what a failure comes to.

pub(crate) mod attempt;
pub(crate) mod batch;
pub(crate) mod extract;
pub(crate) mod failure;
pub(crate) mod handler;
pub(crate) mod outcome;
pub(crate) mod queue;
#[cfg(test)]
mod tests;
