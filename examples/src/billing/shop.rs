//! A day in the shop: what is put into the streams, with a note of it for the verdict.

use kinesis_app::{Outgoing, PublishError, Running};
use kinesis_app_emulator::Kinesis;
use prost::Message;

use super::{
    JobError,
    app::{Order, PageView, Refund, billing::Refunds},
    services::Cards,
    verdict::Put,
};

const ORDERS: u64 = 600;
const CUSTOMERS: u64 = 40;
/// Every so many orders one costs nothing.
const FREE: u64 = 50;
const REFUNDS: u64 = 60;
const VIEWS: usize = 5_000;
const PAGES: [&str; 4] = ["/", "/cart", "/help", "/orders"];

/// Orders of many customers, some that cannot be booked, and a record that is none.
pub(super) fn orders(kinesis: &Kinesis, put: &mut Put) -> Result<(), JobError> {
    for id in 1..=ORDERS {
        let customer = format!("customer-{}", id % CUSTOMERS);
        let is_free = id.is_multiple_of(FREE);
        let order = Order {
            id,
            customer: customer.clone(),
            amount_cents: if is_free { 0 } else { 100 * id },
        };
        kinesis.put("orders", &customer, serde_json::to_vec(&order)?)?;
        if is_free {
            put.bad
                .push((customer, format!("order {id} costs nothing")));
        } else {
            put.orders.push(order);
        }
    }
    kinesis.put("orders", "customer-0", "no JSON")?;
    put.bad
        .push(("customer-0".into(), "does not decode".into()));
    Ok(())
}

/// Views of a few pages.
pub(super) fn views(kinesis: &Kinesis, put: &mut Put) -> Result<(), JobError> {
    for (visitor, path) in (0..VIEWS).zip(PAGES.into_iter().cycle()) {
        let view = PageView { path: path.into() };
        kinesis.put("views", &visitor.to_string(), view.encode_to_vec())?;
        *put.views.entry(path.into()).or_default() += 1;
    }
    Ok(())
}

/// Refunds under the ids of their requests: of good cards, of closed ones, and of some that are busy at first.
pub(super) async fn refunds(running: &Running, put: &mut Put) -> Result<(), PublishError> {
    let refunds = running.publisher::<Refunds>();
    for id in 1..=REFUNDS {
        let card = match id {
            20 | 40 => Cards::BUSY_TWICE,
            10 | 30 | 50 => Cards::CLOSED,
            _ => "4242 4242",
        };
        let refund = Refund {
            id,
            card: card.into(),
            amount_cents: 10 * id,
        };
        let trace_id = format!("trace-{id}");
        let keyed = (&refund).keyed(card).header("trace-id", &trace_id);
        refunds.publish(keyed).await?;
        put.refunds.push((refund, trace_id));
    }
    Ok(())
}

/// The keys and payloads of a stream, each shard in its order.
pub(super) fn records(kinesis: &Kinesis, stream: &str) -> impl Iterator<Item = (String, Vec<u8>)> {
    let shards = kinesis.shards(stream).unwrap_or_default().into_iter();
    let records = shards.flat_map(move |shard| kinesis.records(stream, &shard.shard_id));
    records.map(|record| {
        let key = record.partition_key.as_deref().unwrap_or_default();
        (key.to_owned(), record.data.to_vec())
    })
}
