//! How much a consumer is given.

use kinesis_app_emulator::{Kinesis, Limits};
use tokio::time::Instant;

use crate::{
    common::*,
    subscriber::{consumer, horizon, next, subscribe, texts},
};

#[tokio::test(start_paused = true)]
async fn a_consumer_is_given_two_mebibytes_a_second_of_a_shard() {
    let mib = 1 << 20;
    for (limits, least) in [(Limits::Enforced, 5), (Limits::Off, 0)] {
        let kinesis = Kinesis::builder().limits(limits).build();
        kinesis.create_stream("s", 1).unwrap();
        for _ in 0..14 {
            kinesis.put("s", "k", vec![0; mib - 1]).unwrap();
        }
        let (client, arn) = consumer(&kinesis);
        let mut events = subscribe(&client, &arn, SHARD_0, horizon()).await.unwrap();
        let begin = Instant::now();
        let mut records = 0;
        while records < 14 {
            let event = next(&mut events).await.unwrap();
            records += event.records.len();
            assert_eq!(event.millis_behind_latest > 0, records < 14);
        }
        // What was saved in a second comes at once, and one event that runs ahead.
        let took = begin.elapsed().as_secs();
        assert!((least..=least + 1).contains(&took), "{limits:?}: {took} s");
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_of_ten_mebibytes_comes_in_one_event_and_is_paid_for() {
    let (kinesis, _) = stream(1);
    let (client, arn) = consumer(&kinesis);
    let stream_arn = kinesis.stream_arn("s");
    let call = client.update_max_record_size().stream_arn(stream_arn);
    call.max_record_size_in_kib(10_240).send().await.unwrap();
    kinesis.put("s", "k", vec![0; 10 * (1 << 20) - 1]).unwrap();
    kinesis.put("s", "k", "small").unwrap();
    let mut events = subscribe(&client, &arn, SHARD_0, horizon()).await.unwrap();
    let begin = Instant::now();
    assert_eq!(next(&mut events).await.unwrap().records.len(), 1);
    assert_eq!(texts(&next(&mut events).await.unwrap()), ["small"]);
    assert_eq!(begin.elapsed().as_secs(), 5);
}
