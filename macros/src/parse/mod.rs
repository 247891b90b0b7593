//! Tokens to raw items: spanned, everything optional, nothing judged.

pub(crate) mod args;
pub(crate) mod first;
pub(crate) mod foreign;
pub(crate) mod given_back;
pub(crate) mod item;
pub(crate) mod marks;
pub(crate) mod module;
pub(crate) mod other;
pub(crate) mod subject;
