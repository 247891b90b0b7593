//! From an operation and its body to a request that keeps the API model's rules.

use super::check::{self, required};
use super::input::{
    Blob, CreateStreamInput, DescribeStreamInput, EntryInput, GetRecordsInput,
    GetShardIteratorInput, ListShardsInput, MergeShardsInput, PutRecordInput, PutRecordsInput,
    ShardFilterInput, SplitShardInput, StreamInput,
};
use super::{Protocol, cbor, consumers, settings, tags};
use crate::Operation;
use crate::error::{ErrorCode, ServiceError};
use crate::limits;
use crate::service::fanout::ConsumerRequest;
use crate::service::record;
use crate::service::request::{
    Distribution, Entry, Listing, Mode, NewStream, Request, ShardFilter, Start, member_of,
};
use crate::service::run::Run;
use crate::service::shard::shard_index;

pub(super) type Decoded<T> = Result<T, ServiceError>;

/// A body that is still to be read.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    protocol: Protocol,
    bytes: &'a [u8],
}

pub(super) fn parse<'a, T: serde::Deserialize<'a>>(body: Body<'a>) -> Decoded<T> {
    let refused = |error: String| ServiceError::new(ErrorCode::Serialization, error);
    match body.protocol {
        Protocol::Json => {
            serde_json::from_slice(body.bytes).map_err(|error| refused(error.to_string()))
        }
        Protocol::Cbor => cbor::from_slice(body.bytes).map_err(|error| refused(error.to_string())),
    }
}

pub(crate) fn decode(protocol: Protocol, operation: Operation, bytes: &[u8]) -> Decoded<Request> {
    let body = Body { protocol, bytes };
    let stream = |body| check::stream(parse(body)?);
    Ok(match operation {
        Operation::CreateStream => Request::CreateStream(create_stream(parse(body)?)?),
        Operation::DeleteStream => consumers::delete_stream(parse(body)?)?,
        Operation::RegisterStreamConsumer => consumers::register(parse(body)?)?,
        Operation::DescribeStreamConsumer => Request::Consumer(ConsumerRequest::Describe(
            consumers::reference(parse(body)?)?,
        )),
        Operation::DeregisterStreamConsumer => Request::Consumer(ConsumerRequest::Deregister(
            consumers::reference(parse(body)?)?,
        )),
        Operation::ListStreamConsumers => consumers::list(parse(body)?)?,
        Operation::SubscribeToShard => consumers::subscribe(parse(body)?)?,
        Operation::DescribeStreamSummary => Request::DescribeStreamSummary(stream(body)?),
        Operation::DescribeStream => {
            let input: DescribeStreamInput = parse(body)?;
            Request::DescribeStream {
                stream: check::stream(input.stream)?,
                after: shard(input.exclusive_start_shard_id, "exclusiveStartShardId")?,
                limit: check::page(input.limit, limits::DESCRIBE_STREAM_PAGE, "limit")?,
            }
        }
        Operation::ListShards => list_shards(parse(body)?)?,
        Operation::PutRecord => put_record(parse(body)?)?,
        Operation::PutRecords => put_records(parse(body)?)?,
        Operation::GetShardIterator => get_shard_iterator(parse(body)?)?,
        Operation::GetRecords => {
            let input: GetRecordsInput = parse(body)?;
            let iterator = required(input.shard_iterator, "shardIterator")?;
            check::length(&iterator, 1, limits::ITERATOR_CHARS, "shardIterator")?;
            Request::GetRecords {
                iterator,
                arn: input.stream_arn.map(check::arn).transpose()?,
                limit: check::page(input.limit, limits::GET_RECORDS_RECORDS as usize, "limit")?,
                run: Run::of(input.dry_run),
            }
        }
        Operation::SplitShard => {
            let input: SplitShardInput = parse(body)?;
            let at = required(input.new_starting_hash_key, "newStartingHashKey")?;
            Request::SplitShard {
                stream: check::stream(input.stream)?,
                shard: required(shard(input.shard_to_split, "shardToSplit")?, "shardToSplit")?,
                at: check::hash_key(&at, "newStartingHashKey")?,
            }
        }
        Operation::MergeShards => {
            let input: MergeShardsInput = parse(body)?;
            let adjacent = "adjacentShardToMerge";
            Request::MergeShards {
                stream: check::stream(input.stream)?,
                shard: required(shard(input.shard_to_merge, "shardToMerge")?, "shardToMerge")?,
                adjacent: required(shard(input.adjacent_shard_to_merge, adjacent)?, adjacent)?,
            }
        }
        operation => settings::decode(operation, body)?,
    })
}

fn shard(id: Option<String>, at: &str) -> Decoded<Option<String>> {
    id.map(|id| check::name(id, at)).transpose()
}

