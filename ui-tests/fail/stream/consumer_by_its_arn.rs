use kinesis_app::prelude::*;

#[stream(
    name = "orders",
    fan_out = "arn:aws:kinesis:eu-west-1:123456789012:stream/orders/consumer/billing:1"
)]
pub struct Orders;

fn main() {}
