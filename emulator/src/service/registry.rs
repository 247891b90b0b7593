//! RegisterStreamConsumer, DescribeStreamConsumer, ListStreamConsumers, DeregisterStreamConsumer.

use super::consumer::{Consumer, ConsumerPhase};
use super::request::StreamRef;
use super::stream::Stream;
use super::token::ConsumersToken;
use super::{Limits, Moment, Service, Settings};
use crate::Operation;
use crate::error::{ErrorCode, ServiceError};
use crate::limits;
use kinesis_app_rules::arn::stream_arn;
use std::collections::BTreeMap;

/// A consumer, by its own ARN, or by its name and the ARN of its stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConsumerRef {
    Arn {
        arn: String,
        /// What was given beside the ARN, and must not contradict it.
        stream: Option<String>,
        name: Option<String>,
    },
    Named {
        stream: String,
        name: String,
    },
}

/// What an ARN says of a consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConsumerArn<'a> {
    pub(crate) stream_arn: &'a str,
    pub(crate) name: &'a str,
    /// The second of its creation, as it is written.
    pub(crate) created: &'a str,
}

impl<'a> ConsumerArn<'a> {
    /// `<ARN of the stream>/consumer/<name>:<second of its creation>`
    pub(crate) fn parse(arn: &'a str) -> Option<Self> {
        let (stream, consumer) = arn.split_once("/consumer/")?;
        let (name, created) = consumer.rsplit_once(':')?;
        let digits = !created.is_empty() && created.bytes().all(|byte| byte.is_ascii_digit());
        let named = kinesis_app_rules::name::stream_name(name).is_ok();
        (digits && named && stream_arn(stream).is_ok()).then_some(Self {
            stream_arn: stream,
            name,
            created,
        })
    }
}

/// Whether a stream goes although it has consumers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConsumerDeletion {
    Enforced,
    Refused,
}

/// A consumer as the answers show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsumerView {
    pub(crate) name: String,
    pub(crate) arn: String,
    pub(crate) status: &'static str,
    pub(crate) created: Moment,
}

#[derive(Clone, Debug)]
pub(crate) struct ConsumerPage {
    pub(crate) consumers: Vec<ConsumerView>,
    pub(crate) next: Option<String>,
}

/// Which page of a stream's consumers.
#[derive(Clone, Debug)]
pub(crate) enum ConsumersFrom {
    First { created: Option<Moment> },
    Token(String),
}

impl ConsumerView {
    fn of(stream_arn: &str, name: &str, consumer: &Consumer) -> Self {
        Self {
            name: name.to_owned(),
            arn: format!(
                "{stream_arn}/consumer/{name}:{}",
                consumer.created.seconds()
            ),
            status: consumer.phase.as_str(),
            created: consumer.created,
        }
    }
}

impl Settings {
    pub(super) fn consumer_not_found(&self, stream: &str, name: &str) -> ServiceError {
        ServiceError::new(
            ErrorCode::ResourceNotFound,
            format!(
                "Consumer {name} under stream {stream} not found for account {}.",
                self.account
            ),
        )
    }

    fn consumer_rate_exceeded(&self, operation: Operation, stream: &str) -> ServiceError {
        ServiceError::new(
            ErrorCode::LimitExceeded,
            format!(
                "Rate exceeded for {} on stream {stream} under account {}.",
                operation.as_str(),
                self.account
            ),
        )
    }
}

impl Service {
    /// The consumer in whatever state it is. Of an ARN, the second must be that of the one that has
    /// the name now.
    pub(super) fn consumer(
        &mut self,
        consumer: &ConsumerRef,
        now: Moment,
    ) -> Result<&mut Consumer, ServiceError> {
        let (stream, name) = self.resolve_consumer(consumer)?;
        self.settle_one(&stream, now);
        let Some(found) = self.streams.get_mut(&stream) else {
            return Err(self.settings.stream_not_found(&stream));
        };
        let meant = |found: &Consumer| match consumer {
            ConsumerRef::Named { .. } => true,
            ConsumerRef::Arn { arn, .. } => ConsumerArn::parse(arn)
                .is_some_and(|arn| arn.created == found.created.seconds().to_string()),
        };
        match found.consumers.get_mut(&name) {
            Some(found) if meant(found) => Ok(found),
            _ => Err(self.settings.consumer_not_found(&stream, &name)),
        }
    }

