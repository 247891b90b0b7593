mod statistics {
    struct Views;
    /// Counts views.
    async fn count(
        views: Batch<PageView>,
        State(db): State<Db>,
    ) -> Result<BatchOutcome, DbError> {
        db.count(&views).await
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
            use ::kinesis_app::on_batch as _;
            let _: (Views);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_batch::*;
                    use self::{max_records as _, max_wait as _, undecodable as _};
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::undecodable::*;
                    use self::skip as _;
                }
            }
        }
    };
    /// The application of the module `statistics`.
    ///
    /// | stream | reads | starts | handler |
    /// | --- | --- | --- | --- |
    /// | `Views` | `views` | latest | `count`, in batches of at most 1000 |
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
    pub struct App;
    const _: () = {
        use ::kinesis_app as __rt;
        use ::kinesis_app::spec as __spec;
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
                    .batch::<Views, __Handler0>(<Views as __rt::Stream>::SPEC);
                let __builder = __builder.stream::<Views>();
                __builder
            }
        }
        #[automatically_derived]
        impl __rt::Application for App {
            const SPEC: __spec::AppSpec = __spec::AppSpec::named(
                __spec::Setting::Fixed("statistics"),
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
        const _: () = {
            impl __rt::OneHandlerPerStream<App> for Views {}
            #[automatically_derived]
            impl __rt::BatchHandler<__Wiring> for __Handler0 {
                const SPEC: __spec::HandlerSpec = __spec::HandlerSpec {
                    batch: ::core::option::Option::Some(__spec::BatchSpec {
                        max_records: 1000,
                        max_wait: __rt::__private::max_wait(__MAX_WAIT),
                    }),
                    undecodable: __spec::GiveUp::Skip,
                    ..__spec::HandlerSpec::batches("count", "Counts views.")
                };
                fn call(
                    __cx: &__rt::BatchContext<'_, __State>,
                ) -> impl __rt::BatchFuture {
                    async move {
                        let __future = count(
                            <Batch<
                                PageView,
                            > as __rt::FromRecords<
                                <Views as __rt::Stream>::Codec,
                            >>::from_records(__cx)?,
                            <State<Db> as __rt::FromBatch<__State>>::from_batch(__cx)?,
                        );
                        ::core::result::Result::Ok(
                            <Result<
                                BatchOutcome,
                                DbError,
                            > as __rt::IntoBatchOutcome>::into_batch_outcome(
                                __future.await,
                            ),
                        )
                    }
                }
            }
            const __MAX_WAIT: &'static ::core::primitive::str = WAIT;
            const _: () = {
                __rt::__private::max_wait(__MAX_WAIT);
            };
        };
        #[allow(
            unused_imports,
            reason = "each of them may come from either place, or from nowhere"
        )]
        mod __used {
            use super::*;
            use ::kinesis_app::prelude::*;
            use self::on_batch as _;
            use self::stream as _;
        }
    };
}
