//! Splits and merges: ranges, lineage, the end of a closed shard.

mod common;

use aws_sdk_kinesis::types::{ChildShard, ShardIteratorType};
use common::*;
use kinesis_app_emulator::{Kinesis, KinesisBuilder, ShardView, Trim, hash_key};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn a_split_gives_two_children_that_share_the_parents_range() {
    let (kinesis, client) = stream(1);
    let split = client
        .split_shard()
        .stream_name("s")
        .shard_to_split(SHARD_0);
    let split = split.new_starting_hash_key("1000");
    split.send().await.unwrap();

    let listing = client.list_shards().stream_name("s").send().await.unwrap();
    let [parent, low, high] = listing.shards() else {
        panic!("three shards: {:?}", listing.shards());
    };
    let range = |shard: &aws_sdk_kinesis::types::Shard| {
        let range = shard.hash_key_range().unwrap();
        (
            range.starting_hash_key().to_owned(),
            range.ending_hash_key().to_owned(),
        )
    };
    assert_eq!(range(low), ("0".into(), "999".into()));
    assert_eq!(range(high), ("1000".into(), u128::MAX.to_string()));
    for child in [low, high] {
        assert_eq!(child.parent_shard_id(), Some(SHARD_0));
        assert_eq!(child.adjacent_parent_shard_id(), None);
        let numbers = child.sequence_number_range().unwrap();
        assert_eq!(numbers.ending_sequence_number(), None);
        let parents = parent.sequence_number_range().unwrap();
        assert!(numbers.starting_sequence_number() > parents.ending_sequence_number().unwrap());
    }
    assert_eq!(kinesis.put("s", "k", "after").unwrap().shard_id, SHARD_2);
}

