//! The state machine against a model, and against bodies that nobody would send.

use super::read::Fill;
use super::request::{Entry, Listing, Metered, NewStream, Start, StreamRef};
use super::run::Run;
use super::sequence::{ENDING_ORDINAL, SequenceNumber};
use super::{Answer, Limits, Moment, Service, Settings, Twist};
use crate::views::Trim;
use crate::wire::{self, Protocol};
use crate::{ErrorCode, Operation, limits};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

fn service() -> Service {
    Service::new(Settings {
        account: "000000000000".into(),
        region: "us-east-1".into(),
        limits: Limits::Off,
        create_duration: Duration::ZERO,
        update_duration: Duration::ZERO,
        delete_duration: Duration::ZERO,
        durations: BTreeMap::new(),
        retention: limits::RETENTION_LEAST,
        seed: 0,
    })
}

fn at(seconds: u64) -> Moment {
    Moment::from_millis(1_767_225_600_000 + seconds * 1_000)
}

fn put(service: &mut Service, key: &str, data: &str, now: Moment) -> (String, String) {
    let entry = Entry::new(Some(key.into()), None, data.to_owned().into());
    let stream = StreamRef::named("s");
    let receipt = service
        .put_record(&stream, entry, Metered::No, Run::Real, now)
        .unwrap();
    (receipt.shard_id, receipt.sequence_number)
}

/// Reads a shard from its horizon to its end or its tip.
fn drain(service: &mut Service, shard: &str, limit: usize, now: Moment) -> Vec<(String, String)> {
    let start = Start::TrimHorizon;
    let stream = StreamRef::named("s");
    let mut iterator = service
        .get_shard_iterator(&stream, shard, &start, Run::Real, now)
        .ok();
    let mut read = Vec::new();
    while let Some(current) = iterator {
        let page = service.get_records(&current, None, Fill::Records { limit }, Run::Real, now);
        let page = page.unwrap();
        let done = page.millis_behind == 0;
        for record in page.records {
            let data = String::from_utf8(record.data.to_vec()).unwrap();
            read.push((record.number.to_string(), data));
        }
        iterator = page.next.filter(|_| !done);
    }
    read
}

