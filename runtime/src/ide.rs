//! Names for rust-analyzer: under it, the words of an attribute expand to imports of these modules, so that hovering a
//! word shows its documentation and completion knows the others. Written from the key tables of the macros by their tests.

/// Keys of `#[kinesis_app]`.
pub mod kinesis_app {
    /// The application's name, which keys its leases: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Left out: an error.
    pub mod name {}
    /// The AWS region. Left out: the SDK's chain (environment, profile, instance).
    pub mod region {}
    /// Another address than AWS, such as a local stack's. Left out: AWS.
    pub mod endpoint {}
    /// `test`: dummy keys for a local stack; needs an `endpoint`. Left out: the SDK's chain.
    pub mod credentials {}
    /// The instance's name in lease rows and logs, another one for each: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Left out: one of the process's own.
    pub mod owner_id {}
    /// Where leases and checkpoints live: `memory` (gone with the process), `file = "leases.json"` (one machine) or `dynamodb = "table"` (feature `dynamodb`); how long a lease lasts. Left out: `memory`.
    pub mod leases {}
    /// Running handlers may finish for so long on shutdown: "0s" to "1h". Left out: `"30s"`.
    pub mod shutdown_timeout {}
    /// Records read and unhandled take at most so much, all streams together: "1MiB" or more. Left out: `"256MiB"`.
    pub mod prefetch {}
}

/// Keys of `#[stream]`.
pub mod stream {
    /// The stream's name: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Left out: `arn` is needed.
    pub mod name {}
    /// The stream's ARN, for a stream of another account. Left out: `name` is needed.
    pub mod arn {}
    /// Where a shard without a checkpoint starts: `trim_horizon`, `latest` or `timestamp = "RFC 3339"`; with `ignore_checkpoint` beside it, every shard at a start. Left out: `latest`.
    pub mod start {}
    /// The most records one read asks for: 1 to 10000 (`GetRecords`). A value known only at run time is set in `#[configure]`. Left out: as many as the service returns.
    pub mod batch_size {}
    /// The pause between two reads of one shard: "200ms" (a shard serves 5 reads a second) to "4m" (an iterator lives 5 minutes), or a `const` of such a text. A value known only at run time is set in `#[configure]`. Left out: `"1s"`.
    pub mod poll_interval {}
    /// Creates the stream with that many shards if it does not exist. Left out: a missing stream fails the start.
    pub mod create_if_missing {}
    /// What a refusal that no retry heals does (a permission that is missing, a stream that is gone): `stop` ends the run; `mark` shows it in health, tries it again now and then, and lets the other streams go on. Left out: `stop`.
    pub mod on_fatal {}
    /// What a stream means that was deleted and created again under its name: `refuse` does not read it with the checkpoints of the one before; `restart` forgets them and reads it from its `start`. Left out: `refuse`.
    pub mod on_recreated {}
    /// How payloads are decoded and encoded: `Json`, `Raw`, with their cargo features `MessagePack`, `Cbor` and `Prost`, or a codec of yours, at least as visible as the stream. Left out: `Json`.
    pub mod codec {}
    /// The key of records that are published without one: 1 to 256 characters. All of them land in one shard, in order. Left out: a key of its own for each record, so that they spread over the shards.
    pub mod partition_key {}
}

/// Keys of `#[on_record]`.
pub mod on_record {
    /// Records of one shard that are handled at the same time: 1 to 100000. `concurrency(shard = 8, total = 64)` also bounds those of all shards in a process. Left out: 1.
    pub mod concurrency {}
    /// `partition_key`: records of one key in order, keys beside each other. `shard`: one record at a time. `none`: all beside each other. Left out: `partition_key`.
    pub mod ordered {}
    /// `attempts`: so many in all, 1 or more. `backoff` to `max_backoff`: pauses double from one to the other, "1ms" to "24h", with jitter. Left out: `forever`, `"200ms"`, `"30s"`.
    pub mod retry {}
    /// What becomes of a record that failed for the last time, or with a `permanent` error. `dead_letter(Stream)`: stored there. `skip`: passed over. `halt`: its shard stops before it. Needs `retry(attempts = ..)` or `retry(forever)`. Left out: `halt`.
    pub mod exhausted {}
    /// What becomes of a record that does not decode. `dead_letter(Stream)`: stored there. `skip`: passed over. `halt`: its shard stops before it. Left out: `halt`.
    pub mod undecodable {}
    /// An attempt that takes longer is dropped and has failed: "1ms" to "24h", or a `const` of such a text. Left out: no limit.
    pub mod timeout {}
    /// What the handler returns is stored in this stream before its record is done: `Keyed<T>`, `Option<Keyed<T>>`, `Vec<Keyed<T>>`, `Reply<T>`, or a `Result` of one of them. Left out: it returns an outcome.
    pub mod publish {}
    /// The handler's name in logs, health and dead letters: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Left out: the function's name.
    pub mod label {}
}

