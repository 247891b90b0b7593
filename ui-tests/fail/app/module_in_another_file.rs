use kinesis_app::prelude::*;

#[kinesis_app(name = "billing")]
mod billing;

fn main() {}