    /// The stream and the name that a request means.
    pub(crate) fn resolve_consumer(
        &self,
        consumer: &ConsumerRef,
    ) -> Result<(String, String), ServiceError> {
        match consumer {
            ConsumerRef::Named { stream, name } => Ok((self.name_of_arn(stream)?, name.clone())),
            ConsumerRef::Arn { arn, stream, name } => {
                let parts = ConsumerArn::parse(arn)
                    .ok_or_else(|| ServiceError::invalid(format!("Invalid ConsumerARN {arn}.")))?;
                let contradicts = stream
                    .as_deref()
                    .is_some_and(|stream| stream != parts.stream_arn)
                    || name.as_deref().is_some_and(|name| name != parts.name);
                if contradicts {
                    return Err(ServiceError::invalid(format!(
                        "ConsumerARN {arn} contradicts the StreamARN or the ConsumerName of the request."
                    )));
                }
                Ok((self.name_of_arn(parts.stream_arn)?, parts.name.to_owned()))
            }
        }
    }

    pub(crate) fn register_consumer(
        &mut self,
        stream: &StreamRef,
        name: &str,
        tags: BTreeMap<String, String>,
        now: Moment,
    ) -> Result<ConsumerView, ServiceError> {
        self.settle(now);
        let stream_name = self.resolve(stream)?;
        let arn = self.arn(&stream_name);
        let account = self.settings.account.clone();
        let creating = self.settings.duration(Operation::RegisterStreamConsumer);
        let in_creation: usize = self
            .streams
            .values()
            .map(|stream| stream.consumers.creating())
            .sum();
        let consumers = &mut self.active(&stream_name, now)?.consumers;
        if consumers.get(name).is_some() {
            return Err(ServiceError::new(
                ErrorCode::ResourceInUse,
                format!(
                    "Consumer {name} under stream {stream_name} already exists for account {account}."
                ),
            ));
        }
        let refused = |why: String| Err(ServiceError::new(ErrorCode::LimitExceeded, why));
        if consumers.count() >= limits::CONSUMERS {
            return refused(format!(
                "Stream {stream_name} under account {account} has {} consumers, which is the most that a stream can have.",
                limits::CONSUMERS
            ));
        }
        if in_creation >= limits::CREATING_CONSUMERS {
            return refused(format!(
                "Limit for consumers being created under account {account} exceeded: {}.",
                limits::CREATING_CONSUMERS
            ));
        }
        let consumer = consumers.register(name, tags, creating, now);
        Ok(ConsumerView::of(&arn, name, consumer))
    }

    /// With the ARN of its stream.
    pub(crate) fn describe_consumer(
        &mut self,
        consumer: &ConsumerRef,
        now: Moment,
    ) -> Result<(ConsumerView, String), ServiceError> {
        let operation = Operation::DescribeStreamConsumer;
        let (stream, name) = self.resolve_consumer(consumer)?;
        self.count_consumer_call(operation, &stream, now)?;
        let arn = self.arn(&stream);
        let found = self.consumer(consumer, now)?;
        Ok((ConsumerView::of(&arn, &name, found), arn))
    }

    pub(crate) fn deregister_consumer(
        &mut self,
        consumer: &ConsumerRef,
        now: Moment,
    ) -> Result<(), ServiceError> {
        let operation = Operation::DeregisterStreamConsumer;
        let (stream, _) = self.resolve_consumer(consumer)?;
        self.count_consumer_call(operation, &stream, now)?;
        let until = now.plus(self.settings.duration(operation));
        let found = self.consumer(consumer, now)?;
        // One that is DELETING goes when it would have gone.
        if !matches!(found.phase, ConsumerPhase::Deleting { .. }) {
            found.phase = ConsumerPhase::Deleting { until };
        }
        self.settle_one(&stream, now);
        Ok(())
    }

