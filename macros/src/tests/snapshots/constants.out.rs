mod billing {
    struct Orders;
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }
    /// The application of the module `billing`.
    ///
    /// | stream | reads | starts | handler |
    /// | --- | --- | --- | --- |
    /// | `Orders` | `limits::ORDERS` | `limits::SINCE` | `book`, `limits::CONCURRENCY` at a time, in the order of each key |
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
    pub struct App;
    const _: () = {
        const _: () = {
            #[automatically_derived]
            impl ::kinesis_app::Stream for Orders {
                type Codec = ::kinesis_app::codec::Json;
                const SPEC: ::kinesis_app::spec::StreamSpec = ::kinesis_app::spec::StreamSpec {
                    label: "Orders",
                    id: ::kinesis_app::spec::StreamId::Name(
                        ::kinesis_app::spec::Setting::Fixed(__STREAM_NAME),
                    ),
                    start: ::kinesis_app::spec::Start::Timestamp {
                        millis: ::kinesis_app::__private::timestamp(__TIMESTAMP),
                    },
                    checkpoints: ::kinesis_app::spec::Checkpoints::Use,
                    read: ::kinesis_app::spec::Read::Poll {
                        batch_size: ::core::option::Option::Some(__BATCH_SIZE),
                        interval: ::kinesis_app::__private::poll_interval(
                            __POLL_INTERVAL,
                        ),
                    },
                    create: ::core::option::Option::Some(__SHARD_COUNT),
                    fatal: ::kinesis_app::spec::OnFatal::Stop,
                    recreated: ::kinesis_app::spec::OnRecreated::Refuse,
                    partition_key: ::core::option::Option::None,
                    variables: &[],
                };
            }
            const __STREAM_NAME: &'static ::core::primitive::str = limits::ORDERS;
            const _: () = {
                ::kinesis_app::__private::stream_name(__STREAM_NAME);
            };
            const __TIMESTAMP: &'static ::core::primitive::str = limits::SINCE;
            const _: () = {
                ::kinesis_app::__private::timestamp(__TIMESTAMP);
            };
            const __POLL_INTERVAL: &'static ::core::primitive::str = limits::POLL;
            const _: () = {
                ::kinesis_app::__private::poll_interval(__POLL_INTERVAL);
            };
            const __BATCH_SIZE: ::core::primitive::u32 = limits::BATCH * 2;
            const _: () = {
                ::kinesis_app::__private::batch_size(__BATCH_SIZE);
            };
            const __SHARD_COUNT: ::core::primitive::u32 = limits::SHARDS;
            const _: () = {
                ::kinesis_app::__private::shard_count(__SHARD_COUNT);
            };
        };
        struct __KinesisAppWiring;
        #[automatically_derived]
        impl ::kinesis_app::__private::Wire for __KinesisAppWiring {
            type State = ::kinesis_app::NoState;
            async fn start(
                _: &::kinesis_app::HookContext<'_, ()>,
            ) -> ::core::result::Result<Self::State, ::kinesis_app::HookError> {
                ::core::result::Result::Ok(::kinesis_app::NoState)
            }
            fn streams(
                __builder: ::kinesis_app::__private::Builder<Self>,
            ) -> ::kinesis_app::__private::Builder<Self> {
                let __builder = __builder
                    .record::<
                        __KinesisAppHandler0,
                        Orders,
                    >(<Orders as ::kinesis_app::Stream>::SPEC);
                let __builder = __builder.stream::<Orders>();
                __builder
            }
        }
        #[automatically_derived]
        impl ::kinesis_app::Application for App {
            const SPEC: ::kinesis_app::spec::AppSpec = ::kinesis_app::spec::AppSpec {
                name: ::kinesis_app::spec::Setting::Fixed(__APP_NAME),
                region: ::core::option::Option::Some(
                    ::kinesis_app::spec::Setting::Fixed(__REGION),
                ),
                endpoint: ::core::option::Option::Some(
                    ::kinesis_app::spec::Setting::Fixed(__ENDPOINT),
                ),
                credentials: ::kinesis_app::spec::Credentials::Chain,
                owner_id: ::core::option::Option::Some(
                    ::kinesis_app::spec::Setting::Fixed(__OWNER_ID),
                ),
                leases: ::kinesis_app::spec::Leases {
                    store: ::kinesis_app::spec::Store::DynamoDb(::kinesis_app::spec::LeaseTable {
                        name: ::kinesis_app::spec::Setting::Fixed(__LEASE_TABLE),
                        endpoint: ::core::option::Option::Some(
                            ::kinesis_app::spec::Setting::Fixed(__LEASE_ENDPOINT),
                        ),
                        missing: ::kinesis_app::spec::MissingTable::Refused,
                    }),
                    duration: ::kinesis_app::__private::lease_duration(__LEASE_DURATION),
                },
                shutdown_timeout: ::kinesis_app::__private::shutdown_timeout(
                    __SHUTDOWN_TIMEOUT,
                ),
                variables: &[],
            };
            fn wire(self) -> ::kinesis_app::Wired {
                ::kinesis_app::__private::wired::<__KinesisAppWiring>()
            }
        }
        const __APP_NAME: &'static ::core::primitive::str = env!("CARGO_PKG_NAME");
        const _: () = {
            ::kinesis_app::__private::app_name(__APP_NAME);
        };
        const __REGION: &'static ::core::primitive::str = REGION;
        const _: () = {
            ::kinesis_app::__private::region(__REGION);
        };
        const __ENDPOINT: &'static ::core::primitive::str = ENDPOINT;
        const _: () = {
            ::kinesis_app::__private::endpoint(__ENDPOINT);
        };
        const __OWNER_ID: &'static ::core::primitive::str = OWNER;
        const _: () = {
            ::kinesis_app::__private::owner_id(__OWNER_ID);
        };
        const __LEASE_DURATION: &'static ::core::primitive::str = limits::LEASE;
        const _: () = {
            ::kinesis_app::__private::lease_duration(__LEASE_DURATION);
        };
        const __LEASE_TABLE: &'static ::core::primitive::str = TABLE;
        const _: () = {
            ::kinesis_app::__private::lease_table(__LEASE_TABLE);
        };
        const __LEASE_ENDPOINT: &'static ::core::primitive::str = TABLES;
        const _: () = {
            ::kinesis_app::__private::lease_endpoint(__LEASE_ENDPOINT);
        };
        const __SHUTDOWN_TIMEOUT: &'static ::core::primitive::str = limits::STOP;
        const _: () = {
            ::kinesis_app::__private::shutdown_timeout(__SHUTDOWN_TIMEOUT);
        };
        pub struct __KinesisAppHandler0;
        const _: () = {
            #[automatically_derived]
            impl ::kinesis_app::OneHandlerPerStream<App> for Orders {
                type Handler = __KinesisAppHandler0;
            }
            #[automatically_derived]
            impl ::kinesis_app::OneHandlerPerStream<__KinesisAppHandler0> for Orders {
                type Handler = __KinesisAppHandler0;
            }
            #[automatically_derived]
            impl ::kinesis_app::RecordHandler<__KinesisAppWiring>
            for __KinesisAppHandler0 {
                type Stream = Orders;
                const SPEC: ::kinesis_app::spec::HandlerSpec = ::kinesis_app::spec::HandlerSpec {
                    label: "book",
                    description: "",
                    concurrency: ::kinesis_app::spec::Concurrency {
                        shard: __CONCURRENCY,
                        total: ::core::option::Option::None,
                    },
                    order: ::kinesis_app::spec::Order::PartitionKey,
                    batch: ::core::option::Option::None,
                    retry: ::kinesis_app::spec::Retry {
                        attempts: ::core::option::Option::None,
                        backoff: ::core::time::Duration::from_millis(200u64),
                        max_backoff: ::core::time::Duration::from_millis(30000u64),
                    },
                    exhausted: ::kinesis_app::spec::GiveUp::Halt,
                    undecodable: ::kinesis_app::spec::GiveUp::Halt,
                    timeout: ::core::option::Option::None,
                    variables: &[],
                };
                fn call<'__r>(
                    __cx: &'__r ::kinesis_app::RecordContext<
                        '__r,
                        <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                    >,
                ) -> impl ::core::future::Future<
                    Output = ::kinesis_app::Settled,
                > + ::core::marker::Send {
                    async move {
                        let __arg0 = match <Order as ::kinesis_app::Payload<
                            '_,
                            <Orders as ::kinesis_app::Stream>::Codec,
                        >>::decode(__cx.record()) {
                            ::core::result::Result::Ok(__value) => __value,
                            ::core::result::Result::Err(__error) => {
                                return ::kinesis_app::Settled::undecodable(__error);
                            }
                        };
                        let __out = book(__arg0).await;
                        <Outcome as ::kinesis_app::IntoOutcome>::into_outcome(__out)
                    }
                }
            }
            const __CONCURRENCY: ::core::primitive::u32 = limits::CONCURRENCY;
            const _: () = {
                ::kinesis_app::__private::concurrency(__CONCURRENCY);
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
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            {
                {
                    mod __keys {
                        use ::kinesis_app::__ide::kinesis_app::*;
                        use self::{
                            name as _, region as _, endpoint as _, owner_id as _,
                            leases as _, shutdown_timeout as _,
                        };
                    }
                }
                {
                    use ::kinesis_app::stream as _;
                    mod __keys {
                        use ::kinesis_app::__ide::stream::*;
                        use self::{
                            name as _, batch_size as _, poll_interval as _, start as _,
                            create_if_missing as _,
                        };
                    }
                }
                {
                    use ::kinesis_app::on_record as _;
                    mod __keys {
                        use ::kinesis_app::__ide::on_record::*;
                        use self::concurrency as _;
                    }
                }
            }
        };
    };
}
