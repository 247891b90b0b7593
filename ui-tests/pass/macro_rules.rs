use kinesis_app::prelude::*;

macro_rules! application {
    ($module:ident, $name:literal, $size:expr, $stream:ident, $codec:ty, $payload:ty, $body:block) => {
        /// Made by a macro.
        #[kinesis_app(name = $name)]
        pub mod $module {
            use super::*;

            #[stream(name = $name, batch_size = $size, codec($codec))]
            struct $stream;

            #[on_record($stream)]
            async fn handle(_payload: $payload) -> Outcome $body
        }
    };
}

application!(billing, "billing", 500, Orders, Raw, Bytes, {
    Outcome::Done
});
application!(audit, "audit", super::SIZE, Audits, Json, Vec<u8>, {
    std::future::ready(()).await;
    Outcome::Done
});

const SIZE: u32 = 5;

/// A parsed fragment of every kind.
macro_rules! fragments {
    ($visibility:vis $module:ident, #[$of_the_stream:meta] $stream:item, $path:path, $pattern:pat, $length:literal, $item:item, $handler:item) => {
        /// Made by a macro.
        #[kinesis_app(name = "fragments", shutdown_timeout = $length)]
        $visibility mod $module {
            use super::*;

            #[$of_the_stream]
            $stream

            $item

            #[on_record($path, retry(attempts = 3, backoff = $length))]
            async fn handle($pattern: Bytes) -> Outcome {
                Outcome::Done
            }

            $handler
        }
    };
}

fragments! {
    pub fragments,
    #[stream(name = "fragments", codec(Raw))] struct Fragments;,
    self::Fragments,
    mut _bytes,
    "5s",
    #[stream(name = "items", codec(Raw))] struct Items;,
    #[on_record(Items)]
    async fn item(_bytes: Bytes) -> Outcome {
        Outcome::Done
    }
}

macro_rules! types {
    ($($name:ident)*) => { $(
        /// Made by a macro.
        #[derive(Clone, Copy, Debug, serde::Deserialize)]
        pub struct $name;
    )* };
}

/// Items that another macro makes are the user's own.
#[kinesis_app(name = "items")]
pub mod items {
    use super::*;

    types! { Order Refund }

    #[stream(name = "orders")]
    struct Orders;

    #[on_record(Orders)]
    async fn book(_order: Option<Order>) -> Outcome {
        Outcome::Done
    }

    macro_rules! done {
        () => {
            Outcome::Done
        };
    }

    #[stream(name = "refunds")]
    struct Refunds;

    #[on_record(Refunds)]
    async fn refund(_refund: Refund) -> Outcome {
        done!()
    }
}
