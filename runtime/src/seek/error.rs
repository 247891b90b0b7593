//! Why a seek failed.

use crate::{cause::Chain, leases::store::StoreError, service_error::ServiceError};

/// Why a seek was not carried out. But for [`Unknown`](Self::Unknown), everything is as it was before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeekError {
    /// The application has not begun to read, is stopping, or has stopped, or the stream cannot be read any more.
    #[error("`{stream}` is not read: the application is not running")]
    NotRunning {
        /// The stream's struct.
        stream: &'static str,
    },
    /// The application has no handler for the stream, so that there is nothing to reposition.
    #[error(
        "`{stream}` has no handler in this application\nhelp: seek in the application whose `#[on_record({stream})]` reads it"
    )]
    NotConsumed {
        /// The stream's struct.
        stream: &'static str,
    },
    /// The position lies ahead of the service's clock, by more than clocks of machines differ.
    #[error(
        "`{stream}`: the position lies {ahead_seconds} s in the future of the service's clock\nhelp: `Position::latest()` is now"
    )]
    InTheFuture {
        /// The stream's struct.
        stream: &'static str,
        /// By how much.
        ahead_seconds: u64,
    },
    /// The service does not give an iterator for the position, or cannot be asked.
    #[error("`{stream}`: the position cannot be read from: {source}")]
    Service {
        /// The stream's struct.
        stream: &'static str,
        /// What the service says.
        source: ServiceError,
    },
    /// The service's answer has no `Date`, which `Position::latest()` is stored by.
    #[error(
        "`{stream}`: the answer has no `Date` header, which `Position::latest()` is stored by\nhelp: seek to a timestamp"
    )]
    NoClock {
        /// The stream's struct.
        stream: &'static str,
    },
    /// The shard is not read by this instance.
    #[error("`{stream}`: shard `{shard}` is {}\nhelp: seek there, or reposition the whole stream", read_by(.owner.as_deref()))]
    NotHeld {
        /// The stream's struct.
        stream: &'static str,
        /// The shard.
        shard: String,
        /// Whose it is, by its `owner_id`; nobody's if it is finished, waits for its parents, or was never heard of.
        owner: Option<String>,
    },
    /// The shard changes hands, or is being repositioned, just now.
    #[error("`{stream}`: shard `{shard}` changes hands or is being repositioned")]
    Moving {
        /// The stream's struct.
        stream: &'static str,
        /// The shard.
        shard: String,
    },
    /// The lease store does not take the position.
    #[error("`{stream}`: the position was not stored: {}", Chain(.source))]
    Store {
        /// The stream's struct.
        stream: &'static str,
        /// What it says.
        source: StoreError,
    },
    /// The lease store was asked to store the position and did not answer, also when it was asked what stands. The seek may have been
    /// carried out, or may be carried out later; readers go on where they are until they see that it was. To seek again is safe.
    #[error("`{stream}`: it is not known whether the position was stored: {}", Chain(.source))]
    Unknown {
        /// The stream's struct.
        stream: &'static str,
        /// What the store said last.
        source: StoreError,
    },
}

impl SeekError {
    /// Whether the same seek may succeed later.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::NotRunning { .. }
            | Self::NotConsumed { .. }
            | Self::NotHeld { .. }
            | Self::InTheFuture { .. }
            | Self::NoClock { .. } => false,
            Self::Service { source, .. } => source.is_retryable(),
            Self::Store { source, .. } => source.is_retryable(),
            Self::Moving { .. } | Self::Unknown { .. } => true,
        }
    }

    /// Whether the seek may have been carried out all the same.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }
}

fn read_by(owner: Option<&str>) -> String {
    owner.map_or("read by nobody".into(), |owner| {
        format!("read by `{owner}`")
    })
}
