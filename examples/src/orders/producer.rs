//! Puts the shop's records, at a steady rate and each customer's in order, through the plain SDK.

use std::time::Duration;

use aws_sdk_kinesis::{
    operation::put_records::PutRecordsOutput, primitives::Blob, types::PutRecordsRequestEntry,
};
use fastrand::Rng;
use kinesis_app_rules::limits::PUT_RECORDS_RECORDS;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use super::{
    outbox::{Outbox, Outgoing},
    progress::Progress,
    shop::{Order, Payment, Record, Topic},
    streams::{Stream, StreamError},
};

const CUSTOMERS: u16 = 300;
const TICK: Duration = Duration::from_millis(50);
/// A stream that refuses is not given more than this to refuse.
const BACKLOG: usize = 4 * PUT_RECORDS_RECORDS;
/// The pause after a request in which something was refused; the service's limits are per second.
const AFTER_REFUSAL: Duration = Duration::from_millis(100);
/// A service that takes nothing for so long is not going to.
const PATIENCE: Duration = Duration::from_secs(30);

/// One stream's part of the work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) topic: Topic,
    pub(crate) stream: &'a Stream,
    /// How many records.
    pub(crate) records: u64,
    /// How many a second.
    pub(crate) rate: u64,
    pub(crate) progress: &'a Progress,
}

/// Puts them all: what the service acknowledged, in that order.
pub(crate) async fn produce(job: Job<'_>) -> Result<Vec<Record>, StreamError> {
    let mut customers = Rng::with_seed(job.topic as u64);
    let mut outbox = Outbox::default();
    let mut acknowledged = Vec::new();
    let mut produced = 0;
    let mut ticks = interval(TICK);
    // A slow service lowers the rate; it is not flooded afterwards.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let ticks_a_second = 1000 / u64::try_from(TICK.as_millis()).unwrap_or(1);
    let (mut tick, mut last_success) = (0, Instant::now());
    while (acknowledged.len() as u64) < job.records {
        job.progress.room().await;
        ticks.tick().await;
        tick += 1;
        let due = job.rate * tick / ticks_a_second - job.rate * (tick - 1) / ticks_a_second;
        for _ in 0..due {
            if produced < job.records && outbox.len() < BACKLOG {
                outbox.push(outgoing(job.topic, produced, &mut customers)?);
                produced += 1;
            }
        }
        while outbox.len() > 0 {
            let sent = outbox.take(PUT_RECORDS_RECORDS);
            let refused = match put(job.stream, &sent).await {
                Ok(answer) => {
                    let sorted = sort(job, sent, &answer);
                    if !sorted.taken.is_empty() {
                        last_success = Instant::now();
                    }
                    job.progress.acknowledge(sorted.taken.len() as u64);
                    acknowledged.extend(sorted.taken);
                    sorted.refused
                }
                Err(error) if last_success.elapsed() > PATIENCE => return Err(error),
                // Whether they were stored is not known. They are put again: a record may lie in the stream twice, none is
                // missing.
                Err(_) => sent,
            };
            if !refused.is_empty() {
                outbox.give_back(refused);
                sleep(AFTER_REFUSAL).await;
            }
        }
    }
    Ok(acknowledged)
}

fn outgoing(topic: Topic, id: u64, customers: &mut Rng) -> Result<Outgoing, StreamError> {
    let key = format!("customer-{:03}", customers.u16(0..CUSTOMERS));
    let amount_cents = customers.u64(100..20_000);
    let data = match topic {
        Topic::Orders => serde_json::to_vec(&Order { id, amount_cents }),
        Topic::Payments => serde_json::to_vec(&Payment { id, amount_cents }),
    };
    let data = data.map_err(|error| StreamError::Unexpected {
        stream: topic.as_str().into(),
        what: error.to_string(),
    })?;
    Ok(Outgoing { key, id, data })
}

async fn put(stream: &Stream, records: &[Outgoing]) -> Result<PutRecordsOutput, StreamError> {
    let mut entries = Vec::with_capacity(records.len());
    for record in records {
        let entry = PutRecordsRequestEntry::builder()
            .partition_key(&record.key)
            .data(Blob::new(record.data.clone()))
            .build()
            .map_err(|error| StreamError::Unexpected {
                stream: stream.name.clone(),
                what: error.to_string(),
            })?;
        entries.push(entry);
    }
    let request = stream.client.put_records().stream_name(&stream.name);
    request
        .set_records(Some(entries))
        .send()
        .await
        .map_err(stream.failed("PutRecords"))
}

