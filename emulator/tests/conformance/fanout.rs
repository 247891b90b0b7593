//! Consumers with enhanced fan-out, and what they are pushed.

use crate::check::{NOT_FOUND, Seen, Verdict, checks, equal, holds, refused, there};
use crate::subject::{Stream, Subject, texts};
use aws_sdk_kinesis::operation::subscribe_to_shard::SubscribeToShardOutput;
use aws_sdk_kinesis::operation::subscribe_to_shard::builders::SubscribeToShardFluentBuilder;
use aws_sdk_kinesis::types::{
    ChildShard, ConsumerStatus, ShardIteratorType, StartingPosition, SubscribeToShardEvent,
    SubscribeToShardEventStream,
};
use std::time::Duration;
use tokio::time::{sleep, timeout};

checks! {
    a_new_consumer_becomes_active: "API reference, RegisterStreamConsumer: its status is CREATING, and ACTIVE when it can be used";
    a_consumer_is_counted_in_the_summary: "API reference, StreamDescriptionSummary: ConsumerCount, \"the number of enhanced fan-out consumers registered with the stream\"";
    a_name_of_a_consumer_is_taken_once: "API reference, RegisterStreamConsumer: \"For a given Kinesis data stream, each consumer must have a unique name\"; ResourceInUseException";
    a_consumer_is_described_by_stream_and_name: "API reference, DescribeStreamConsumer: \"Alternatively, you can provide the ARN of the data stream and the name you gave the consumer\"";
    consumers_are_listed_in_pages: "API reference, ListStreamConsumers: NextToken lists \"the next set of registered consumers\"";
    a_deregistered_consumer_is_not_found: "API reference, DescribeStreamConsumer, errors: ResourceNotFoundException";
    a_stream_with_consumers_is_not_deleted_unasked: "API reference, DeleteStream: without EnforceConsumerDeletion, \"the call to DeleteStream fails with a ResourceInUseException\"";
    records_are_pushed_from_the_horizon_on: "API reference, SubscribeToShard: \"your consumer starts receiving events of type SubscribeToShardEvent\"";
    records_are_pushed_as_they_come: "API reference, SubscribeToShard: it \"pushes records from the shard to the consumer over this connection\"";
    a_subscription_goes_on_behind_its_continuation: "API reference, SubscribeToShardEvent: \"Use this as SequenceNumber in the next call to SubscribeToShard\"";
    a_subscription_ends_with_the_children_of_its_shard: "API reference, SubscribeToShardEvent: ChildShards, \"returned only at the end of the current shard\"";
    a_second_subscription_within_five_seconds_is_refused: "API reference, SubscribeToShard: \"within 5 seconds of a successful call, you'll get a ResourceInUseException\"";
    a_consumer_that_is_not_there_subscribes_to_nothing: "API reference, SubscribeToShard, errors: ResourceNotFoundException";
}

const POLL: Duration = Duration::from_millis(50);
const POLLS: usize = 400;
/// The longest wait for an event that must come.
const PATIENCE: Duration = Duration::from_secs(20);

/// Registers a consumer: its ARN, when it is active.
async fn consumer(stream: &Stream<'_>, name: &str) -> Result<String, Seen> {
    let arn = stream.summary().await?.stream_arn;
    let register = stream.client().register_stream_consumer().stream_arn(arn);
    let answer = register.consumer_name(name).send().await?;
    let arn = there(answer.consumer, "Consumer")?.consumer_arn;
    for _ in 0..POLLS {
        let call = stream.client().describe_stream_consumer();
        let answer = call.consumer_arn(&arn).send().await?;
        let description = there(answer.consumer_description, "ConsumerDescription")?;
        if description.consumer_status == ConsumerStatus::Active {
            return Ok(arn);
        }
        sleep(POLL).await;
    }
    Seen::instead("the consumer does not become active")
}

