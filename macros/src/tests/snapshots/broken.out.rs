mod billing {
    pub struct Orders;
    pub struct Views<T>(T);
    fn book(order: Order) {
        nothing.here().is_checked(yet)
    }
    pub fn kept() -> u8 {
        7
    }
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        {
            {
                mod __words {
                    use ::kinesis_app::__ide::kinesis_app::*;
                    use self::{name as _, regoin as _};
                }
            }
            use ::kinesis_app::stream as _;
            {
                mod __words {
                    use ::kinesis_app::__ide::stream::*;
                    use self::{name as _, batch_size as _};
                }
            }
            use ::kinesis_app::stream as _;
            {
                mod __words {
                    use ::kinesis_app::__ide::stream::*;
                    use self::name as _;
                }
            }
            use ::kinesis_app::on_record as _;
            let _: (Orders);
            {
                mod __words {
                    use ::kinesis_app::__ide::on_record::*;
                    use self::{};
                }
            }
        }
    };
    ::core::compile_error! {
        "app name `billing service` has a space at byte 7; names use letters, digits, `_`, `.` and `-`\nhelp: `name = \"billing-service\"`"
    }
    ::core::compile_error! {
        "unknown key `regoin` in `#[kinesis_app]`\nhelp: a key with a similar name exists: `region`\nnote: known keys: `name`, `region`, `endpoint`, `credentials`, `owner_id`, `leases`, `shutdown_timeout`, `prefetch`, `crate`"
    }
    ::core::compile_error! {
        "stream name `orders/eu` has `/` at byte 6; names use letters, digits, `_`, `.` and `-`\nhelp: `name = \"orders-eu\"`"
    }
    ::core::compile_error! {
        "batch size is 0; a read asks for 1 to 10000 records\nhelp: leave `batch_size` out to read as many as the service returns"
    }
    ::core::compile_error! {
        "a stream takes no type parameters\nhelp: `pub struct Views;`"
    }
    ::core::compile_error! {
        "a stream is a unit struct\nhelp: `pub struct Views;`; the record type is the first parameter of its handler"
    }
    ::core::compile_error! {
        "handler `book` must be `async`\nhelp: `async fn book(..)`"
    }
    ::core::compile_error! {
        "handler `book` does not say what became of the record\nhelp: `-> Outcome`, or `-> Result<(), E>` to retry on `Err`"
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
        #[automatically_derived]
        impl __rt::Stream for Orders {
            type Codec = __rt::codec::Json;
            const SPEC: __spec::StreamSpec = __spec::StreamSpec::named(
                "Orders",
                __spec::Setting::Fixed("Orders"),
            );
        }
    };
}
