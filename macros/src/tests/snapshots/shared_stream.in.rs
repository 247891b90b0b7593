#[stream(name = "orders", batch_size = BATCH, codec(Raw))]
/// Orders of all shops.
pub(crate) struct Orders;
