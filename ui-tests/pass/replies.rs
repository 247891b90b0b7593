#![deny(warnings, missing_docs)]

//! Every return type that `publish(..)` takes, under every name of `Result` and `Option`.

use kinesis_app::prelude::*;
use serde::{Deserialize, Serialize};

/// What comes in.
#[derive(Debug, Deserialize)]
pub struct Order;

/// What goes out.
#[derive(Debug, Serialize)]
pub struct Receipt;

type Answer = std::result::Result<
    std::option::Option<Keyed<Receipt>>,
    Box<dyn std::error::Error + Send + Sync>,
>;

/// A handler for each.
#[kinesis_app(name = "billing")]
pub mod billing {
    use super::*;

    /// Answered in its own way.
    #[derive(Debug)]
    #[stream(name = "a")]
    pub struct A;

    /// Answered in its own way.
    #[derive(Debug)]
    #[stream(name = "b")]
    pub struct B;

    /// Answered in its own way.
    #[derive(Debug)]
    #[stream(name = "c")]
    pub struct C;

    /// Answered in its own way.
    #[derive(Debug)]
    #[stream(name = "d")]
    pub struct D;

    /// Answered in its own way.
    #[derive(Debug)]
    #[stream(name = "e")]
    pub struct E;

    /// Only written.
    #[derive(Debug)]
    #[stream(name = "receipts")]
    pub struct Receipts;

    #[on_record(A, publish(Receipts))]
    async fn one(_order: Order) -> Keyed<Receipt> {
        Receipt.keyed("ada").header("made-by", "one")
    }

    #[on_record(B, publish(Receipts))]
    async fn perhaps(_order: Order) -> Answer {
        Ok(Some(Receipt.keyed("ada")))
    }

    #[on_record(C, publish(self::Receipts))]
    async fn several(_order: Order) -> Vec<Keyed<Receipt>> {
        vec![Receipt.keyed("ada")]
    }

    #[on_record(D, publish(super::billing::Receipts))]
    async fn either(_order: Order) -> Result<Reply<Receipt>, String> {
        Ok(Outcome::Skip.into())
    }

    #[on_record(E, publish(Receipts))]
    async fn or_else(_order: Order) -> Result<Vec<Keyed<Receipt>>, &'static str> {
        Err("no")
    }
}
