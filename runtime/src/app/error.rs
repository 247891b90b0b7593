use crate::{
    app::problem::{ConfigErrors, StreamErrors},
    cause::{Chain, HandlerError},
    leases::store::StoreError,
};

/// Why an application did not start, or does not run any more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Settings are out of range; nothing was connected.
    #[error(transparent)]
    Config(#[from] ConfigErrors),
    /// The lease store cannot be used; no lease was taken.
    #[error("{app}: the lease store cannot be used: {}", Chain(source))]
    Leases {
        /// The application.
        app: String,
        /// What it says.
        source: StoreError,
    },
    /// Streams cannot be read; no lease was taken.
    #[error(transparent)]
    Streams(#[from] StreamErrors),
    /// The service cannot be asked at all.
    #[error("{app}: {text}")]
    Connect {
        /// The application.
        app: String,
        /// What is missing.
        text: String,
    },
    /// A hook failed.
    #[error("{app}: the `#[{hook}]` hook failed: {source}")]
    Hook {
        /// The application.
        app: String,
        /// Which one.
        hook: &'static str,
        /// What it says.
        source: HandlerError,
    },
    /// The state given with [`Launch::state`](crate::Launch::state) is not the application's.
    #[error("{app}: the application's state is a `{expected}`, and it was given a `{given}`")]
    State {
        /// The application.
        app: String,
        /// The type that `#[on_start]` makes.
        expected: &'static str,
        /// The type that was given.
        given: &'static str,
    },
    /// A stream cannot be read any more.
    #[error("{app}: stream `{stream}` is not read any more: {source}")]
    Stream {
        /// The application.
        app: String,
        /// The struct's name.
        stream: &'static str,
        /// What happened to it.
        source: HandlerError,
    },
    /// A second signal came before the stop was done: leases that were not given back die after their duration.
    #[error("{app}: a second signal cut the stop short")]
    Interrupted {
        /// The application.
        app: String,
    },
    /// Signals cannot be listened to.
    #[error("signals cannot be listened to")]
    Signals(#[source] std::io::Error),
}
