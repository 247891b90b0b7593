//! SplitShard, MergeShards, UpdateShardCount, and the shards they close.

use crate::check::{BAD_INPUT, NOT_FOUND, Verdict, checks, equal, holds, refused, there};
use crate::subject::{Subject, cover_all, is_open, middle, range, texts};
use aws_sdk_kinesis::types::{ChildShard, ScalingType, Shard, ShardIteratorType, StreamStatus};

checks! {
    a_split_child_takes_half_the_range: "API reference, SplitShard: \"NewStartingHashKey .. and all higher hash key values in hash key range are distributed to one of the child shards. All the lower .. to the other\"";
    split_children_name_their_parent: "API reference, Shard: ParentShardId, \"The shard ID of the shard's parent\"";
    a_split_parent_is_closed_and_stays_listed: "Developer guide, Data routing, data persistence, and shard state after a reshard: \"The parent shards do not disappear\"; \"the parent shard transitions to a CLOSED state\"";
    a_split_stream_is_updating_and_takes_no_other_reshard: "API reference, SplitShard: it \"sets the stream status to UPDATING\"; MergeShards: while UPDATING, it \"returns a ResourceInUseException\"";
    puts_go_on_while_a_stream_is_updating: "API reference, SplitShard: \"Read and write operations continue to work while the stream is in the UPDATING state\"";
    records_after_a_split_go_to_the_children: "Developer guide, Data routing after a reshard: records that were flowing to the parent shards \"are re-routed to flow to the child shards\"";
    a_closed_shard_keeps_its_records: "Developer guide, Data persistence after a reshard: \"any data records that were in the parent shards before the reshard remain in those shards\"";
    a_closed_shard_ends_without_a_next_iterator: "API reference, GetRecords: \"If the shard has been closed, the shard iterator can't return more data and GetRecords returns null in NextShardIterator\"";
    a_closed_shard_ends_with_its_children: "API reference, GetRecords: ChildShards, \"returned .. only when the end of the current shard is reached\"";
    merged_shards_end_with_their_child: "API reference, ChildShard: ParentShards, \"The current shard that is the parent of the existing child shard\"";
    a_merged_child_takes_both_ranges_and_names_both_parents: "API reference, MergeShards: \"the single child shard receives data for all hash key values covered by the two parent shards\"; Shard: AdjacentParentShardId";
    adjacent_shards_are_merged_in_either_order: "API reference, MergeShards: \"Two shards are considered adjacent if the union of the hash key ranges for the two shards form a contiguous set with no gaps\", whichever is named first";
    a_split_outside_the_range_is_refused: "API reference, SplitShard: NewStartingHashKey \"must be in the range of hash keys being mapped into the shard\"";
    a_closed_shard_is_not_split_again: "Developer guide, Shard state after a reshard: its records go \"to a child shard instead\", so its range is no longer its own";
    shards_that_do_not_touch_are_not_merged: "API reference, MergeShards: adjacent if the ranges \"form a contiguous set with no gaps\"";
    an_unknown_shard_is_not_split: "API reference, SplitShard, errors: ResourceNotFoundException";
    scaling_closes_shards_and_keeps_their_records: "API reference, UpdateShardCount: it \"performs splits or merges on individual shards\"";
    scaling_to_more_than_double_is_refused: "API reference, UpdateShardCount: you cannot \"Scale up to more than double your current shard count\"";
}

async fn a_split_child_takes_half_the_range(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let parent = &stream.open().await?[0];
    let at = middle(parent);
    let (start, end) = range(parent);
    let children = stream.split(parent).await?;
    equal(
        "the ranges",
        &children.map(|child| range(&child)),
        &[(start, at - 1), (at, end)],
    )
}

async fn split_children_name_their_parent(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    let open = stream.open().await?;
    for child in stream.split(&open[1]).await? {
        let named = (child.parent_shard_id(), child.adjacent_parent_shard_id());
        equal("the parents", &named, &(Some(open[1].shard_id()), None))?;
    }
    Ok(())
}

