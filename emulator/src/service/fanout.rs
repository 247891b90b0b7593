//! The requests about consumers with enhanced fan-out, carried out.

use super::registry::{ConsumerRef, ConsumersFrom};
use super::request::{Start, StreamRef};
use super::run::Run;
use super::{Answer, Moment, Service};
use crate::Operation;
use crate::calls::Scope;
use crate::error::ServiceError;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(crate) enum ConsumerRequest {
    Register {
        stream: StreamRef,
        name: String,
        tags: BTreeMap<String, String>,
    },
    Describe(ConsumerRef),
    Deregister(ConsumerRef),
    List {
        stream: StreamRef,
        from: ConsumersFrom,
        limit: usize,
    },
    Subscribe {
        consumer: ConsumerRef,
        shard: String,
        start: Start,
        run: Run,
    },
}

impl ConsumerRequest {
    pub(crate) const fn operation(&self) -> Operation {
        match self {
            Self::Register { .. } => Operation::RegisterStreamConsumer,
            Self::Describe(_) => Operation::DescribeStreamConsumer,
            Self::Deregister(_) => Operation::DeregisterStreamConsumer,
            Self::List { .. } => Operation::ListStreamConsumers,
            Self::Subscribe { .. } => Operation::SubscribeToShard,
        }
    }
}

impl Service {
    pub(super) fn scope_of_consumer(&self, request: &ConsumerRequest) -> Scope {
        let of = |consumer| {
            self.resolve_consumer(consumer)
                .ok()
                .map(|(stream, _)| stream)
        };
        let (stream, shards) = match request {
            ConsumerRequest::Register { stream, .. } | ConsumerRequest::List { stream, .. } => {
                (self.resolve(stream).ok(), Vec::new())
            }
            ConsumerRequest::Describe(consumer) | ConsumerRequest::Deregister(consumer) => {
                (of(consumer), Vec::new())
            }
            ConsumerRequest::Subscribe {
                consumer, shard, ..
            } => (of(consumer), vec![shard.clone()]),
        };
        Scope { stream, shards }
    }

    pub(super) fn answer_consumer(
        &mut self,
        request: ConsumerRequest,
        now: Moment,
    ) -> Result<Answer, ServiceError> {
        match request {
            ConsumerRequest::Register { stream, name, tags } => self
                .register_consumer(&stream, &name, tags, now)
                .map(Answer::Registered),
            ConsumerRequest::Describe(consumer) => {
                let (consumer, stream_arn) = self.describe_consumer(&consumer, now)?;
                Ok(Answer::Consumer {
                    consumer,
                    stream_arn,
                })
            }
            ConsumerRequest::Deregister(consumer) => self
                .deregister_consumer(&consumer, now)
                .map(|()| Answer::Empty),
            ConsumerRequest::List {
                stream,
                from,
                limit,
            } => self
                .list_consumers(&stream, &from, limit, now)
                .map(Answer::Consumers),
            ConsumerRequest::Subscribe {
                consumer,
                shard,
                start,
                run,
            } => self
                .subscribe(&consumer, &shard, &start, run, now)
                .map(Answer::Subscribed),
        }
    }
}
