#![deny(warnings)]
use kinesis_app::prelude::*;

#[stream(name = "orders", poll_interval = "200ms")]
pub struct Orders;

fn main() {}
