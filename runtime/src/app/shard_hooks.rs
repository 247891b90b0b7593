//! What `#[on_shard_start]` and `#[on_shard_end]` take, and how they are called: typed up to here, erased from here on.

use std::{fmt, marker::PhantomData, sync::Arc};

use super::{
    directory::Directory,
    hooks::{HookError, HookFuture},
    wire::{BoxFuture, Wire},
};
use crate::{
    dispatch::{
        extract::{Lease, Provides, ShardId, State},
        handler::OneHandlerPerStream,
        shutdown::Shutdown,
    },
    record::text::SharedText,
};

/// What a shard hook's arguments are taken from; `S` is the application's state.
#[derive(Debug)]
pub struct ShardContext<'a, S> {
    pub(crate) shard: &'a HookedShard,
    pub(crate) state: &'a S,
}

/// The shard that a hook is called for, in one tenure.
#[derive(Debug)]
pub(crate) struct HookedShard {
    pub(crate) shard_id: SharedText,
    pub(crate) token: u64,
    pub(crate) directory: Arc<Directory>,
    pub(crate) shutdown: Shutdown,
}

/// A type that `#[on_shard_start]` and `#[on_shard_end]` may take: [`ShardId`], [`Lease`], [`Shutdown`],
/// [`Seeker`](crate::Seeker), [`Publisher`](crate::Publisher) and [`State`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a shard hook",
    label = "not available here",
    note = "`#[on_shard_start]` and `#[on_shard_end]` may take a `ShardId`, a `Lease`, a `Shutdown`, a `Seeker<S>`, a `Publisher<S>` and a `State<T>`"
)]
pub trait FromShard<S>: Sized {
    /// Takes it.
    fn from_shard(cx: &ShardContext<'_, S>) -> Self;
}

impl<S> FromShard<S> for ShardId {
    fn from_shard(cx: &ShardContext<'_, S>) -> Self {
        Self::of(&cx.shard.shard_id)
    }
}

impl<S> FromShard<S> for Lease {
    fn from_shard(cx: &ShardContext<'_, S>) -> Self {
        Self::with(cx.shard.token)
    }
}

impl<S> FromShard<S> for Shutdown {
    fn from_shard(cx: &ShardContext<'_, S>) -> Self {
        cx.shard.shutdown.clone()
    }
}

impl<S: Provides<T>, T> FromShard<S> for State<T> {
    fn from_shard(cx: &ShardContext<'_, S>) -> Self {
        Self(cx.state.provide())
    }
}

/// A stream that is handled has one hook of each kind. Implemented by `#[on_shard_start]` and `#[on_shard_end]`; `Moment` is which of them.
pub trait OneHookPerStream<App, Moment>: OneHandlerPerStream<App> {}

/// The moment of `#[on_shard_start]`.
#[derive(Debug)]
pub struct ShardStart;

/// The moment of `#[on_shard_end]`.
#[derive(Debug)]
pub struct ShardEnd;

/// The glue of a shard hook: extract, call, settle.
pub trait ShardHook<W: Wire>: Send + Sync + 'static {
    /// One call.
    fn call(cx: &ShardContext<'_, W::State>) -> impl HookFuture<()>;
}

/// A shard hook without its types.
pub(crate) trait ErasedShardHook: fmt::Debug + Send + Sync {
    fn call<'a>(&'a self, shard: &'a HookedShard) -> BoxFuture<'a, Result<(), HookError>>;
}

/// The hooks of one stream.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShardHooks {
    pub(crate) start: Option<Arc<dyn ErasedShardHook>>,
    pub(crate) end: Option<Arc<dyn ErasedShardHook>>,
}

/// Erases a hook, once the state is there.
type MakeHook<W> = fn(Arc<<W as Wire>::State>) -> Arc<dyn ErasedShardHook>;

/// The hooks of one stream, before there is a state.
pub(super) struct MakeHooks<W: Wire> {
    pub(super) start: Option<MakeHook<W>>,
    pub(super) end: Option<MakeHook<W>>,
}

impl<W: Wire> Default for MakeHooks<W> {
    fn default() -> Self {
        Self {
            start: None,
            end: None,
        }
    }
}

impl<W: Wire> MakeHooks<W> {
    pub(super) fn make(&self, state: &Arc<W::State>) -> ShardHooks {
        let made = |make: Option<MakeHook<W>>| make.map(|make| make(Arc::clone(state)));
        ShardHooks {
            start: made(self.start),
            end: made(self.end),
        }
    }
}

pub(super) fn erase<W: Wire, H: ShardHook<W>>(state: Arc<W::State>) -> Arc<dyn ErasedShardHook> {
    Arc::new(Typed::<W, H> {
        state,
        hook: PhantomData,
    })
}

struct Typed<W: Wire, H> {
    state: Arc<W::State>,
    hook: PhantomData<fn() -> H>,
}

impl<W: Wire, H> fmt::Debug for Typed<W, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShardHook")
    }
}

impl<W: Wire, H: ShardHook<W>> ErasedShardHook for Typed<W, H> {
    fn call<'a>(&'a self, shard: &'a HookedShard) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(async move {
            let state = &*self.state;
            H::call(&ShardContext { shard, state }).await
        })
    }
}
