mod billing {
    struct Orders;
    async fn book(order: Order) -> Outcome {
        Outcome::Done
    }
    #[somebody::elses::on_record(Orders)]
    fn untouched() {}
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
            impl crate::vendor::kinesis::Stream for Orders {
                type Codec = crate::vendor::kinesis::codec::Json;
                const SPEC: crate::vendor::kinesis::spec::StreamSpec = crate::vendor::kinesis::spec::StreamSpec {
                    label: "Orders",
                    id: crate::vendor::kinesis::spec::StreamId::Name(
                        crate::vendor::kinesis::spec::Setting::Fixed("orders"),
                    ),
                    start: crate::vendor::kinesis::spec::Start::Latest,
                    checkpoints: crate::vendor::kinesis::spec::Checkpoints::Use,
                    read: crate::vendor::kinesis::spec::Read::Poll {
                        batch_size: ::core::option::Option::None,
                        interval: ::core::time::Duration::from_millis(1000u64),
                    },
                    create: ::core::option::Option::None,
                    fatal: crate::vendor::kinesis::spec::OnFatal::Stop,
                    recreated: crate::vendor::kinesis::spec::OnRecreated::Refuse,
                    partition_key: ::core::option::Option::None,
                    variables: &[],
                };
            }
        };
        struct __KinesisAppWiring;
        #[automatically_derived]
        impl crate::vendor::kinesis::__private::Wire for __KinesisAppWiring {
            type State = crate::vendor::kinesis::NoState;
            async fn start(
                _: &crate::vendor::kinesis::HookContext<'_, ()>,
            ) -> ::core::result::Result<Self::State, crate::vendor::kinesis::HookError> {
                ::core::result::Result::Ok(crate::vendor::kinesis::NoState)
            }
            fn streams(
                __builder: crate::vendor::kinesis::__private::Builder<Self>,
            ) -> crate::vendor::kinesis::__private::Builder<Self> {
                let __builder = __builder
                    .record::<
                        __KinesisAppHandler0,
                        Orders,
                    >(<Orders as crate::vendor::kinesis::Stream>::SPEC);
                let __builder = __builder.stream::<Orders>();
                __builder
            }
        }
        #[automatically_derived]
        impl crate::vendor::kinesis::Application for App {
            const SPEC: crate::vendor::kinesis::spec::AppSpec = crate::vendor::kinesis::spec::AppSpec {
                name: crate::vendor::kinesis::spec::Setting::Fixed("billing"),
                region: ::core::option::Option::None,
                endpoint: ::core::option::Option::None,
                credentials: crate::vendor::kinesis::spec::Credentials::Chain,
                owner_id: ::core::option::Option::None,
                leases: crate::vendor::kinesis::spec::Leases {
                    store: crate::vendor::kinesis::spec::Store::Memory,
                    duration: ::core::time::Duration::from_millis(10000u64),
                },
                shutdown_timeout: ::core::time::Duration::from_millis(30000u64),
                variables: &[],
            };
            fn wire(self) -> crate::vendor::kinesis::Wired {
                crate::vendor::kinesis::__private::wired::<__KinesisAppWiring>()
            }
        }
        pub struct __KinesisAppHandler0;
        const _: () = {
            #[automatically_derived]
            impl crate::vendor::kinesis::OneHandlerPerStream<App> for Orders {
                type Handler = __KinesisAppHandler0;
            }
            #[automatically_derived]
            impl crate::vendor::kinesis::OneHandlerPerStream<__KinesisAppHandler0>
            for Orders {
                type Handler = __KinesisAppHandler0;
            }
            #[automatically_derived]
            impl crate::vendor::kinesis::RecordHandler<__KinesisAppWiring>
            for __KinesisAppHandler0 {
                type Stream = Orders;
                const SPEC: crate::vendor::kinesis::spec::HandlerSpec = crate::vendor::kinesis::spec::HandlerSpec {
                    label: "book",
                    description: "",
                    concurrency: crate::vendor::kinesis::spec::Concurrency {
                        shard: 1u32,
                        total: ::core::option::Option::None,
                    },
                    order: crate::vendor::kinesis::spec::Order::PartitionKey,
                    batch: ::core::option::Option::None,
                    retry: crate::vendor::kinesis::spec::Retry {
                        attempts: ::core::option::Option::None,
                        backoff: ::core::time::Duration::from_millis(200u64),
                        max_backoff: ::core::time::Duration::from_millis(30000u64),
                    },
                    exhausted: crate::vendor::kinesis::spec::GiveUp::Halt,
                    undecodable: crate::vendor::kinesis::spec::GiveUp::Halt,
                    timeout: ::core::option::Option::None,
                    variables: &[],
                };
                fn call<'__r>(
                    __cx: &'__r crate::vendor::kinesis::RecordContext<
                        '__r,
                        <__KinesisAppWiring as crate::vendor::kinesis::__private::Wire>::State,
                    >,
                ) -> impl ::core::future::Future<
                    Output = crate::vendor::kinesis::Settled,
                > + ::core::marker::Send {
                    async move {
                        let __arg0 = match <Order as crate::vendor::kinesis::Payload<
                            '_,
                            <Orders as crate::vendor::kinesis::Stream>::Codec,
                        >>::decode(__cx.record()) {
                            ::core::result::Result::Ok(__value) => __value,
                            ::core::result::Result::Err(__error) => {
                                return crate::vendor::kinesis::Settled::undecodable(
                                    __error,
                                );
                            }
                        };
                        let __out = book(__arg0).await;
                        <Outcome as crate::vendor::kinesis::IntoOutcome>::into_outcome(
                            __out,
                        )
                    }
                }
            }
        };
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            {
                {
                    mod __keys {
                        use crate::vendor::kinesis::__ide::kinesis_app::*;
                        use self::name as _;
                    }
                }
                {
                    mod __keys {
                        use crate::vendor::kinesis::__ide::stream::*;
                        use self::name as _;
                    }
                }
                {
                    mod __keys {
                        use crate::vendor::kinesis::__ide::on_record::*;
                        use self::{};
                    }
                }
            }
        };
    };
}