#[tokio::test(start_paused = true)]
async fn a_merge_in_either_order_gives_one_child_with_two_parents() {
    for [one, other] in [[SHARD_0, SHARD_1], [SHARD_1, SHARD_0]] {
        let (kinesis, client) = stream(2);
        let merge = client.merge_shards().stream_name("s");
        let merge = merge.shard_to_merge(one).adjacent_shard_to_merge(other);
        merge.send().await.unwrap();

        let listing = client.list_shards().stream_name("s").send().await.unwrap();
        let child = &listing.shards()[2];
        assert_eq!(child.parent_shard_id(), Some(SHARD_0));
        assert_eq!(child.adjacent_parent_shard_id(), Some(SHARD_1));
        let range = child.hash_key_range().unwrap();
        assert_eq!(range.starting_hash_key(), "0");
        assert_eq!(range.ending_hash_key(), u128::MAX.to_string());
        assert_eq!(kinesis.put("s", "k", "after").unwrap().shard_id, SHARD_2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_closed_shard_keeps_its_records_and_ends_with_its_children() {
    let (kinesis, client) = stream(1);
    for n in 0..3 {
        kinesis.put("s", "k", n.to_string()).unwrap();
    }
    let [low, high] = kinesis.split("s", SHARD_0).unwrap();
    kinesis.put("s", "k", "to a child").unwrap();

    let iterator = horizon(&client, SHARD_0).await;
    let page = client.get_records().shard_iterator(iterator).limit(2);
    let page = page.send().await.unwrap();
    assert_eq!(texts(&page), ["0", "1"]);
    assert!(page.child_shards().is_empty());
    assert!(page.millis_behind_latest() > Some(0));

    let last = read(&client, page.next_shard_iterator().unwrap()).await;
    assert_eq!(texts(&last), ["2"]);
    assert_eq!(last.next_shard_iterator(), None);
    assert_eq!(last.millis_behind_latest(), Some(0));
    let children = last.child_shards();
    let ids: Vec<&str> = children.iter().map(ChildShard::shard_id).collect();
    assert_eq!(ids, [&low, &high]);
    let views = kinesis.shards("s").unwrap();
    for (child, view) in children.iter().zip(&views[1..]) {
        assert_eq!(child.parent_shards(), [SHARD_0]);
        let range = child.hash_key_range().unwrap();
        assert_eq!(range.starting_hash_key(), view.hash_range.start.to_string());
        assert_eq!(range.ending_hash_key(), view.hash_range.end.to_string());
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_merged_shard_names_both_parents() {
    let (kinesis, client) = stream(2);
    let child = kinesis.merge("s", SHARD_1, SHARD_0).unwrap();
    for parent in [SHARD_0, SHARD_1] {
        let last = read(&client, &horizon(&client, parent).await).await;
        assert_eq!(last.next_shard_iterator(), None);
        let [shown] = last.child_shards() else {
            panic!("one child: {:?}", last.child_shards());
        };
        assert_eq!(shown.shard_id(), child);
        assert_eq!(shown.parent_shards(), [SHARD_0, SHARD_1]);
    }
}

#[tokio::test(start_paused = true)]
async fn latest_on_a_closed_shard_is_its_end() {
    let (kinesis, client) = stream(1);
    kinesis.put("s", "k", "a").unwrap();
    kinesis.split("s", SHARD_0).unwrap();
    let end = iterator(&client, SHARD_0, ShardIteratorType::Latest).await;
    let page = read(&client, &end).await;
    assert!(page.records().is_empty());
    assert_eq!(page.next_shard_iterator(), None);
    assert_eq!(page.child_shards().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_iterator_from_before_the_split_reads_on_to_the_end() {
    let (kinesis, client) = stream(1);
    let early = iterator(&client, SHARD_0, ShardIteratorType::Latest).await;
    let page = read(&client, &early).await;
    assert!(page.child_shards().is_empty());
    let next = page.next_shard_iterator.unwrap();
    kinesis.put("s", "k", "last").unwrap();
    kinesis.split("s", SHARD_0).unwrap();
    let page = read(&client, &next).await;
    assert_eq!(texts(&page), ["last"]);
    assert_eq!(
        (page.next_shard_iterator(), page.child_shards().len()),
        (None, 2)
    );
}

#[tokio::test(start_paused = true)]
async fn a_reshard_under_way_shows_nothing_until_it_is_done() {
    let kinesis = Kinesis::builder()
        .update_duration(Duration::from_secs(30))
        .build();
    kinesis.create_stream("s", 1).unwrap();
    let client = client(&kinesis);
    let children = kinesis.split("s", SHARD_0).unwrap();
    assert_eq!(kinesis.shards("s").unwrap().len(), 1);
    assert_eq!(kinesis.put("s", "k", "a").unwrap().shard_id, SHARD_0);
    let status = client
        .describe_stream_summary()
        .stream_name("s")
        .send()
        .await;
    let status = status.unwrap().stream_description_summary.unwrap();
    assert_eq!(status.stream_status().as_str(), "UPDATING");
    assert_eq!(status.open_shard_count(), 1);
    assert!(
        kinesis
            .merge("s", SHARD_0, SHARD_0)
            .unwrap_err()
            .is_retryable()
    );

    tokio::time::advance(Duration::from_secs(30)).await;
    let shards = kinesis.shards("s").unwrap();
    let open: Vec<&String> = shards
        .iter()
        .filter(|shard| shard.open)
        .map(|shard| &shard.shard_id)
        .collect();
    assert_eq!(open, [&children[0], &children[1]]);
    assert!(children.contains(&kinesis.put("s", "k", "b").unwrap().shard_id));
}

#[tokio::test(start_paused = true)]
async fn a_trimmed_closed_shard_is_gone_and_its_children_still_name_it() {
    let (kinesis, client) = stream(1);
    kinesis.put("s", "k", "a").unwrap();
    let old = horizon(&client, SHARD_0).await;
    kinesis.split("s", SHARD_0).unwrap();
    assert_eq!(kinesis.trim("s", SHARD_0, Trim::All).unwrap(), 1);

    let listing = client.list_shards().stream_name("s").send().await.unwrap();
    let parents: Vec<_> = listing
        .shards()
        .iter()
        .map(|shard| shard.parent_shard_id())
        .collect();
    assert_eq!(parents, [Some(SHARD_0), Some(SHARD_0)]);
    let gone = client
        .get_records()
        .shard_iterator(old)
        .send()
        .await
        .unwrap_err();
    assert!(gone.into_service_error().is_resource_not_found_exception());
    assert!(kinesis.trim("s", SHARD_0, Trim::All).is_err());
}

#[tokio::test(start_paused = true)]
async fn puts_beside_a_split_are_all_read_back_once() {
    let (kinesis, client) = stream(2);
    let mut puts = tokio::task::JoinSet::new();
    for n in 0..100 {
        let client = client.clone();
        puts.spawn(async move {
            tokio::time::sleep(Duration::from_millis(n)).await;
            let put = client
                .put_record()
                .stream_name("s")
                .partition_key(n.to_string());
            let put = put.data(aws_sdk_kinesis::primitives::Blob::new(n.to_string()));
            let answer = put.send().await.unwrap();
            (answer.shard_id, answer.sequence_number)
        });
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    kinesis.split("s", SHARD_0).unwrap();
    let mut acknowledged = BTreeMap::new();
    while let Some(put) = puts.join_next().await {
        let (shard, number) = put.unwrap();
        let twice = acknowledged.insert(number, shard);
        assert_eq!(twice, None, "a number was given twice");
    }
    let mut stored = BTreeMap::new();
    for shard in kinesis.shards("s").unwrap() {
        let records = kinesis.records("s", &shard.shard_id);
        assert!(records.is_sorted_by(|a, b| a.sequence_number < b.sequence_number));
        stored.extend(
            records
                .into_iter()
                .map(|record| (record.sequence_number, shard.shard_id.clone())),
        );
    }
    assert_eq!(stored.len(), 100);
    assert_eq!(stored, acknowledged);
    assert!(
        kinesis
            .shards("s")
            .unwrap()
            .iter()
            .all(|shard| shard.records > 0)
    );
}

#[test]
fn a_new_streams_ranges_are_those_of_the_service() {
    let kinesis = Kinesis::new();
    kinesis.create_stream("s", 3).unwrap();
    let ranges: Vec<_> = kinesis
        .shards("s")
        .unwrap()
        .iter()
        .map(|shard| shard.hash_range)
        .collect();
    let ends: Vec<String> = ranges.iter().map(|range| range.end.to_string()).collect();
    assert_eq!(
        ends,
        [
            "113427455640312821154458202477256070484",
            "226854911280625642308916404954512140969",
            "340282366920938463463374607431768211455",
        ]
    );
}

#[derive(Clone, Debug)]
enum Step {
    Split(prop::sample::Index, u128),
    Merge(prop::sample::Index),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let index = any::<prop::sample::Index>;
    let step = prop_oneof![
        (index(), any::<u128>()).prop_map(|(shard, at)| Step::Split(shard, at)),
        index().prop_map(Step::Merge),
    ];
    prop::collection::vec(step, 0..40)
}

fn open(kinesis: &Kinesis) -> Vec<ShardView> {
    let mut open = kinesis.shards("s").unwrap();
    open.retain(|shard| shard.open);
    open.sort_by_key(|shard| shard.hash_range);
    open
}

fn reshard(kinesis: &Kinesis, step: &Step) {
    let open = open(kinesis);
    match step {
        Step::Split(shard, at) => {
            let shard = shard.get(&open);
            let range = shard.hash_range;
            let at = range.start + at % (range.end - range.start).max(1);
            // Too close to an end is refused; nothing may have changed then.
            let before = kinesis.shards("s").unwrap();
            if kinesis.split_at("s", &shard.shard_id, at).is_err() {
                assert_eq!(kinesis.shards("s").unwrap(), before);
            }
        }
        Step::Merge(shard) if open.len() > 1 => {
            let low = shard.index(open.len() - 1);
            let pair = [&open[low].shard_id, &open[low + 1].shard_id];
            kinesis.merge("s", pair[0], pair[1]).unwrap();
        }
        Step::Merge(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn open_shards_tile_the_key_space_after_any_reshard(shards in 1_u32..6, steps in steps(), keys in prop::collection::vec(".{1,20}", 1..8)) {
        let kinesis = KinesisBuilder::default().build();
        kinesis.create_stream("s", shards).unwrap();
        let mut last: BTreeMap<String, String> = BTreeMap::new();
        for step in &steps {
            reshard(&kinesis, step);
            let open = open(&kinesis);
            prop_assert_eq!(open[0].hash_range.start, 0);
            prop_assert_eq!(open[open.len() - 1].hash_range.end, u128::MAX);
            for pair in open.windows(2) {
                prop_assert_eq!(pair[0].hash_range.end + 1, pair[1].hash_range.start);
            }
            for key in &keys {
                let owners: Vec<_> = open.iter().filter(|shard| shard.hash_range.contains(hash_key(key))).collect();
                prop_assert_eq!(owners.len(), 1);
                let stored = kinesis.put("s", key, "x").unwrap();
                prop_assert_eq!(&stored.shard_id, &owners[0].shard_id);
                // A key's numbers grow across reshards too.
                if let Some(before) = last.insert(key.clone(), stored.sequence_number.clone()) {
                    prop_assert!(before < stored.sequence_number);
                }
            }
        }
    }

    #[test]
    fn every_child_covers_what_its_parents_gave_up(shards in 1_u32..4, steps in steps()) {
        let kinesis = KinesisBuilder::default().build();
        kinesis.create_stream("s", shards).unwrap();
        for step in &steps {
            reshard(&kinesis, step);
        }
        let all = kinesis.shards("s").unwrap();
        let find = |id: &String| all.iter().find(|shard| shard.shard_id == *id);
        for child in &all {
            let parents: Vec<_> = [&child.parent, &child.adjacent_parent].into_iter().flatten().collect();
            for parent in &parents {
                let parent = find(parent).unwrap();
                prop_assert!(!parent.open);
                prop_assert!(parent.shard_id < child.shard_id);
                let inside = parent.hash_range.contains(child.hash_range.start) && parent.hash_range.contains(child.hash_range.end);
                let around = child.hash_range.contains(parent.hash_range.start) && child.hash_range.contains(parent.hash_range.end);
                prop_assert_eq!((inside, around), (parents.len() == 1, parents.len() == 2));
            }
        }
    }
}
