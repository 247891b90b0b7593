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
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        {
            {
                mod __words {
                    use ::kinesis_app::__ide::kinesis_app::*;
                    use self::{
                        name as _, region as _, endpoint as _, credentials as _,
                        owner_id as _, leases as _, shutdown_timeout as _,
                    };
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::environment::*;
                    use self::{env as _, default as _};
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::environment::*;
                    use self::{env as _, optional as _};
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::credentials::*;
                    use self::test as _;
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::environment::*;
                    use self::{env as _, optional as _};
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::leases::*;
                    use self::{
                        dynamodb as _, endpoint as _, create_if_missing as _,
                        duration as _,
                    };
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::environment::*;
                    use self::{env as _, default as _};
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::environment::*;
                    use self::{env as _, optional as _};
                }
            }
            use ::kinesis_app::stream as _;
            {
                mod __words {
                    use ::kinesis_app::__ide::stream::*;
                    use self::{
                        name as _, start as _, batch_size as _, poll_interval as _,
                        create_if_missing as _, on_fatal as _, on_recreated as _,
                    };
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::start::*;
                    use self::trim_horizon as _;
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::create_if_missing::*;
                    use self::shards as _;
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::on_fatal::*;
                    use self::mark as _;
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::on_recreated::*;
                    use self::restart as _;
                }
            }
            use ::kinesis_app::stream as _;
            {
                mod __words {
                    use ::kinesis_app::__ide::stream::*;
                    use self::{name as _, codec as _};
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::environment::*;
                    use self::{env as _, default as _};
                }
            }
            let _: (Prost);
            use ::kinesis_app::stream as _;
            {
                mod __words {
                    use ::kinesis_app::__ide::stream::*;
                    use self::{arn as _, start as _};
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::start::*;
                    use self::{timestamp as _, ignore_checkpoint as _};
                }
            }
            use ::kinesis_app::on_start as _;
            use ::kinesis_app::on_shard_start as _;
            let _: (Orders);
            use ::kinesis_app::on_shard_end as _;
            let _: (Orders);
            use ::kinesis_app::on_ready as _;
            use ::kinesis_app::on_record as _;
            let _: (Orders);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::concurrency as _;
                }
            }
            use ::kinesis_app::on_record as _;
            let _: (Refunds);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::{ordered as _, concurrency as _};
                }
            }
            {
                mod __words {
                    use ::kinesis_app::__ide::ordered::*;
                    use self::shard as _;
                }
            }
            use ::kinesis_app::configure as _;
            use ::kinesis_app::observe as _;
            use ::kinesis_app::on_shutdown as _;
        }
    };
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
        use ::kinesis_app as __rt;
        use ::kinesis_app::spec as __spec;
        const _: () = {
            #[automatically_derived]
            impl __rt::Stream for Orders {
                type Codec = __rt::codec::Json;
                const SPEC: __spec::StreamSpec = __spec::StreamSpec {
                    start: __spec::Start::TrimHorizon,
                    read: __spec::Read::Poll(__spec::Poll {
                        batch_size: ::core::option::Option::Some(500),
                        interval: ::core::time::Duration::from_millis(200),
                    }),
                    create: ::core::option::Option::Some(4),
                    fatal: __spec::OnFatal::Mark,
                    recreated: __spec::OnRecreated::Restart,
                    ..__spec::StreamSpec::named(
                        "Orders",
                        __spec::Setting::Fixed("orders"),
                    )
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
        #[automatically_derived]
        impl __rt::Stream for Refunds {
            type Codec = Prost<2, 3>;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "Refunds",
                __spec::Setting::env_or("REFUNDS_STREAM", "refunds"),
            );
        }
        #[automatically_derived]
        impl __rt::Stream for Views {
            type Codec = __rt::codec::Json;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec {
                start: __spec::Start::Timestamp {
                    millis: 1767225600000,
                },
                checkpoints: __spec::Checkpoints::Ignore,
                ..__spec::StreamSpec::by_arn(
                    "Views",
                    __spec::Setting::Fixed(
                        "arn:aws:kinesis:eu-west-1:123456789012:stream/views",
                    ),
                )
            };
        }
        struct __Wiring;
        type __State = <__Wiring as __rt::__private::Wire>::State;
        #[automatically_derived]
        impl __rt::__private::Wire for __Wiring {
            type State = __rt::__private::StateOf<Result<Clients, BillingError>, true>;
            fn start(
                __cx: &__rt::HookContext<'_, ()>,
            ) -> impl __rt::HookFuture<__State> {
                async move {
                    let __future = connect(<Setup as __rt::FromApp<()>>::from_app(__cx));
                    <Result<
                        Clients,
                        BillingError,
                    > as __rt::StartOutput<__State>>::into_state(__future.await)
                }
            }
            fn ready(
                __cx: &__rt::HookContext<'_, __State>,
            ) -> impl __rt::HookFuture<()> {
                async move {
                    let __future = ready();
                    <() as __rt::HookOutput>::into_result(__future.await)
                }
            }
            fn configure(
                __config: &mut __rt::AppConfig,
                __setup: &__rt::Setup,
            ) -> ::core::result::Result<(), __rt::HookError> {
                let __out = settings(__config, __setup);
                <Result<(), ConfigError> as __rt::HookOutput>::into_result(__out)
            }
            fn observe(
                __cx: &__rt::HookContext<'_, __State>,
            ) -> ::core::result::Result<
                ::core::option::Option<__rt::__private::SharedObserver>,
                __rt::HookError,
            > {
                ::core::result::Result::map(
                    __rt::ObserveOutput::into_observer(
                        metrics(<State<Meter> as __rt::FromApp<__State>>::from_app(__cx)),
                    ),
                    ::core::option::Option::Some,
                )
            }
            fn shutdown(
                __cx: &__rt::HookContext<'_, __State>,
            ) -> impl __rt::HookFuture<()> {
                async move {
                    let __future = flush(
                        <State<Ledger> as __rt::FromApp<__State>>::from_app(__cx),
                    );
                    <Result<
                        (),
                        BillingError,
                    > as __rt::HookOutput>::into_result(__future.await)
                }
            }
            fn streams(
                __builder: __rt::__private::Builder<Self>,
            ) -> __rt::__private::Builder<Self> {
                let __builder = __builder
                    .record::<Orders, __Handler0>(<Orders as __rt::Stream>::SPEC);
                let __builder = __builder
                    .record::<Refunds, __Handler1>(<Refunds as __rt::Stream>::SPEC);
                let __builder = __builder.stream::<Orders>();
                let __builder = __builder.stream::<Refunds>();
                let __builder = __builder.stream::<Views>();
                let __builder = __builder.shard_start::<Orders, __ShardHook1>();
                let __builder = __builder.shard_end::<Orders, __ShardHook2>();
                __builder
            }
        }
        #[automatically_derived]
        impl __rt::Application for App {
            const SPEC: __spec::AppSpec = __spec::AppSpec {
                region: ::core::option::Option::Some(
                    __spec::Setting::env_or("AWS_REGION", "eu-west-1"),
                ),
                endpoint: ::core::option::Option::Some(
                    __spec::Setting::env_if_set("KINESIS_ENDPOINT"),
                ),
                credentials: __spec::Credentials::Test,
                owner_id: ::core::option::Option::Some(
                    __spec::Setting::env_if_set("HOSTNAME"),
                ),
                leases: __spec::Leases {
                    store: __spec::Store::DynamoDb(__spec::LeaseTable {
                        endpoint: ::core::option::Option::Some(
                            __spec::Setting::env_if_set("DYNAMODB_ENDPOINT"),
                        ),
                        missing: __spec::MissingTable::Created,
                        ..__spec::LeaseTable::named(
                            __spec::Setting::env_or("LEASES", "billing-leases"),
                        )
                    }),
                    duration: ::core::time::Duration::from_millis(5000),
                },
                shutdown_timeout: ::core::time::Duration::from_millis(10000),
                ..__spec::AppSpec::named(__spec::Setting::Fixed("billing"))
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
        pub struct __Handler0;
        impl __rt::OneHandlerPerStream<App> for Orders {}
        #[automatically_derived]
        impl __rt::RecordHandler<__Wiring> for __Handler0 {
            const SPEC: __spec::HandlerSpec = __spec::HandlerSpec {
                concurrency: __spec::Concurrency {
                    shard: 8,
                    ..__spec::Concurrency::DEFAULT
                },
                ..__spec::HandlerSpec::records("book", "Books one order.")
            };
            fn call(__cx: &__rt::RecordContext<'_, __State>) -> impl __rt::RecordFuture {
                async move {
                    let __future = book(
                        <Order as __rt::Payload<
                            <Orders as __rt::Stream>::Codec,
                        >>::decode(__cx.record())?,
                        <Position as __rt::FromRecord<__State>>::from_record(__cx)?,
                        <State<Ledger> as __rt::FromRecord<__State>>::from_record(__cx)?,
                    );
                    ::core::result::Result::Ok(
                        <Result<
                            (),
                            BillingError,
                        > as __rt::IntoOutcome>::into_outcome(__future.await),
                    )
                }
            }
        }
        pub struct __Handler1;
        impl __rt::OneHandlerPerStream<App> for Refunds {}
        #[automatically_derived]
        impl __rt::RecordHandler<__Wiring> for __Handler1 {
            const SPEC: __spec::HandlerSpec = __spec::HandlerSpec {
                concurrency: __spec::Concurrency {
                    shard: 1,
                    ..__spec::Concurrency::DEFAULT
                },
                order: __spec::Order::Shard,
                ..__spec::HandlerSpec::records("refund", "")
            };
            fn call(__cx: &__rt::RecordContext<'_, __State>) -> impl __rt::RecordFuture {
                async move {
                    let __future = refund(
                        <Refund<
                            '_,
                        > as __rt::Payload<
                            <Refunds as __rt::Stream>::Codec,
                        >>::decode(__cx.record())?,
                        <Note<
                            'static,
                            '_,
                        > as __rt::FromRecord<__State>>::from_record(__cx)?,
                    );
                    ::core::result::Result::Ok(
                        <Outcome as __rt::IntoOutcome>::into_outcome(__future.await),
                    )
                }
            }
        }
        pub struct __ShardHook1;
        #[automatically_derived]
        impl __rt::__private::OneHookPerStream<App, __rt::__private::ShardStart>
        for Orders {}
        #[automatically_derived]
        impl __rt::__private::ShardHook<__Wiring> for __ShardHook1 {
            fn call(
                __cx: &__rt::ShardContext<'_, __State>,
            ) -> impl __rt::HookFuture<()> {
                async move {
                    let __future = resume(
                        <ShardId as __rt::FromShard<__State>>::from_shard(__cx),
                        <Seeker<Orders> as __rt::FromShard<__State>>::from_shard(__cx),
                    );
                    <Result<
                        (),
                        SeekError,
                    > as __rt::HookOutput>::into_result(__future.await)
                }
            }
        }
        pub struct __ShardHook2;
        #[automatically_derived]
        impl __rt::__private::OneHookPerStream<App, __rt::__private::ShardEnd>
        for Orders {}
        #[automatically_derived]
        impl __rt::__private::ShardHook<__Wiring> for __ShardHook2 {
            fn call(
                __cx: &__rt::ShardContext<'_, __State>,
            ) -> impl __rt::HookFuture<()> {
                async move {
                    let __future = close();
                    <() as __rt::HookOutput>::into_result(__future.await)
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
    };
}
