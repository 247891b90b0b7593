//! How generated code hands an application over: typed up to here, erased from here on.

use std::{
    any::{Any, TypeId, type_name},
    fmt,
    future::Future,
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
};

use aws_types::SdkConfig;

use super::{
    config::{AppConfig, Declared},
    describe::codec,
    directory::Directory,
    hooks::{HookContext, HookError, HookFuture},
    setup::Setup,
    shard_hooks::{MakeHooks, ShardHook, ShardHooks, erase},
};
use crate::{
    dispatch::{
        batches::handler::BatchHandler,
        handler::{RecordHandler, Stream},
        worker::{Batches, Records, Typed, Worker},
    },
    leases::store::LeaseStore,
    spec::{HandlerSpec, StreamSpec},
    telemetry::observer::Observer,
};

/// An annotated module. Implemented by `#[kinesis_app]` for the module's `App`.
pub trait Application: Sized + Send + 'static {
    /// What `#[kinesis_app(..)]` says.
    const SPEC: crate::spec::AppSpec;

    /// The application's streams, handlers and hooks.
    fn wire(self) -> Wired;
}

/// The wiring of a module: its state, its streams, its hooks. Implemented by `#[kinesis_app]` for a type that nobody can name.
pub trait Wire: Sized + Send + Sync + 'static {
    /// What handlers share.
    type State: Send + Sync + 'static;

    /// Registers every stream with its handler.
    fn streams(builder: Builder<Self>) -> Builder<Self>;

    /// `#[on_start]`: makes the state.
    fn start(cx: &HookContext<'_, ()>) -> impl HookFuture<Self::State>;

    /// `#[configure]`: the last word on any setting.
    ///
    /// # Errors
    ///
    /// The hook's own.
    fn configure(config: &mut AppConfig, setup: &Setup) -> Result<(), HookError> {
        let _ = (config, setup);
        Ok(())
    }

    /// `#[aws]`: how the service is reached.
    fn aws(cx: &HookContext<'_, ()>) -> impl HookFuture<Option<SdkConfig>> {
        let _ = cx;
        async { Ok(None) }
    }

    /// `#[leases]`: where leases and checkpoints are kept.
    fn leases(cx: &HookContext<'_, ()>) -> impl HookFuture<Option<Arc<dyn LeaseStore>>> {
        let _ = cx;
        async { Ok(None) }
    }

    /// `#[observe]`: who is told what happens.
    ///
    /// # Errors
    ///
    /// The hook's own.
    fn observe(cx: &HookContext<'_, Self::State>) -> Result<Option<Arc<dyn Observer>>, HookError> {
        let _ = cx;
        Ok(None)
    }

    /// `#[on_ready]`: every shard of the first round has its iterator.
    fn ready(cx: &HookContext<'_, Self::State>) -> impl HookFuture<()> {
        let _ = cx;
        async { Ok(()) }
    }

    /// `#[on_shutdown]`: the last handler returned, the last checkpoint is written.
    fn shutdown(cx: &HookContext<'_, Self::State>) -> impl HookFuture<()> {
        let _ = cx;
        async { Ok(()) }
    }
}

/// Takes the streams of a module, one after the other.
pub struct Builder<W: Wire> {
    streams: Vec<Registered<W>>,
}

/// Erases a handler, once the state is there.
type MakeWorker<W> = fn(Arc<<W as Wire>::State>) -> Arc<dyn Worker>;

struct Registered<W: Wire> {
    declared: Declared,
    worker: Option<MakeWorker<W>>,
    hooks: MakeHooks<W>,
}

