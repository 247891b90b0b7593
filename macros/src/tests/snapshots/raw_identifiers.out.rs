mod r#loop {
    struct r#Move;
    struct r#type;
    async fn r#move(r#type: r#dyn::Order) -> r#Outcome {
        r#Outcome::Done
    }
    async fn r#match(r#in: Order) -> Outcome {
        Outcome::Done
    }
    async fn r#async() {}
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
                    use self::{name as _, codec as _};
                }
            }
            let _: (r#Raw);
            use ::kinesis_app::on_record as _;
            let _: (r#Move);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::{};
                }
            }
            use ::kinesis_app::on_record as _;
            let _: (r#type);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::{};
                }
            }
            use ::kinesis_app::on_ready as _;
        }
    };
    /// The application of the module `loop`.
    ///
    /// | stream | reads | starts | handler |
    /// | --- | --- | --- | --- |
    /// | `Move` | `moves` | latest | `move`, 1 at a time, in the order of each key |
    /// | `type` | `types` | latest | `match`, 1 at a time, in the order of each key |
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
    pub struct App;
    const _: () = {
        use ::kinesis_app as __rt;
        use ::kinesis_app::spec as __spec;
        #[automatically_derived]
        impl __rt::Stream for r#Move {
            type Codec = __rt::codec::Json;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "Move",
                __spec::Setting::Fixed("moves"),
            );
        }
        #[automatically_derived]
        impl __rt::Stream for r#type {
            type Codec = r#Raw;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "type",
                __spec::Setting::Fixed("types"),
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
            fn ready(
                __cx: &__rt::HookContext<'_, __State>,
            ) -> impl __rt::HookFuture<()> {
                async move {
                    let __future = r#async();
                    <() as __rt::HookOutput>::into_result(__future.await)
                }
            }
            fn streams(
                __builder: __rt::__private::Builder<Self>,
            ) -> __rt::__private::Builder<Self> {
                let __builder = __builder
                    .record::<r#Move, __Handler0>(<r#Move as __rt::Stream>::SPEC);
                let __builder = __builder
                    .record::<r#type, __Handler1>(<r#type as __rt::Stream>::SPEC);
                let __builder = __builder.stream::<r#Move>();
                let __builder = __builder.stream::<r#type>();
                __builder
            }
        }
        #[automatically_derived]
        impl __rt::Application for App {
            const SPEC: __spec::AppSpec = __spec::AppSpec::named(
                __spec::Setting::Fixed("loop"),
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
        impl __rt::OneHandlerPerStream<App> for r#Move {}
        #[automatically_derived]
        impl __rt::RecordHandler<__Wiring> for __Handler0 {
            const SPEC: __spec::HandlerSpec = __spec::HandlerSpec::records("move", "");
            fn call(__cx: &__rt::RecordContext<'_, __State>) -> impl __rt::RecordFuture {
                async move {
                    let __future = r#move(
                        <r#dyn::Order as __rt::Payload<
                            <r#Move as __rt::Stream>::Codec,
                        >>::decode(__cx.record())?,
                    );
                    ::core::result::Result::Ok(
                        <r#Outcome as __rt::IntoOutcome>::into_outcome(__future.await),
                    )
                }
            }
        }
        pub struct __Handler1;
        impl __rt::OneHandlerPerStream<App> for r#type {}
        #[automatically_derived]
        impl __rt::RecordHandler<__Wiring> for __Handler1 {
            const SPEC: __spec::HandlerSpec = __spec::HandlerSpec::records("match", "");
            fn call(__cx: &__rt::RecordContext<'_, __State>) -> impl __rt::RecordFuture {
                async move {
                    let __future = r#match(
                        <Order as __rt::Payload<
                            <r#type as __rt::Stream>::Codec,
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
            use self::on_ready as _;
            use self::on_record as _;
            use self::stream as _;
        }
    };
}