async fn a_split_parent_is_closed_and_stays_listed(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let parent = &stream.open().await?[0];
    stream.split(parent).await?;
    let listed = stream.shards().await?;
    let found = listed
        .iter()
        .find(|shard| shard.shard_id == parent.shard_id);
    let found = there(found, "parent in the listing")?;
    holds(!is_open(found), "the parent has no EndingSequenceNumber")
}

async fn a_split_stream_is_updating_and_takes_no_other_reshard(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(3).await?;
    let open = stream.open().await?;
    let split = stream.splitting(open[0].shard_id(), middle(&open[0]));
    split.send().await?;
    let status = stream.summary().await?.stream_status;
    equal("the status", &status, &StreamStatus::Updating)?;
    let merge = stream.client().merge_shards().stream_name(&stream.name);
    let merge = merge.shard_to_merge(open[1].shard_id());
    let merge = merge.adjacent_shard_to_merge(open[2].shard_id());
    refused(merge.send().await, &["ResourceInUseException"])
}

async fn puts_go_on_while_a_stream_is_updating(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let parent = &stream.open().await?[0];
    let split = stream.splitting(parent.shard_id(), middle(parent));
    split.send().await?;
    let put = stream.put_at(0, "x").await?;
    let met = texts(&stream.records(&put.shard_id).await?);
    equal("the records", &met, &vec!["x".to_owned()])
}

async fn records_after_a_split_go_to_the_children(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    for child in stream.split(&stream.open().await?[0]).await? {
        let put = stream.put_at(range(&child).0, "x").await?;
        equal("the shard", &put.shard_id.as_str(), &child.shard_id())?;
        let records = stream.records(child.shard_id()).await?;
        equal("the records", &texts(&records), &vec!["x".to_owned()])?;
    }
    Ok(())
}

async fn a_closed_shard_keeps_its_records(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    for data in ["0", "1"] {
        stream.put("k", data).await?;
    }
    let parent = &stream.open().await?[0];
    stream.split(parent).await?;
    let met = texts(&stream.records(parent.shard_id()).await?).concat();
    equal("the records", &met, &"01".to_owned())
}

async fn a_closed_shard_ends_without_a_next_iterator(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    stream.put("k", "0").await?;
    let parent = &stream.open().await?[0];
    let horizon = ShardIteratorType::TrimHorizon;
    let horizon = stream.iterator(parent.shard_id(), horizon).await?;
    stream.split(parent).await?;
    let (records, last) = stream.last_page(horizon).await?;
    equal("records", &records.len(), &1)?;
    holds(
        last.next_shard_iterator.is_none(),
        "the last page has a NextShardIterator",
    )
}

/// What a child is told to be: its id, its parents.
fn told(child: &ChildShard) -> (&str, Vec<&str>) {
    let mut parents: Vec<_> = child.parent_shards().iter().map(String::as_str).collect();
    parents.sort_unstable();
    (child.shard_id(), parents)
}

async fn a_closed_shard_ends_with_its_children(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    stream.put("k", "0").await?;
    let parent = &stream.open().await?[0];
    let children = stream.split(parent).await?;
    let horizon = ShardIteratorType::TrimHorizon;
    let horizon = stream.iterator(parent.shard_id(), horizon).await?;
    let (_, last) = stream.last_page(horizon).await?;
    let mut seen: Vec<_> = last.child_shards().iter().map(told).collect();
    seen.sort_unstable();
    let parents = vec![parent.shard_id()];
    let promised = children
        .iter()
        .map(|child| (child.shard_id(), parents.clone()));
    let mut promised: Vec<_> = promised.collect();
    promised.sort_unstable();
    equal("ChildShards", &seen, &promised)?;
    for child in last.child_shards() {
        let same = children
            .iter()
            .find(|one| one.shard_id() == child.shard_id());
        let range = there(same, "such child")?.hash_key_range();
        equal("the range of a child", &child.hash_key_range(), &range)?;
    }
    Ok(())
}

