mod statistics {
    struct Views;
    /// Counts views.
    async fn count(
        views: Batch<PageView>,
        State(db): State<Db>,
    ) -> Result<BatchOutcome, DbError> {
        db.count(&views).await
    }
    /// The application of the module `statistics`.
    ///
    /// | stream | reads | starts | handler |
    /// | --- | --- | --- | --- |
    /// | `Views` | `views` | latest | `count`, in batches of at most 1000 |
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
    pub struct App;
    const _: () = {
        const _: () = {
            #[automatically_derived]
            impl ::kinesis_app::Stream for Views {
                type Codec = ::kinesis_app::codec::Json;
                const SPEC: ::kinesis_app::spec::StreamSpec = ::kinesis_app::spec::StreamSpec {
                    label: "Views",
                    id: ::kinesis_app::spec::StreamId::Name(
                        ::kinesis_app::spec::Setting::Fixed("views"),
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
                    .batch::<
                        __KinesisAppHandler0,
                        Views,
                    >(<Views as ::kinesis_app::Stream>::SPEC);
                let __builder = __builder.stream::<Views>();
                __builder
            }
        }
        #[automatically_derived]
        impl ::kinesis_app::Application for App {
            const SPEC: ::kinesis_app::spec::AppSpec = ::kinesis_app::spec::AppSpec {
                name: ::kinesis_app::spec::Setting::Fixed("statistics"),
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
            impl ::kinesis_app::OneHandlerPerStream<App> for Views {
                type Handler = __KinesisAppHandler0;
            }
            #[automatically_derived]
            impl ::kinesis_app::OneHandlerPerStream<__KinesisAppHandler0> for Views {
                type Handler = __KinesisAppHandler0;
            }
            #[automatically_derived]
            impl ::kinesis_app::BatchHandler<__KinesisAppWiring>
            for __KinesisAppHandler0 {
                type Stream = Views;
                const SPEC: ::kinesis_app::spec::HandlerSpec = ::kinesis_app::spec::HandlerSpec {
                    label: "count",
                    description: "Counts views.",
                    concurrency: ::kinesis_app::spec::Concurrency {
                        shard: 1u32,
                        total: ::core::option::Option::None,
                    },
                    order: ::kinesis_app::spec::Order::PartitionKey,
                    batch: ::core::option::Option::Some(::kinesis_app::spec::BatchSpec {
                        max_records: 1000u32,
                        max_wait: ::kinesis_app::__private::max_wait(__MAX_WAIT),
                    }),
                    retry: ::kinesis_app::spec::Retry {
                        attempts: ::core::option::Option::None,
                        backoff: ::core::time::Duration::from_millis(200u64),
                        max_backoff: ::core::time::Duration::from_millis(30000u64),
                    },
                    exhausted: ::kinesis_app::spec::GiveUp::Halt,
                    undecodable: ::kinesis_app::spec::GiveUp::Skip,
                    timeout: ::core::option::Option::None,
                    variables: &[],
                };
                fn call<'__r>(
                    __cx: &'__r ::kinesis_app::BatchContext<
                        '__r,
                        <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                    >,
                ) -> impl ::core::future::Future<
                    Output = ::kinesis_app::BatchSettled,
                > + ::core::marker::Send {
                    async move {
                        let ::core::option::Option::Some(__arg0) = <Batch<
                            PageView,
                        > as ::kinesis_app::FromRecords<
                            '_,
                            <Views as ::kinesis_app::Stream>::Codec,
                        >>::from_records(__cx) else {
                            return ::kinesis_app::BatchSettled::nothing_given();
                        };
                        let __arg1 = match <State<
                            Db,
                        > as ::kinesis_app::FromBatch<
                            <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                        >>::from_batch(__cx) {
                            ::core::result::Result::Ok(__value) => __value,
                            ::core::result::Result::Err(__error) => {
                                return ::kinesis_app::BatchSettled::failed(__error);
                            }
                        };
                        let __out = count(__arg0, __arg1).await;
                        <Result<
                            BatchOutcome,
                            DbError,
                        > as ::kinesis_app::IntoBatchOutcome>::into_batch_outcome(__out)
                    }
                }
            }
            const __MAX_WAIT: &'static ::core::primitive::str = WAIT;
            const _: () = {
                ::kinesis_app::__private::max_wait(__MAX_WAIT);
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
                    use ::kinesis_app::on_batch as _;
                    mod __keys {
                        use ::kinesis_app::__ide::on_batch::*;
                        use self::{max_records as _, max_wait as _, undecodable as _};
                    }
                }
            }
        };
    };
}