fn create_stream(input: CreateStreamInput) -> Decoded<NewStream> {
    let name = check::name(required(input.stream_name, "streamName")?, "streamName")?;
    let mode = match input.stream_mode_details {
        Some(details) => settings::mode(details)?,
        None => Mode::Provisioned,
    };
    settings::no_warm_throughput(input.warm_throughput)?;
    let shards = match (mode, input.shard_count) {
        (Mode::Provisioned, count) => {
            let count = required(count, "shardCount")?;
            check::shard_count(count)?
        }
        (Mode::OnDemand, None) => limits::ON_DEMAND_SHARDS,
        (Mode::OnDemand, Some(_)) => {
            return Err(ServiceError::new(
                ErrorCode::Validation,
                "Parameter ShardCount must not be provided for a stream in ON_DEMAND mode.",
            ));
        }
    };
    let distribution = match input.record_distribution_strategy {
        Some(text) => settings::distribution(&text)?,
        None => Distribution::UserPartitionKey,
    };
    if mode == Mode::Provisioned && distribution == Distribution::Auto {
        return Err(ServiceError::new(
            ErrorCode::Validation,
            "RecordDistributionStrategy AUTO is only supported for streams in ON_DEMAND mode.",
        ));
    }
    let record_bytes = match input.max_record_size {
        Some(kib) => settings::record_bytes(kib)?,
        None => limits::RECORD_BYTES,
    };
    let tags = input.tags.map(|tags| tags::new(tags, &name)).transpose()?;
    Ok(NewStream {
        name,
        shards,
        mode,
        distribution,
        record_bytes,
        tags: tags.unwrap_or_default(),
    })
}

fn list_shards(input: ListShardsInput) -> Decoded<Request> {
    let limit = check::page(input.max_results, limits::LIST_SHARDS_PAGE, "maxResults")?;
    let after = shard(input.exclusive_start_shard_id, "exclusiveStartShardId")?;
    let Some(token) = input.next_token else {
        let created = input.stream_creation_timestamp;
        let listing = Listing::First {
            stream: check::stream(input.stream)?,
            created: created
                .map(|time| check::timestamp(time, "streamCreationTimestamp"))
                .transpose()?,
            after,
            filter: input.shard_filter.map(shard_filter).transpose()?,
        };
        return Ok(Request::ListShards { listing, limit });
    };
    // The token names the stream and the place; a second opinion is refused.
    let also = [
        ("StreamName", input.stream.stream_name.is_some()),
        ("ExclusiveStartShardId", after.is_some()),
        (
            "StreamCreationTimestamp",
            input.stream_creation_timestamp.is_some(),
        ),
        ("ShardFilter", input.shard_filter.is_some()),
    ];
    if let Some((member, _)) = also.iter().find(|(_, present)| *present) {
        return Err(ServiceError::invalid(format!(
            "NextToken and {member} cannot be provided together."
        )));
    }
    check::length(&token, 1, limits::NEXT_TOKEN_CHARS, "nextToken")?;
    let arn = input.stream.stream_arn.map(check::arn).transpose()?;
    let listing = Listing::Next { token, arn };
    Ok(Request::ListShards { listing, limit })
}

fn shard_filter(input: ShardFilterInput) -> Decoded<ShardFilter> {
    let at = "shardFilter.type";
    let kind = required(input.kind, at)?;
    let time = || {
        let time = required(input.timestamp, "shardFilter.timestamp")?;
        check::timestamp(time, "shardFilter.timestamp")
    };
    match kind.as_str() {
        "AFTER_SHARD_ID" => {
            let id = required(input.shard_id, "shardFilter.shardId")?;
            let id = check::name(id, "shardFilter.shardId")?;
            let unknown = || ServiceError::invalid(format!("Shard {id} does not exist."));
            shard_index(&id)
                .map(ShardFilter::AfterShardId)
                .ok_or_else(unknown)
        }
        "AT_TIMESTAMP" => time().map(ShardFilter::AtTimestamp),
        "FROM_TIMESTAMP" => time().map(ShardFilter::FromTimestamp),
        kind => {
            let known = [
                ("AT_TRIM_HORIZON", ShardFilter::AtTrimHorizon),
                ("FROM_TRIM_HORIZON", ShardFilter::FromTrimHorizon),
                ("AT_LATEST", ShardFilter::AtLatest),
            ];
            check::one_of(kind, &known, at)
        }
    }
}

fn put_record(input: PutRecordInput) -> Decoded<Request> {
    let run = Run::of(input.dry_run);
    let stream = check::stream(StreamInput {
        stream_name: input.stream_name,
        stream_arn: input.stream_arn,
    })?;
    let entry = EntryInput {
        data: input.data,
        partition_key: input.partition_key,
        explicit_hash_key: input.explicit_hash_key,
    };
    let entry = entry_of(entry, None)?;
    Ok(Request::PutRecord { stream, entry, run })
}