    pub(crate) fn list_consumers(
        &mut self,
        stream: &StreamRef,
        from: &ConsumersFrom,
        limit: usize,
        now: Moment,
    ) -> Result<ConsumerPage, ServiceError> {
        let name = self.resolve(stream)?;
        self.count_consumer_call(Operation::ListStreamConsumers, &name, now)?;
        let (arn, secret) = (self.arn(&name), self.secret);
        let after = match from {
            ConsumersFrom::First { created } => {
                let born = self.stream(&name, now)?.created.seconds();
                if created.is_some_and(|created| created.seconds() != born) {
                    return Err(self.settings.stream_not_found(&name));
                }
                None
            }
            ConsumersFrom::Token(text) => Some(self.open_consumers_token(text, &name, now)?.after),
        };
        let found = self.stream(&name, now)?;
        if !found.phase.serves() {
            let status = found.phase.as_str();
            return Err(self.settings.not_active(&name, status));
        }
        let mut listed = found.consumers.behind(after.as_deref());
        let page = listed.by_ref().take(limit);
        let consumers: Vec<ConsumerView> = page
            .map(|(name, consumer)| ConsumerView::of(&arn, name, consumer))
            .collect();
        let more = listed.next().is_some();
        let next = consumers.last().filter(|_| more).map(|last| {
            let token = ConsumersToken {
                stream: name.clone(),
                stream_epoch: found.epoch,
                after: last.name.clone(),
                issued: now,
            };
            token.seal(secret)
        });
        Ok(ConsumerPage { consumers, next })
    }

    fn open_consumers_token(
        &mut self,
        text: &str,
        stream: &str,
        now: Moment,
    ) -> Result<ConsumersToken, ServiceError> {
        let token = ConsumersToken::open(text, self.secret)
            .ok_or_else(|| ServiceError::invalid("Invalid NextToken."))?;
        if token.stream != stream {
            return Err(ServiceError::invalid(format!(
                "The NextToken is not one of stream {stream}."
            )));
        }
        if now.since(token.issued) > limits::LIST_SHARDS_TOKEN_LIFETIME {
            return Err(ServiceError::expired_token());
        }
        if self.stream(stream, now)?.epoch != token.stream_epoch {
            return Err(self.settings.stream_not_found(stream));
        }
        Ok(token)
    }

    /// Counts a call against a rate of the stream, where there is such a stream.
    fn count_consumer_call(
        &mut self,
        operation: Operation,
        name: &str,
        now: Moment,
    ) -> Result<(), ServiceError> {
        let metered = self.settings.limits == Limits::Enforced;
        let Stream { consumers, .. } = self.stream(name, now)?;
        let calls = match operation {
            Operation::DescribeStreamConsumer => &mut consumers.describe_calls,
            Operation::DeregisterStreamConsumer => &mut consumers.deregister_calls,
            _ => &mut consumers.list_calls,
        };
        if !metered || calls.take(1, now) {
            return Ok(());
        }
        Err(self.settings.consumer_rate_exceeded(operation, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arn_of_a_consumer_is_that_of_its_stream_its_name_and_a_second() {
        let stream = "arn:aws:kinesis:us-east-1:000000000000:stream/s";
        let arn = format!("{stream}/consumer/c.1:1767225600");
        let parsed = ConsumerArn::parse(&arn).unwrap();
        assert_eq!(
            (parsed.stream_arn, parsed.name, parsed.created),
            (stream, "c.1", "1767225600")
        );
        for tail in [
            "",
            "/consumer/",
            "/consumer/c",
            "/consumer/c:",
            "/consumer/c:x",
            "/consumer/a/b:1",
            "/consumer/:1",
        ] {
            assert_eq!(
                ConsumerArn::parse(&format!("{stream}{tail}")),
                None,
                "{tail}"
            );
        }
        assert_eq!(
            ConsumerArn::parse("arn:aws:kinesis:us-east-1:0:stream/s/consumer/c:1"),
            None
        );
    }
}