fn subscribing(
    stream: &Stream<'_>,
    arn: &str,
    shard: &str,
    kind: ShardIteratorType,
    after: Option<String>,
) -> SubscribeToShardFluentBuilder {
    let start = StartingPosition::builder().r#type(kind);
    let start = start.set_sequence_number(after).build();
    let call = stream.kinesis.hasty.subscribe_to_shard().consumer_arn(arn);
    call.shard_id(shard).set_starting_position(start.ok())
}

/// The next event, or `None` where the stream of events ends well.
async fn next(events: &mut SubscribeToShardOutput) -> Result<Option<SubscribeToShardEvent>, Seen> {
    match timeout(PATIENCE, events.event_stream.recv()).await {
        Ok(Ok(Some(SubscribeToShardEventStream::SubscribeToShardEvent(event)))) => Ok(Some(event)),
        Ok(Ok(Some(_))) => Seen::instead("an event that the SDK does not know"),
        Ok(Ok(None)) => Ok(None),
        Ok(Err(_)) => Seen::instead("the events break off"),
        Err(_) => Seen::instead(format!("no event in {PATIENCE:?}")),
    }
}

/// The events until one with records.
async fn pushed(events: &mut SubscribeToShardOutput) -> Result<SubscribeToShardEvent, Seen> {
    loop {
        match next(events).await? {
            Some(event) if event.records.is_empty() => {}
            Some(event) => return Ok(event),
            None => return Seen::instead("the events end without a record"),
        }
    }
}

async fn a_new_consumer_becomes_active(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    consumer(&stream, "c").await.map(drop)
}

async fn a_consumer_is_counted_in_the_summary(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    consumer(&stream, "c").await?;
    let count = stream.summary().await?.consumer_count;
    equal("ConsumerCount", &count, &Some(1))
}

async fn a_name_of_a_consumer_is_taken_once(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    consumer(&stream, "c").await?;
    let arn = stream.summary().await?.stream_arn;
    let again = stream.client().register_stream_consumer().stream_arn(arn);
    let again = again.consumer_name("c").send().await;
    refused(again, &["ResourceInUseException"])
}

async fn a_consumer_is_described_by_stream_and_name(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let arn = consumer(&stream, "c").await?;
    let call = stream.client().describe_stream_consumer();
    let call = call.stream_arn(stream.summary().await?.stream_arn);
    let answer = call.consumer_name("c").send().await?;
    let found = there(answer.consumer_description, "ConsumerDescription")?;
    equal("the ARN", &found.consumer_arn, &arn)
}

async fn consumers_are_listed_in_pages(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    for name in ["a", "b", "c"] {
        consumer(&stream, name).await?;
    }
    let arn = stream.summary().await?.stream_arn;
    let (mut names, mut token) = (Vec::new(), None);
    for _ in 0..3 {
        let call = stream.client().list_stream_consumers().stream_arn(&arn);
        let page = call.max_results(2).set_next_token(token).send().await?;
        holds(
            page.consumers().len() <= 2,
            "a page of more than MaxResults",
        )?;
        names.extend(page.consumers().iter().map(|one| one.consumer_name.clone()));
        token = page.next_token;
        if token.is_none() {
            break;
        }
    }
    names.sort_unstable();
    equal(
        "the consumers",
        &names,
        &["a", "b", "c"].map(str::to_owned).into(),
    )
}

async fn a_deregistered_consumer_is_not_found(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let arn = consumer(&stream, "c").await?;
    let gone = stream.client().deregister_stream_consumer();
    gone.consumer_arn(&arn).send().await?;
    for _ in 0..POLLS {
        let call = stream.client().describe_stream_consumer();
        let met = call.consumer_arn(&arn).send().await;
        if met.is_err() {
            return refused(met, NOT_FOUND);
        }
        sleep(POLL).await;
    }
    Seen::instead("the consumer stays after DeregisterStreamConsumer")
}

async fn a_stream_with_consumers_is_not_deleted_unasked(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    consumer(&stream, "c").await?;
    let delete = || stream.client().delete_stream().stream_name(&stream.name);
    refused(delete().send().await, &["ResourceInUseException"])?;
    delete().enforce_consumer_deletion(true).send().await?;
    Ok(())
}

