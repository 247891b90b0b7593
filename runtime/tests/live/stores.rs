//! The lease store of DynamoDB on DynamoDBs that others wrote, over sockets.
//!
//! What they do otherwise than the service, which is right, and what becomes of it:
//!
//! | | who | the service | here |
//! |---|---|---|---|
//! | a condition and its write are two steps: of many who race for a row several win | moto | every write is atomic | `live/moto_port.py` serves one request at a time |
//! | a refused condition answers without the row, asked for or not | dynalite | sends the row to who asks | the store does not ask, it reads the row |
//! | a table is `ACTIVE` at once | moto | is `CREATING` for seconds | the store asks before it goes on |

use kinesis_app::{DynamoLeases, check_lease_store};

use crate::gate::{self, endpoint, now, sdk_config};

#[tokio::test(flavor = "multi_thread")]
async fn the_dynamodb_store_keeps_the_promises_of_the_lease_table_over_a_socket() {
    let Some(endpoint) = endpoint(gate::DYNAMODB, "stores") else {
        return;
    };
    let leases = DynamoLeases::new(&sdk_config(&endpoint), &format!("stores-{}", now()));
    check_lease_store(&leases.create_if_missing(), "conformance").await;
}
