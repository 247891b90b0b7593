mod billing {
    struct Orders;
    struct Receipts;
    struct Rejected;
    /// Books one order.
    async fn book(order: Order) -> Result<Keyed<Receipt>, Error> {
        book(order).await
    }
    async fn close(shard: ShardId) -> Result<(), Error> {
        close(shard).await
    }
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        {
            {
                mod __words {
                    use ::kinesis_app::__ide::kinesis_app::*;
                    use self::name as _;
                }
            }
            use ::kinesis_app::stream as _;
            {
                mod __words {
                    use ::kinesis_app::__ide::stream::*;
                    use self::name as _;
                }
            }
            use ::kinesis_app::stream as _;
            {
                mod __words {
                    use ::kinesis_app::__ide::stream::*;
                    use self::name as _;
                }
            }
            use ::kinesis_app::stream as _;
            {
                mod __words {
                    use ::kinesis_app::__ide::stream::*;
                    use self::{name as _, codec as _};
                }
            }
            let _: (Raw);
            use ::kinesis_app::on_record as _;
            let _: (Orders);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::{retry as _, exhausted as _, timeout as _, publish as _};
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::retry::*;
                    use self::attempts as _;
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::exhausted::*;
                    use self::dead_letter as _;
                }
            }
            let _: (Rejected);
            let _: (Receipts);
            use ::kinesis_app::on_shard_end as _;
            let _: (Orders);
        }
    };
    /// The application of the module `billing`.
    ///
    /// | stream | reads | starts | handler |
    /// | --- | --- | --- | --- |
    /// | `Orders` | `orders` | latest | `book`, 1 at a time, in the order of each key |
    /// | `Receipts` | `receipts` | | none by this name |
    /// | `Rejected` | `rejected` | | none by this name |
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
    pub struct App;
    const _: () = {
        use ::kinesis_app as __rt;
        use ::kinesis_app::spec as __spec;
        #[automatically_derived]
        impl __rt::Stream for Orders {
            type Codec = __rt::codec::Json;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "Orders",
                __spec::Setting::Fixed("orders"),
            );
        }
        #[automatically_derived]
        impl __rt::Stream for Receipts {
            type Codec = __rt::codec::Json;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "Receipts",
                __spec::Setting::Fixed("receipts"),
            );
        }
        #[automatically_derived]
        impl __rt::Stream for Rejected {
            type Codec = Raw;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "Rejected",
                __spec::Setting::Fixed("rejected"),
            );
        }
        struct __Wiring;
        type __State = <__Wiring as __rt::__private::Wire>::State;
        #[automatically_derived]
        impl __rt::__private::Wire for __Wiring {
            type State = __rt::NoState;
            async fn start(
                _: &__rt::HookContext<'_, ()>,
            ) -> ::core::result::Result<__State, __rt::HookError> {
                ::core::result::Result::Ok(__rt::NoState)
            }
            fn streams(
                __builder: __rt::__private::Builder<Self>,
            ) -> __rt::__private::Builder<Self> {
                let __builder = __builder
                    .record::<Orders, __Handler0>(<Orders as __rt::Stream>::SPEC);
                let __builder = __builder.stream::<Orders>();
                let __builder = __builder.stream::<Receipts>();
                let __builder = __builder.stream::<Rejected>();
                let __builder = __builder.shard_end::<Orders, __ShardHook0>();
                __builder
            }
        }
        #[automatically_derived]
        impl __rt::Application for App {
            const SPEC: __spec::AppSpec = __spec::AppSpec::named(
                __spec::Setting::Fixed("billing"),
            );
            fn wire(self) -> __rt::Wired {
                __rt::__private::wired::<__Wiring>()
            }
        }
        impl App {
            /// What this application is: its server, streams, handlers and policies. Nothing is started.
            ///
            /// # Errors
            ///
            /// Every setting that is out of range, as a start would have it.
            #[allow(dead_code, reason = "not everybody asks")]
            pub fn describe() -> ::core::result::Result<__rt::Description, __rt::Error> {
                __rt::describe(App)
            }
        }
        pub struct __Handler0;
        impl __rt::OneHandlerPerStream<App> for Orders {}
        #[automatically_derived]
        impl __rt::RecordHandler<__Wiring> for __Handler0 {
            const SPEC: __spec::HandlerSpec = __spec::HandlerSpec {
                retry: __spec::Retry {
                    attempts: ::core::num::NonZeroU32::new(5),
                    ..__spec::Retry::DEFAULT
                },
                exhausted: __spec::GiveUp::dead_letter::<Rejected>("Rejected"),
                timeout: ::core::option::Option::Some(
                    ::core::time::Duration::from_millis(30000),
                ),
                publish: ::core::option::Option::Some(
                    __spec::StreamRef::named::<Receipts>("Receipts"),
                ),
                ..__spec::HandlerSpec::records("book", "Books one order.")
            };
            fn call(__cx: &__rt::RecordContext<'_, __State>) -> impl __rt::RecordFuture {
                async move {
                    let __future = book(
                        <Order as __rt::Payload<
                            <Orders as __rt::Stream>::Codec,
                        >>::decode(__cx.record())?,
                    );
                    ::core::result::Result::Ok(
                        <Result<
                            Keyed<Receipt>,
                            Error,
                        > as __rt::IntoReply<
                            <Receipts as __rt::Stream>::Codec,
                        >>::into_reply(
                            __future.await,
                            __spec::StreamRef::named::<Receipts>("Receipts"),
                        ),
                    )
                }
            }
        }
        pub struct __ShardHook0;
        #[automatically_derived]
        impl __rt::__private::OneHookPerStream<App, __rt::__private::ShardEnd>
        for Orders {}
        #[automatically_derived]
        impl __rt::__private::ShardHook<__Wiring> for __ShardHook0 {
            fn call(
                __cx: &__rt::ShardContext<'_, __State>,
            ) -> impl __rt::HookFuture<()> {
                async move {
                    let __future = close(
                        <ShardId as __rt::FromShard<__State>>::from_shard(__cx),
                    );
                    <Result<(), Error> as __rt::HookOutput>::into_result(__future.await)
                }
            }
        }
        #[allow(
            unused_imports,
            reason = "each of them may come from either place, or from nowhere"
        )]
        mod __used {
            use super::*;
            use ::kinesis_app::prelude::*;
            use self::on_record as _;
            use self::on_shard_end as _;
            use self::stream as _;
        }
    };
}