async fn records_are_pushed_from_the_horizon_on(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let (shard, arn) = (stream.only().await?, consumer(&stream, "c").await?);
    stream.put("k", "a").await?;
    stream.put("k", "b").await?;
    let call = subscribing(&stream, &arn, &shard, ShardIteratorType::TrimHorizon, None);
    let mut events = call.send().await?;
    let mut found = Vec::new();
    while found.len() < 2 {
        found.extend(texts(pushed(&mut events).await?.records()));
    }
    equal("the records", &found, &["a", "b"].map(str::to_owned).into())
}

async fn records_are_pushed_as_they_come(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let (shard, arn) = (stream.only().await?, consumer(&stream, "c").await?);
    stream.put("k", "before").await?;
    let call = subscribing(&stream, &arn, &shard, ShardIteratorType::Latest, None);
    let mut events = call.send().await?;
    stream.put("k", "after").await?;
    let found = texts(pushed(&mut events).await?.records());
    equal("the records", &found, &vec!["after".to_owned()])
}

async fn a_subscription_goes_on_behind_its_continuation(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let (shard, arn) = (stream.only().await?, consumer(&stream, "c").await?);
    stream.put("k", "a").await?;
    let call = subscribing(&stream, &arn, &shard, ShardIteratorType::TrimHorizon, None);
    let mut events = call.send().await?;
    let continuation = pushed(&mut events).await?.continuation_sequence_number;
    drop(events);
    stream.put("k", "b").await?;
    sleep(Duration::from_secs(6)).await;
    let kind = ShardIteratorType::AfterSequenceNumber;
    let call = subscribing(&stream, &arn, &shard, kind, Some(continuation));
    let mut events = call.send().await?;
    let found = texts(pushed(&mut events).await?.records());
    equal("the records", &found, &vec!["b".to_owned()])
}

async fn a_subscription_ends_with_the_children_of_its_shard(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let arn = consumer(&stream, "c").await?;
    let shard = stream.shard(&stream.only().await?).await?;
    let kind = ShardIteratorType::TrimHorizon;
    let call = subscribing(&stream, &arn, shard.shard_id(), kind, None);
    let mut events = call.send().await?;
    let children = stream.split(&shard).await?;
    let named = async {
        while let Some(event) = next(&mut events).await? {
            let named = event.child_shards().iter().map(ChildShard::shard_id);
            let mut named: Vec<String> = named.map(str::to_owned).collect();
            if !named.is_empty() {
                named.sort_unstable();
                return Ok(named);
            }
        }
        Seen::instead("the events end without ChildShards")
    };
    let Ok(named) = timeout(PATIENCE, named).await else {
        return Seen::instead(format!("no ChildShards in {PATIENCE:?} after the split"));
    };
    let mut promised = children.map(|child| child.shard_id);
    promised.sort_unstable();
    equal("ChildShards", &named?, &promised.into())
}

async fn a_second_subscription_within_five_seconds_is_refused(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let (shard, arn) = (stream.only().await?, consumer(&stream, "c").await?);
    let call = || subscribing(&stream, &arn, &shard, ShardIteratorType::Latest, None);
    let first = call().send().await?;
    sleep(Duration::from_secs(2)).await;
    let second = call().send().await;
    drop(first);
    refused(second.map(drop), &["ResourceInUseException"])
}

async fn a_consumer_that_is_not_there_subscribes_to_nothing(kinesis: &Subject) -> Verdict {
    let stream = kinesis.stream(1).await?;
    let shard = stream.only().await?;
    let arn = stream.summary().await?.stream_arn;
    let arn = format!("{arn}/consumer/absent:1700000000");
    let call = subscribing(&stream, &arn, &shard, ShardIteratorType::Latest, None);
    refused(call.send().await.map(drop), NOT_FOUND)
}
