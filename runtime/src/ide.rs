//! Names for rust-analyzer: under it, the words of an attribute expand to imports of these modules, so that hovering a
//! key shows its documentation and completion knows the others. Written from the key tables of the macros by their tests.

/// Keys of `#[kinesis_app]`.
pub mod kinesis_app {
    /// The application's name, which keys its leases: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Required.
    pub mod name {}
    /// The AWS region. Left out: the SDK's chain (environment, profile, instance).
    pub mod region {}
    /// Another address than AWS, such as a local stack's. Left out: AWS.
    pub mod endpoint {}
    /// `test`: dummy keys for a local stack; needs an `endpoint`. Left out: the SDK's chain.
    pub mod credentials {}
    /// The instance's name in lease rows and logs, another one for each: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Left out: one of the process's own.
    pub mod owner_id {}
    /// Where leases and checkpoints live: `memory` (the default; gone with the process) or `dynamodb = "table"` (feature `dynamodb`; `create_if_missing`, `endpoint`). `duration`: "3s" to "1h", default "10s".
    pub mod leases {}
    /// Running handlers may finish for so long on shutdown: "0s" to "1h". Default "30s".
    pub mod shutdown_timeout {}
}

/// Keys of `#[stream]`.
pub mod stream {
    /// The stream's name: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. This or `arn`.
    pub mod name {}
    /// The stream's ARN, for a stream of another account. This or `name`.
    pub mod arn {}
    /// Where a shard without a checkpoint starts: `trim_horizon`, `latest` (the default) or `timestamp = "RFC 3339"`; with `ignore_checkpoint` beside it, every shard at a start.
    pub mod start {}
    /// The most records one read asks for: 1 to 10000. Left out: as many as the service returns. A value known only at run time is set in `#[configure]`.
    pub mod batch_size {}
    /// The pause between two reads of one shard: "200ms" to "4m", or a `const` of such a text. Default "1s". A value known only at run time is set in `#[configure]`.
    pub mod poll_interval {}
    /// Creates the stream with that many shards if it does not exist. Left out: a missing stream fails the start.
    pub mod create_if_missing {}
    /// What a refusal that no retry heals does (a permission that is missing, a stream that is gone): `stop` (the default) ends the run; `mark` shows it in health, tries it again now and then, and lets the other streams go on.
    pub mod on_fatal {}
    /// What a stream means that was deleted and created again under its name: `refuse` (the default) does not read it with the checkpoints of the one before; `restart` forgets them and reads it from its `start`.
    pub mod on_recreated {}
    /// How payloads are decoded and encoded: `Json` (the default), `Raw`, with their cargo features `MessagePack`, `Cbor` and `Prost`, or a codec of yours, at least as visible as the stream.
    pub mod codec {}
    /// The key of records that are published without one: 1 to 256 characters. Left out: a key of its own for each record, so that they spread over the shards.
    pub mod partition_key {}
}

/// Keys of `#[on_record]`.
pub mod on_record {
    /// Records of one shard that are handled at the same time: 1 to 100000. Default 1. `concurrency(shard = 8, total = 64)` also bounds those of all shards in a process.
    pub mod concurrency {}
    /// `partition_key` (the default): records of one key in order, keys beside each other. `shard`: one record at a time.
    pub mod ordered {}
    /// `attempts`: so many in all, 1 or more. `backoff` to `max_backoff`: pauses double from one to the other, "1ms" to "24h", with jitter. Default: `forever`, "200ms", "30s".
    pub mod retry {}
    /// `dead_letter(Stream)`: stored there. `skip`: passed over. `halt` (the default): its shard stops before it. Needs `retry(attempts = ..)` or `retry(forever)`.
    pub mod exhausted {}
    /// `dead_letter(Stream)`: stored there. `skip`: passed over. `halt` (the default): its shard stops before it.
    pub mod undecodable {}
    /// An attempt that takes longer is dropped and has failed: "1ms" to "24h", or a `const` of such a text. Left out: no limit.
    pub mod timeout {}
    /// What the handler returns is stored in this stream before its record is done: `Keyed<T>`, `Option<Keyed<T>>`, `Vec<Keyed<T>>`, `Reply<T>`, or a `Result` of one of them. Left out: it returns an outcome.
    pub mod publish {}
    /// The handler's name in logs, health and dead letters: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Default: the function's.
    pub mod label {}
}

/// Keys of `#[on_batch]`.
pub mod on_batch {
    /// The most records that one call is given: 1 to 100000. Default 500.
    pub mod max_records {}
    /// A batch that is not full waits so long for more records, from when its first one was ready: "0s" to "1h". Default "0s": it takes what is there.
    pub mod max_wait {}
    /// `attempts`: so many in all, 1 or more. `backoff` to `max_backoff`: pauses double from one to the other, "1ms" to "24h", with jitter. Default: `forever`, "200ms", "30s".
    pub mod retry {}
    /// `dead_letter(Stream)`: stored there. `skip`: passed over. `halt` (the default): its shard stops before it. Needs `retry(attempts = ..)` or `retry(forever)`.
    pub mod exhausted {}
    /// `dead_letter(Stream)`: stored there. `skip`: passed over. `halt` (the default): its shard stops before it.
    pub mod undecodable {}
    /// An attempt that takes longer is dropped and has failed: "1ms" to "24h", or a `const` of such a text. Left out: no limit.
    pub mod timeout {}
    /// The handler's name in logs, health and dead letters: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Default: the function's.
    pub mod label {}
}
