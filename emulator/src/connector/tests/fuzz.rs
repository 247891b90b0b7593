//! Bodies and headers that are nearly right, or nothing at all: whatever comes, the answer is one of
//! the service's, and the hash keys stay covered.
//!
//! Seeded, so that a failure is one forever: the seed and the round are in its message.

use super::{CBOR, JSON, headers, post};
use crate::wire::EVENT_STREAM;
use crate::wire::tests::cbor_value::{Form, to_cbor, to_json};
use crate::{Kinesis, Limits, Operation};
use aws_smithy_eventstream::frame::read_message_from;
use fastrand::Rng;
use serde_json::{Map, Value, json};

const SEEDS: u64 = 4;
const ROUNDS: usize = 1_000;
/// After so many rounds, tokens and shards are those of the day again.
const FRESH: usize = 4;

/// Every member of every operation, with values of every kind: right, nearly right, absurd.
struct Pool {
    members: Vec<(&'static str, Vec<Value>)>,
}

impl Pool {
    /// `live` are tokens and numbers that were given out.
    fn new(live: &[(&'static str, Value)]) -> Self {
        let arn = "arn:aws:kinesis:us-east-1:000000000000:stream/s";
        let shards = json!([
            "shardId-000000000000",
            "shardId-000000000001",
            "shardId-000000000003"
        ]);
        let hashes = json!([
            "0",
            "1",
            "170141183460469231731687303715884105728",
            "9".repeat(39)
        ]);
        let known = [
            ("StreamName", json!(["s", "t", "", "x".repeat(129)])),
            (
                "StreamARN",
                json!([arn, "arn:aws:kinesis:us-east-1:000000000000:stream/"]),
            ),
            ("ResourceARN", json!([arn, "arn:aws:kinesis:::queue/"])),
            ("ShardCount", json!([1, 2, 0, 20_001, -1])),
            ("TargetShardCount", json!([1, 2, 3, 4, 7, 0])),
            ("ScalingType", json!(["UNIFORM_SCALING", ""])),
            (
                "StreamModeDetails",
                json!([{"StreamMode": "ON_DEMAND"}, {"StreamMode": "PROVISIONED"}, {}]),
            ),
            ("MaxRecordSizeInKiB", json!([1_024, 10_240, 10_241])),
            ("RetentionPeriodHours", json!([24, 48, 8_760, -1])),
            (
                "RecordDistributionStrategy",
                json!(["AUTO", "USER_PARTITION_KEY"]),
            ),
            ("Tags", json!([{"a": "b"}, {"": ""}, {}])),
            ("TagKeys", json!([["a"], [], [""]])),
            ("ExclusiveStartTagKey", json!(["a", ""])),
            (
                "ShardLevelMetrics",
                json!([["ALL"], ["IncomingBytes", "Speed"], []]),
            ),
            ("EncryptionType", json!(["KMS", "NONE"])),
            ("KeyId", json!(["k", ""])),
            ("Limit", json!([1, 10_000, 0])),
            ("MaxResults", json!([1, 10_000, 0])),
            ("ExclusiveStartStreamName", json!(["a", "s"])),
            ("ExclusiveStartShardId", shards.clone()),
            ("StreamCreationTimestamp", json!([1_767_225_600, 0.5])),
            (
                "ShardFilter",
                json!([{"Type": "AT_LATEST"}, {"Type": "AT_TIMESTAMP", "Timestamp": 1e300},
                {"Type": "AFTER_SHARD_ID", "ShardId": "shardId-000000000000"}]),
            ),
            ("Data", json!(["eHg=", "", "no base64"])),
            ("PartitionKey", json!(["k", "", "🦀"])),
            ("ExplicitHashKey", hashes.clone()),
            (
                "Records",
                json!([[{"Data": "eHg=", "PartitionKey": "k"}, {"Data": "", "PartitionKey": "l"}],
                [{"Data": "eHg="}], [null], []]),
            ),
            ("ShardId", shards.clone()),
            (
                "ShardIteratorType",
                json!([
                    "TRIM_HORIZON",
                    "LATEST",
                    "AT_SEQUENCE_NUMBER",
                    "AT_TIMESTAMP"
                ]),
            ),
            (
                "StartingSequenceNumber",
                json!(["0", "9".repeat(56), "9".repeat(129)]),
            ),
            ("Timestamp", json!([1_767_225_600, 1e300, -1])),
            ("ShardIterator", json!(["", "AAAA"])),
            ("NextToken", json!(["", "AAAA"])),
            ("ShardToSplit", shards.clone()),
            ("NewStartingHashKey", hashes),
            ("ShardToMerge", shards.clone()),
            ("AdjacentShardToMerge", shards),
            ("DryRun", json!([true, false])),
        ];
        let mut members: Vec<(&str, Vec<Value>)> = known
            .into_iter()
            .chain(of_consumers(arn))
            .map(|(name, values)| (name, values.as_array().cloned().unwrap_or_default()))
            .collect();
        for (name, value) in live {
            let member = members.iter_mut().find(|(known, _)| known == name);
            // Twice as likely as each that is wrong.
            let (_, values) = member.expect("the member is known");
            values.extend([value.clone(), value.clone()]);
        }
        Self { members }
    }

    fn value(&self, name: &str, random: &mut Rng) -> Value {
        if random.u8(..) < 12 {
            let absurd = [
                Value::Null,
                json!(true),
                json!(-0.5),
                json!(u64::MAX),
                json!([[[]]]),
                json!({"a": {"b": []}}),
                json!("\u{0}\"\\"),
            ];
            return absurd[random.usize(..absurd.len())].clone();
        }
        let values = self.members.iter().find(|(known, _)| *known == name);
        let values = values
            .map(|(_, values)| values.as_slice())
            .unwrap_or_default();
        values
            .get(random.usize(..values.len().max(1)))
            .cloned()
            .unwrap_or_default()
    }

    /// What the operation takes, now and then with a member left out or one of another operation.
    fn body(&self, operation: Operation, random: &mut Rng) -> Value {
        let mut body = Map::new();
        for name in needed(operation) {
            if random.u8(..) < 245 {
                body.insert((*name).to_owned(), self.value(name, random));
            }
        }
        while random.u8(..) < 60 {
            let (name, _) = &self.members[random.usize(..self.members.len())];
            body.insert((*name).to_owned(), self.value(name, random));
        }
        Value::Object(body)
    }
}

fn of_consumers(arn: &str) -> [(&'static str, Value); 4] {
    [
        (
            "StartingPosition",
            json!([{"Type": "LATEST"}, {"Type": "TRIM_HORIZON"}, {"Type": "AT_TIMESTAMP"},
                {"Type": "AT_TIMESTAMP", "Timestamp": 1_767_225_600}, {"Type": "LATEST", "Timestamp": -1},
                {"Type": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": "9".repeat(56)}, {}]),
        ),
        ("ConsumerName", json!(["c", "d", "", "a/b"])),
        (
            "ConsumerARN",
            json!([format!("{arn}/consumer/c:1"), arn, ""]),
        ),
        ("EnforceConsumerDeletion", json!([true, false])),
    ]
}

pub(super) fn needed(operation: Operation) -> &'static [&'static str] {
    use Operation as O;
    match operation {
        O::CreateStream => &["StreamName", "ShardCount"],
        O::DeleteStream | O::DescribeStream | O::DescribeStreamSummary | O::ListShards => {
            &["StreamName"]
        }
        O::ListTagsForStream => &["StreamName", "Limit"],
        O::ListStreams | O::DescribeLimits => &[],
        O::PutRecord => &["StreamName", "Data", "PartitionKey"],
        O::PutRecords => &["StreamName", "Records"],
        O::GetShardIterator => &["StreamName", "ShardId", "ShardIteratorType"],
        O::GetRecords => &["ShardIterator"],
        O::SplitShard => &["StreamName", "ShardToSplit", "NewStartingHashKey"],
        O::MergeShards => &["StreamName", "ShardToMerge", "AdjacentShardToMerge"],
        O::UpdateShardCount => &["StreamName", "TargetShardCount", "ScalingType"],
        O::UpdateStreamMode => &["StreamARN", "StreamModeDetails"],
        O::UpdateStreamRecordDistributionStrategy => &["StreamARN", "RecordDistributionStrategy"],
        O::UpdateMaxRecordSize => &["StreamARN", "MaxRecordSizeInKiB"],
        O::IncreaseStreamRetentionPeriod | O::DecreaseStreamRetentionPeriod => {
            &["StreamName", "RetentionPeriodHours"]
        }
        O::EnableEnhancedMonitoring | O::DisableEnhancedMonitoring => {
            &["StreamName", "ShardLevelMetrics"]
        }
        O::StartStreamEncryption | O::StopStreamEncryption => {
            &["StreamName", "EncryptionType", "KeyId"]
        }
        O::AddTagsToStream => &["StreamName", "Tags"],
        O::RemoveTagsFromStream => &["StreamName", "TagKeys"],
        O::TagResource => &["ResourceARN", "Tags"],
        O::UntagResource => &["ResourceARN", "TagKeys"],
        O::ListTagsForResource => &["ResourceARN"],
        O::SubscribeToShard => &["ConsumerARN", "ShardId", "StartingPosition"],
        O::RegisterStreamConsumer => &["StreamARN", "ConsumerName"],
        O::ListStreamConsumers => &["StreamARN"],
        O::DescribeStreamConsumer | O::DeregisterStreamConsumer => &["ConsumerARN"],
    }
}

/// Damages some of the bytes, or none.
pub(super) fn damage(bytes: &mut Vec<u8>, random: &mut Rng) {
    while !bytes.is_empty() && random.u8(..) < 80 {
        let place = random.usize(..bytes.len());
        match random.u8(..6) {
            0 => bytes[place] ^= 1 << random.u8(..8),
            1 => bytes[place] = random.u8(..),
            2 => bytes.truncate(place),
            3 => bytes.insert(place, random.u8(..)),
            4 => drop(bytes.remove(place)),
            _ => bytes.extend_from_within(place..),
        }
    }
}

pub(super) fn damage_headers(headers: &mut Vec<(String, String)>, random: &mut Rng) {
    while !headers.is_empty() && random.u8(..) < 40 {
        let place = random.usize(..headers.len());
        match random.u8(..4) {
            0 => drop(headers.remove(place)),
            1 => {
                let mut bytes = std::mem::take(&mut headers[place].1).into_bytes();
                damage(&mut bytes, random);
                headers[place].1 = String::from_utf8_lossy(&bytes).into_owned();
            }
            2 => headers.push(headers[place].clone()),
            _ => headers[place].1 = ["", "\u{7f}", ";", "🦀", CBOR, JSON][random.usize(..6)].into(),
        }
    }
}

/// The open shards of a stream cover every hash key once.
fn tiles(kinesis: &Kinesis, stream: &str) -> bool {
    let Ok(shards) = kinesis.shards(stream) else {
        return true;
    };
    let open = shards.iter().filter(|shard| shard.open);
    let mut ranges: Vec<_> = open.map(|shard| shard.hash_range).collect();
    ranges.sort_unstable();
    let joined = ranges
        .into_iter()
        .map(Some)
        .reduce(|whole, next| whole?.join(next?));
    joined
        .flatten()
        .is_some_and(|whole| whole.start == 0 && whole.end == u128::MAX)
}

async fn live(kinesis: &Kinesis) -> Vec<(&'static str, Value)> {
    if kinesis.shards("s").is_err() {
        kinesis.create_stream("s", 2).unwrap();
    }
    let stored = kinesis.put("s", "k", "x").unwrap();
    let client = kinesis.client();
    let ask = client
        .get_shard_iterator()
        .stream_name("s")
        .shard_id(&stored.shard_id);
    let kind = aws_sdk_kinesis::types::ShardIteratorType::TrimHorizon;
    let iterator = ask
        .shard_iterator_type(kind)
        .send()
        .await
        .unwrap()
        .shard_iterator;
    let page = client
        .list_shards()
        .stream_name("s")
        .max_results(1)
        .send()
        .await
        .unwrap();
    let mut open: Vec<_> = kinesis.shards("s").unwrap();
    open.retain(|shard| shard.open);
    open.sort_by_key(|shard| shard.hash_range);
    let first = open[0].shard_id.clone();
    let second = open
        .get(1)
        .map_or(first.clone(), |shard| shard.shard_id.clone());
    let middle = open[0].hash_range.middle().to_string();
    // There already, unless a round took it away. Two subscriptions of it are five seconds apart.
    let _ = kinesis.register_consumer("s", "c");
    tokio::time::advance(std::time::Duration::from_secs(5)).await;
    let consumer = client
        .describe_stream_consumer()
        .stream_arn(kinesis.stream_arn("s"))
        .consumer_name("c")
        .send()
        .await
        .unwrap()
        .consumer_description
        .unwrap()
        .consumer_arn;
    vec![
        ("ConsumerARN", consumer.into()),
        ("ShardIterator", iterator.into()),
        ("NextToken", page.next_token.into()),
        ("StartingSequenceNumber", stored.sequence_number.into()),
        ("ShardId", stored.shard_id.into()),
        ("ShardToSplit", first.clone().into()),
        ("NewStartingHashKey", middle.into()),
        ("ShardToMerge", first.into()),
        ("AdjacentShardToMerge", second.into()),
    ]
}

/// Plays one seed; how many requests were served, by operation.
async fn play(seed: u64, served: &mut [usize]) {
    let mut random = Rng::with_seed(seed);
    let builder = Kinesis::builder().seed(seed).limits(Limits::Off);
    let kinesis = builder.latency(std::time::Duration::ZERO).build();
    let mut pool = Pool::new(&live(&kinesis).await);
    for round in 0..ROUNDS {
        if round % FRESH == 0 {
            pool = Pool::new(&live(&kinesis).await);
        }
        let place = random.usize(..Operation::ALL.len());
        let operation = Operation::ALL[place];
        let body = pool.body(operation, &mut random);
        let (content_type, mut bytes) = match random.u8(..3) {
            0 => (JSON, body.to_string().into_bytes()),
            1 => (CBOR, to_cbor(&body, Form::Definite)),
            _ => (CBOR, to_cbor(&body, Form::Indefinite)),
        };
        damage(&mut bytes, &mut random);
        let mut headers = headers(operation, content_type);
        damage_headers(&mut headers, &mut random);
        let context = format!("seed {seed}, round {round}: {operation:?} {body}");
        let answered = post(&kinesis, &headers, bytes).await;
        assert!([200, 400].contains(&answered.status), "{context}");
        let said = match answered.content_type.as_str() {
            JSON if answered.body.is_empty() => Value::Null,
            JSON => serde_json::from_slice(&answered.body).expect(&context),
            CBOR => to_json(&answered.body),
            EVENT_STREAM => {
                let mut first = answered.body.as_ref();
                read_message_from(&mut first).expect(&context);
                Value::Null
            }
            other => panic!("{context}: answered in `{other}`"),
        };
        assert_eq!(
            said["__type"].is_string(),
            answered.status == 400,
            "{context}: {said}"
        );
        served[place] += usize::from(answered.status == 200);
        assert!(
            ["s", "t"].iter().all(|stream| tiles(&kinesis, stream)),
            "{context}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn whatever_comes_is_answered_and_the_hash_keys_stay_covered() {
    let mut served = vec![0; Operation::ALL.len()];
    for seed in 0..SEEDS {
        play(seed, &mut served).await;
    }
    // Otherwise the bodies are so broken that nothing is tried.
    for (operation, served) in Operation::ALL.iter().zip(&served) {
        assert!(*served > 0, "no {operation:?} was served");
    }
}
