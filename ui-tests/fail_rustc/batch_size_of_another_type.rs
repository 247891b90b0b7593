use kinesis_app::prelude::*;

mod limits {
    pub const BATCH: &str = "5";
}

#[stream(name = "orders", batch_size = limits::BATCH)]
pub struct Orders;

fn main() {}
