use kinesis_app::prelude::*;

mod limits {
    pub const SINCE: &str = "2026-02-30T00:00:00Z";
}

#[stream(name = "orders", start(timestamp = limits::SINCE))]
pub struct Orders;

fn main() {}
