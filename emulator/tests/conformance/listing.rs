//! ListShards: pages, tokens, filters.

use crate::check::{BAD_INPUT, NOT_FOUND, Seen, Verdict, checks, equal, refused, there};
use crate::subject::{Stream, Subject, ids, is_open};
use aws_sdk_kinesis::primitives::DateTime;
use aws_sdk_kinesis::types::{Shard, ShardFilter, ShardFilterType};
use std::time::Duration;
use tokio::time::sleep;

checks! {
    next_token_goes_alone: "API reference, ListShards: of StreamName, \"You cannot specify this parameter if you specify the NextToken parameter\"";
    pages_follow_each_other_without_gap_or_overlap: "API reference, ListShards: NextToken alone lists \"the next set of shards\"";
    the_last_page_has_no_token: "API reference, ListShards: NextToken comes \"when the number of shards to be listed is greater than the value of MaxResults\"";
    a_forged_token_is_refused: "API reference, ListShards, errors: InvalidArgumentException";
    a_listing_without_stream_and_token_is_refused: "API reference, ListShards: \"you must use either the StreamARN or the StreamName parameter, or both\"";
    a_listing_begins_behind_a_shard: "API reference, ListShards: ExclusiveStartShardId, \"starting with the shard whose ID immediately follows\"";
    a_wrong_creation_time_finds_no_stream: "API reference, ListShards: StreamCreationTimestamp is there \"to distinguish data streams that have the same name\"";
    without_a_filter_closed_shards_are_listed_too: "API reference, ShardFilter: FROM_TRIM_HORIZON is the default, \"all the shards within the retention period\"";
    at_latest_lists_the_open_shards: "API reference, ShardFilter: AT_LATEST, \"only the currently open shards\"";
    at_trim_horizon_lists_what_was_open_then: "API reference, ShardFilter: AT_TRIM_HORIZON, \"all the shards that were open at TRIM_HORIZON\"";
    after_shard_id_lists_what_follows: "API reference, ShardFilter: AFTER_SHARD_ID, \"starting with the shard whose ID immediately follows the ShardId\"";
    at_timestamp_lists_what_was_open_then: "API reference, ShardFilter: AT_TIMESTAMP, \"all shards whose start timestamp is less than or equal to the given timestamp and end timestamp is greater than or equal\" or open";
    from_timestamp_leaves_out_what_was_closed_before: "API reference, ShardFilter: FROM_TIMESTAMP, \"all closed shards whose end timestamp is greater than or equal to the given timestamp and also all open shards\"";
    a_filter_by_time_needs_a_time: "API reference, ListShards: with AT_TIMESTAMP \"you must also provide the value for the optional Timestamp property\"";
}

async fn next_token_goes_alone(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(3).await?;
    let list = || stream.client().list_shards().stream_name(&stream.name);
    let token = list().max_results(1).send().await?.next_token;
    let token = there(token, "NextToken")?;
    refused(list().next_token(token).send().await, BAD_INPUT)
}

async fn pages_follow_each_other_without_gap_or_overlap(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(5).await?;
    let first = stream.client().list_shards().stream_name(&stream.name);
    let mut page = first.max_results(2).send().await?;
    let mut listed = ids(page.shards()).into_iter().map(str::to_owned).collect();
    let mut sizes = vec![page.shards().len()];
    while let Some(token) = page.next_token.filter(|_| sizes.len() < 5) {
        let next = stream.client().list_shards().next_token(token);
        page = next.max_results(2).send().await?;
        sizes.push(page.shards().len());
        Vec::extend(
            &mut listed,
            ids(page.shards()).into_iter().map(str::to_owned),
        );
    }
    equal("shards of each page", &sizes, &vec![2, 2, 1])?;
    let whole = stream.shards().await?;
    equal(
        "the shards",
        &listed,
        &ids(&whole).into_iter().map(str::to_owned).collect(),
    )
}

async fn the_last_page_has_no_token(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(2).await?;
    let list = stream.client().list_shards().stream_name(&stream.name);
    let page = list.max_results(2).send().await?;
    let seen = (page.shards().len(), page.next_token.is_some());
    equal("shards, and whether there is a token", &seen, &(2, false))
}

async fn a_forged_token_is_refused(kinesis: &Subject) -> Verdict {
    let list = kinesis.client.list_shards().next_token("AAAAforged");
    refused(list.send().await, &["InvalidArgumentException"])
}

async fn a_listing_without_stream_and_token_is_refused(kinesis: &Subject) -> Verdict {
    refused(kinesis.client.list_shards().send().await, BAD_INPUT)
}

async fn a_listing_begins_behind_a_shard(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(3).await?;
    let all = stream.shards().await?;
    let list = stream.client().list_shards().stream_name(&stream.name);
    let page = list.exclusive_start_shard_id(all[0].shard_id());
    let page = page.send().await?;
    equal("the shards", &ids(page.shards()), &ids(&all[1..]))
}

async fn a_wrong_creation_time_finds_no_stream(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let created = stream.summary().await?.stream_creation_timestamp;
    let list = |time| {
        let list = stream.client().list_shards().stream_name(&stream.name);
        list.stream_creation_timestamp(time).send()
    };
    list(created).await?;
    let wrong = DateTime::from_secs(created.secs() - 86_400);
    refused(list(wrong).await, NOT_FOUND)
}