/// Keys of `#[on_batch]`.
pub mod on_batch {
    /// The most records that one call is given: 1 to 100000. Left out: 500.
    pub mod max_records {}
    /// A batch that is not full waits so long for more records, from when its first one was ready: "0s" to "1h". Left out: `"0s"`: it takes what is there.
    pub mod max_wait {}
    /// `attempts`: so many in all, 1 or more. `backoff` to `max_backoff`: pauses double from one to the other, "1ms" to "24h", with jitter. Left out: `forever`, `"200ms"`, `"30s"`.
    pub mod retry {}
    /// What becomes of a record that failed for the last time, or with a `permanent` error. `dead_letter(Stream)`: stored there. `skip`: passed over. `halt`: its shard stops before it. Needs `retry(attempts = ..)` or `retry(forever)`. Left out: `halt`.
    pub mod exhausted {}
    /// What becomes of a record that does not decode. `dead_letter(Stream)`: stored there. `skip`: passed over. `halt`: its shard stops before it. Left out: `halt`.
    pub mod undecodable {}
    /// An attempt that takes longer is dropped and has failed: "1ms" to "24h", or a `const` of such a text. Left out: no limit.
    pub mod timeout {}
    /// The handler's name in logs, health and dead letters: 1 to 128 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`. Left out: the function's name.
    pub mod label {}
}

/// The answers of `on_fatal`.
pub mod on_fatal {
    /// The run ends with the refusal.
    pub mod stop {}
    /// Health shows the refusal, the rest goes on, and the call is tried again now and then.
    pub mod mark {}
}

/// The answers of `on_recreated`.
pub mod on_recreated {
    /// The start fails and names the rows of the stream before.
    pub mod refuse {}
    /// The old checkpoints are forgotten, and the stream is read from its `start`.
    pub mod restart {}
}

/// The positions of `start`.
pub mod start {
    /// The oldest record that the stream keeps.
    pub mod trim_horizon {}
    /// What is put from the first start on.
    pub mod latest {}
    /// The first record at or after a time, written as RFC 3339.
    pub mod timestamp {}
    /// Reads from there again whenever an instance starts while no other reads the stream. Left out: checkpoints count.
    pub mod ignore_checkpoint {}
}

/// The stores of `leases`.
pub mod leases {
    /// In this process, gone when it ends.
    pub mod memory {}
    /// In this file, for the processes of one machine: a path on a local disk, whose folder exists.
    pub mod file {}
    /// In this DynamoDB table, by name (3 to 255 of `a-z`, `A-Z`, `0-9`, `_`, `.` and `-`) or ARN.
    pub mod dynamodb {}
    /// The leases of an instance that died are free after so long: "3s" to "1h". Left out: `"10s"`.
    pub mod duration {}
    /// Another address of the table than the application's `endpoint`. Left out: that `endpoint`.
    pub mod endpoint {}
    /// Creates the table, on demand, if it does not exist. Left out: a missing table fails the start.
    pub mod create_if_missing {}
}

/// The kinds of `credentials`.
pub mod credentials {
    /// Dummy keys for a local stack.
    pub mod test {}
}

/// The settings of `concurrency`.
pub mod concurrency {
    /// Records of one shard that are handled at the same time: 1 to 100000. Left out: 1.
    pub mod shard {}
    /// Records of all shards that a process handles at the same time: 1 or more. Left out: no limit.
    pub mod total {}
}

/// The orders of `ordered`.
pub mod ordered {
    /// Records of one partition key are handled in order, keys beside each other.
    pub mod partition_key {}
    /// One record of a shard at a time.
    pub mod shard {}
    /// Records are handled in no order, those of one key beside each other.
    pub mod none {}
}

/// The settings of `retry`.
pub mod retry {
    /// So many attempts in all, the first one among them: 1 or more. Left out: `forever`.
    pub mod attempts {}
    /// Retries until the record passes; errors made by `permanent` and `Outcome::DeadLetter` end it all the same.
    pub mod forever {}
    /// The first pause, which doubles with every failure: "1ms" to "24h". Left out: `"200ms"`.
    pub mod backoff {}
    /// The longest pause: "1ms" to "24h". Left out: `"30s"`.
    pub mod max_backoff {}
}

/// The places of `exhausted`.
pub mod exhausted {
    /// It is stored in this stream, as it arrived, before the checkpoint passes it.
    pub mod dead_letter {}
    /// The checkpoint passes it. Logged and counted.
    pub mod skip {}
    /// Its shard stops before it and keeps its lease.
    pub mod halt {}
}

/// The places of `undecodable`.
pub mod undecodable {
    /// It is stored in this stream, as it arrived, before the checkpoint passes it.
    pub mod dead_letter {}
    /// The checkpoint passes it. Logged and counted.
    pub mod skip {}
    /// Its shard stops before it and keeps its lease.
    pub mod halt {}
}

/// The settings of `create_if_missing`.
pub mod create_if_missing {
    /// Shards of the stream that is created. Left out: an error.
    pub mod shards {}
}

/// The settings of `environment`.
pub mod environment {
    /// The environment variable that is read at start-up. Left out: an error.
    pub mod env {}
    /// What holds when the variable is not set. Left out: the start fails, unless `optional` stands there.
    pub mod default {}
    /// The setting is absent when the variable is not set. Left out: the start fails, unless there is a `default`.
    pub mod optional {}
}
