use kinesis_app::prelude::*;

mod limits {
    pub const NAME: &str = "orders/eu";
}

#[stream(name = limits::NAME)]
pub struct Orders;

fn main() {}
