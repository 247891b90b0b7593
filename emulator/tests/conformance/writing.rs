//! PutRecord and PutRecords.

use crate::check::{BAD_INPUT, Verdict, checks, equal, holds, refused, there};
use crate::subject::{Stream, Subject, by_value, range};
use aws_sdk_kinesis::operation::put_records::builders::PutRecordsFluentBuilder;
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::PutRecordsRequestEntry;

checks! {
    a_record_goes_where_the_md5_of_its_key_says: "API reference, PutRecord: \"An MD5 hash function is used to map partition keys to 128-bit integer values and to map associated data records to shards\"";
    an_explicit_hash_key_overrides_the_partition_key: "API reference, PutRecord: \"You can override hashing the partition key .. using the ExplicitHashKey parameter\"";
    the_first_and_the_last_hash_key_belong_to_a_shard: "API reference, HashKeyRange: the range includes StartingHashKey and EndingHashKey";
    a_hash_key_of_129_bits_is_refused: "API reference, PutRecord: hash values are \"128-bit integer values\"";
    put_records_takes_500_entries: "API reference, PutRecords: \"Each PutRecords request can support up to 500 records\"";
    put_records_refuses_501_entries: "API reference, PutRecords: \"Each PutRecords request can support up to 500 records\"";
    put_records_takes_more_than_five_mebibytes: "API reference, PutRecords: \"up to a limit of 10 MiB for the entire request, including partition keys\"";
    put_records_refuses_more_than_ten_mebibytes: "API reference, PutRecords: \"up to a limit of 10 MiB for the entire request, including partition keys\"";
    put_records_answers_in_the_order_of_the_request: "API reference, PutRecords: \"Each record in the response array directly correlates with a record in the request array using natural ordering\"";
    sequence_numbers_of_puts_in_order_rise: "API reference, PutRecord: \"To guarantee strictly increasing ordering, write serially to a shard and use the SequenceNumberForOrdering parameter\"";
    data_and_key_of_one_mebibyte_are_taken: "Developer guide, Handle large records: \"The default maximum record size .. is set to 1 MiB\"; API reference, PutRecords: it \"applies to the total size of the partition key and data blob\"";
    data_and_key_of_more_than_one_mebibyte_are_refused: "Developer guide, Handle large records: \"The default maximum record size .. is set to 1 MiB\"; API reference, PutRecords: it \"applies to the total size of the partition key and data blob\"";
    a_partition_key_has_256_characters_of_any_script: "API reference, PutRecord: \"Unicode strings, with a maximum length limit of 256 characters\"";
    a_partition_key_of_no_or_257_characters_is_refused: "API reference, PutRecord: PartitionKey has a minimum length of 1 and a maximum length of 256";
    a_dry_run_says_so_and_stores_nothing: "API reference, PutRecord, errors: DryRunOperationException, \"The request was rejected because the DryRun parameter was specified\"";
}

/// The index, in the order of hash keys, of the shard that a record went to.
async fn index(stream: &Stream<'_>, shard: &str) -> Result<usize, crate::check::Seen> {
    let open = stream.open().await?;
    let found = open.iter().position(|one| one.shard_id() == shard);
    there(found, "such open shard")
}

async fn a_record_goes_where_the_md5_of_its_key_says(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(4).await?;
    // The MD5 sums begin with 0c, 92, 4a, 82, e1.
    for (key, quarter) in [("a", 0), ("b", 2), ("c", 1), ("d", 2), ("e", 3)] {
        let shard = stream.put(key, "x").await?.shard_id;
        let seen = index(&stream, &shard).await?;
        equal(&format!("the quarter of key `{key}`"), &seen, &quarter)?;
    }
    Ok(())
}

async fn an_explicit_hash_key_overrides_the_partition_key(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    for (at, shard) in stream.open().await?.iter().enumerate() {
        // The MD5 sum of `a` belongs to the first half.
        let put = stream.putting("a", "x");
        let put = put.explicit_hash_key((range(shard).0 + 1).to_string());
        let met = put.send().await?.shard_id;
        equal("the half", &index(&stream, &met).await?, &at)?;
    }
    Ok(())
}

async fn the_first_and_the_last_hash_key_belong_to_a_shard(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(3).await?;
    for shard in stream.open().await? {
        let (start, end) = range(&shard);
        for hash in [start, end] {
            let met = stream.put_at(hash, "x").await?.shard_id;
            equal("the shard", &met.as_str(), &shard.shard_id())?;
        }
    }
    Ok(())
}

