mod billing {
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
                    use self::{name as _, name as _, region as _};
                }
            }
            use ::kinesis_app::on_record as _;
            let _: ();
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::{};
                }
            }
        }
    };
    ::core::compile_error! {
        "expected a key"
    }
    ::core::compile_error! {
        "`name` has no value\nhelp: `name = \"..\"`"
    }
    ::core::compile_error! {
        "expected `,`"
    }
    ::core::compile_error! {
        "`name` is set twice in `#[kinesis_app]`"
    }
    ::core::compile_error! {
        "expected `,`"
    }
    ::core::compile_error! {
        "`#[kinesis_app]` takes `key = value`, not a value alone\nhelp: `name = \"loose\"`"
    }
    ::core::compile_error! {
        "`#[kinesis_app]` takes `key = value`, not a value alone\nnote: known keys: `name`, `region`, `endpoint`, `credentials`, `owner_id`, `leases`, `shutdown_timeout`, `prefetch`, `crate`"
    }
    ::core::compile_error! {
        "`#[on_record]` does not say which stream it handles\nhelp: the stream comes first: `#[on_record(Orders)]`"
    }
    /// The application, which did not compile.
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
    pub struct App;
    const _: () = {
        use ::kinesis_app as __rt;
        use ::kinesis_app::spec as __spec;
        #[automatically_derived]
        impl __rt::Application for App {
            const SPEC: __spec::AppSpec = __spec::AppSpec::named(
                __spec::Setting::Fixed(""),
            );
            fn wire(self) -> __rt::Wired {
                __rt::__private::broken()
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
    };
}
