//! Applications against services over sockets: a Kinesis and DynamoDBs that others wrote, a client that others wrote, the emulator on
//! its port.
//!
//! `live/run` sets the scene and runs this. A test whose service has no endpoint is skipped, and says so; with
//! `KINESIS_LIVE_REQUIRED=1` a skip is a failure. Each test has a stream and a table of its own, with at most 3,000 records a shard: the
//! Kinesis that is used in CI slows down with what it holds. Time is real.
#![cfg(unix)]

mod blocked;
mod crash;
mod fleet;
mod foreign_client;
mod freeze;
mod gate;
mod restart;
mod stores;
mod stream;
