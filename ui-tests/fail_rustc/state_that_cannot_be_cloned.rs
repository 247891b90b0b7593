use kinesis_app::prelude::*;

struct Ledger;

#[derive(AppState)]
struct Clients {
    ledger: Ledger,
}

fn main() {}
