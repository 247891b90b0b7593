//! What people write who come from the Kinesis Client Library.

use super::{app, messages, stream, with_known};
use crate::keys::{APP, LEASES, START, STREAM};

messages! {
    an_initial_position: stream(r#"name = "orders", initial_position_in_stream = TRIM_HORIZON"#) => [(
        &with_known("unknown key `initial_position_in_stream` in `#[stream]`\nhelp: where a stream without a checkpoint starts is `start(trim_horizon)`", &STREAM), "initial_position_in_stream"
    )];
    a_position_of_the_service: stream(r#"name = "orders", start(AT_TIMESTAMP = "2026-01-01T00:00:00Z")"#) => [(
        &with_known("unknown start position `AT_TIMESTAMP`\nhelp: a point in time is `timestamp`", &START), "AT_TIMESTAMP"
    )];
    a_position_in_camel_case: stream(r#"name = "orders", initialPositionInStream(latest)"#) => [(
        &with_known("unknown key `initialPositionInStream` in `#[stream]`\nhelp: where a stream without a checkpoint starts is `start`", &STREAM), "initialPositionInStream"
    )];
    a_position_as_a_value: stream(r#"name = "orders", start(Position::latest())"#) => [(
        &with_known("unknown start position `Position::latest`\nhelp: a position with a similar name exists: `latest`", &START), "Position::latest"
    )];
    an_application_name: app(r#"applicationName = "billing""#) => [(
        &with_known("unknown key `applicationName` in `#[kinesis_app]`\nhelp: the application's name is `name`", &APP), "applicationName"
    )];
    a_worker: app(r#"name = "b", workerIdentifier = "host-1""#) => [(
        &with_known("unknown key `workerIdentifier` in `#[kinesis_app]`\nhelp: the instance's name in its lease rows is `owner_id`", &APP), "workerIdentifier"
    )];
    a_table_of_leases: app(r#"name = "b", table = "billing-leases""#) => [(
        &with_known("unknown key `table` in `#[kinesis_app]`\nhelp: `leases(dynamodb = \"billing-leases\")`", &APP), "table"
    )];
    a_table_in_quotes: app(r#"name = "b", leases = "billing-leases""#) => [(
        "`leases` takes its store in parentheses\nhelp: `leases(dynamodb = \"billing-leases\")`", "\"billing-leases\""
    )];
    a_file_in_quotes: app(r#"name = "b", leases = "leases.json""#) => [(
        "`leases` takes its store in parentheses\nhelp: `leases(file = \"leases.json\")`", "\"leases.json\""
    )];
    a_table_in_parentheses: app(r#"name = "b", leases(dynamodb("billing-leases"))"#) => [(
        "`dynamodb` takes its value after `=`\nhelp: `dynamodb = \"billing-leases\"`", "(\"billing-leases\")"
    )];
    a_fail_over_time: app(r#"name = "b", failoverTimeMillis = "10s""#) => [(
        &with_known("unknown key `failoverTimeMillis` in `#[kinesis_app]`\nhelp: `leases(.., duration = \"10s\")`", &APP), "failoverTimeMillis"
    )];
    a_checkpoint_interval: app(r#"name = "b", checkpoint_interval = "5s""#) => [(
        &with_known("unknown key `checkpoint_interval` in `#[kinesis_app]`\nhelp: checkpoints ride on the heartbeat: every 3s, or 30 % of a shorter `leases(.., duration = \"..\")`", &APP), "checkpoint_interval"
    )];
    an_idle_time: stream(r#"name = "orders", idleTimeBetweenReadsInMillis = "1s""#) => [(
        &with_known("unknown key `idleTimeBetweenReadsInMillis` in `#[stream]`\nhelp: the pause between two reads of a shard is `poll_interval`", &STREAM), "idleTimeBetweenReadsInMillis"
    )];
    another_lease_store: app(r#"name = "b", leases(redis = "redis://localhost")"#) => [(
        &with_known("unknown lease store `redis`\nhelp: `#[leases] async fn store() -> impl LeaseStore` brings a store of your own", &LEASES), "redis"
    )];
    shards_of_a_stream: stream(r#"name = "orders", shards = 4"#) => [(
        &with_known("unknown key `shards` in `#[stream]`\nhelp: `create_if_missing(shards = 4)`", &STREAM), "shards"
    )];
    a_position_behind_a_sequence_number: stream(r#"name = "orders", start(AT_SEQUENCE_NUMBER = "49")"#) => [(
        &with_known("a sequence number names one place in one shard, a start names every shard\nhelp: take a `Seeker` of the stream in its `#[on_shard_start]` hook, and seek there", &START), "AT_SEQUENCE_NUMBER"
    )];
    the_most_leases_of_a_worker: app(r#"name = "b", maxLeasesForWorker = 10"#) => [(
        &with_known("unknown key `maxLeasesForWorker` in `#[kinesis_app]`\nhelp: shards are spread evenly over the instances that run", &APP), "maxLeasesForWorker"
    )];
    the_price_of_a_table: app(r#"name = "b", billing_mode = "PAY_PER_REQUEST""#) => [(
        &with_known("unknown key `billing_mode` in `#[kinesis_app]`\nhelp: `leases(dynamodb = \"table\", create_if_missing)` creates the table on demand", &APP), "billing_mode"
    )];
    an_owner_for_leases: app(r#"name = "b", leases(memory, heartbeat = "3s")"#) => [(
        &with_known("unknown lease store `heartbeat`\nhelp: the heartbeat follows the lease: every 3s, or 30 % of a shorter `duration`", &LEASES), "heartbeat"
    )];
}
