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
