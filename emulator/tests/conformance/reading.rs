//! GetRecords.

use crate::check::{BAD_INPUT, Verdict, checks, equal, holds, refused, there};
use crate::subject::{Subject, by_value, texts};
use aws_sdk_kinesis::types::ShardIteratorType;
use std::time::Duration;
use tokio::time::sleep;

checks! {
    records_come_back_as_they_were_put: "API reference, Record: Kinesis \"does not inspect, interpret, or change the data in the blob in any way\"";
    records_come_in_the_order_of_their_sequence_numbers: "API reference, GetRecords: a shard iterator is where \"to start sequentially reading data records\"";
    a_limit_cuts_the_page_and_the_next_goes_on: "API reference, GetRecords: Limit, \"The maximum number of records to return\"";
    a_limit_of_more_than_10000_is_refused: "API reference, GetRecords: \"If you specify a value that is greater than 10,000, GetRecords throws InvalidArgumentException\"";
    an_iterator_keeps_its_position: "API reference, GetRecords: \"A shard iterator specifies this position using the sequence number of a data record in the shard\"";
    an_empty_shard_gives_an_empty_page_and_goes_on: "API reference, GetRecords: \"If there are no records available .. GetRecords returns an empty list\"";
    millis_behind_latest_is_zero_only_at_the_tip: "API reference, GetRecords: MillisBehindLatest, \"A value of zero indicates that record processing is caught up\"";
    a_forged_iterator_is_refused: "API reference, GetRecords, errors: InvalidArgumentException, HTTP status code 400";
}

async fn records_come_back_as_they_were_put(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let data: Vec<u8> = (0..=255).collect();
    let key = "a \"key\" \\ 🦀";
    let first = stream.putting(key, data.clone()).send().await?;
    let second = stream.putting("k", "").send().await?;
    let records = stream.records(&first.shard_id).await?;
    equal("records", &records.len(), &2)?;
    equal("the data", &records[0].data().as_ref(), &data.as_slice())?;
    equal("data of no bytes", &records[1].data().as_ref().len(), &0)?;
    equal("the key", &records[0].partition_key(), &Some(key))?;
    for (record, put) in records.iter().zip([first, second]) {
        equal(
            "the sequence number",
            &record.sequence_number,
            &put.sequence_number,
        )?;
        there(
            record.approximate_arrival_timestamp,
            "ApproximateArrivalTimestamp",
        )?;
    }
    Ok(())
}

async fn records_come_in_the_order_of_their_sequence_numbers(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    // Enough for a number of two digits after one of one digit.
    for n in 0..12 {
        stream.put(&n.to_string(), "x").await?;
    }
    let records = stream.records(&stream.only().await?).await?;
    equal("records", &records.len(), &12)?;
    let numbers = records
        .iter()
        .map(|record| by_value(record.sequence_number()));
    let numbers: Vec<_> = numbers.collect();
    holds(
        numbers.is_sorted_by(|a, b| a < b),
        "the numbers do not rise",
    )
}

async fn a_limit_cuts_the_page_and_the_next_goes_on(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    for data in ["0", "1", "2"] {
        stream.put("k", data).await?;
    }
    let horizon = ShardIteratorType::TrimHorizon;
    let horizon = stream.iterator(&stream.only().await?, horizon).await?;
    let read = stream.client().get_records().shard_iterator(horizon);
    let page = read.limit(2).send().await?;
    equal(
        "the page",
        &texts(page.records()).concat(),
        &"01".to_owned(),
    )?;
    let next = there(page.next_shard_iterator, "NextShardIterator")?;
    let rest = texts(&stream.rest(next).await?).concat();
    equal("the rest", &rest, &"2".to_owned())
}

async fn a_limit_of_more_than_10000_is_refused(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let horizon = ShardIteratorType::TrimHorizon;
    let horizon = stream.iterator(&stream.only().await?, horizon).await?;
    let read = stream.client().get_records().shard_iterator(horizon);
    refused(read.limit(10_001).send().await, BAD_INPUT)
}

async fn an_iterator_keeps_its_position(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    stream.put("k", "0").await?;
    let horizon = ShardIteratorType::TrimHorizon;
    let horizon = stream.iterator(&stream.only().await?, horizon).await?;
    for _ in 0..2 {
        let met = texts(&stream.rest(horizon.clone()).await?);
        equal("the records", &met, &vec!["0".to_owned()])?;
    }
    Ok(())
}

async fn an_empty_shard_gives_an_empty_page_and_goes_on(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let horizon = ShardIteratorType::TrimHorizon;
    let horizon = stream.iterator(&stream.only().await?, horizon).await?;
    let page = stream.read(&horizon).await?;
    equal("records", &page.records().len(), &0)?;
    let next = there(page.next_shard_iterator, "NextShardIterator")?;
    stream.put("k", "0").await?;
    let met = texts(&stream.rest(next).await?);
    equal("the records", &met, &vec!["0".to_owned()])
}

async fn millis_behind_latest_is_zero_only_at_the_tip(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    for data in ["0", "1", "2"] {
        stream.put("k", data).await?;
        // What is behind must be so by more than a clock's tick.
        sleep(Duration::from_millis(20)).await;
    }
    let horizon = ShardIteratorType::TrimHorizon;
    let mut next = stream.iterator(&stream.only().await?, horizon).await?;
    for left in [2, 1, 0] {
        let read = stream.client().get_records().shard_iterator(next);
        let page = read.limit(1).send().await?;
        let lag = there(page.millis_behind_latest, "MillisBehindLatest")?;
        holds(
            (lag == 0) == (left == 0),
            format!("{lag} ms behind when {left} records are left"),
        )?;
        next = there(page.next_shard_iterator, "NextShardIterator")?;
    }
    Ok(())
}

async fn a_forged_iterator_is_refused(kinesis: &Subject) -> Verdict {
    let read = kinesis.client.get_records().shard_iterator("AAAAforged");
    refused(read.send().await, &["InvalidArgumentException"])
}
