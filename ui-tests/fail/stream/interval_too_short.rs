use kinesis_app::prelude::*;

#[stream(name = "orders", poll_interval = "100ms")]
pub struct Orders;

fn main() {}
