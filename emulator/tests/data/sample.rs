//! A file of version 1, as it was written when that was new: it is loaded for ever.

use crate::common::{SHARD_0, SHARD_2, client, read, summary, texts};
use crate::directory::place;
use aws_sdk_kinesis::types::{EncryptionType, MetricsName};
use kinesis_app_emulator::{DataDirectory, Kinesis};
use std::time::Duration;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/v1/kinesis.jsonl");

/// Handed out before the file was written.
const ITERATOR: &str = "AQAAAABpVbkAAAAAAAAAAAAAAAAAAAAAAAAAAZt22qgFc5lipBM/UXkCl7b5aPkvx4Q=";

#[tokio::test(start_paused = true)]
async fn version_1_is_loaded() {
    let path = place("version-1");
    let directory = DataDirectory::open(&path).unwrap();
    std::fs::copy(SAMPLE, path.join("kinesis.jsonl")).unwrap();
    let kinesis = Kinesis::builder().load(&directory).unwrap();
    let client = client(&kinesis);

    let page = read(&client, ITERATOR).await;
    assert_eq!(texts(&page), ["before the split"]);
    assert_eq!(page.records()[0].partition_key(), Some("customer-7"));
    assert_eq!(page.child_shards().len(), 2);
    let behind = kinesis.records("s", SHARD_2);
    assert_eq!(behind[0].data, "behind the split");
    assert_eq!(behind[0].partition_key, None);

    let stream = summary(&client).await;
    assert_eq!(stream.retention_period_hours, 48);
    assert_eq!(stream.encryption_type, Some(EncryptionType::Kms));
    assert_eq!(
        stream.enhanced_monitoring[0].shard_level_metrics(),
        [MetricsName::IncomingBytes]
    );
    let tags = client.list_tags_for_stream().stream_name("s").send().await;
    let tags = tags.unwrap().tags;
    assert_eq!((tags[0].key(), tags[0].value()), ("team", Some("orders")));
    let limits = client.describe_limits().send().await.unwrap();
    assert_eq!(limits.on_demand_stream_count(), 1);

    let open = || {
        kinesis
            .shards("scaled")
            .unwrap()
            .iter()
            .filter(|shard| shard.open)
            .count()
    };
    assert_eq!(open(), 2);
    tokio::time::advance(Duration::from_mins(1)).await;
    assert_eq!(open(), 3, "the change that was under way has ended");

    let stored = kinesis.put_with(
        "s",
        kinesis_app_emulator::Put::keyless("x").hash_key(u128::MAX),
    );
    let stored = stored.unwrap();
    assert_eq!(stored.shard_id, SHARD_2);
    assert!(stored.sequence_number > behind[0].sequence_number);
    assert_eq!(kinesis.records("s", SHARD_0).len(), 1);
}