async fn a_hash_key_of_129_bits_is_refused(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let put = stream.putting("k", "x");
    let put = put.explicit_hash_key("340282366920938463463374607431768211456");
    refused(put.send().await, BAD_INPUT)
}

fn batch(stream: &Stream<'_>, entries: Vec<PutRecordsRequestEntry>) -> PutRecordsFluentBuilder {
    let put = stream.client().put_records().stream_name(&stream.name);
    put.set_records(Some(entries))
}

fn entry(hash: u128, data: Vec<u8>) -> PutRecordsRequestEntry {
    let entry = PutRecordsRequestEntry::builder().partition_key("k");
    let entry = entry.explicit_hash_key(hash.to_string());
    entry.data(Blob::new(data)).build().expect("all is set")
}

fn small(count: usize) -> Vec<PutRecordsRequestEntry> {
    vec![entry(0, b"x".to_vec()); count]
}

async fn put_records_takes_500_entries(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let answer = batch(&stream, small(500)).send().await?;
    equal("results", &answer.records().len(), &500)?;
    let failed = answer.failed_record_count().unwrap_or_default();
    equal("failed entries", &failed, &0)
}

async fn put_records_refuses_501_entries(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    refused(batch(&stream, small(501)).send().await, BAD_INPUT)
}

/// Entries of 2^20 - 2^10 bytes, one for each of so many shards.
async fn large(stream: &Stream<'_>) -> Result<Vec<PutRecordsRequestEntry>, crate::check::Seen> {
    let open = stream.open().await?;
    let entries = open
        .iter()
        .map(|shard| entry(range(shard).0, vec![0; 1_023 << 10]));
    Ok(entries.collect())
}

async fn put_records_takes_more_than_five_mebibytes(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(6).await?;
    let answer = batch(&stream, large(&stream).await?).send().await?;
    let failed = answer.failed_record_count().unwrap_or_default();
    equal("failed entries", &failed, &0)
}

async fn put_records_refuses_more_than_ten_mebibytes(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(11).await?;
    let put = batch(&stream, large(&stream).await?);
    refused(put.send().await, BAD_INPUT)
}

async fn put_records_answers_in_the_order_of_the_request(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    let open = stream.open().await?;
    let order = [1, 0, 0, 1, 0];
    let entries = order.map(|half: usize| entry(range(&open[half]).0, b"x".to_vec()));
    let answer = batch(&stream, entries.to_vec()).send().await?;
    let met: Vec<_> = answer.records().iter().map(|one| one.shard_id()).collect();
    let promised = order.map(|half| Some(open[half].shard_id()));
    equal("the shards", &met, &promised.to_vec())
}

async fn sequence_numbers_of_puts_in_order_rise(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let mut last = stream.put("k", "0").await?.sequence_number;
    for data in ["1", "2", "3"] {
        let put = stream
            .putting("k", data)
            .sequence_number_for_ordering(&last);
        let next = put.send().await?.sequence_number;
        holds(
            by_value(&last) < by_value(&next),
            format!("`{next}` comes after `{last}`"),
        )?;
        last = next;
    }
    Ok(())
}

async fn data_and_key_of_one_mebibyte_are_taken(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    stream.putting("k", vec![0; (1 << 20) - 1]).send().await?;
    Ok(())
}

async fn data_and_key_of_more_than_one_mebibyte_are_refused(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let put = stream.putting("k", vec![0; 1 << 20]);
    refused(put.send().await, BAD_INPUT)
}

async fn a_partition_key_has_256_characters_of_any_script(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let key = "é".repeat(256);
    let shard = stream.put(&key, "x").await?.shard_id;
    let records = stream.records(&shard).await?;
    let met = records.first().and_then(|record| record.partition_key());
    equal("the key", &met, &Some(key.as_str()))
}

async fn a_partition_key_of_no_or_257_characters_is_refused(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    refused(stream.putting("", "x").send().await, BAD_INPUT)?;
    refused(
        stream.putting(&"k".repeat(257), "x").send().await,
        BAD_INPUT,
    )
}

async fn a_dry_run_says_so_and_stores_nothing(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let put = stream.putting("k", "x").dry_run(true).send().await;
    let stored = stream.records(&stream.only().await?).await?;
    equal("records stored by a dry run", &stored.len(), &0)?;
    refused(put, &["DryRunOperationException"])
}
