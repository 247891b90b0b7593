//! The limits on rates of a shard. What an emulator takes here, the service refuses.

use crate::check::{Seen, Verdict, checks, equal, holds, refused_at_once, there};
use crate::subject::{Stream, Subject, range};
use aws_sdk_kinesis::error::ProvideErrorMetadata;
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::{PutRecordsRequestEntry, ShardIteratorType};
use std::time::Duration;
use tokio::time::sleep;

checks! {
    a_shard_serves_five_reads_a_second: "API reference, GetRecords: \"This operation has a limit of five transactions per second per shard\"";
    a_shard_takes_one_mebibyte_a_second: "API reference, CreateStream: \"Each shard can support writes up to 1,000 records per second, up to a maximum data write total of 1 MiB per second\"";
    entries_of_put_records_fail_one_by_one: "API reference, PutRecords: \"A single record failure does not stop the processing of subsequent records\"; ErrorCode is ProvisionedThroughputExceededException or InternalFailure";
    a_page_holds_ten_mebibytes_at_most: "API reference, GetRecords: \"The maximum size of data that GetRecords can return is 10 MiB\"";
    a_page_of_ten_mebibytes_is_followed_by_a_wait: "API reference, GetRecords: \"If a call returns this amount of data, subsequent calls made within the next 5 seconds throw ProvisionedThroughputExceededException\"";
}

const THROTTLED: &str = "ProvisionedThroughputExceededException";
const MIB: usize = 1 << 20;

async fn a_shard_serves_five_reads_a_second(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let horizon = ShardIteratorType::TrimHorizon;
    let horizon = stream.iterator(&stream.only().await?, horizon).await?;
    let read = || {
        let read = kinesis.hasty.get_records();
        read.shard_iterator(&horizon).send()
    };
    let throttled = refused_at_once(20, read, THROTTLED).await?;
    holds(throttled > 0, "20 reads at once without a throttle")
}

async fn a_shard_takes_one_mebibyte_a_second(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let put = || {
        let put = kinesis.hasty.put_record().stream_name(&stream.name);
        let put = put.partition_key("k");
        put.data(Blob::new(vec![0; MIB - 1])).send()
    };
    let throttled = refused_at_once(5, put, THROTTLED).await?;
    holds(throttled > 0, "5 MiB at once without a throttle")
}

async fn entries_of_put_records_fail_one_by_one(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    let open = stream.open().await?;
    let entry = |half: usize, data: Vec<u8>| {
        let entry = PutRecordsRequestEntry::builder().partition_key("k");
        let entry = entry.explicit_hash_key(range(&open[half]).0.to_string());
        entry.data(Blob::new(data)).build().expect("all is set")
    };
    // More than a second's worth for the first half, and between it a little for the second.
    let mut entries = vec![entry(0, vec![0; MIB - 1]); 4];
    entries.insert(2, entry(1, b"x".to_vec()));
    let put = kinesis.hasty.put_records().stream_name(&stream.name);
    let answer = put.set_records(Some(entries)).send().await?;
    let failed = answer
        .records()
        .iter()
        .filter(|one| one.error_code().is_some());
    let failed: Vec<_> = failed.collect();
    holds(
        !failed.is_empty(),
        "4 MiB for one shard at once, and no entry fails",
    )?;
    let count = usize::try_from(answer.failed_record_count().unwrap_or_default()).ok();
    equal("FailedRecordCount", &count, &Some(failed.len()))?;
    equal(
        "an entry for the other shard",
        &answer.records()[2].error_code(),
        &None,
    )?;
    for one in failed {
        equal("the code", &one.error_code(), &Some(THROTTLED))?;
        let text = there(one.error_message(), "ErrorMessage")?;
        for part in [open[0].shard_id(), &stream.name] {
            holds(
                text.contains(part),
                format!("an ErrorMessage without `{part}`"),
            )?;
        }
    }
    Ok(())
}

/// A stream of one shard with 11 records of nearly 1 MiB, and the shard's id.
async fn eleven_mebibytes(kinesis: &Subject) -> Result<(Stream<'_>, String), Seen> {
    const TRIES: usize = 60;
    let stream = kinesis.stream(1).await?;
    let (mut puts, mut tries) = (0, 0);
    while puts < 11 {
        let put = kinesis.hasty.put_record().stream_name(&stream.name);
        let put = put.partition_key("k").data(Blob::new(vec![0; MIB - 1]));
        match put.send().await {
            Err(error) if error.code() == Some(THROTTLED) && tries < TRIES => {
                tries += 1;
                sleep(Duration::from_secs(1)).await;
            }
            met => {
                met?;
                puts += 1;
            }
        }
    }
    let shard = stream.only().await?;
    Ok((stream, shard))
}

async fn a_page_holds_ten_mebibytes_at_most(kinesis: &Subject) -> Verdict {
    let (stream, shard) = eleven_mebibytes(kinesis).await?;
    let horizon = ShardIteratorType::TrimHorizon;
    let page = stream
        .read(&stream.iterator(&shard, horizon).await?)
        .await?;
    let records = page.records().len();
    holds(
        (1..=10).contains(&records),
        format!("a page of {records} records of 1 MiB"),
    )
}

async fn a_page_of_ten_mebibytes_is_followed_by_a_wait(kinesis: &Subject) -> Verdict {
    let (stream, shard) = eleven_mebibytes(kinesis).await?;
    let horizon = ShardIteratorType::TrimHorizon;
    let page = stream
        .read(&stream.iterator(&shard, horizon).await?)
        .await?;
    let next = there(page.next_shard_iterator, "NextShardIterator")?;
    let read = kinesis.hasty.get_records().shard_iterator(next).limit(1);
    crate::check::refused(read.send().await, &[THROTTLED])
}
