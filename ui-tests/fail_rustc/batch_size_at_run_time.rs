use kinesis_app::prelude::*;

mod limits {
    pub fn batch() -> u32 {
        5
    }
}

#[stream(name = "orders", batch_size = limits::batch())]
pub struct Orders;

fn main() {}
