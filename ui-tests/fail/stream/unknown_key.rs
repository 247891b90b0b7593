use kinesis_app::prelude::*;

#[stream(name = "orders", limit = 100)]
pub struct Orders;

fn main() {}
