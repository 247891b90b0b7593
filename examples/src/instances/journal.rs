//! What a process says of each parcel, a line each: who reads the lines need not trust the process, only the pipe.

use std::{
    io::{Write, stdout},
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

/// One word of one handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Said {
    pub(crate) moment: Moment,
    /// Microseconds since the Unix epoch, by the clock that all processes of the machine share.
    pub(crate) at: u128,
    pub(crate) customer: String,
    pub(crate) id: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Moment {
    Begin,
    End,
}

impl Said {
    #[expect(clippy::disallowed_methods, reason = "the clock that processes share")]
    pub(crate) fn now(moment: Moment, customer: &str, id: u64) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            moment,
            at: since.unwrap_or_default().as_micros(),
            customer: customer.into(),
            id,
        }
    }

    /// In one write: a process that is killed has said it or has not.
    pub(crate) fn say(&self) {
        if let Ok(line) = serde_json::to_string(self) {
            // Nobody listens any more: then nobody asks either.
            let _ = stdout().lock().write_all(format!("{line}\n").as_bytes());
        }
    }
}
