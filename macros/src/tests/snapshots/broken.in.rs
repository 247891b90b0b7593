#[kinesis_app(name = "billing service", regoin = "eu-west-1")]
mod billing {
    #[stream(name = "orders/eu", batch_size = 0)]
    pub struct Orders;

    #[stream(name = "views")]
    pub struct Views<T>(T);

    #[on_record(Orders)]
    fn book(order: Order) {
        nothing.here().is_checked(yet)
    }

    pub fn kept() -> u8 {
        7
    }
}
