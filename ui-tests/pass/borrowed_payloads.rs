use kinesis_app::prelude::*;
use serde::Deserialize;

/// An order that borrows from the record.
#[derive(Debug, Deserialize)]
pub struct OrderRef<'a> {
    customer: &'a str,
    #[serde(borrow)]
    notes: Vec<&'a str>,
}

/// The application.
#[kinesis_app(name = "borrowed")]
pub mod borrowed {
    use super::*;

    #[stream(name = "elided")]
    struct Elided;

    #[stream(name = "named")]
    struct Named;

    #[stream(name = "owned")]
    struct Owned;

    #[stream(name = "any")]
    struct Any;

    #[on_record(Elided)]
    async fn elided(order: OrderRef<'_>, key: PartitionKey) -> Result<(), String> {
        std::future::ready(()).await;
        if order.customer == &*key {
            Ok(())
        } else {
            Err(order.notes.concat())
        }
    }

    #[on_record(Named)]
    async fn named<'a>(order: OrderRef<'a>) -> Result<(), String> {
        let customer: &'a str = order.customer;
        std::future::ready(()).await;
        drop(order);
        if customer.is_empty() {
            Err(String::new())
        } else {
            Ok(())
        }
    }

    #[on_record(Owned)]
    async fn owned(orders: Vec<std::collections::BTreeMap<String, u8>>) -> Outcome {
        std::future::ready(orders).await;
        Outcome::Done
    }

    #[on_record(Any)]
    async fn any(record: RawRecord) -> Outcome {
        std::future::ready(record).await;
        Outcome::Done
    }
}
