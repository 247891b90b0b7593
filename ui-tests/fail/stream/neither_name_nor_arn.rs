use kinesis_app::prelude::*;

#[stream(batch_size = 5)]
pub struct Orders;

fn main() {}
