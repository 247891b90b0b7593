/// Books every order once.
pub mod billing {
    //! It has one ledger.
    use super::*;
    /// Orders placed in the shop.
    #[derive(Debug)]
    pub struct Orders;
    pub struct Refunds;
    pub struct Views;
    async fn connect(setup: Setup) -> Result<Clients, BillingError> {
        Clients::connect(setup).await
    }
    async fn resume(shard: ShardId, orders: Seeker<Orders>) -> Result<(), SeekError> {
        orders.seek(Position::sequence(&shard, "7")).await
    }
    async fn close() {}
    async fn ready() {}
    /// Books one order.
    ///
    /// And files it.
    pub(crate) async fn book(
        Order { id, .. }: Order,
        #[allow(unused)]
        mut at: Position,
        State(ledger): State<Ledger>,
    ) -> Result<(), BillingError> {
        ledger.book(id, &at).await
    }
    async fn refund<'a>(refund: Refund<'a>, note: Note<'static, 'a>) -> Outcome {
        Outcome::Done
    }
    fn settings(config: &mut AppConfig, setup: &Setup) -> Result<(), ConfigError> {
        Ok(())
    }
    fn metrics(State(meter): State<Meter>) -> impl Observer {
        meter
    }
    async fn flush(State(ledger): State<Ledger>) -> Result<(), BillingError> {
        ledger.flush().await
    }
    pub struct Unrelated<T>(T);
    impl<T> Unrelated<T> {
        const fn new(value: T) -> Self {
            Self(value)
        }
    }
    /// Books every order once.
    /// It has one ledger.
    ///
    /// | stream | reads | starts | handler |
    /// | --- | --- | --- | --- |
    /// | `Orders` | `orders` | trim horizon | `book`, 8 at a time, in the order of each key |
    /// | `Refunds` | the variable `REFUNDS_STREAM` | latest | `refund`, in the order of the shard |
    /// | `Views` | `arn:aws:kinesis:eu-west-1:123456789012:stream/views` | | none by this name |
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
                    start: ::kinesis_app::spec::Start::TrimHorizon,
                    checkpoints: ::kinesis_app::spec::Checkpoints::Use,
                    read: ::kinesis_app::spec::Read::Poll {
                        batch_size: ::core::option::Option::Some(500u32),
                        interval: ::core::time::Duration::from_millis(200u64),
                    },
                    create: ::core::option::Option::Some(4u32),
                    fatal: ::kinesis_app::spec::OnFatal::Mark,
                    recreated: ::kinesis_app::spec::OnRecreated::Restart,
                    partition_key: ::core::option::Option::None,
                    variables: &[],
                };
            }
            const _: () = {
                #[deprecated(
                    note = "poll interval 200ms spends the whole read budget of a shard"
                )]
                const POLL_INTERVAL: () = ();
                POLL_INTERVAL
            };
        };
        const _: () = {
            #[automatically_derived]
            impl ::kinesis_app::Stream for Refunds {
                type Codec = Prost<2, 3>;
                const SPEC: ::kinesis_app::spec::StreamSpec = ::kinesis_app::spec::StreamSpec {
                    label: "Refunds",
                    id: ::kinesis_app::spec::StreamId::Name(::kinesis_app::spec::Setting::Env {
                        variable: "REFUNDS_STREAM",
                        fallback: ::kinesis_app::spec::Fallback::Default("refunds"),
                    }),
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
        const _: () = {
            #[automatically_derived]
            impl ::kinesis_app::Stream for Views {
                type Codec = ::kinesis_app::codec::Json;
                const SPEC: ::kinesis_app::spec::StreamSpec = ::kinesis_app::spec::StreamSpec {
                    label: "Views",
                    id: ::kinesis_app::spec::StreamId::Arn(
                        ::kinesis_app::spec::Setting::Fixed(
                            "arn:aws:kinesis:eu-west-1:123456789012:stream/views",
                        ),
                    ),
                    start: ::kinesis_app::spec::Start::Timestamp {
                        millis: 1767225600000i64,
                    },
                    checkpoints: ::kinesis_app::spec::Checkpoints::Ignore,
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
            type State = <Result<
                Clients,
                BillingError,
            > as ::kinesis_app::StartOutput>::State;
            fn start(
                __cx: &::kinesis_app::HookContext<'_, ()>,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<Self::State, ::kinesis_app::HookError>,
            > + ::core::marker::Send {
                async move {
                    let __arg0 = <Setup as ::kinesis_app::FromApp<()>>::from_app(__cx);
                    let __out = connect(__arg0).await;
                    <Result<
                        Clients,
                        BillingError,
                    > as ::kinesis_app::StartOutput>::into_state(__out)
                }
            }
            fn ready(
                __cx: &::kinesis_app::HookContext<'_, Self::State>,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<(), ::kinesis_app::HookError>,
            > + ::core::marker::Send {
                async move {
                    let __out = ready().await;
                    <() as ::kinesis_app::HookOutput>::into_result(__out)
                }
            }
            fn configure(
                __config: &mut ::kinesis_app::AppConfig,
                __setup: &::kinesis_app::Setup,
            ) -> ::core::result::Result<(), ::kinesis_app::HookError> {
                let __out = settings(__config, __setup);
                <Result<
                    (),
                    ConfigError,
                > as ::kinesis_app::HookOutput>::into_result(__out)
            }
            fn observe(
                __cx: &::kinesis_app::HookContext<'_, Self::State>,
            ) -> ::core::result::Result<
                ::core::option::Option<::kinesis_app::__private::SharedObserver>,
                ::kinesis_app::HookError,
            > {
                let __arg0 = <State<
                    Meter,
                > as ::kinesis_app::FromApp<Self::State>>::from_app(__cx);
                let __out = metrics(__arg0);
                ::core::result::Result::map(
                    ::kinesis_app::ObserveOutput::into_observer(__out),
                    ::core::option::Option::Some,
                )
            }
            fn shutdown(
                __cx: &::kinesis_app::HookContext<'_, Self::State>,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<(), ::kinesis_app::HookError>,
            > + ::core::marker::Send {
                async move {
                    let __arg0 = <State<
                        Ledger,
                    > as ::kinesis_app::FromApp<Self::State>>::from_app(__cx);
                    let __out = flush(__arg0).await;
                    <Result<
                        (),
                        BillingError,
                    > as ::kinesis_app::HookOutput>::into_result(__out)
                }
            }
            fn streams(
                __builder: ::kinesis_app::__private::Builder<Self>,
            ) -> ::kinesis_app::__private::Builder<Self> {
                let __builder = __builder
                    .record::<
                        __KinesisAppHandler0,
                        Orders,
                    >(<Orders as ::kinesis_app::Stream>::SPEC);
                let __builder = __builder
                    .record::<
                        __KinesisAppHandler1,
                        Refunds,
                    >(<Refunds as ::kinesis_app::Stream>::SPEC);
                let __builder = __builder.stream::<Orders>();
                let __builder = __builder.stream::<Refunds>();
                let __builder = __builder.stream::<Views>();
                let __builder = __builder
                    .shard_start::<Orders, __KinesisAppShardHook1>();
                let __builder = __builder.shard_end::<Orders, __KinesisAppShardHook2>();
                __builder
            }
        }
        #[automatically_derived]
        impl ::kinesis_app::Application for App {
            const SPEC: ::kinesis_app::spec::AppSpec = ::kinesis_app::spec::AppSpec {
                name: ::kinesis_app::spec::Setting::Fixed("billing"),
                region: ::core::option::Option::Some(::kinesis_app::spec::Setting::Env {
                    variable: "AWS_REGION",
                    fallback: ::kinesis_app::spec::Fallback::Default("eu-west-1"),
                }),
                endpoint: ::core::option::Option::Some(::kinesis_app::spec::Setting::Env {
                    variable: "KINESIS_ENDPOINT",
                    fallback: ::kinesis_app::spec::Fallback::Absent,
                }),
                credentials: ::kinesis_app::spec::Credentials::Test,
                owner_id: ::core::option::Option::Some(::kinesis_app::spec::Setting::Env {
                    variable: "HOSTNAME",
                    fallback: ::kinesis_app::spec::Fallback::Absent,
                }),
                leases: ::kinesis_app::spec::Leases {
                    store: ::kinesis_app::spec::Store::DynamoDb(::kinesis_app::spec::LeaseTable {
                        name: ::kinesis_app::spec::Setting::Env {
                            variable: "LEASES",
                            fallback: ::kinesis_app::spec::Fallback::Default(
                                "billing-leases",
                            ),
                        },
                        endpoint: ::core::option::Option::Some(::kinesis_app::spec::Setting::Env {
                            variable: "DYNAMODB_ENDPOINT",
                            fallback: ::kinesis_app::spec::Fallback::Absent,
                        }),
                        missing: ::kinesis_app::spec::MissingTable::Created,
                    }),
                    duration: ::core::time::Duration::from_millis(5000u64),
                },
                shutdown_timeout: ::core::time::Duration::from_millis(10000u64),
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
                    description: "Books one order.",
                    concurrency: ::kinesis_app::spec::Concurrency {
                        shard: 8u32,
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
                        let __arg1 = match <Position as ::kinesis_app::FromRecord<
                            <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                        >>::from_record(__cx) {
                            ::core::result::Result::Ok(__value) => __value,
                            ::core::result::Result::Err(__error) => {
                                return ::kinesis_app::Settled::undecodable(__error);
                            }
                        };
                        let __arg2 = match <State<
                            Ledger,
                        > as ::kinesis_app::FromRecord<
                            <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                        >>::from_record(__cx) {
                            ::core::result::Result::Ok(__value) => __value,
                            ::core::result::Result::Err(__error) => {
                                return ::kinesis_app::Settled::undecodable(__error);
                            }
                        };
                        let __out = book(__arg0, __arg1, __arg2).await;
                        <Result<
                            (),
                            BillingError,
                        > as ::kinesis_app::IntoOutcome>::into_outcome(__out)
                    }
                }
            }
        };
        pub struct __KinesisAppHandler1;
        const _: () = {
            #[automatically_derived]
            impl ::kinesis_app::OneHandlerPerStream<App> for Refunds {
                type Handler = __KinesisAppHandler1;
            }
            #[automatically_derived]
            impl ::kinesis_app::OneHandlerPerStream<__KinesisAppHandler1> for Refunds {
                type Handler = __KinesisAppHandler1;
            }
            #[automatically_derived]
            impl ::kinesis_app::RecordHandler<__KinesisAppWiring>
            for __KinesisAppHandler1 {
                type Stream = Refunds;
                const SPEC: ::kinesis_app::spec::HandlerSpec = ::kinesis_app::spec::HandlerSpec {
                    label: "refund",
                    description: "",
                    concurrency: ::kinesis_app::spec::Concurrency {
                        shard: 1u32,
                        total: ::core::option::Option::None,
                    },
                    order: ::kinesis_app::spec::Order::Shard,
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
                        let __arg0 = match <Refund<
                            '_,
                        > as ::kinesis_app::Payload<
                            '_,
                            <Refunds as ::kinesis_app::Stream>::Codec,
                        >>::decode(__cx.record()) {
                            ::core::result::Result::Ok(__value) => __value,
                            ::core::result::Result::Err(__error) => {
                                return ::kinesis_app::Settled::undecodable(__error);
                            }
                        };
                        let __arg1 = match <Note<
                            'static,
                            '_,
                        > as ::kinesis_app::FromRecord<
                            <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                        >>::from_record(__cx) {
                            ::core::result::Result::Ok(__value) => __value,
                            ::core::result::Result::Err(__error) => {
                                return ::kinesis_app::Settled::undecodable(__error);
                            }
                        };
                        let __out = refund(__arg0, __arg1).await;
                        <Outcome as ::kinesis_app::IntoOutcome>::into_outcome(__out)
                    }
                }
            }
        };
        pub struct __KinesisAppShardHook1;
        const _: () = {
            #[automatically_derived]
            impl ::kinesis_app::__private::OneHookPerStream<
                App,
                ::kinesis_app::__private::ShardStart,
            > for Orders {}
            #[automatically_derived]
            impl ::kinesis_app::__private::ShardHook<__KinesisAppWiring>
            for __KinesisAppShardHook1 {
                fn call<'__a>(
                    __cx: &'__a ::kinesis_app::ShardContext<
                        '__a,
                        <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                    >,
                ) -> impl ::core::future::Future<
                    Output = ::core::result::Result<(), ::kinesis_app::HookError>,
                > + ::core::marker::Send {
                    async move {
                        let __arg0 = <ShardId as ::kinesis_app::FromShard<
                            <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                        >>::from_shard(__cx);
                        let __arg1 = <Seeker<
                            Orders,
                        > as ::kinesis_app::FromShard<
                            <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                        >>::from_shard(__cx);
                        let __out = resume(__arg0, __arg1).await;
                        <Result<
                            (),
                            SeekError,
                        > as ::kinesis_app::HookOutput>::into_result(__out)
                    }
                }
            }
        };
        pub struct __KinesisAppShardHook2;
        const _: () = {
            #[automatically_derived]
            impl ::kinesis_app::__private::OneHookPerStream<
                App,
                ::kinesis_app::__private::ShardEnd,
            > for Orders {}
            #[automatically_derived]
            impl ::kinesis_app::__private::ShardHook<__KinesisAppWiring>
            for __KinesisAppShardHook2 {
                fn call<'__a>(
                    __cx: &'__a ::kinesis_app::ShardContext<
                        '__a,
                        <__KinesisAppWiring as ::kinesis_app::__private::Wire>::State,
                    >,
                ) -> impl ::core::future::Future<
                    Output = ::core::result::Result<(), ::kinesis_app::HookError>,
                > + ::core::marker::Send {
                    async move {
                        let __out = close().await;
                        <() as ::kinesis_app::HookOutput>::into_result(__out)
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
            use self::configure as _;
            use self::observe as _;
            use self::on_ready as _;
            use self::on_record as _;
            use self::on_shard_end as _;
            use self::on_shard_start as _;
            use self::on_shutdown as _;
            use self::on_start as _;
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
                            name as _, region as _, endpoint as _, credentials as _,
                            owner_id as _, leases as _, shutdown_timeout as _,
                        };
                    }
                }
                {
                    use ::kinesis_app::stream as _;
                    mod __keys {
                        use ::kinesis_app::__ide::stream::*;
                        use self::{
                            name as _, start as _, batch_size as _, poll_interval as _,
                            create_if_missing as _, on_fatal as _, on_recreated as _,
                        };
                    }
                }
                {
                    use ::kinesis_app::stream as _;
                    mod __keys {
                        use ::kinesis_app::__ide::stream::*;
                        use self::{name as _, codec as _};
                    }
                }
                {
                    use ::kinesis_app::stream as _;
                    mod __keys {
                        use ::kinesis_app::__ide::stream::*;
                        use self::{arn as _, start as _};
                    }
                }
                {
                    use ::kinesis_app::on_start as _;
                }
                {
                    use ::kinesis_app::on_shard_start as _;
                }
                {
                    use ::kinesis_app::on_shard_end as _;
                }
                {
                    use ::kinesis_app::on_ready as _;
                }
                {
                    use ::kinesis_app::on_record as _;
                    mod __keys {
                        use ::kinesis_app::__ide::on_record::*;
                        use self::concurrency as _;
                    }
                }
                {
                    use ::kinesis_app::on_record as _;
                    mod __keys {
                        use ::kinesis_app::__ide::on_record::*;
                        use self::{ordered as _, concurrency as _};
                    }
                }
                {
                    use ::kinesis_app::configure as _;
                }
                {
                    use ::kinesis_app::observe as _;
                }
                {
                    use ::kinesis_app::on_shutdown as _;
                }
            }
        };
    };
}
