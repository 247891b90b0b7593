//! What a person or a machine sees of a running application.

pub(crate) mod health;
pub(crate) mod refusals;
