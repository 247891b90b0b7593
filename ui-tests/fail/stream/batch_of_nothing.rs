use kinesis_app::prelude::*;

#[stream(name = "orders", batch_size = 0)]
pub struct Orders;

fn main() {}
