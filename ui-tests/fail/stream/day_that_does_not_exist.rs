use kinesis_app::prelude::*;

#[stream(name = "orders", start(timestamp = "2026-02-30T00:00:00Z"))]
pub struct Orders;

fn main() {}
