use kinesis_app::prelude::*;

#[stream(name = "orders", batch_size = , poll_interval = "1s")]
pub struct Orders;

fn main() {}
