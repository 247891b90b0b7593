//! Whatever came before a save, what is loaded is the same and goes on the same.

use crate::directory::place;
use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::primitives::Blob;
use aws_sdk_kinesis::types::{ScalingType, ShardIteratorType};
use kinesis_app_emulator::{DataDirectory, Kinesis, KinesisBuilder, Limits, Trim};
use proptest::prelude::*;
use proptest::sample::Index;
use std::time::Duration;

#[derive(Clone, Debug)]
enum Step {
    Create(u8, u32),
    Delete(u8),
    Put(u8, u8, Vec<u8>),
    PutKeyless(u8),
    Split(u8, Index),
    Merge(u8, Index),
    Scale(u8, i32),
    Retain(u8, i32),
    Tag(u8, u8),
    Encrypt(u8),
    Trim(u8, Index, usize),
    Wait(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let stream = || 0..2_u8;
    let index = any::<Index>;
    let data = prop::collection::vec(any::<u8>(), 0..20);
    let step = prop_oneof![
        2 => (stream(), 1..4_u32).prop_map(|(stream, shards)| Step::Create(stream, shards)),
        1 => stream().prop_map(Step::Delete),
        8 => (stream(), any::<u8>(), data).prop_map(|(s, key, data)| Step::Put(s, key, data)),
        1 => stream().prop_map(Step::PutKeyless),
        2 => (stream(), index()).prop_map(|(stream, shard)| Step::Split(stream, shard)),
        2 => (stream(), index()).prop_map(|(stream, shard)| Step::Merge(stream, shard)),
        1 => (stream(), 1..8).prop_map(|(stream, shards)| Step::Scale(stream, shards)),
        1 => (stream(), 24..60).prop_map(|(stream, hours)| Step::Retain(stream, hours)),
        1 => (stream(), any::<u8>()).prop_map(|(stream, tag)| Step::Tag(stream, tag)),
        1 => stream().prop_map(Step::Encrypt),
        1 => (stream(), index(), 0..3_usize).prop_map(|(s, shard, n)| Step::Trim(s, shard, n)),
        4 => (0..3_000_u64).prop_map(Step::Wait),
        1 => (0..30_u64).prop_map(|hours| Step::Wait(hours * 3_600_000)),
    ];
    prop::collection::vec(step, 0..50)
}

fn name(stream: u8) -> String {
    format!("s{stream}")
}

/// What came of a step, as text: equal steps on equal emulators come to the same.
async fn take(kinesis: &Kinesis, client: &Client, step: &Step) -> String {
    let shard = |stream: &str, index: &Index| {
        let shards = kinesis.shards(stream).unwrap_or_default();
        let shard = (!shards.is_empty()).then(|| index.get(&shards).shard_id.clone());
        shard.unwrap_or_else(|| "shardId-000000000000".into())
    };
    match step {
        Step::Create(s, shards) => format!("{:?}", kinesis.create_stream(&name(*s), *shards)),
        Step::Delete(s) => format!("{:?}", kinesis.delete_stream(&name(*s))),
        Step::Put(s, key, data) => {
            let put = client.put_record().stream_name(name(*s));
            let put = put
                .partition_key(key.to_string())
                .data(Blob::new(data.clone()));
            let stored = put.send().await.ok();
            format!(
                "{:?}",
                stored.map(|stored| (stored.shard_id, stored.sequence_number))
            )
        }
        Step::PutKeyless(s) => {
            let put = kinesis_app_emulator::Put::keyless("keyless");
            format!("{:?}", kinesis.put_with(&name(*s), put))
        }
        Step::Split(s, index) => {
            let name = name(*s);
            format!("{:?}", kinesis.split(&name, &shard(&name, index)))
        }
        Step::Merge(s, index) => {
            let name = name(*s);
            let first = shard(&name, index);
            let shards = kinesis.shards(&name).unwrap_or_default();
            let merged = shards
                .iter()
                .find_map(|second| kinesis.merge(&name, &first, &second.shard_id).ok());
            format!("{merged:?}")
        }
        Step::Scale(s, shards) => {
            let scale = client.update_shard_count().stream_name(name(*s));
            let scale = scale.target_shard_count(*shards);
            let scaled = scale.scaling_type(ScalingType::UniformScaling).send().await;
            format!("{:?}", scaled.ok().map(|scaled| scaled.current_shard_count))
        }
        Step::Retain(s, hours) => {
            let more = client
                .increase_stream_retention_period()
                .stream_name(name(*s));
            let more = more.retention_period_hours(*hours).send().await;
            let less = client
                .decrease_stream_retention_period()
                .stream_name(name(*s));
            let less = less.retention_period_hours(*hours).send().await;
            format!("{} {}", more.is_ok(), less.is_ok())
        }
        Step::Tag(s, tag) => {
            let tags = client.add_tags_to_stream().stream_name(name(*s));
            let tagged = tags
                .tags(format!("tag-{}", tag % 5), tag.to_string())
                .send()
                .await;
            format!("{}", tagged.is_ok())
        }
        Step::Encrypt(s) => {
            let start = client.start_stream_encryption().stream_name(name(*s));
            let start = start.key_id("alias/aws/kinesis");
            let start = start.encryption_type(aws_sdk_kinesis::types::EncryptionType::Kms);
            format!("{}", start.send().await.is_ok())
        }
        Step::Trim(s, index, count) => {
            let name = name(*s);
            format!(
                "{:?}",
                kinesis.trim(&name, &shard(&name, index), Trim::Oldest(*count))
            )
        }
        Step::Wait(_) => String::new(),
    }
}

/// Everything that is shown of the streams.
async fn views(kinesis: &Kinesis, client: &Client) -> Vec<String> {
    let mut views = Vec::new();
    let listed = client.list_streams().send().await.unwrap();
    views.push(format!("{:?}", listed.stream_summaries()));
    let limits = client.describe_limits().send().await.unwrap();
    views.push(format!(
        "{} {}",
        limits.open_shard_count(),
        limits.on_demand_stream_count()
    ));
    for stream in listed.stream_names() {
        let summary = client
            .describe_stream_summary()
            .stream_name(stream)
            .send()
            .await;
        views.push(format!(
            "{:?}",
            summary.unwrap().stream_description_summary()
        ));
        let tags = client
            .list_tags_for_stream()
            .stream_name(stream)
            .send()
            .await;
        views.push(format!("{:?}", tags.unwrap().tags()));
        let shards = client.list_shards().stream_name(stream).send().await;
        views.push(format!(
            "{:?}",
            shards.map(|shards| shards.shards.unwrap_or_default()).ok()
        ));
        for shard in kinesis.shards(stream).unwrap() {
            views.push(format!("{shard:?}"));
            views.push(format!("{:?}", kinesis.records(stream, &shard.shard_id)));
        }
    }
    views
}

/// Iterators and tokens as an application would hold them over a restart.
#[derive(Default)]
struct Held {
    iterators: Vec<String>,
    shards: Vec<String>,
    streams: Option<String>,
}

impl Held {
    async fn by(kinesis: &Kinesis, client: &Client) -> Self {
        let mut held = Self::default();
        let listed = client.list_streams().limit(1).send().await.unwrap();
        held.streams = listed.next_token;
        for stream in [name(0), name(1)] {
            let page = client
                .list_shards()
                .stream_name(&stream)
                .max_results(1)
                .send()
                .await;
            held.shards
                .extend(page.ok().and_then(|page| page.next_token));
            for shard in kinesis.shards(&stream).unwrap_or_default() {
                for kind in [ShardIteratorType::TrimHorizon, ShardIteratorType::Latest] {
                    let get = client.get_shard_iterator().stream_name(&stream);
                    let get = get.shard_id(&shard.shard_id).shard_iterator_type(kind);
                    let iterator = get.send().await.ok().and_then(|got| got.shard_iterator);
                    held.iterators.extend(iterator);
                }
            }
        }
        held
    }

