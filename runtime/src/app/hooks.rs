//! What hooks take and give.

use std::sync::Arc;

use aws_types::SdkConfig;

use super::{directory::Directory, setup::Setup};
use crate::{
    cause::HandlerError,
    dispatch::extract::{Provides, State},
    leases::store::LeaseStore,
    telemetry::observer::Observer,
};

/// Why a hook failed: any error, `String` or `&str`.
pub type HookError = HandlerError;

/// What a hook's arguments are taken from; `S` is the application's state, `()` before there is one.
#[derive(Debug)]
pub struct HookContext<'a, S> {
    pub(crate) setup: &'a Setup,
    pub(crate) state: &'a S,
    pub(crate) directory: &'a Arc<Directory>,
}

/// A call of a hook that makes a `T`.
pub trait HookFuture<T>: Future<Output = Result<T, HookError>> + Send {}

impl<T, F: Future<Output = Result<T, HookError>> + Send> HookFuture<T> for F {}

/// A type that a hook may take: [`Setup`], [`Seeker`](crate::Seeker), [`Publisher`](crate::Publisher), and [`State`] once there is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a hook",
    label = "not available here",
    note = "`#[on_start]`, `#[aws]` and `#[leases]` may take a `Setup`, a `Seeker<S>` and a `Publisher<S>`; `#[on_ready]`, `#[on_shutdown]` and `#[observe]` a `State<T>` as well"
)]
pub trait FromApp<S>: Sized {
    /// Takes it.
    fn from_app(cx: &HookContext<'_, S>) -> Self;
}

impl<S> FromApp<S> for Setup {
    fn from_app(cx: &HookContext<'_, S>) -> Self {
        cx.setup.clone()
    }
}

impl<S: Provides<T>, T> FromApp<S> for State<T> {
    fn from_app(cx: &HookContext<'_, S>) -> Self {
        Self(cx.state.provide())
    }
}

/// What `#[on_start]` returns: `Result<S, E>`, where `S` is the application's state.
#[diagnostic::on_unimplemented(
    message = "`#[on_start]` cannot return `{Self}`",
    label = "not a result whose error converts into `HookError`",
    note = "return `Result<State, E>` where `E: Into<HookError>`: an error that is `Send` and `Sync`, `String` or `&str`"
)]
pub trait StartOutput<S> {
    /// The state, or why there is none.
    ///
    /// # Errors
    ///
    /// The hook's own.
    fn into_state(self) -> Result<S, HookError>;
}

#[diagnostic::do_not_recommend]
impl<S, E: Into<HookError>> StartOutput<S> for Result<S, E> {
    fn into_state(self) -> Result<S, HookError> {
        self.map_err(Into::into)
    }
}

/// What the other hooks return: nothing, or `Result<(), E>`.
#[diagnostic::on_unimplemented(
    message = "a hook cannot return `{Self}`",
    label = "not `()` or a result",
    note = "return nothing, or `Result<(), E>` where `E: Into<HookError>`: an error that is `Send` and `Sync`, `String` or `&str`"
)]
pub trait HookOutput {
    /// Whether the hook failed.
    ///
    /// # Errors
    ///
    /// The hook's own.
    fn into_result(self) -> Result<(), HookError>;
}

impl HookOutput for () {
    fn into_result(self) -> Result<(), HookError> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<HookError>> HookOutput for Result<(), E> {
    fn into_result(self) -> Result<(), HookError> {
        self.map_err(Into::into)
    }
}

/// What `#[aws]` returns: an `SdkConfig`, or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`#[aws]` cannot return `{Self}`",
    label = "not an SDK configuration",
    note = "return `SdkConfig`, or `Result<SdkConfig, E>` where `E: Into<HookError>`"
)]
pub trait AwsOutput {
    /// The configuration, or why there is none.
    ///
    /// # Errors
    ///
    /// The hook's own.
    fn into_config(self) -> Result<SdkConfig, HookError>;
}

impl AwsOutput for SdkConfig {
    fn into_config(self) -> Result<SdkConfig, HookError> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<HookError>> AwsOutput for Result<SdkConfig, E> {
    fn into_config(self) -> Result<SdkConfig, HookError> {
        self.map_err(Into::into)
    }
}

/// What `#[leases]` returns: a [`LeaseStore`], or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`#[leases]` cannot return `{Self}`",
    label = "not a lease store",
    note = "return `impl LeaseStore`, or `Result<impl LeaseStore, E>` where `E: Into<HookError>`"
)]
pub trait LeasesOutput {
    /// The store, or why there is none.
    ///
    /// # Errors
    ///
    /// The hook's own.
    fn into_store(self) -> Result<Arc<dyn LeaseStore>, HookError>;
}

impl<L: LeaseStore> LeasesOutput for L {
    fn into_store(self) -> Result<Arc<dyn LeaseStore>, HookError> {
        Ok(Arc::new(self))
    }
}

#[diagnostic::do_not_recommend]
impl<L: LeaseStore, E: Into<HookError>> LeasesOutput for Result<L, E> {
    fn into_store(self) -> Result<Arc<dyn LeaseStore>, HookError> {
        self.map_err(Into::into).and_then(L::into_store)
    }
}

/// What `#[observe]` returns: an [`Observer`], or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`#[observe]` cannot return `{Self}`",
    label = "not an observer",
    note = "return `impl Observer`, or `Result<impl Observer, E>` where `E: Into<HookError>`"
)]
pub trait ObserveOutput {
    /// The observer, or why there is none.
    ///
    /// # Errors
    ///
    /// The hook's own.
    fn into_observer(self) -> Result<Arc<dyn Observer>, HookError>;
}

impl<O: Observer> ObserveOutput for O {
    fn into_observer(self) -> Result<Arc<dyn Observer>, HookError> {
        Ok(Arc::new(self))
    }
}

#[diagnostic::do_not_recommend]
impl<O: Observer, E: Into<HookError>> ObserveOutput for Result<O, E> {
    fn into_observer(self) -> Result<Arc<dyn Observer>, HookError> {
        self.map_err(Into::into).and_then(O::into_observer)
    }
}
