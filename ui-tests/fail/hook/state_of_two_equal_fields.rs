use kinesis_app::prelude::*;

#[derive(AppState)]
struct Clients {
    reader: String,
    writer: String,
}

fn main() {}
