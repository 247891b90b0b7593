//! GetShardIterator: where each kind begins.

use crate::check::{BAD_INPUT, NOT_FOUND, Seen, Verdict, checks, equal, refused, there};
use crate::subject::{Stream, Subject, texts};
use aws_sdk_kinesis::primitives::DateTime;
use aws_sdk_kinesis::types::{Record, ShardIteratorType};
use std::time::Duration;
use tokio::time::sleep;

checks! {
    trim_horizon_begins_with_the_oldest_record: "API reference, GetShardIterator: TRIM_HORIZON, \"the oldest data record in the shard\"";
    latest_begins_after_the_newest_record: "API reference, GetShardIterator: LATEST, \"just after the most recent record in the shard\"";
    an_iterator_at_a_sequence_number_begins_with_that_record: "API reference, GetShardIterator: AT_SEQUENCE_NUMBER, \"from the position denoted by a specific sequence number\"";
    an_iterator_after_a_sequence_number_skips_that_record: "API reference, GetShardIterator: AFTER_SEQUENCE_NUMBER, \"right after the position denoted by a specific sequence number\"";
    an_iterator_after_the_newest_record_waits_for_the_next: "API reference, GetShardIterator: AFTER_SEQUENCE_NUMBER, \"right after the position denoted by a specific sequence number\"";
    the_starting_sequence_number_of_a_shard_is_before_its_records: "API reference, GetShardIterator: \"using sequence numbers returned by earlier calls to PutRecord, PutRecords, GetRecords, or DescribeStream\"";
    an_iterator_at_a_time_begins_with_that_record_or_the_next: "API reference, GetShardIterator: \"If a record with this exact time stamp does not exist, the iterator returned is for the next (later) record\"";
    an_iterator_at_a_time_before_all_begins_with_the_oldest: "API reference, GetShardIterator: \"If the time stamp is older than the current trim horizon, the iterator returned is for the oldest untrimmed data record\"";
    a_sequence_number_is_needed_by_the_kinds_that_use_it: "API reference, GetShardIterator: StartingSequenceNumber is \"used with shard iterator type AT_SEQUENCE_NUMBER and AFTER_SEQUENCE_NUMBER\"";
    a_sequence_number_that_is_none_is_refused: "API reference, GetShardIterator: StartingSequenceNumber has the pattern 0|([1-9]\\d{0,128})";
    an_unknown_kind_is_refused: "API reference, GetShardIterator: ShardIteratorType has five valid values";
    an_unknown_shard_is_not_found: "API reference, GetShardIterator, errors: ResourceNotFoundException";
    an_iterator_of_a_closed_shard_is_valid: "API reference, GetShardIterator: \"If the shard is closed, GetShardIterator returns a valid iterator for the last sequence number of the shard\"";
}

/// A stream of one shard with the records 0, 1, 2, each of a later time than the one before.
async fn three(kinesis: &Subject) -> Result<(Stream<'_>, String, Vec<Record>), Seen> {
    let stream = kinesis.stream(1).await?;
    let shard = stream.only().await?;
    for data in ["0", "1", "2"] {
        stream.put("k", data).await?;
        sleep(Duration::from_millis(20)).await;
    }
    let records = stream.records(&shard).await?;
    equal("the records", &texts(&records), &text("012"))?;
    Ok((stream, shard, records))
}

/// Each character a record.
fn text(all: &str) -> Vec<String> {
    all.chars().map(String::from).collect()
}

async fn trim_horizon_begins_with_the_oldest_record(kinesis: &Subject) -> Verdict {
    three(kinesis).await.map(drop)
}

async fn latest_begins_after_the_newest_record(kinesis: &Subject) -> Verdict {
    let (stream, shard, _) = three(kinesis).await?;
    let iterator = stream.iterator(&shard, ShardIteratorType::Latest).await?;
    stream.put("k", "3").await?;
    let met = texts(&stream.rest(iterator).await?);
    equal("the records", &met, &text("3"))
}

async fn from_number(
    stream: &Stream<'_>,
    shard: &str,
    kind: ShardIteratorType,
    number: &str,
) -> Result<Vec<String>, Seen> {
    let call = stream.iterating(shard, kind);
    let answer = call.starting_sequence_number(number).send().await?;
    let iterator = there(answer.shard_iterator, "ShardIterator")?;
    Ok(texts(&stream.rest(iterator).await?))
}

async fn an_iterator_at_a_sequence_number_begins_with_that_record(kinesis: &Subject) -> Verdict {
    let (stream, shard, records) = three(kinesis).await?;
    let (kind, number) = (
        ShardIteratorType::AtSequenceNumber,
        &records[1].sequence_number,
    );
    let met = from_number(&stream, &shard, kind, number).await?;
    equal("the records", &met, &text("12"))
}

