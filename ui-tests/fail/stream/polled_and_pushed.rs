use kinesis_app::prelude::*;

#[stream(name = "orders", poll_interval = "500ms", fan_out = "billing")]
pub struct Orders;

fn main() {}
