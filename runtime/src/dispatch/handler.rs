use std::future::Future;

use super::{
    extract::RecordContext,
    outcome::{Settled, Undecodable},
};
use crate::{app::wire::Wire, spec};

/// A type that names a Kinesis stream. Declared with `#[stream(..)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a stream",
    label = "not declared with `#[stream(..)]`",
    note = "the record type is the first parameter; here goes the stream's struct"
)]
pub trait Stream: Send + Sync + 'static {
    /// How its records are decoded.
    type Codec: 'static;
    /// What `#[stream(..)]` says.
    const SPEC: spec::StreamSpec;
}

/// One shard is one ordered log with one checkpoint, so a stream has one handler in an application. Implemented by `#[on_record]`
/// and `#[on_batch]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no handler in this application",
    label = "no `#[on_record(..)]` or `#[on_batch(..)]` is for this stream",
    note = "a hook of its shards goes with a handler of its records"
)]
pub trait OneHandlerPerStream<App> {}

/// One attempt at a record: how it ended, or why its handler was not called.
pub trait RecordFuture: Future<Output = Result<Settled, Undecodable>> + Send {}

// Without `do_not_recommend`, and no `on_unimplemented` on the trait: rustc then says what in a future is not `Send`, and where.
impl<F: Future<Output = Result<Settled, Undecodable>> + Send> RecordFuture for F {}

/// The glue of an `#[on_record]` function: decode, extract, call, settle.
pub trait RecordHandler<W: Wire>: Send + Sync + 'static {
    /// What `#[on_record(..)]` says.
    const SPEC: spec::HandlerSpec;

    /// One attempt at one record.
    fn call(cx: &RecordContext<'_, W::State>) -> impl RecordFuture;
}