    async fn use_up(&self, client: &Client) -> Vec<String> {
        let mut met = Vec::new();
        for iterator in &self.iterators {
            let page = client.get_records().shard_iterator(iterator).send().await;
            let page = page.map(|page| (page.records, page.next_shard_iterator, page.child_shards));
            met.push(format!("{:?}", page.ok()));
        }
        for token in &self.shards {
            let page = client.list_shards().next_token(token).send().await;
            met.push(format!("{:?}", page.ok().and_then(|page| page.shards)));
        }
        if let Some(token) = &self.streams {
            let page = client.list_streams().next_token(token).send().await;
            met.push(format!("{:?}", page.ok().map(|page| page.stream_names)));
        }
        met
    }
}

fn settings() -> KinesisBuilder {
    let span = Duration::from_millis;
    // No latency: the two emulators' clocks stay together, whichever is asked first.
    Kinesis::builder()
        .limits(Limits::Off)
        .latency(Duration::ZERO)
        .create_duration(span(700))
        .update_duration(span(900))
        .delete_duration(span(500))
}

async fn same_after_a_restart(before: Vec<Step>, after: Vec<Step>) -> Result<(), TestCaseError> {
    let directory = DataDirectory::open(place("history")).unwrap();
    let (first, second);
    first = settings().load(&directory).unwrap();
    let client = first.client();
    for step in &before {
        take(&first, &client, step).await;
        if let Step::Wait(millis) = step {
            tokio::time::advance(Duration::from_millis(*millis)).await;
        }
    }
    let held = Held::by(&first, &client).await;
    first.save(&directory).unwrap();
    second = settings().load(&directory).unwrap();
    let again = second.client();
    prop_assert_eq!(views(&first, &client).await, views(&second, &again).await);
    prop_assert_eq!(held.use_up(&client).await, held.use_up(&again).await);
    for step in &after {
        let (one, other) = (
            take(&first, &client, step).await,
            take(&second, &again, step).await,
        );
        prop_assert_eq!(one, other, "{:?}", step);
        if let Step::Wait(millis) = step {
            tokio::time::advance(Duration::from_millis(*millis)).await;
        }
    }
    prop_assert_eq!(views(&first, &client).await, views(&second, &again).await);
    prop_assert_eq!(held.use_up(&client).await, held.use_up(&again).await);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_loaded_shows_the_same_and_goes_on_the_same(before in steps(), after in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(same_after_a_restart(before, after))?;
    }
}