async fn an_iterator_after_a_sequence_number_skips_that_record(kinesis: &Subject) -> Verdict {
    let (stream, shard, records) = three(kinesis).await?;
    let (kind, number) = (
        ShardIteratorType::AfterSequenceNumber,
        &records[1].sequence_number,
    );
    let met = from_number(&stream, &shard, kind, number).await?;
    equal("the records", &met, &text("2"))
}

async fn an_iterator_after_the_newest_record_waits_for_the_next(kinesis: &Subject) -> Verdict {
    let (stream, shard, records) = three(kinesis).await?;
    let call = stream.iterating(&shard, ShardIteratorType::AfterSequenceNumber);
    let call = call.starting_sequence_number(records[2].sequence_number());
    let iterator = there(call.send().await?.shard_iterator, "ShardIterator")?;
    let page = stream.read(&iterator).await?;
    equal("records at the tip", &page.records().len(), &0)?;
    stream.put("k", "3").await?;
    let next = there(page.next_shard_iterator, "NextShardIterator")?;
    equal("the records", &texts(&stream.rest(next).await?), &text("3"))
}

async fn the_starting_sequence_number_of_a_shard_is_before_its_records(
    kinesis: &Subject,
) -> Verdict {
    let (stream, shard, _) = three(kinesis).await?;
    let listed = stream.shard(&shard).await?.sequence_number_range;
    let number = there(listed, "SequenceNumberRange")?.starting_sequence_number;
    for kind in [
        ShardIteratorType::AtSequenceNumber,
        ShardIteratorType::AfterSequenceNumber,
    ] {
        let met = from_number(&stream, &shard, kind, &number).await?;
        equal("the records", &met, &text("012"))?;
    }
    Ok(())
}

async fn from_time(stream: &Stream<'_>, shard: &str, at: DateTime) -> Result<Vec<String>, Seen> {
    let call = stream.iterating(shard, ShardIteratorType::AtTimestamp);
    let answer = call.timestamp(at).send().await?;
    let iterator = there(answer.shard_iterator, "ShardIterator")?;
    Ok(texts(&stream.rest(iterator).await?))
}

/// As it was told, to whatever fraction of a millisecond.
fn arrival(record: &Record) -> Result<DateTime, Seen> {
    let time = record.approximate_arrival_timestamp();
    there(time.copied(), "ApproximateArrivalTimestamp")
}

async fn an_iterator_at_a_time_begins_with_that_record_or_the_next(kinesis: &Subject) -> Verdict {
    let (stream, shard, records) = three(kinesis).await?;
    let met = from_time(&stream, &shard, arrival(&records[1])?).await?;
    equal("the records at the time of record 1", &met, &text("12"))?;
    // The records are 20 ms apart.
    let later = DateTime::from_secs_f64(arrival(&records[0])?.as_secs_f64() + 0.01);
    let met = from_time(&stream, &shard, later).await?;
    equal("the records after the time of record 0", &met, &text("12"))
}

async fn an_iterator_at_a_time_before_all_begins_with_the_oldest(kinesis: &Subject) -> Verdict {
    let (stream, shard, records) = three(kinesis).await?;
    let week = 7 * 86_400;
    let early = DateTime::from_secs(arrival(&records[0])?.secs() - week);
    let met = from_time(&stream, &shard, early).await?;
    equal("the records", &met, &text("012"))
}

async fn a_sequence_number_is_needed_by_the_kinds_that_use_it(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let shard = stream.only().await?;
    for kind in [
        ShardIteratorType::AtSequenceNumber,
        ShardIteratorType::AfterSequenceNumber,
    ] {
        refused(stream.iterating(&shard, kind).send().await, BAD_INPUT)?;
    }
    Ok(())
}

async fn a_sequence_number_that_is_none_is_refused(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let call = stream.iterating(&stream.only().await?, ShardIteratorType::AtSequenceNumber);
    let call = call.starting_sequence_number("no number").send().await;
    refused(call, BAD_INPUT)
}

async fn an_unknown_kind_is_refused(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let call = stream.iterating(&stream.only().await?, "SOMEWHERE".into());
    // Nothing is said of the name of the error.
    let codes = [BAD_INPUT, &["SerializationException"]].concat();
    refused(call.send().await, &codes)
}

async fn an_unknown_shard_is_not_found(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let call = stream.iterating("shardId-000000000099", ShardIteratorType::Latest);
    refused(call.send().await, NOT_FOUND)
}

async fn an_iterator_of_a_closed_shard_is_valid(kinesis: &Subject) -> Verdict {
    let (stream, shard, _) = three(kinesis).await?;
    stream.split(&stream.shard(&shard).await?).await?;
    let iterator = stream.iterator(&shard, ShardIteratorType::Latest).await?;
    let met = texts(&stream.rest(iterator).await?);
    equal("records after the last", &met.len(), &0)?;
    let met = texts(&stream.records(&shard).await?);
    equal("the records", &met, &text("012"))
}