/// The least between events that are told apart by time. The times of shards are documented without
/// a precision; so whoever keeps them in whole seconds is no worse for it.
const APART: Duration = Duration::from_millis(1_100);

/// A stream whose first of two shards was split, with records before and after that.
struct Family<'a> {
    stream: Stream<'a>,
    parents: Vec<String>,
    all: Vec<String>,
    open: Vec<String>,
    /// When only the parents were open.
    before: DateTime,
    /// When the first parent was closed.
    after: DateTime,
}

impl<'a> Family<'a> {
    async fn of(kinesis: &'a Subject, apart: Duration) -> Result<Self, Seen> {
        let stream = kinesis.stream(2).await?;
        let parents = stream.open().await?;
        sleep(apart).await;
        let before = put_time(&stream).await?;
        sleep(apart).await;
        stream.split(&parents[0]).await?;
        sleep(apart).await;
        let after = put_time(&stream).await?;
        let all = stream.shards().await?;
        let open = all.iter().filter(|shard| is_open(shard));
        Ok(Self {
            parents: named(ids(&parents)),
            open: named(open.map(Shard::shard_id).collect()),
            all: named(ids(&all)),
            stream,
            before,
            after,
        })
    }

    async fn listed(
        &self,
        filter: ShardFilterType,
        at: Option<DateTime>,
    ) -> Result<Vec<String>, Seen> {
        let filter = ShardFilter::builder().r#type(filter).set_timestamp(at);
        let filter = filter.build().expect("the type is set");
        let list = self.stream.client().list_shards();
        let list = list.stream_name(&self.stream.name).shard_filter(filter);
        Ok(named(ids(list.send().await?.shards())))
    }
}

fn named(mut ids: Vec<&str>) -> Vec<String> {
    ids.sort_unstable();
    ids.into_iter().map(str::to_owned).collect()
}

/// The service's time.
async fn put_time(stream: &Stream<'_>) -> Result<DateTime, Seen> {
    let shard = stream.put_at(0, "when").await?.shard_id;
    let records = stream.records(&shard).await?;
    let last = there(records.last(), "record where one was put")?;
    there(
        last.approximate_arrival_timestamp,
        "ApproximateArrivalTimestamp",
    )
}

async fn without_a_filter_closed_shards_are_listed_too(kinesis: &Subject) -> Verdict {
    let family = Family::of(kinesis, Duration::ZERO).await?;
    equal(
        "shards, and how many are open",
        &(family.all.len(), family.open.len()),
        &(4, 3),
    )
}

async fn at_latest_lists_the_open_shards(kinesis: &Subject) -> Verdict {
    let family = Family::of(kinesis, Duration::ZERO).await?;
    let listed = family.listed(ShardFilterType::AtLatest, None).await?;
    equal("the shards", &listed, &family.open)?;
    equal("open shards", &listed.len(), &3)
}

async fn at_trim_horizon_lists_what_was_open_then(kinesis: &Subject) -> Verdict {
    let family = Family::of(kinesis, Duration::ZERO).await?;
    let listed = family.listed(ShardFilterType::AtTrimHorizon, None).await?;
    equal("the shards", &listed, &family.parents)
}

async fn after_shard_id_lists_what_follows(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(3).await?;
    let all = stream.shards().await?;
    let filter = ShardFilter::builder().r#type(ShardFilterType::AfterShardId);
    let filter = filter.shard_id(all[0].shard_id()).build();
    let list = stream.client().list_shards().stream_name(&stream.name);
    let page = list.shard_filter(filter.expect("the type is set"));
    equal(
        "the shards",
        &ids(page.send().await?.shards()),
        &ids(&all[1..]),
    )
}

async fn at_timestamp_lists_what_was_open_then(kinesis: &Subject) -> Verdict {
    let family = Family::of(kinesis, APART).await?;
    let at = ShardFilterType::AtTimestamp;
    let before = family.listed(at.clone(), Some(family.before)).await?;
    equal("the shards before the split", &before, &family.parents)?;
    let after = family.listed(at, Some(family.after)).await?;
    equal("the shards after the split", &after, &family.open)?;
    equal("open shards", &after.len(), &3)
}

async fn from_timestamp_leaves_out_what_was_closed_before(kinesis: &Subject) -> Verdict {
    let family = Family::of(kinesis, APART).await?;
    let from = ShardFilterType::FromTimestamp;
    let before = family.listed(from.clone(), Some(family.before)).await?;
    equal("the shards since before the split", &before, &family.all)?;
    let after = family.listed(from, Some(family.after)).await?;
    equal("the shards since after the split", &after, &family.open)?;
    equal("open shards", &after.len(), &3)
}

async fn a_filter_by_time_needs_a_time(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let filter = ShardFilter::builder().r#type(ShardFilterType::AtTimestamp);
    let filter = filter.build().expect("the type is set");
    let list = stream.client().list_shards().stream_name(&stream.name);
    refused(list.shard_filter(filter).send().await, BAD_INPUT)
}
