mod billing {
    #[cfg(feature = "orders")]
    struct Orders;
    struct Views;
    #[cfg(feature = "orders")]
    async fn connect() -> Result<Ledger, Error> {
        Ledger::connect().await
    }
    #[cfg(feature = "orders")]
    async fn book(order: Order, #[cfg(unix)] at: Position) -> Outcome {
        Outcome::Done
    }
    #[cfg(unix)]
    #[cfg(test)]
    async fn count(view: View) -> Outcome {
        Outcome::Done
    }
    #[cfg(windows)]
    async fn count_on_windows(view: View) -> Outcome {
        Outcome::Done
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
            use ::kinesis_app::on_start as _;
            use ::kinesis_app::on_record as _;
            let _: (Orders);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::{};
                }
            }
            use ::kinesis_app::on_record as _;
            let _: (Views);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::{};
                }
            }
            use ::kinesis_app::on_record as _;
            let _: (Views);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::{};
                }
            }
        }
    };
    /// The application of the module `billing`.
    ///
    /// | stream | reads | starts | handler |
    /// | --- | --- | --- | --- |
    /// | `Orders` | `orders` | latest | `book`, 1 at a time, in the order of each key |
    /// | `Views` | `views` | latest | `count`, 1 at a time, in the order of each key |
    /// | `Views` | `views` | latest | `count_on_windows`, 1 at a time, in the order of each key |
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
    pub struct App;
    const _: () = {
        use ::kinesis_app as __rt;
        use ::kinesis_app::spec as __spec;
        #[cfg(feature = "orders")]
        #[automatically_derived]
        impl __rt::Stream for Orders {
            type Codec = __rt::codec::Json;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "Orders",
                __spec::Setting::Fixed("orders"),
            );
        }
        #[automatically_derived]
        impl __rt::Stream for Views {
            type Codec = __rt::codec::Json;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "Views",
                __spec::Setting::Fixed("views"),
            );
        }
        struct __Wiring;
        type __State = <__Wiring as __rt::__private::Wire>::State;
        #[automatically_derived]
        impl __rt::__private::Wire for __Wiring {
            #[cfg(not(any(all(feature = "orders"))))]
            type State = __rt::NoState;
            #[cfg(not(any(all(feature = "orders"))))]
            async fn start(
                _: &__rt::HookContext<'_, ()>,
            ) -> ::core::result::Result<__State, __rt::HookError> {
                ::core::result::Result::Ok(__rt::NoState)
            }
            #[cfg(feature = "orders")]
            type State = __rt::__private::StateOf<Result<Ledger, Error>, true>;
            #[cfg(feature = "orders")]
            fn start(
                __cx: &__rt::HookContext<'_, ()>,
            ) -> impl __rt::HookFuture<__State> {
                async move {
                    let __future = connect();
                    <Result<
                        Ledger,
                        Error,
                    > as __rt::StartOutput<__State>>::into_state(__future.await)
                }
            }
            fn streams(
                __builder: __rt::__private::Builder<Self>,
            ) -> __rt::__private::Builder<Self> {
                #[cfg(feature = "orders")]
                let __builder = __builder
                    .record::<Orders, __Handler0>(<Orders as __rt::Stream>::SPEC);
                #[cfg(unix)]
                #[cfg(test)]
                let __builder = __builder
                    .record::<Views, __Handler1>(<Views as __rt::Stream>::SPEC);
                #[cfg(windows)]
                let __builder = __builder
                    .record::<Views, __Handler2>(<Views as __rt::Stream>::SPEC);
                #[cfg(feature = "orders")]
                let __builder = __builder.stream::<Orders>();
                let __builder = __builder.stream::<Views>();
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
        #[cfg(feature = "orders")]
        pub struct __Handler0;
        #[cfg(feature = "orders")]
        impl __rt::OneHandlerPerStream<App> for Orders {}
        #[cfg(feature = "orders")]
        #[automatically_derived]
        impl __rt::RecordHandler<__Wiring> for __Handler0 {
            const SPEC: __spec::HandlerSpec = __spec::HandlerSpec::records("book", "");
            fn call(__cx: &__rt::RecordContext<'_, __State>) -> impl __rt::RecordFuture {
                async move {
                    let __future = book(
                        <Order as __rt::Payload<
                            <Orders as __rt::Stream>::Codec,
                        >>::decode(__cx.record())?,
                        #[cfg(unix)]
                        <Position as __rt::FromRecord<__State>>::from_record(__cx)?,
                    );
                    ::core::result::Result::Ok(
                        <Outcome as __rt::IntoOutcome>::into_outcome(__future.await),
                    )
                }
            }
        }
        #[cfg(unix)]
        #[cfg(test)]
        pub struct __Handler1;
        #[cfg(unix)]
        #[cfg(test)]
        impl __rt::OneHandlerPerStream<App> for Views {}
        #[cfg(unix)]
        #[cfg(test)]
        #[automatically_derived]
        impl __rt::RecordHandler<__Wiring> for __Handler1 {
            const SPEC: __spec::HandlerSpec = __spec::HandlerSpec::records("count", "");
            fn call(__cx: &__rt::RecordContext<'_, __State>) -> impl __rt::RecordFuture {
                async move {
                    let __future = count(
                        <View as __rt::Payload<
                            <Views as __rt::Stream>::Codec,
                        >>::decode(__cx.record())?,
                    );
                    ::core::result::Result::Ok(
                        <Outcome as __rt::IntoOutcome>::into_outcome(__future.await),
                    )
                }
            }
        }
        #[cfg(windows)]
        pub struct __Handler2;
        #[cfg(windows)]
        impl __rt::OneHandlerPerStream<App> for Views {}
        #[cfg(windows)]
        #[automatically_derived]
        impl __rt::RecordHandler<__Wiring> for __Handler2 {
            const SPEC: __spec::HandlerSpec = __spec::HandlerSpec::records(
                "count_on_windows",
                "",
            );
            fn call(__cx: &__rt::RecordContext<'_, __State>) -> impl __rt::RecordFuture {
                async move {
                    let __future = count_on_windows(
                        <View as __rt::Payload<
                            <Views as __rt::Stream>::Codec,
                        >>::decode(__cx.record())?,
                    );
                    ::core::result::Result::Ok(
                        <Outcome as __rt::IntoOutcome>::into_outcome(__future.await),
                    )
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
            use self::on_start as _;
            use self::stream as _;
        }
    };
}