fn put_records(input: PutRecordsInput) -> Decoded<Request> {
    let run = Run::of(input.dry_run);
    let stream = check::stream(StreamInput {
        stream_name: input.stream_name,
        stream_arn: input.stream_arn,
    })?;
    let records = required(input.records, "records")?;
    check::put_records(records.len(), 0)?;
    let mut entries = Vec::with_capacity(records.len());
    let mut bytes = 0;
    for (n, record) in (1..).zip(records) {
        let entry = entry_of(record, Some(n))?;
        bytes += record::size(entry.partition_key.as_deref(), &entry.data);
        entries.push(entry);
    }
    check::put_records(entries.len(), bytes)?;
    Ok(Request::PutRecords {
        stream,
        entries,
        run,
    })
}

/// `place` counts the entries of a `PutRecords` from 1.
fn entry_of(input: EntryInput, place: Option<usize>) -> Decoded<Entry> {
    let at = |member: &str| member_of(place, member);
    let Some(Blob(data)) = input.data else {
        return Err(ServiceError::missing(&at("data")));
    };
    if data.len() > limits::RECORD_BYTES_MOST {
        let most = limits::RECORD_BYTES_MOST;
        let rule = format!("Member must have length less than or equal to {most}");
        return Err(ServiceError::validation(&at("data"), Some("[...]"), &rule));
    }
    // A missing key is legal on some streams; which, the service knows.
    if let Some(key) = &input.partition_key {
        check::partition_key(key, || at("partitionKey"))?;
    }
    let hash_key = input.explicit_hash_key.as_deref();
    let hash_key = hash_key.map(|text| check::hash_key(text, &at("explicitHashKey")));
    let partition_key = input.partition_key.map(Into::into);
    Ok(Entry::new(partition_key, hash_key.transpose()?, data))
}

fn get_shard_iterator(input: GetShardIteratorInput) -> Decoded<Request> {
    let run = Run::of(input.dry_run);
    let stream = check::stream(input.stream)?;
    let shard = required(shard(input.shard_id, "shardId")?, "shardId")?;
    let kind = required(input.shard_iterator_type, "shardIteratorType")?;
    let sequence = input
        .starting_sequence_number
        .map(|text| check::sequence_number(text, "startingSequenceNumber"))
        .transpose()?;
    let time = input
        .timestamp
        .map(|time| check::timestamp(time, "timestamp"))
        .transpose()?;
    let start = match (kind.as_str(), sequence, time) {
        ("TRIM_HORIZON", None, None) => Start::TrimHorizon,
        ("LATEST", None, None) => Start::Latest,
        ("AT_SEQUENCE_NUMBER", Some(sequence), None) => Start::AtSequence(sequence),
        ("AFTER_SEQUENCE_NUMBER", Some(sequence), None) => Start::AfterSequence(sequence),
        ("AT_TIMESTAMP", None, Some(time)) => Start::AtTimestamp(time),
        ("AT_SEQUENCE_NUMBER" | "AFTER_SEQUENCE_NUMBER", None, _) => {
            return Err(sequence_and_type(&format!(
                "{kind} and no StartingSequenceNumber"
            )));
        }
        ("TRIM_HORIZON" | "LATEST" | "AT_TIMESTAMP", Some(_), _) => {
            return Err(sequence_and_type(&format!(
                "{kind} and also a StartingSequenceNumber"
            )));
        }
        ("AT_TIMESTAMP", None, None) => {
            return Err(ServiceError::invalid(
                "Must specify timestampInMillis parameter for iterator of type AT_TIMESTAMP. Current request has no timestamp parameter.",
            ));
        }
        (
            "TRIM_HORIZON" | "LATEST" | "AT_SEQUENCE_NUMBER" | "AFTER_SEQUENCE_NUMBER",
            _,
            Some(_),
        ) => {
            return Err(ServiceError::invalid(format!(
                "Must not specify a Timestamp with shard iterator type {kind}."
            )));
        }
        _ => {
            let rule = "Member must satisfy enum value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_TIMESTAMP, AT_SEQUENCE_NUMBER, TRIM_HORIZON]";
            return Err(ServiceError::validation(
                "shardIteratorType",
                Some(&kind),
                rule,
            ));
        }
    };
    Ok(Request::GetShardIterator {
        stream,
        shard,
        start,
        run,
    })
}

fn sequence_and_type(what: &str) -> ServiceError {
    ServiceError::invalid(format!(
        "Must either specify (1) AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER and StartingSequenceNumber or (2) TRIM_HORIZON or LATEST and no StartingSequenceNumber. Request specified {what}."
    ))
}