impl<W: Wire> Builder<W> {
    /// A handler of the stream `S`.
    ///
    /// `spec` is the stream's own. Not bound by [`Stream`], or what is no stream would be an error here as well.
    pub fn record<S: 'static, H: RecordHandler<W>>(self, spec: StreamSpec) -> Self {
        self.handler::<S>(spec, H::SPEC, |state| {
            Arc::new(Typed::<W, Records<H>>::new(state))
        })
    }

    /// The same with a handler of batches.
    pub fn batch<S: 'static, H: BatchHandler<W>>(self, spec: StreamSpec) -> Self {
        self.handler::<S>(spec, H::SPEC, |state| {
            Arc::new(Typed::<W, Batches<H>>::new(state))
        })
    }

    fn handler<S: 'static>(
        self,
        spec: StreamSpec,
        handler: HandlerSpec,
        worker: MakeWorker<W>,
    ) -> Self {
        self.register(Registered {
            declared: Declared {
                stream: TypeId::of::<S>(),
                spec,
                handler: Some(handler),
                codec: None,
            },
            worker: Some(worker),
            hooks: MakeHooks::default(),
        })
    }

    /// A stream that the module declares; consumed or not.
    pub fn stream<S: Stream>(self) -> Self {
        self.written::<S, S::Codec>(S::SPEC)
    }

    /// A stream of another module's that a handler writes to.
    ///
    /// `C` and `spec` are the stream's own. Not bound by [`Stream`], for the same reason.
    pub fn written<S: 'static, C>(self, spec: StreamSpec) -> Self {
        let declared = Declared {
            stream: TypeId::of::<S>(),
            spec,
            handler: None,
            codec: Some(codec::<C>()),
        };
        self.register(Registered {
            declared,
            worker: None,
            hooks: MakeHooks::default(),
        })
    }

    /// The `#[on_shard_start]` of a stream that is handled.
    pub fn shard_start<S: 'static, H: ShardHook<W>>(mut self) -> Self {
        self.hooks::<S>(|hooks| hooks.start = Some(erase::<W, H>));
        self
    }

    /// The `#[on_shard_end]` of a stream that is handled.
    pub fn shard_end<S: 'static, H: ShardHook<W>>(mut self) -> Self {
        self.hooks::<S>(|hooks| hooks.end = Some(erase::<W, H>));
        self
    }

    /// Behind all handlers: [`OneHookPerStream`](super::shard_hooks::OneHookPerStream) says that one is there.
    fn hooks<S: 'static>(&mut self, set: impl FnOnce(&mut MakeHooks<W>)) {
        let stream = TypeId::of::<S>();
        let mut streams = self.streams.iter_mut();
        let found = streams.find(|known| known.declared.stream == stream);
        set(&mut found.expect("a stream with a hook has a handler").hooks);
    }

    /// A handler may name a stream by another path than its declaration, which the macro cannot tell: one type is one stream.
    fn register(mut self, new: Registered<W>) -> Self {
        let same = |known: &&mut Registered<W>| known.declared.stream == new.declared.stream;
        match self.streams.iter_mut().find(same) {
            Some(known) if new.worker.is_none() => known.declared.codec = new.declared.codec,
            Some(known) if known.worker.is_none() => {
                let codec = known.declared.codec;
                *known = new;
                known.declared.codec = codec;
            }
            // A second handler is the start's to refuse.
            Some(_) | None => self.streams.push(new),
        }
        self
    }
}

impl<W: Wire> fmt::Debug for Builder<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.streams.iter().map(|stream| stream.declared.spec.label))
            .finish()
    }
}

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An application without its types.
#[derive(Debug)]
pub struct Wired(pub(crate) Box<dyn Erased>);

/// What every hook's context has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) directory: &'a Arc<Directory>,
}

impl<'a> Around<'a> {
    fn context<S>(self, state: &'a S) -> HookContext<'a, S> {
        let Self { setup, directory } = self;
        HookContext {
            setup,
            state,
            directory,
        }
    }
}

/// What `#[leases]` made, if there is one.
type MadeStore = Result<Option<Arc<dyn LeaseStore>>, HookError>;

pub(crate) trait Erased: fmt::Debug + Send {
    fn declared(&self) -> Vec<Declared>;
    fn configure(&self, config: &mut AppConfig, setup: &Setup) -> Result<(), HookError>;
    fn aws<'a>(&'a self, around: Around<'a>)
    -> BoxFuture<'a, Result<Option<SdkConfig>, HookError>>;
    fn leases<'a>(&'a self, around: Around<'a>) -> BoxFuture<'a, MadeStore>;
    fn start<'a>(&'a self, around: Around<'a>) -> BoxFuture<'a, Result<Box<dyn Live>, HookError>>;
    /// Starts with a state that the caller made; the name of the type that it should have been, if it is another.
    fn start_with(&self, state: Arc<dyn Any + Send + Sync>) -> Result<Box<dyn Live>, &'static str>;
}

/// An application that has its state.
pub(crate) trait Live: fmt::Debug + Send + Sync {
    /// In the order of [`Erased::declared`]; none for a stream without a handler.
    fn workers(&self) -> Vec<Option<Arc<dyn Worker>>>;
    /// In the same order.
    fn shard_hooks(&self) -> Vec<ShardHooks>;
    fn observe(&self, around: Around<'_>) -> Result<Option<Arc<dyn Observer>>, HookError>;
    fn ready<'a>(&'a self, around: Around<'a>) -> BoxFuture<'a, Result<(), HookError>>;
    fn shutdown<'a>(&'a self, around: Around<'a>) -> BoxFuture<'a, Result<(), HookError>>;
}

/// For generated code: the application wired by `W`.
pub fn wired<W: Wire>() -> Wired {
    Wired(Box::new(Module::<W>(PhantomData)))
}

/// For generated code of a module that has errors.
pub fn broken() -> Wired {
    unreachable!("a module with errors does not compile, so nobody runs it")
}

struct Module<W>(PhantomData<fn() -> W>);

impl<W> fmt::Debug for Module<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Module")
    }
}

