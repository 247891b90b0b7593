//! Faults of the link, of single events and of the call.

use std::time::Duration;

use aws_sdk_kinesis::error::SdkError;
use kinesis_app_emulator::{ErrorCode, EventAt, EventFault, Fault, FaultKind, Operation};
use tokio::time::{Instant, sleep, timeout};

use crate::{
    common::*,
    subscriber::{SECOND, after, broken, consumer, horizon, latest, next, subscribe, texts},
};

#[tokio::test(start_paused = true)]
async fn a_cut_link_resets_its_subscriptions_in_the_middle() {
    let (kinesis, _) = stream(1);
    let arn = kinesis.register_consumer("s", "c").unwrap();
    let link = kinesis.link("one");
    let client = link.client();
    let mut events = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
    let begin = Instant::now();
    let cut = async {
        sleep(SECOND).await;
        link.cut();
    };
    let (met, ()) = tokio::join!(broken(&mut events), cut);
    assert_eq!(met, "reset");
    assert_eq!(begin.elapsed(), SECOND);
}

/// The end that a reader is not told of: it learns it when it goes on behind what it has.
#[tokio::test(start_paused = true)]
async fn the_event_that_ends_a_shard_can_be_lost() {
    let (kinesis, _) = stream(1);
    let (client, arn) = consumer(&kinesis);
    kinesis.put("s", "k", "a1").unwrap();
    let lost = FaultKind::Event(EventAt::Last, EventFault::Reset);
    kinesis.fault(Fault::new(Operation::SubscribeToShard, lost));
    let mut events = subscribe(&client, &arn, SHARD_0, horizon()).await.unwrap();
    let event = next(&mut events).await.unwrap();
    assert_eq!(texts(&event), ["a1"]);
    kinesis.split("s", SHARD_0).unwrap();
    assert_eq!(broken(&mut events).await, "reset");
    sleep(5 * SECOND).await;
    let start = after(&event.continuation_sequence_number);
    let mut events = subscribe(&client, &arn, SHARD_0, start).await.unwrap();
    let end = next(&mut events).await.unwrap();
    assert!(end.records.is_empty());
    assert_eq!(end.child_shards().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn every_fault_of_an_event_is_seen_as_it_is() {
    let kms = ErrorCode::KmsThrottling;
    let internal = ErrorCode::InternalFailure;
    for (fault, seen) in [
        (EventFault::Reset, "reset"),
        (EventFault::Truncated, "broken off"),
        (EventFault::Refuse(internal), "InternalFailureException"),
        (EventFault::Refuse(kms), "KMSThrottlingException"),
    ] {
        let (kinesis, _) = stream(1);
        let (client, arn) = consumer(&kinesis);
        let kind = FaultKind::Event(EventAt::Number(1), fault);
        kinesis.fault(Fault::new(Operation::SubscribeToShard, kind).shard(SHARD_0));
        let mut events = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
        assert!(next(&mut events).await.is_some(), "the first event comes");
        let met = broken(&mut events).await;
        assert!(
            met == seen || (seen == "broken off" && met == "reset"),
            "{fault:?}: {met}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_can_be_late_or_never_come() {
    let (kinesis, _) = stream(2);
    let (client, arn) = consumer(&kinesis);
    let first = |fault| {
        let kind = FaultKind::Event(EventAt::Number(0), fault);
        kinesis.fault(Fault::new(Operation::SubscribeToShard, kind));
    };
    first(EventFault::Delay(20 * SECOND));
    first(EventFault::Hang);
    let mut late = subscribe(&client, &arn, SHARD_0, latest()).await.unwrap();
    let begin = Instant::now();
    next(&mut late).await.unwrap();
    assert_eq!(begin.elapsed().as_secs(), 25);
    let mut silent = subscribe(&client, &arn, SHARD_1, latest()).await.unwrap();
    let hour = Duration::from_hours(1);
    assert!(timeout(hour, silent.event_stream.recv()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn faults_of_the_call_itself_strike_a_subscription_too() {
    let (kinesis, _) = stream(4);
    let (client, arn) = consumer(&kinesis);
    let fault = |kind| kinesis.fault(Fault::new(Operation::SubscribeToShard, kind));
    fault(FaultKind::Throttle);
    let met = subscribe(&client, &arn, SHARD_0, latest()).await;
    assert_eq!(code(met), "LimitExceededException");

    // The answer is lost, the subscription is not.
    fault(FaultKind::AnswerLost);
    let lost = subscribe(&client, &arn, SHARD_0, latest()).await;
    assert!(
        matches!(lost, Err(SdkError::DispatchFailure(_))),
        "{lost:?}"
    );
    sleep(SECOND).await;
    let early = subscribe(&client, &arn, SHARD_0, latest()).await;
    assert_eq!(code(early), "ResourceInUseException");

    fault(FaultKind::StalledBody(3 * SECOND));
    let begin = Instant::now();
    subscribe(&client, &arn, SHARD_1, latest()).await.unwrap();
    assert_eq!(begin.elapsed(), 3 * SECOND + Duration::from_millis(10));

    fault(FaultKind::Delay(2 * SECOND));
    let begin = Instant::now();
    subscribe(&client, &arn, SHARD_2, latest()).await.unwrap();
    assert_eq!(begin.elapsed(), 2 * SECOND + Duration::from_millis(10));

    fault(FaultKind::TruncatedBody);
    let mut cut = subscribe(&client, &arn, SHARD_3, latest()).await.unwrap();
    let met = broken(&mut cut).await;
    assert!(["reset", "broken off"].contains(&met.as_str()), "{met}");
}