#[derive(Clone, Debug)]
enum Step {
    Put(u8),
    Split(prop::sample::Index),
    Merge(prop::sample::Index),
    Trim(prop::sample::Index, usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let index = any::<prop::sample::Index>;
    let step = prop_oneof![
        8 => any::<u8>().prop_map(Step::Put),
        1 => index().prop_map(Step::Split),
        1 => index().prop_map(Step::Merge),
        1 => (index(), 0..4_usize).prop_map(|(shard, count)| Step::Trim(shard, count)),
    ];
    prop::collection::vec(step, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_shard_gives_back_what_was_put_and_not_trimmed(steps in steps(), limit in 1..5_usize) {
        let mut service = service();
        service.create_stream(&NewStream::provisioned("s", 2), at(0)).unwrap();
        let mut model: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for (n, step) in (0..).zip(steps) {
            let now = at(n);
            let shards = service.view_shards("s", now).unwrap();
            match step {
                Step::Put(key) => {
                    let (shard, number) = put(&mut service, &key.to_string(), &n.to_string(), now);
                    model.entry(shard).or_default().push((number, n.to_string()));
                }
                Step::Split(shard) => {
                    let id = &shard.get(&shards).shard_id;
                    if let Ok(middle) = service.middle_of("s", id, now) {
                        service.split_shard("s", id, middle, now).unwrap();
                    }
                }
                Step::Merge(shard) => {
                    let first = shard.get(&shards);
                    for second in &shards {
                        if service.merge_shards("s", &first.shard_id, &second.shard_id, now).is_ok() {
                            break;
                        }
                    }
                }
                Step::Trim(shard, count) => {
                    let id = &shard.get(&shards).shard_id;
                    let trimmed = service.trim("s", id, Trim::Oldest(count), now).unwrap();
                    model.entry(id.clone()).or_default().drain(..trimmed);
                }
            }
        }
        let now = at(1_000);
        for (shard, expected) in model {
            prop_assert_eq!(drain(&mut service, &shard, limit, now), expected);
        }
    }

    /// Bodies made of the API's own members, with values that are right, nearly right and absurd.
    #[test]
    fn no_body_makes_the_service_panic(
        operation in 0..Operation::ALL.len(),
        members in prop::collection::btree_map(0..MEMBERS.len(), 0..40_usize, 0..8),
        bytes in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let mut service = service();
        service.create_stream(&NewStream::provisioned("s", 2), at(0)).unwrap();
        put(&mut service, "k", "x", at(0));
        let values = values(&mut service);
        let body: serde_json::Map<String, Value> = members
            .into_iter()
            .map(|(member, value)| (MEMBERS[member].into(), values[value % values.len()].clone()))
            .collect();
        let operation = Operation::ALL[operation];
        let _ = wire::decode(Protocol::Json, operation, &bytes);
        let body = Value::Object(body).to_string();
        if let Ok(request) = wire::decode(Protocol::Json, operation, body.as_bytes()) {
            let _ = service.scope(&request, at(1));
            for twist in [Twist::None, Twist::EmptyPage] {
                match service.answer(request.clone(), &twist, at(1)) {
                    Ok(answer) => drop(wire::encode(Protocol::Json, &answer)),
                    Err(error) => prop_assert_ne!(error.code(), ErrorCode::InternalFailure),
                }
            }
        }
    }
}

const MEMBERS: [&str; 21] = [
    "StreamName",
    "StreamARN",
    "ShardCount",
    "StreamModeDetails",
    "MaxRecordSizeInKiB",
    "Limit",
    "MaxResults",
    "ExclusiveStartShardId",
    "NextToken",
    "ShardFilter",
    "StreamCreationTimestamp",
    "Data",
    "PartitionKey",
    "ExplicitHashKey",
    "Records",
    "ShardId",
    "ShardIteratorType",
    "StartingSequenceNumber",
    "Timestamp",
    "ShardIterator",
    "ShardToSplit",
];

fn values(service: &mut Service) -> Vec<Value> {
    let stream = StreamRef::named("s");
    let shard = "shardId-000000000000";
    let iterator = service.get_shard_iterator(&stream, shard, &Start::Latest, Run::Real, at(0));
    let listing = Listing::First {
        stream,
        created: None,
        after: None,
        filter: None,
    };
    let token = service.list_shards(&listing, 1, at(0)).unwrap().next;
    let (_, number) = put(service, "k", "y", at(0));
    vec![
        json!("s"),
        json!("t"),
        json!(""),
        json!("arn:aws:kinesis:us-east-1:000000000000:stream/s"),
        json!("arn:aws:kinesis:us-east-1:000000000000:stream/"),
        json!(shard),
        json!("shardId-99999999999999999999"),
        json!("shardId-🦀"),
        json!(iterator.unwrap()),
        json!(token),
        json!(number),
        json!("9".repeat(56)),
        json!("AT_SEQUENCE_NUMBER"),
        json!("AFTER_SEQUENCE_NUMBER"),
        json!("AT_TIMESTAMP"),
        json!("TRIM_HORIZON"),
        json!("LATEST"),
        json!("340282366920938463463374607431768211455"),
        json!("340282366920938463463374607431768211456"),
        json!("eHg="),
        json!(0),
        json!(1),
        json!(-1),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!(-0.5),
        json!(1_767_225_600.5),
        json!(true),
        Value::Null,
        json!([]),
        json!({}),
        json!({"Type": "AT_TIMESTAMP", "Timestamp": 1e300}),
        json!({"Type": "FROM_TIMESTAMP", "Timestamp": 1}),
        json!({"Type": "AFTER_SHARD_ID", "ShardId": shard}),
        json!({"StreamMode": "ON_DEMAND"}),
        json!([{"Data": "eHg=", "PartitionKey": "k"}, {"Data": "", "PartitionKey": "k", "ExplicitHashKey": "0"}]),
        json!([{"Data": "eHg="}]),
        json!([null]),
    ]
}

#[test]
fn numbers_that_no_record_had_are_refused() {
    let mut service = service();
    let new = NewStream::provisioned("s", 1);
    service.create_stream(&new, at(0)).unwrap();
    let (shard, number) = put(&mut service, "k", "x", at(0));
    let real = SequenceNumber::parse(&number).unwrap();
    let stream = StreamRef::named("s");
    let mut accepts = |ordinal| {
        let forged = SequenceNumber { ordinal, ..real }.to_string();
        let start = Start::AfterSequence(forged);
        service
            .get_shard_iterator(&stream, &shard, &start, Run::Real, at(1))
            .is_ok()
    };
    assert!(accepts(0) && accepts(real.ordinal));
    for ordinal in [
        real.ordinal + 1,
        ENDING_ORDINAL,
        ENDING_ORDINAL + 1,
        u64::MAX,
    ] {
        assert!(!accepts(ordinal), "{ordinal}");
    }
    let middle = service.middle_of("s", &shard, at(1)).unwrap();
    service.split_shard("s", &shard, middle, at(1)).unwrap();
    let ending = SequenceNumber {
        ordinal: ENDING_ORDINAL,
        ..real
    }
    .to_string();
    let start = Start::AfterSequence(ending);
    assert!(
        service
            .get_shard_iterator(&stream, &shard, &start, Run::Real, at(1))
            .is_ok()
    );
}

#[test]
fn the_fuzzed_bodies_reach_the_service() {
    // Without this the property above could hold because nothing is ever decoded.
    let mut service = service();
    service
        .create_stream(&NewStream::provisioned("s", 2), at(0))
        .unwrap();
    let values = values(&mut service);
    let find = |wanted: &str| values.iter().find(|value| value.as_str() == Some(wanted));
    let body =
        json!({"StreamName": find("s"), "ShardId": values[5], "ShardIteratorType": find("LATEST")});
    let request = wire::decode(
        Protocol::Json,
        Operation::GetShardIterator,
        body.to_string().as_bytes(),
    );
    let answer = service.answer(request.unwrap(), &Twist::None, at(1));
    assert!(matches!(answer, Ok(Answer::Iterator(_))));
}
