use kinesis_app::prelude::*;

mod limits {
    pub const BATCH: u32 = 0;
}

#[stream(name = "orders", batch_size = limits::BATCH * 2)]
pub struct Orders;

fn main() {}
