use kinesis_app::prelude::*;

mod limits {
    pub const POLL: &str = "100ms";
}

#[stream(name = "orders", poll_interval = limits::POLL)]
pub struct Orders;

fn main() {}
