/// Names that generated code might be thought to use.
pub mod taken {
    #![allow(
        missing_docs,
        missing_debug_implementations,
        non_camel_case_types,
        dead_code,
        reason = "only the names count"
    )]
    pub struct Result;
    pub struct Option;
    pub struct Ok;
    pub struct Err;
    pub struct Some;
    pub struct None;
    pub struct Box;
    pub struct Vec;
    pub struct String;
    pub trait Future {}
    pub trait Send {}
    pub trait Sync {}
    pub trait Sized {}
    pub trait Clone {}
    pub trait Copy {}
    pub trait Debug {}
    pub trait From {}
    pub trait Into {}
    pub trait Iterator {}
    pub trait Stream {}
    pub trait Payload {}
    pub trait FromRecord {}
    pub struct Json;
    pub struct RecordContext;
    pub struct Settled;
    pub struct Builder;
    pub struct Wiring;
    pub struct Glue;
    pub struct Handler;
    pub struct u32;
    pub struct str;
    pub mod core {}
    pub mod std {}
    pub mod kinesis_app {}
}

/// Beside a module of its own that is called like the runtime.
#[::kinesis_app::kinesis_app(name = "shadowed", shutdown_timeout = "1s")]
pub mod shadowed {
    #![allow(unused_imports, non_camel_case_types, reason = "only the names count")]
    use super::taken::*;
    use ::kinesis_app::prelude::Bytes as cx;
    use ::kinesis_app::prelude::{
        AppConfig, Outcome, PartitionKey, Raw, Setup, State, configure, on_record, on_start, stream,
    };

    #[stream(
        name = "orders",
        codec(Raw),
        batch_size = 5,
        create_if_missing(shards = 1)
    )]
    struct Orders;

    #[derive(::core::clone::Clone)]
    struct builder;

    #[on_start]
    async fn out() -> ::core::result::Result<builder, ::std::io::Error> {
        ::core::result::Result::Ok(builder)
    }

    #[on_record(Orders)]
    async fn call(config: cx, State(builder): State<builder>, key: PartitionKey) -> Outcome {
        drop((config, key, builder));
        Outcome::Done
    }

    #[configure]
    fn setup(config: &mut AppConfig, setup: &Setup) {
        let _ = (config, setup);
    }
}
