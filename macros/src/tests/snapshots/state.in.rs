#[derive(AppState)]
#[app_state(crate = vendor::kinesis)]
pub struct Clients {
    ledger: Ledger,
    r#type: Vec<u8>,
    pool: Pool<Db>,
}
