//! Every lease store keeps the promises of the lease table.

use kinesis_app::{MemoryLeases, check_lease_store};

#[tokio::test(start_paused = true)]
async fn the_memory_store_keeps_the_promises_of_the_lease_table() {
    check_lease_store(&MemoryLeases::new(), "conformance").await;
}
