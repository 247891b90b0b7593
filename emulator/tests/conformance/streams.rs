//! Streams as wholes: made, described, listed, deleted.

use crate::check::{
    BAD_INPUT, NOT_FOUND, Verdict, checks, equal, holds, refused, refused_at_once, there,
};
use crate::subject::{Subject, cover_all, ids};
use aws_sdk_kinesis::types::{ShardIteratorType, StreamMode, StreamModeDetails, StreamStatus};

checks! {
    a_new_stream_is_creating_before_it_is_active: "API reference, CreateStream: \"immediately returns and sets the stream status to CREATING. After the stream is created, Kinesis Data Streams sets the stream status to ACTIVE\"";
    the_shards_of_a_new_stream_cover_every_hash_key_once: "API reference, PutRecord: partition keys map \"to 128-bit integer values\" and records to shards \"using the hash key ranges of the shards\"";
    a_sixth_stream_is_not_created_beside_five: "API reference, CreateStream: LimitExceededException with \"more than five streams in the CREATING state\"; \"five transactions per second per account\"";
    a_name_that_is_taken_is_in_use: "API reference, CreateStream, errors: ResourceInUseException";
    a_name_with_a_space_is_refused: "API reference, CreateStream: StreamName has the pattern [a-zA-Z0-9_.-]+";
    a_name_of_129_characters_is_refused: "API reference, CreateStream: StreamName has a maximum length of 128";
    a_stream_of_no_shards_is_refused: "API reference, CreateStream: ShardCount has a minimum value of 1";
    an_unknown_stream_is_not_found_by_any_operation: "API reference, errors of each operation: ResourceNotFoundException, HTTP status code 400";
    a_description_holds_a_hundred_shards_and_goes_on_behind_them: "API reference, DescribeStream: \"The default value is 100. If you specify a value greater than 100, at most 100 results are returned\"";
    a_summary_counts_the_open_shards_only: "API reference, StreamDescriptionSummary: OpenShardCount, \"The number of open shards in the stream\"";
    an_arn_stands_for_the_name: "API reference, each operation: \"you must use either the StreamARN or the StreamName parameter, or both\"";
    an_on_demand_stream_says_so: "API reference, StreamDescriptionSummary: StreamModeDetails";
    an_on_demand_stream_is_not_split: "API reference, SplitShard, errors: ValidationException, \"you tried to invoke this API for a data stream with the on-demand capacity mode\"";
    streams_are_listed_page_by_page: "API reference, ListStreams: \"using the name of the last stream returned .. in the ExclusiveStartStreamName parameter\" as long as HasMoreStreams";
    a_deleted_stream_goes_with_its_data: "API reference, DeleteStream: \"all its shards and data\"; \"If an application attempts to operate on a deleted stream, it receives the exception ResourceNotFoundException\"";
}

async fn a_new_stream_is_creating_before_it_is_active(kinesis: &Subject) -> Verdict {
    let stream = kinesis.named(kinesis.fresh_name());
    kinesis.create(&stream.name, 1).send().await?;
    let status = stream.summary().await?.stream_status;
    equal("the first status", &status, &StreamStatus::Creating)?;
    stream.settled().await
}

async fn the_shards_of_a_new_stream_cover_every_hash_key_once(kinesis: &Subject) -> Verdict {
    for count in [1, 3] {
        let shards = kinesis.stream(count).await?.open().await?;
        let seen = i32::try_from(shards.len()).ok();
        equal("shards", &seen, &Some(count))?;
        holds(
            cover_all(&shards),
            "a hash key belongs to no shard, or to two",
        )?;
    }
    Ok(())
}

async fn a_sixth_stream_is_not_created_beside_five(kinesis: &Subject) -> Verdict {
    let create = || {
        let create = kinesis.hasty.create_stream().shard_count(1);
        create.stream_name(kinesis.fresh_name()).send()
    };
    let refused = refused_at_once(6, create, "LimitExceededException").await?;
    holds(refused > 0, "6 streams are created at once")
}

async fn a_name_that_is_taken_is_in_use(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let again = kinesis.create(&stream.name, 1).send().await;
    refused(again, &["ResourceInUseException"])
}

async fn a_name_with_a_space_is_refused(kinesis: &Subject) -> Verdict {
    refused(kinesis.create("a name", 1).send().await, BAD_INPUT)
}

async fn a_name_of_129_characters_is_refused(kinesis: &Subject) -> Verdict {
    let name = format!("{:-<128}", kinesis.fresh_name());
    refused(
        kinesis.create(&format!("{name}-"), 1).send().await,
        BAD_INPUT,
    )
}

async fn a_stream_of_no_shards_is_refused(kinesis: &Subject) -> Verdict {
    refused(
        kinesis.create(&kinesis.fresh_name(), 0).send().await,
        BAD_INPUT,
    )
}

async fn an_unknown_stream_is_not_found_by_any_operation(kinesis: &Subject) -> Verdict {
    let nowhere = kinesis.named(kinesis.fresh_name());
    let (client, name, shard) = (nowhere.client(), &nowhere.name, "shardId-000000000000");
    let delete = client.delete_stream().stream_name(name).send().await;
    refused(delete, NOT_FOUND)?;
    let describe = client.describe_stream().stream_name(name).send().await;
    refused(describe, NOT_FOUND)?;
    let summary = client.describe_stream_summary().stream_name(name);
    refused(summary.send().await, NOT_FOUND)?;
    let list = client.list_shards().stream_name(name).send().await;
    refused(list, NOT_FOUND)?;
    refused(nowhere.putting("k", "x").send().await, NOT_FOUND)?;
    refused(nowhere.splitting(shard, 9).send().await, NOT_FOUND)?;
    let iterator = nowhere.iterating(shard, ShardIteratorType::Latest);
    refused(iterator.send().await, NOT_FOUND)
}

