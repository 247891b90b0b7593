//! What is pushed, and from where.

use std::time::Duration;

use aws_sdk_kinesis::primitives::DateTime;
use aws_sdk_kinesis::types::ShardIteratorType;
use kinesis_app_emulator::{ErrorCode, Kinesis, Limits, Operation, Outcome};
use tokio::time::{Instant, sleep, timeout};

use crate::{
    common::*,
    subscriber::{
        SECOND, after, at, broken, consumer, horizon, latest, next, simple, subscribe, texts,
    },
};

#[tokio::test(start_paused = true)]
async fn a_record_is_pushed_when_it_comes() {
    let (kinesis, _) = stream(1);
    let (client, arn) = consumer(&kinesis);
    kinesis.put("s", "k", "old").unwrap();
    let mut events = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
    let puts = async {
        sleep(SECOND).await;
        let stored = kinesis.put("s", "k", "new").unwrap();
        (Instant::now(), stored.sequence_number)
    };
    let (event, (put, number)) = tokio::join!(next(&mut events), puts);
    let event = event.unwrap();
    assert_eq!(texts(&event), ["new"]);
    assert_eq!(event.continuation_sequence_number, number);
    assert_eq!(event.millis_behind_latest, 0);
    assert_eq!(put.elapsed(), Duration::from_millis(5), "half the latency");
}

#[tokio::test(start_paused = true)]
async fn a_subscription_begins_at_any_kind_of_position() {
    let (kinesis, _) = unlimited(1);
    let (client, arn) = consumer(&kinesis);
    let mut numbers = Vec::new();
    let mut times = Vec::new();
    for data in ["a", "b", "c"] {
        times.push(DateTime::from(kinesis.now()));
        numbers.push(kinesis.put("s", "k", data).unwrap().sequence_number);
        sleep(SECOND).await;
    }
    let exactly = at(ShardIteratorType::AtSequenceNumber).sequence_number(&numbers[1]);
    let time = at(ShardIteratorType::AtTimestamp).timestamp(times[1]);
    for (start, expected) in [
        (horizon(), vec!["a", "b", "c"]),
        (exactly.build().unwrap(), vec!["b", "c"]),
        (after(&numbers[1]), vec!["c"]),
        (time.build().unwrap(), vec!["b", "c"]),
        (latest(), vec![]),
    ] {
        sleep(5 * SECOND).await;
        let mut events = subscribe(&client, &arn, SHARD_0, start).await.unwrap();
        assert_eq!(texts(&next(&mut events).await.unwrap()), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_position_that_cannot_be_is_refused() {
    let (kinesis, _) = unlimited(1);
    let (client, arn) = consumer(&kinesis);
    let future = DateTime::from(kinesis.now() + Duration::from_hours(1));
    let odd = [
        simple(ShardIteratorType::AtSequenceNumber),
        simple(ShardIteratorType::AtTimestamp),
        at(ShardIteratorType::Latest)
            .sequence_number("7")
            .build()
            .unwrap(),
        at(ShardIteratorType::AtTimestamp)
            .timestamp(future)
            .build()
            .unwrap(),
        after("7"),
    ];
    for start in odd {
        let shown = format!("{start:?}");
        let met = subscribe(&client, &arn, SHARD_0, start).await;
        assert_eq!(code(met), "InvalidArgumentException", "{shown}");
    }
    let absent = subscribe(&client, &arn, SHARD_1, latest()).await;
    assert_eq!(code(absent), "ResourceNotFoundException");
    let absent = subscribe(&client, &arn.replace("/c:", "/d:"), SHARD_0, latest()).await;
    assert_eq!(code(absent), "ResourceNotFoundException");
}

#[tokio::test(start_paused = true)]
async fn a_hundred_puts_at_once_are_each_pushed_once_and_in_order() {
    let (kinesis, _) = unlimited(1);
    let (client, arn) = consumer(&kinesis);
    let mut events = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
    let mut puts = tokio::task::JoinSet::new();
    for n in 0..100_u64 {
        let client = client.clone();
        puts.spawn(async move {
            sleep(Duration::from_millis(n % 7)).await;
            let put = client.put_record().stream_name("s").partition_key("k");
            let put = put.data(aws_sdk_kinesis::primitives::Blob::new("x"));
            put.send().await.unwrap().sequence_number
        });
    }
    let reads = async {
        let mut numbers = Vec::new();
        while numbers.len() < 100 {
            let event = next(&mut events).await.unwrap();
            numbers.extend(
                event
                    .records
                    .into_iter()
                    .map(|record| record.sequence_number),
            );
        }
        numbers
    };
    let (read, mut put) = tokio::join!(reads, puts.join_all());
    put.sort_unstable();
    assert_eq!(read, put);
}

/// Where such a record goes is decided only when it is stored.
#[tokio::test(start_paused = true)]
async fn records_without_a_key_are_pushed_at_once_wherever_they_go() {
    let kinesis = Kinesis::builder().limits(Limits::Off).build();
    let client = client(&kinesis);
    let mode = aws_sdk_kinesis::types::StreamModeDetails::builder()
        .stream_mode(aws_sdk_kinesis::types::StreamMode::OnDemand);
    let auto = aws_sdk_kinesis::types::RecordDistributionStrategy::Auto;
    let create = client.create_stream().stream_name("s");
    let create = create.stream_mode_details(mode.build().unwrap());
    let create = create.record_distribution_strategy(auto);
    create.send().await.unwrap();
    let arn = kinesis.register_consumer("s", "c").unwrap();
    let mut readers = tokio::task::JoinSet::new();
    for shard in [SHARD_0, SHARD_1, SHARD_2, SHARD_3] {
        let events = subscribe(&client, &arn, shard, latest()).await;
        let mut events = events.unwrap();
        readers.spawn(async move {
            let mut found = 0;
            while let Ok(event) = timeout(SECOND, next(&mut events)).await {
                found += event.unwrap().records.len();
            }
            found
        });
    }
    for _ in 0..40 {
        let put = client.put_record().stream_name("s");
        let put = put.data(aws_sdk_kinesis::primitives::Blob::new("x"));
        put.send().await.unwrap();
    }
    let found = readers.join_all().await;
    assert_eq!(found.iter().sum::<usize>(), 40);
    assert!(found.iter().all(|found| *found > 0), "{found:?}");
}

#[tokio::test(start_paused = true)]
async fn the_log_counts_what_a_subscription_was_pushed() {
    let (kinesis, _) = stream(1);
    let (client, arn) = consumer(&kinesis);
    let mut events = subscribe(&client, &arn, SHARD_0, horizon()).await.unwrap();
    for data in ["a", "b"] {
        kinesis.put("s", "k", data).unwrap();
        assert_eq!(texts(&next(&mut events).await.unwrap()), [data]);
    }
    let calls = kinesis.call_log();
    let call = calls.last().unwrap();
    assert_eq!(call.operation, Operation::SubscribeToShard);
    assert_eq!(call.stream.as_deref(), Some("s"));
    assert_eq!(call.shards, [SHARD_0]);
    assert_eq!((call.records, call.outcome), (2, Outcome::Ok));
    assert_eq!(
        kinesis.calls_for(Operation::SubscribeToShard, "s", SHARD_0),
        1
    );

    kinesis.delete_stream("s").unwrap();
    assert_eq!(broken(&mut events).await, "ResourceNotFoundException");
    let calls = kinesis.call_log();
    let refused = Outcome::Refused(ErrorCode::ResourceNotFound);
    assert_eq!(calls.last().unwrap().outcome, refused);
}