impl<W: Wire> Module<W> {
    fn streams() -> Vec<Registered<W>> {
        W::streams(Builder {
            streams: Vec::new(),
        })
        .streams
    }
}

impl<W: Wire> Erased for Module<W> {
    fn declared(&self) -> Vec<Declared> {
        Self::streams()
            .iter()
            .map(|stream| stream.declared)
            .collect()
    }

    fn configure(&self, config: &mut AppConfig, setup: &Setup) -> Result<(), HookError> {
        W::configure(config, setup)
    }

    fn aws<'a>(
        &'a self,
        around: Around<'a>,
    ) -> BoxFuture<'a, Result<Option<SdkConfig>, HookError>> {
        Box::pin(async move { W::aws(&around.context(&())).await })
    }

    fn leases<'a>(&'a self, around: Around<'a>) -> BoxFuture<'a, MadeStore> {
        Box::pin(async move { W::leases(&around.context(&())).await })
    }

    fn start<'a>(&'a self, around: Around<'a>) -> BoxFuture<'a, Result<Box<dyn Live>, HookError>> {
        Box::pin(async move {
            let state = Arc::new(W::start(&around.context(&())).await?);
            Ok(Box::new(Started::<W> { state }) as Box<dyn Live>)
        })
    }

    fn start_with(&self, state: Arc<dyn Any + Send + Sync>) -> Result<Box<dyn Live>, &'static str> {
        let state = state
            .downcast::<W::State>()
            .map_err(|_| type_name::<W::State>())?;
        Ok(Box::new(Started::<W> { state }))
    }
}

struct Started<W: Wire> {
    state: Arc<W::State>,
}

impl<W: Wire> fmt::Debug for Started<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Started")
    }
}

impl<W: Wire> Live for Started<W> {
    fn workers(&self) -> Vec<Option<Arc<dyn Worker>>> {
        Module::<W>::streams()
            .into_iter()
            .map(|stream| stream.worker.map(|worker| worker(Arc::clone(&self.state))))
            .collect()
    }

    fn shard_hooks(&self) -> Vec<ShardHooks> {
        let streams = Module::<W>::streams().into_iter();
        streams
            .map(|stream| stream.hooks.make(&self.state))
            .collect()
    }

    fn observe(&self, around: Around<'_>) -> Result<Option<Arc<dyn Observer>>, HookError> {
        W::observe(&around.context(&self.state))
    }

    fn ready<'a>(&'a self, around: Around<'a>) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(async move { W::ready(&around.context(&self.state)).await })
    }

    fn shutdown<'a>(&'a self, around: Around<'a>) -> BoxFuture<'a, Result<(), HookError>> {
        Box::pin(async move { W::shutdown(&around.context(&self.state)).await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        IntoOutcome, NoState, Outcome, RecordContext, Settled, Undecodable, codec::Raw,
        spec::Setting,
    };

    struct Orders;

    impl Stream for Orders {
        type Codec = Raw;
        const SPEC: StreamSpec = StreamSpec::named("Orders", Setting::Fixed("orders"));
    }

    struct Module;

    impl Wire for Module {
        type State = NoState;

        fn streams(builder: Builder<Self>) -> Builder<Self> {
            builder
        }

        async fn start(_: &HookContext<'_, ()>) -> Result<NoState, HookError> {
            Ok(NoState)
        }
    }

    struct Book;

    impl RecordHandler<Module> for Book {
        const SPEC: HandlerSpec = HandlerSpec::records("book", "");

        async fn call(_: &RecordContext<'_, NoState>) -> Result<Settled, Undecodable> {
            Ok(Outcome::Done.into_outcome())
        }
    }

    #[test]
    fn a_stream_is_registered_once_and_keeps_its_handler_in_either_order() {
        let empty = || Builder::<Module> {
            streams: Vec::new(),
        };
        for builder in [
            empty()
                .record::<Orders, Book>(Orders::SPEC)
                .stream::<Orders>(),
            empty()
                .stream::<Orders>()
                .record::<Orders, Book>(Orders::SPEC),
        ] {
            assert_eq!(builder.streams.len(), 1);
            assert!(builder.streams[0].worker.is_some());
            assert!(builder.streams[0].declared.handler.is_some());
        }
    }
}
