//! Keys of `#[kinesis_app]`, and of their parentheses.

use crate::keys::{Key, Kind, Stage, Table, beside, key};

pub(crate) static APP: Table = Table {
    of: "kinesis_app",
    kind: Kind::Attribute,
    keys: &[
        key(
            "name",
            r#"name = "..""#,
            "the application's name",
            "The application's name, which keys its leases: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`.",
            "an error",
            &[
                "app",
                "app_name",
                "application",
                "application_name",
                "group",
                "group_id",
                "group_name",
                "consumer_group",
                "consumer_group_id",
                "consumer_name",
                "durable",
                "durable_name",
                "queue_group",
                "service",
                "namespace",
            ],
        ),
        key(
            "region",
            r#"region = "eu-west-1""#,
            "the region that is read",
            "The AWS region.",
            "the SDK's chain (environment, profile, instance)",
            &["aws_region", "region_name"],
        ),
        key(
            "endpoint",
            r#"endpoint = "http://localhost:4566""#,
            "the address of a local stack",
            "Another address than AWS, such as a local stack's.",
            "AWS",
            &["url", "endpoint_url"],
        ),
        key(
            "credentials",
            "credentials(test)",
            "the choice of credentials",
            "`test`: dummy keys for a local stack; needs an `endpoint`.",
            "the SDK's chain",
            &["creds", "auth", "keys"],
        ),
        key(
            "owner_id",
            r#"owner_id = "..""#,
            "the instance's name in its lease rows",
            "The instance's name in lease rows and logs, another one for each: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`.",
            "one of the process's own",
            &[
                "worker_id",
                "worker_identifier",
                "owner",
                "worker",
                "instance",
                "instance_id",
                "client_id",
                "consumer_id",
            ],
        ),
        key(
            "leases",
            "leases(memory)",
            "the place of leases and checkpoints",
            "Where leases and checkpoints live: `memory` (gone with the process), `file = \"leases.json\"` (one machine) or `dynamodb = \"table\"` (feature `dynamodb`); how long a lease lasts.",
            "`memory`",
            &[
                "checkpoints",
                "checkpoint",
                "checkpoint_store",
                "checkpointer",
                "lease_store",
                "store",
                "storage",
            ],
        ),
        key(
            "shutdown_timeout",
            r#"shutdown_timeout = "30s""#,
            "the time that running handlers get on shutdown",
            "Running handlers may finish for so long on shutdown: \"0s\" to \"1h\".",
            "`\"30s\"`",
            &["shutdown", "grace_period", "drain_timeout", "timeout"],
        ),
        key(
            "prefetch",
            r#"prefetch = "256MiB""#,
            "the memory for records that are read ahead",
            "Records read and unhandled take at most so much, all streams together: \"1MiB\" or more.",
            "`\"256MiB\"`",
            &[
                "buffer",
                "buffer_size",
                "max_bytes",
                "read_ahead",
                "prefetch_size",
                "prefetch_bytes",
            ],
        ),
        key(
            "crate",
            "crate = path",
            "the path of the runtime crate",
            "The path of `kinesis_app`, if it was renamed or re-exported.",
            "`::kinesis_app`",
            &["krate", "path"],
        ),
    ],
};

pub(crate) static LEASES: Table = Table {
    of: "leases",
    kind: Kind::Choice {
        one: "lease store",
        many: "stores",
    },
    keys: &[
        key(
            "memory",
            "memory",
            "this process",
            "In this process, gone when it ends.",
            "",
            &["mem", "in_memory", "local"],
        ),
        key(
            "file",
            r#"file = "leases.json""#,
            "a file of this machine",
            "In this file, for the processes of one machine: a path on a local disk, whose folder exists.",
            "",
            &["disk", "path", "local_file", "filename", "json", "sqlite"],
        ),
        Key {
            stage: DYNAMODB,
            ..key(
                "dynamodb",
                r#"dynamodb = "table""#,
                "a table of DynamoDB",
                "In this DynamoDB table, by name (3 to 255 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`) or ARN.",
                "",
                &["ddb", "table", "table_name", "dynamo_db"],
            )
        },
        beside(key(
            "duration",
            r#"duration = "10s""#,
            "the time after which a lease that stands still is dead",
            "The leases of an instance that died are free after so long: \"3s\" to \"1h\".",
            "`\"10s\"`",
            &[
                "lease_duration",
                "ttl",
                "timeout",
                "expiry",
                "failover_time",
                "failover_time_millis",
                "session_timeout",
                "session_timeout_ms",
            ],
        )),
        beside(key(
            "endpoint",
            r#"endpoint = "http://localhost:8000""#,
            "the table's own address",
            "Another address of the table than the application's `endpoint`.",
            "that `endpoint`",
            &["url", "endpoint_url", "dynamodb_endpoint"],
        )),
        beside(key(
            "create_if_missing",
            "create_if_missing",
            "the creation of a table that does not exist",
            "Creates the table, on demand, if it does not exist.",
            "a missing table fails the start",
            &["create", "create_table"],
        )),
    ],
};

/// Tests read every key as it is with all features.
const DYNAMODB: Stage = if cfg!(any(test, feature = "dynamodb")) {
    Stage::Built
} else {
    Stage::Off {
        feature: "dynamodb",
    }
};

pub(crate) static CREDENTIALS: Table = Table {
    of: "credentials",
    kind: Kind::Choice {
        one: "kind of credentials",
        many: "kinds",
    },
    keys: &[key(
        "test",
        "test",
        "a pair of dummy keys",
        "Dummy keys for a local stack.",
        "",
        &["dummy", "fake", "local", "anonymous"],
    )],
};
