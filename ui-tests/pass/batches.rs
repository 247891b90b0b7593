#![deny(warnings, missing_docs)]

//! Handlers of batches, with everything that they may take and return.

use kinesis_app::{BatchContext, FromBatch, HandlerError, prelude::*};
use serde::Deserialize;

/// A view that borrows from its record.
#[derive(Debug, Deserialize)]
pub struct View<'a> {
    url: &'a str,
}

const MOST: u32 = 50;

struct Weight(usize);

impl<S> FromBatch<S> for Weight {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        Ok(Self(cx.records().map(|record| record.data().len()).sum()))
    }
}

/// The application.
#[kinesis_app(name = "statistics")]
pub mod statistics {
    use super::*;

    type Views<'a> = Batch<View<'a>>;

    #[stream(name = "borrowed")]
    struct Borrowed;

    #[stream(name = "raw", codec(Raw))]
    struct Rare;

    #[stream(name = "any")]
    struct Any;

    #[on_start]
    async fn open() -> Result<String, String> {
        Ok("state".into())
    }

    #[on_batch(Borrowed, max_records = MOST, max_wait = "2s")]
    async fn count(views: Views<'_>, lag: Lag, seeker: Seeker<Borrowed>) -> BatchOutcome {
        std::future::ready(()).await;
        let _ = (lag, seeker);
        views.settle(|view| match view.value().url {
            "" => Outcome::Skip,
            _ => Outcome::Done,
        })
    }

    #[on_batch(Rare)]
    async fn keep(
        blobs: Batch<Bytes>,
        Weight(weight): Weight,
        shard: ShardId,
    ) -> Result<(), String> {
        if weight == 0 {
            return Err(format!("{} empty records of {shard}", blobs.len()));
        }
        Ok(())
    }

    #[on_batch(Any, label = "any-batch")]
    async fn any(
        records: Batch<RawRecord>,
        State(state): State<String>,
        publisher: Publisher<Rare>,
        lease: Lease,
    ) -> Result<BatchOutcome, Box<dyn std::error::Error + Send + Sync>> {
        let _ = (state, publisher, lease);
        let outcome = records.done();
        for record in records {
            let _ = (record.position(), record.attempt(), record.into_value());
        }
        Ok(outcome)
    }
}