async fn a_description_holds_a_hundred_shards_and_goes_on_behind_them(
    kinesis: &Subject,
) -> Verdict {
    let stream = kinesis.stream(101).await?;
    let call = || {
        let call = stream.client().describe_stream();
        call.stream_name(&stream.name)
    };
    let first = call().send().await?.stream_description;
    let first = there(first, "StreamDescription")?;
    let seen = (first.shards.len(), first.has_more_shards);
    equal("shards, and whether there are more", &seen, &(100, true))?;
    let last = first.shards[99].shard_id();
    let rest = call().exclusive_start_shard_id(last).send().await?;
    let rest = there(rest.stream_description, "StreamDescription")?;
    let seen = (rest.shards.len(), rest.has_more_shards);
    equal("the rest, and whether there are more", &seen, &(1, false))?;
    holds(
        !ids(&first.shards).contains(&rest.shards[0].shard_id()),
        "a shard stands on both pages",
    )
}

async fn a_summary_counts_the_open_shards_only(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    let before = stream.summary().await?.open_shard_count;
    stream.split(&stream.open().await?[0]).await?;
    let after = stream.summary().await?.open_shard_count;
    equal(
        "open shards before and after a split",
        &(before, after),
        &(2, 3),
    )
}

async fn an_arn_stands_for_the_name(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let (client, arn) = (stream.client(), stream.summary().await?.stream_arn);
    let summary = client.describe_stream_summary().stream_arn(&arn);
    let summary = summary.send().await?.stream_description_summary;
    equal(
        "the name",
        &there(summary, "summary")?.stream_name,
        &stream.name,
    )?;
    let listed = client.list_shards().stream_arn(&arn).send().await?;
    equal("shards", &listed.shards().len(), &1)?;
    let put = client.put_record().stream_arn(&arn).partition_key("k");
    let data = aws_sdk_kinesis::primitives::Blob::new("x");
    let shard = put.data(data).send().await?.shard_id;
    let iterator = client.get_shard_iterator().stream_arn(&arn).shard_id(shard);
    let iterator = iterator.shard_iterator_type(ShardIteratorType::TrimHorizon);
    let iterator = there(iterator.send().await?.shard_iterator, "ShardIterator")?;
    equal("records", &stream.rest(iterator).await?.len(), &1)
}

/// The name of a new on-demand stream, which is active.
async fn on_demand(kinesis: &Subject) -> Result<String, crate::check::Seen> {
    let name = kinesis.fresh_name();
    let mode = StreamModeDetails::builder().stream_mode(StreamMode::OnDemand);
    let mode = mode.build().expect("the one field is set");
    let create = kinesis.client.create_stream().stream_name(&name);
    create.stream_mode_details(mode).send().await?;
    kinesis.named(name.clone()).settled().await?;
    Ok(name)
}

async fn an_on_demand_stream_says_so(kinesis: &Subject) -> Verdict {
    let stream = kinesis.named(on_demand(kinesis).await?);
    let details = stream.summary().await?.stream_mode_details;
    let mode = details.map(|details| details.stream_mode);
    equal("the mode", &mode, &Some(StreamMode::OnDemand))?;
    holds(
        cover_all(&stream.open().await?),
        "a hash key belongs to no shard, or to two",
    )
}

async fn an_on_demand_stream_is_not_split(kinesis: &Subject) -> Verdict {
    let stream = kinesis.named(on_demand(kinesis).await?);
    let shard = &stream.open().await?[0];
    let split = stream.splitting(shard.shard_id(), crate::subject::middle(shard));
    refused(split.send().await, &["ValidationException"])
}

async fn streams_are_listed_page_by_page(kinesis: &Subject) -> Verdict {
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(kinesis.stream(1).await?.name);
    }
    let (mut listed, mut after) = (Vec::new(), None);
    for _ in 0..50 {
        let call = kinesis.client.list_streams().limit(2);
        let page = call.set_exclusive_start_stream_name(after).send().await?;
        holds(page.stream_names.len() <= 2, "a page of 2 holds more")?;
        listed.extend(page.stream_names);
        after = listed.last().cloned();
        if !page.has_more_streams {
            break;
        }
    }
    let found = made.iter().map(|name| {
        let same = listed.iter().filter(|other| *other == name);
        same.count()
    });
    equal(
        "how often each stream is listed",
        &found.collect(),
        &vec![1, 1, 1],
    )
}

async fn a_deleted_stream_goes_with_its_data(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let (shard, client) = (stream.only().await?, stream.client());
    stream.put("k", "old").await?;
    let old = ShardIteratorType::TrimHorizon;
    let old = stream.iterator(&shard, old).await?;
    let delete = client.delete_stream().stream_name(&stream.name);
    delete.send().await?;
    stream.gone().await?;
    let read = client.get_records().shard_iterator(old).send().await;
    refused(read, NOT_FOUND)?;
    kinesis.create(&stream.name, 1).send().await?;
    stream.settled().await?;
    let left = stream.records(&stream.only().await?).await?;
    equal("records in the next stream of the name", &left.len(), &0)
}