struct Sorted {
    taken: Vec<Record>,
    refused: Vec<Outgoing>,
}

/// The answer has one entry for each of the request's, in the same order. One without a place is a refusal, and so is one
/// that is not there.
fn sort(job: Job<'_>, sent: Vec<Outgoing>, answer: &PutRecordsOutput) -> Sorted {
    let (mut taken, mut refused) = (Vec::new(), Vec::new());
    let mut entries = answer.records().iter();
    for record in sent {
        let entry = entries.next();
        let shard = entry.and_then(|entry| entry.shard_id());
        let sequence = entry.and_then(|entry| entry.sequence_number());
        match (shard, sequence) {
            (Some(shard), Some(sequence)) => taken.push(Record {
                topic: job.topic,
                key: record.key,
                shard: shard.into(),
                sequence: sequence.into(),
                id: record.id,
            }),
            _ => refused.push(record),
        }
    }
    Sorted { taken, refused }
}

#[cfg(test)]
mod tests {
    use kinesis_app_emulator::{Fault, FaultKind, Kinesis, Operation};

    use super::*;
    use crate::orders::reader::read_all;

    async fn stream(kinesis: &Kinesis) -> Stream {
        let stream = Stream {
            client: kinesis.client(),
            name: "orders".into(),
            place: "here".into(),
        };
        stream.create(2).await.expect("a fresh service");
        stream
    }

    #[tokio::test(start_paused = true)]
    async fn customers_keep_their_order_when_the_service_refuses_part_of_a_request() {
        let kinesis = Kinesis::new();
        let stream = stream(&kinesis).await;
        // Three times its limit, on top of refusals out of the blue.
        kinesis.fault(
            Fault::new(Operation::PutRecords, FaultKind::Throttle)
                .shard("shardId-000000000001")
                .times(5),
        );
        let progress = Progress::new(5000);
        let acknowledged = produce(Job {
            topic: Topic::Orders,
            stream: &stream,
            records: 5000,
            rate: 6000,
            progress: &progress,
        })
        .await
        .expect("refusals are tried again");
        assert_eq!(progress.acknowledged(), 5000);

        let mut stored = read_all(Topic::Orders, &stream).await.expect("readable");
        stored.sort_by(|a, b| (&a.key, &a.sequence).cmp(&(&b.key, &b.sequence)));
        assert!(
            stored
                .windows(2)
                .all(|pair| pair[0].key != pair[1].key || pair[0].id < pair[1].id)
        );
        let sequences = |records: &[Record]| {
            let mut all: Vec<String> = records.iter().map(|at| at.sequence.clone()).collect();
            all.sort();
            all
        };
        assert_eq!(sequences(&acknowledged), sequences(&stored));
    }

    #[tokio::test(start_paused = true)]
    async fn a_record_whose_answer_was_lost_is_put_again() {
        let kinesis = Kinesis::new();
        let stream = stream(&kinesis).await;
        kinesis.fault(Fault::new(Operation::PutRecords, FaultKind::AnswerLost).times(3));
        let progress = Progress::new(100);
        let acknowledged = produce(Job {
            topic: Topic::Orders,
            stream: &stream,
            records: 100,
            rate: 100,
            progress: &progress,
        })
        .await
        .expect("a lost answer is not the end");
        assert_eq!(acknowledged.len(), 100);
        let stored = read_all(Topic::Orders, &stream).await.expect("readable");
        assert!(stored.len() > 100);
        assert!(acknowledged.iter().all(|record| stored.contains(record)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_service_that_takes_nothing_ends_the_run_with_its_own_words() {
        let kinesis = Kinesis::new();
        let stream = stream(&kinesis).await;
        kinesis.delete_stream("orders").expect("it is there");
        let progress = Progress::new(100);
        let error = produce(Job {
            topic: Topic::Orders,
            stream: &stream,
            records: 100,
            rate: 100,
            progress: &progress,
        })
        .await
        .expect_err("there is no stream");
        assert!(
            error.to_string().starts_with(
                "`PutRecords` on stream `orders` at `here` failed: ResourceNotFoundException: "
            ),
            "{error}"
        );
    }
}
