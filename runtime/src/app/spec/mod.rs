//! Const descriptors: what `#[kinesis_app]` and `#[stream]` say, before the environment and `#[configure]` had their word.
//!
//! Generated code builds these by literal, over what holds when an attribute says nothing; [`AppConfig`](crate::AppConfig) is made from
//! them once, at start.

mod app;
mod handler;
mod setting;
mod stream;

pub use app::{AppKey, AppSpec, Credentials, LeaseTable, Leases, MissingTable, Store};
pub use handler::{BatchSpec, Concurrency, GiveUp, HandlerKey, HandlerSpec, Order, Retry};
pub use setting::{Fallback, Setting, Variable};
pub use stream::{
    Checkpoints, OnFatal, OnRecreated, Poll, Read, Start, StreamId, StreamKey, StreamRef,
    StreamSpec,
};
