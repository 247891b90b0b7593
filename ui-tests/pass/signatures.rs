use kinesis_app::prelude::*;
use serde::Deserialize;

/// A record of many parts.
#[derive(Debug, Deserialize)]
pub struct Order {
    id: u64,
    customer: (String, u8),
    lines: [u32; 2],
}

/// A record that borrows.
#[derive(Debug, Deserialize)]
pub struct Note<'a>(&'a str);

/// A key by another name.
pub type Key = PartitionKey;

/// What a function may look like and still be called.
#[kinesis_app(name = "signatures")]
pub mod signatures {
    use super::*;

    #[stream(name = "patterns")]
    struct Patterns;

    #[stream(name = "bindings")]
    struct Bindings;

    #[stream(name = "lifetimes")]
    struct Lifetimes;

    #[stream(name = "paths")]
    struct Paths;

    #[stream(name = "batches")]
    struct Batches;

    #[on_record(Patterns)]
    async fn patterns(
        Order {
            id,
            customer: (ref name, _),
            lines: [first, ..],
        }: Order,
        _: Position,
        ArrivalTime(at): ArrivalTime,
        #[allow(unused_mut, reason = "attributes of parameters are the user's own")]
        mut attempt: Attempt,
    ) -> Outcome {
        let _ = (id, name, first, at, attempt);
        Outcome::Done
    }

    #[on_record(Bindings)]
    async fn bindings(mut order: Order, key: Key) -> Outcome {
        order.id += 1;
        drop((order, key));
        Outcome::Done
    }

    /// Documented
    ///
    /// at length.
    #[inline]
    #[on_record(Lifetimes)]
    pub(super) async fn lifetimes<'record>(
        note: Note<'record>,
        _at: Position,
    ) -> Result<(), std::borrow::Cow<'static, str>>
    where
        Note<'record>: Send,
    {
        if note.0.is_empty() {
            return Err("empty".into());
        }
        Ok(())
    }

    #[on_record(self::Paths)]
    async fn paths(
        order: self::super::Order,
        key: ::core::option::Option<::kinesis_app::PartitionKey>,
    ) -> <Result<Outcome, String> as IntoIterator>::Item {
        drop((order, key));
        Outcome::Done
    }

    #[on_batch(Batches)]
    async fn batches(batch: Batch<(u8, [u8; 2])>, Lag(behind): Lag) -> BatchOutcome {
        let _ = behind;
        batch.done()
    }
}
