use kinesis_app::prelude::*;

struct Mine;

#[stream(name = "orders", codec(Mine))]
pub struct Orders;

fn main() {}
