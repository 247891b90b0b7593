mod billing {
    struct Orders;
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }
    /// The application of the module `billing`.
    ///
    /// | stream | reads | starts | handler |
    /// | --- | --- | --- | --- |
    /// | `Orders` | `orders` | latest | `book`, 1 at a time, in the order of each key |
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
                        ::kinesis_app::spec::Setting::Fixed("orders"),
                    ),
                    start: ::kinesis_app::spec::Start::Latest,
                    checkpoints: ::kinesis_app::spec::Checkpoints::Use,
                    read: ::kinesis_app::spec::Read::Poll {
                        batch_size: ::core::option::Option::None,
                        interval: ::core::time::Duration::from_millis(1000u64),
                    },
                    create: ::core::option::Option::None,
                    fatal: ::kinesis_app::spec::OnFatal::Stop,
                    recreated: ::kinesis_app::spec::OnRecreated::Refuse,
                    partition_key: ::core::option::Option::None,
                    variables: &[],
                };
            }
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
                name: ::kinesis_app::spec::Setting::Fixed("billing"),
                region: ::core::option::Option::None,
                endpoint: ::core::option::Option::None,
                credentials: ::kinesis_app::spec::Credentials::Chain,
                owner_id: ::core::option::Option::None,
                leases: ::kinesis_app::spec::Leases {
                    store: ::kinesis_app::spec::Store::Memory,
                    duration: ::core::time::Duration::from_millis(10000u64),
                },
                shutdown_timeout: ::core::time::Duration::from_millis(30000u64),
                variables: &[],
            };
            fn wire(self) -> ::kinesis_app::Wired {
                ::kinesis_app::__private::wired::<__KinesisAppWiring>()
            }
        }
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
                        shard: 1u32,
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
                        use self::name as _;
                    }
                }
                {
                    use ::kinesis_app::stream as _;
                    mod __keys {
                        use ::kinesis_app::__ide::stream::*;
                        use self::name as _;
                    }
                }
                {
                    use ::kinesis_app::on_record as _;
                    mod __keys {
                        use ::kinesis_app::__ide::on_record::*;
                        use self::{};
                    }
                }
            }
        };
    };
}
