use kinesis_app::prelude::*;

#[stream(name = "orders/eu", codec(Raw))]
pub struct Orders;

fn main() {}
