mod billing {
    struct Orders;
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }
    #[somebody::elses::on_record(Orders)]
    fn untouched() {}
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        {
            {
                mod __words {
                    use crate::vendor::kinesis::__ide::kinesis_app::*;
                    use self::name as _;
                }
            }
            {
                mod __words {
                    use crate::vendor::kinesis::__ide::stream::*;
                    use self::name as _;
                }
            }
            let _: (Orders);
            {
                mod __words {
                    use crate::vendor::kinesis::__ide::on_record::*;
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
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
    pub struct App;
    const _: () = {
        use crate::vendor::kinesis as __rt;
        use crate::vendor::kinesis::spec as __spec;
        #[automatically_derived]
        impl __rt::Stream for Orders {
            type Codec = __rt::codec::Json;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "Orders",
                __spec::Setting::Fixed("orders"),
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
            const SPEC: __spec::HandlerSpec = __spec::HandlerSpec::records("book", "");
            fn call(__cx: &__rt::RecordContext<'_, __State>) -> impl __rt::RecordFuture {
                async move {
                    let __future = book(
                        <Order as __rt::Payload<
                            <Orders as __rt::Stream>::Codec,
                        >>::decode(__cx.record())?,
                    );
                    ::core::result::Result::Ok(
                        <Outcome as __rt::IntoOutcome>::into_outcome(__future.await),
                    )
                }
            }
        }
    };
}
