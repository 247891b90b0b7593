use kinesis_app::prelude::*;

type Answer = Result<Outcome, std::io::Error>;
type Bytes2 = Bytes;

/// The application.
#[kinesis_app(
    name = "0-._Z",
    leases(memory,),
    shutdown_timeout = "0s",
    endpoint = "http://[::1]:1/path",
    credentials(test)
)]
pub mod app {
    //! A word inside.
    use super::*;

    // A dot and a dash are names; a stream without a handler is declared all the same.
    #[stream(name = ".", batch_size = 10_000, poll_interval = "4m", start(latest,))]
    pub(crate) struct Alone;

    #[stream(
        arn = "arn:aws-cn:kinesis:cn-north-1:000000000000:stream/a",
        batch_size = 1_u32,
        codec(Raw)
    )]
    pub(super) struct ByArn;

    #[stream(
        start(timestamp = "9999-12-31T23:59:59.999999999+23:59"),
        name(env = "a.b-c", default = "b"),
        codec(Raw)
    )]
    struct FarAway;

    #[stream(name = "c", create_if_missing(shards = 1), codec(super::Mine))]
    struct OwnCodec;

    // One at a time, said twice.
    #[on_record(ByArn, ordered(shard), concurrency = 1)]
    async fn aliased(bytes: Bytes2) -> Answer {
        drop(bytes);
        Ok(Outcome::Done)
    }

    // A path to a stream of this module, patterns, attributes, a mutable and an unused argument.
    #[on_record(self::FarAway)]
    #[allow(clippy::used_underscore_binding, reason = "that is what is shown")]
    async fn patterns(
        mut bytes: Bytes,
        Attempt(attempt): Attempt,
        #[allow(unused_variables, reason = "that is what is shown")] at: Position,
        _: ShardId,
        _lag: Lag,
        key: Option<PartitionKey>,
        Always { .. }: Always,
    ) -> Result<(), &'static str> {
        bytes.clear();
        if attempt.get() > 3 && key.is_none() {
            Err("again")
        } else {
            Ok(())
        }
    }

    // Defined between two handlers, generic, and none of ours.
    struct Unrelated<T: Default>(T);

    impl<T: Default> Unrelated<T> {
        const fn get(&self) -> &T {
            &self.0
        }
    }

    #[on_record(OwnCodec)]
    async fn handle(payload: Vec<bool>, ArrivalTime(_): ArrivalTime) -> Outcome {
        match *Unrelated(payload.len()).get() {
            0 => Outcome::Skip,
            1 => Outcome::halt("one"),
            _ => Outcome::Done,
        }
    }
}

/// A codec of the user's.
#[derive(Debug)]
pub struct Mine;

impl<'r> kinesis_app::Payload<'r, Mine> for Vec<bool> {
    fn decode(record: kinesis_app::RecordRef<'r>) -> Result<Self, kinesis_app::Undecodable> {
        let _ = record;
        Ok(Vec::new())
    }
}

/// An extractor of the user's.
#[derive(Debug)]
pub struct Always {
    _private: (),
}

impl<S> FromRecord<S> for Always {
    fn from_record(
        _: &kinesis_app::RecordContext<'_, S>,
    ) -> Result<Self, kinesis_app::Undecodable> {
        Ok(Self { _private: () })
    }
}
