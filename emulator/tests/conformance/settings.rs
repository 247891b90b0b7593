//! What can be set on a stream.

use crate::check::{BAD_INPUT, Verdict, checks, equal, refused};
use crate::subject::{Stream, Subject};
use aws_sdk_kinesis::operation::increase_stream_retention_period::builders::IncreaseStreamRetentionPeriodFluentBuilder;

checks! {
    records_are_kept_for_24_hours_at_first: "API reference, PutRecord: \"By default, data records are accessible for 24 hours\"";
    a_longer_retention_is_set_and_told: "API reference, IncreaseStreamRetentionPeriod";
    retention_is_increased_to_8760_hours_at_most: "API reference, IncreaseStreamRetentionPeriod: \"The maximum value of a stream's retention period is 8760 hours\"";
    retention_is_not_increased_to_less_than_it_is: "API reference, IncreaseStreamRetentionPeriod: \"Must be more than the current retention period\"";
    a_tag_is_overwritten_by_its_key: "API reference, AddTagsToStream: \"overwrites any existing tags that correspond to the specified tag keys\"";
    a_larger_record_is_taken_once_the_stream_allows_it: "API reference, UpdateMaxRecordSize: \"You can ingest and digest single records up to 10240 KiB\"";
    a_record_size_beyond_10240_kib_is_refused: "API reference, UpdateMaxRecordSize: out of 1024 to 10240 KiB it \"sends back an ValidationException message\"";
}

fn increasing(stream: &Stream<'_>, hours: i32) -> IncreaseStreamRetentionPeriodFluentBuilder {
    let call = stream.client().increase_stream_retention_period();
    call.stream_name(&stream.name).retention_period_hours(hours)
}

async fn records_are_kept_for_24_hours_at_first(kinesis: &Subject) -> Verdict {
    let hours = kinesis.stream(1).await?.summary().await?;
    equal("hours", &hours.retention_period_hours, &24)
}

async fn a_longer_retention_is_set_and_told(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    increasing(&stream, 48).send().await?;
    stream.settled().await?;
    let hours = stream.summary().await?.retention_period_hours;
    equal("hours", &hours, &48)
}

async fn retention_is_increased_to_8760_hours_at_most(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    refused(increasing(&stream, 8_761).send().await, BAD_INPUT)?;
    increasing(&stream, 8_760).send().await?;
    Ok(())
}

async fn retention_is_not_increased_to_less_than_it_is(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    increasing(&stream, 48).send().await?;
    stream.settled().await?;
    refused(increasing(&stream, 47).send().await, BAD_INPUT)
}

async fn a_tag_is_overwritten_by_its_key(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    for (key, value) in [("team", "one"), ("cost", "7"), ("team", "two")] {
        let call = stream.client().add_tags_to_stream().tags(key, value);
        call.stream_name(&stream.name).send().await?;
    }
    let list = stream.client().list_tags_for_stream();
    let answer = list.stream_name(&stream.name).send().await?;
    let tags = answer.tags().iter().map(|tag| (tag.key(), tag.value()));
    let mut tags: Vec<_> = tags.collect();
    tags.sort_unstable();
    let promised = vec![("cost", Some("7")), ("team", Some("two"))];
    equal("the tags", &tags, &promised)
}

async fn a_larger_record_is_taken_once_the_stream_allows_it(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let large = || stream.putting("k", vec![0; 3 << 19]);
    refused(large().send().await, BAD_INPUT)?;
    let arn = stream.summary().await?.stream_arn;
    let update = stream.client().update_max_record_size().stream_arn(arn);
    update.max_record_size_in_kib(2_048).send().await?;
    stream.settled().await?;
    large().send().await?;
    Ok(())
}

async fn a_record_size_beyond_10240_kib_is_refused(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let arn = stream.summary().await?.stream_arn;
    let update = stream.client().update_max_record_size().stream_arn(arn);
    let update = update.max_record_size_in_kib(10_241).send().await;
    refused(update, &["ValidationException"])
}
