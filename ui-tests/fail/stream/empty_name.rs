use kinesis_app::prelude::*;

#[stream(name = "", codec(Raw))]
pub struct Orders;

fn main() {}
