mod billing {
    struct Orders;
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        {
            {
                mod __words {
                    use ::kinesis_app::__ide::kinesis_app::*;
                    use self::{
                        name as _, region as _, endpoint as _, owner_id as _,
                        leases as _, shutdown_timeout as _,
                    };
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::leases::*;
                    use self::{dynamodb as _, endpoint as _, duration as _};
                }
            }
            use ::kinesis_app::stream as _;
            {
                mod __words {
                    use ::kinesis_app::__ide::stream::*;
                    use self::{
                        name as _, batch_size as _, poll_interval as _, start as _,
                        create_if_missing as _,
                    };
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::start::*;
                    use self::timestamp as _;
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::create_if_missing::*;
                    use self::shards as _;
                }
            }
            use ::kinesis_app::on_record as _;
            let _: (Orders);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::concurrency as _;
                }
            }
        }
    };
    /// The application of the module `billing`.
    ///
    /// | stream | reads | starts | handler |
    /// | --- | --- | --- | --- |
    /// | `Orders` | `limits::ORDERS` | `limits::SINCE` | `book`, `limits::CONCURRENCY` at a time, in the order of each key |
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
    pub struct App;
    const _: () = {
        use ::kinesis_app as __rt;
        use ::kinesis_app::spec as __spec;
        const _: () = {
            #[automatically_derived]
            impl __rt::Stream for Orders {
                type Codec = __rt::codec::Json;
                const SPEC: __spec::StreamSpec = __spec::StreamSpec {
                    start: __spec::Start::Timestamp {
                        millis: __rt::__private::timestamp(__TIMESTAMP),
                    },
                    read: __spec::Read::Poll(__spec::Poll {
                        batch_size: ::core::option::Option::Some(__BATCH_SIZE),
                        interval: __rt::__private::poll_interval(__POLL_INTERVAL),
                    }),
                    create: ::core::option::Option::Some(__SHARD_COUNT),
                    ..__spec::StreamSpec::named(
                        "Orders",
                        __spec::Setting::Fixed(__STREAM_NAME),
                    )
                };
            }
            const __TIMESTAMP: &'static ::core::primitive::str = limits::SINCE;
            const _: () = {
                __rt::__private::timestamp(__TIMESTAMP);
            };
            const __BATCH_SIZE: ::core::primitive::u32 = limits::BATCH * 2;
            const _: () = {
                __rt::__private::batch_size(__BATCH_SIZE);
            };
            const __POLL_INTERVAL: &'static ::core::primitive::str = limits::POLL;
            const _: () = {
                __rt::__private::poll_interval(__POLL_INTERVAL);
            };
            const __SHARD_COUNT: ::core::primitive::u32 = limits::SHARDS;
            const _: () = {
                __rt::__private::shard_count(__SHARD_COUNT);
            };
            const __STREAM_NAME: &'static ::core::primitive::str = limits::ORDERS;
            const _: () = {
                __rt::__private::stream_name(__STREAM_NAME);
            };
        };
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
            const SPEC: __spec::AppSpec = __spec::AppSpec {
                region: ::core::option::Option::Some(__spec::Setting::Fixed(__REGION)),
                endpoint: ::core::option::Option::Some(
                    __spec::Setting::Fixed(__ENDPOINT),
                ),
                owner_id: ::core::option::Option::Some(
                    __spec::Setting::Fixed(__OWNER_ID),
                ),
                leases: __spec::Leases {
                    store: __spec::Store::DynamoDb(__spec::LeaseTable {
                        endpoint: ::core::option::Option::Some(
                            __spec::Setting::Fixed(__LEASE_ENDPOINT),
                        ),
                        ..__spec::LeaseTable::named(
                            __spec::Setting::Fixed(__LEASE_TABLE),
                        )
                    }),
                    duration: __rt::__private::lease_duration(__LEASE_DURATION),
                },
                shutdown_timeout: __rt::__private::shutdown_timeout(__SHUTDOWN_TIMEOUT),
                ..__spec::AppSpec::named(__spec::Setting::Fixed(__APP_NAME))
            };
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
        const __REGION: &'static ::core::primitive::str = REGION;
        const _: () = {
            __rt::__private::region(__REGION);
        };
        const __ENDPOINT: &'static ::core::primitive::str = ENDPOINT;
        const _: () = {
            __rt::__private::endpoint(__ENDPOINT);
        };
        const __OWNER_ID: &'static ::core::primitive::str = OWNER;
        const _: () = {
            __rt::__private::owner_id(__OWNER_ID);
        };
        const __LEASE_ENDPOINT: &'static ::core::primitive::str = TABLES;
        const _: () = {
            __rt::__private::lease_endpoint(__LEASE_ENDPOINT);
        };
        const __LEASE_TABLE: &'static ::core::primitive::str = TABLE;
        const _: () = {
            __rt::__private::lease_table(__LEASE_TABLE);
        };
        const __LEASE_DURATION: &'static ::core::primitive::str = limits::LEASE;
        const _: () = {
            __rt::__private::lease_duration(__LEASE_DURATION);
        };
        const __SHUTDOWN_TIMEOUT: &'static ::core::primitive::str = limits::STOP;
        const _: () = {
            __rt::__private::shutdown_timeout(__SHUTDOWN_TIMEOUT);
        };
        const __APP_NAME: &'static ::core::primitive::str = env!("CARGO_PKG_NAME");
        const _: () = {
            __rt::__private::app_name(__APP_NAME);
        };
        pub struct __Handler0;
        const _: () = {
            impl __rt::OneHandlerPerStream<App> for Orders {}
            #[automatically_derived]
            impl __rt::RecordHandler<__Wiring> for __Handler0 {
                const SPEC: __spec::HandlerSpec = __spec::HandlerSpec {
                    concurrency: __spec::Concurrency {
                        shard: __CONCURRENCY,
                        ..__spec::Concurrency::DEFAULT
                    },
                    ..__spec::HandlerSpec::records("book", "")
                };
                fn call(
                    __cx: &__rt::RecordContext<'_, __State>,
                ) -> impl __rt::RecordFuture {
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
            const __CONCURRENCY: ::core::primitive::u32 = limits::CONCURRENCY;
            const _: () = {
                __rt::__private::concurrency(__CONCURRENCY);
            };
        };
        #[allow(
            unused_imports,
            reason = "each of them may come from either place, or from nowhere"
        )]
        mod __used {
            use super::*;
            use ::kinesis_app::prelude::*;
            use self::on_record as _;
            use self::stream as _;
        }
    };
}