async fn merged_shards_end_with_their_child(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    let parents = stream.open().await?;
    let child = stream.merge(&parents[0], &parents[1]).await?;
    let mut both: Vec<_> = parents.iter().map(Shard::shard_id).collect();
    both.sort_unstable();
    for parent in &parents {
        let horizon = ShardIteratorType::TrimHorizon;
        let horizon = stream.iterator(parent.shard_id(), horizon).await?;
        let (_, last) = stream.last_page(horizon).await?;
        let seen: Vec<_> = last.child_shards().iter().map(told).collect();
        equal(
            "ChildShards",
            &seen,
            &vec![(child.shard_id(), both.clone())],
        )?;
    }
    Ok(())
}

async fn a_merged_child_takes_both_ranges_and_names_both_parents(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(3).await?;
    let open = stream.open().await?;
    let child = stream.merge(&open[0], &open[1]).await?;
    let named = (child.parent_shard_id(), child.adjacent_parent_shard_id());
    let promised = (Some(open[0].shard_id()), Some(open[1].shard_id()));
    equal("the parents", &named, &promised)?;
    holds(
        cover_all(&stream.open().await?),
        "a hash key belongs to no shard, or to two",
    )
}

async fn adjacent_shards_are_merged_in_either_order(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    let open = stream.open().await?;
    let merge = stream.client().merge_shards().stream_name(&stream.name);
    let merge = merge.shard_to_merge(open[1].shard_id());
    let merge = merge.adjacent_shard_to_merge(open[0].shard_id());
    merge.send().await?;
    stream.settled().await?;
    equal("open shards", &stream.open().await?.len(), &1)
}

async fn a_split_outside_the_range_is_refused(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    let open = stream.open().await?;
    let split = stream.splitting(open[0].shard_id(), middle(&open[1]));
    refused(split.send().await, BAD_INPUT)
}

async fn a_closed_shard_is_not_split_again(kinesis: &Subject) -> Verdict {
    const CODES: &[&str] = &[
        "InvalidArgumentException",
        "ResourceInUseException",
        "ResourceNotFoundException",
    ];
    let stream = kinesis.stream(1).await?;
    let parent = &stream.open().await?[0];
    stream.split(parent).await?;
    let again = stream.splitting(parent.shard_id(), middle(parent) + 99);
    refused(again.send().await, CODES)
}

async fn shards_that_do_not_touch_are_not_merged(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(3).await?;
    let open = stream.open().await?;
    let merge = stream.client().merge_shards().stream_name(&stream.name);
    let merge = merge.shard_to_merge(open[0].shard_id());
    let merge = merge.adjacent_shard_to_merge(open[2].shard_id());
    refused(merge.send().await, BAD_INPUT)
}

async fn an_unknown_shard_is_not_split(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let split = stream.splitting("shardId-000000000099", 9);
    refused(split.send().await, NOT_FOUND)
}

fn scaling(
    stream: &crate::subject::Stream<'_>,
    count: i32,
) -> aws_sdk_kinesis::operation::update_shard_count::builders::UpdateShardCountFluentBuilder {
    let call = stream.client().update_shard_count();
    let call = call.stream_name(&stream.name).target_shard_count(count);
    call.scaling_type(ScalingType::UniformScaling)
}

async fn scaling_closes_shards_and_keeps_their_records(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    let old = stream.open().await?;
    stream.put_at(0, "old").await?;
    scaling(&stream, 4).send().await?;
    stream.settled().await?;
    let open = stream.open().await?;
    equal("open shards", &open.len(), &4)?;
    holds(
        cover_all(&open),
        "a hash key belongs to no shard, or to two",
    )?;
    let orphans = open
        .iter()
        .filter(|shard| shard.parent_shard_id().is_none());
    equal("new shards without a parent", &orphans.count(), &0)?;
    let met = texts(&stream.records(old[0].shard_id()).await?);
    equal(
        "the records of the old shard",
        &met,
        &vec!["old".to_owned()],
    )
}

async fn scaling_to_more_than_double_is_refused(kinesis: &Subject) -> Verdict {
    const CODES: &[&str] = &[
        "InvalidArgumentException",
        "LimitExceededException",
        "ValidationException",
    ];
    let stream = kinesis.stream(2).await?;
    refused(scaling(&stream, 5).send().await, CODES)
}
