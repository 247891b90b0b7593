//! SubscribeToShard: how a subscription begins, and what it is pushed next.

use super::consumer::{Consumer, ConsumerPhase};
use super::read::millis_behind;
use super::record::Record;
use super::registry::ConsumerRef;
use super::request::Start;
use super::run::Run;
use super::shard::{Child, Shard, shard_id, shard_index};
use super::stream::Stream;
use super::{Limits, Moment, Service, Settings};
use crate::Operation;
use crate::error::{ErrorCode, ServiceError};
use crate::limits;

/// One connection of a consumer to a shard, as far as it has come. The connection keeps it.
#[derive(Clone, Debug)]
pub(crate) struct Subscription {
    pub(crate) stream: String,
    stream_epoch: u64,
    consumer: String,
    /// Tells the consumer from a later one of its name.
    registered: Moment,
    pub(crate) shard: u32,
    /// Of the consumer at this shard: the next one takes over.
    turn: u64,
    since: Moment,
    position: Position,
    /// When it was pushed something last.
    pushed: Moment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// The lowest ordinal that was not pushed yet.
    At(u64),
    /// The shard's end was told, or an error.
    Ended,
}

/// What one event says.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) records: Vec<Record>,
    /// Absent at the end of a closed shard.
    pub(crate) continuation: Option<String>,
    pub(crate) millis_behind: u64,
    /// Only at the end of a closed shard.
    pub(crate) children: Vec<Child>,
}

/// What a subscription is to do now.
#[derive(Debug)]
pub(crate) enum Push {
    Event(Event),
    /// Nothing before this moment, unless something changes.
    Wait(Moment),
    /// The connection is over: its five minutes, or the shard.
    Over,
    /// The connection ends with this.
    Broken(ServiceError),
}

impl Settings {
    fn subscribed_elsewhere(&self, stream: &str, shard: u32, consumer: &str) -> ServiceError {
        ServiceError::new(
            ErrorCode::ResourceInUse,
            format!(
                "Another active subscription exists for this consumer: {}:{stream}:{}:{consumer}",
                self.account,
                shard_id(shard)
            ),
        )
    }

    fn subscribed_too_often(&self, stream: &str, shard: &str, consumer: &str) -> ServiceError {
        ServiceError::new(
            ErrorCode::LimitExceeded,
            format!(
                "Rate exceeded for consumer {consumer} on shard {shard} in stream {stream} under account {}.",
                self.account
            ),
        )
    }

    fn consumer_not_active(&self, stream: &str, name: &str, consumer: &Consumer) -> ServiceError {
        ServiceError::new(
            ErrorCode::ResourceInUse,
            format!(
                "Consumer {name} with creation timestamp {} under stream {stream} and account {} is not in ACTIVE status.",
                consumer.created.seconds(),
                self.account
            ),
        )
    }
}

impl Service {
    pub(crate) fn subscribe(
        &mut self,
        consumer: &ConsumerRef,
        shard: &str,
        start: &Start,
        run: Run,
        now: Moment,
    ) -> Result<Subscription, ServiceError> {
        let (name, consumer_name) = self.resolve_consumer(consumer)?;
        let registered = self.consumer(consumer, now)?.created;
        let stream_epoch = self.serving(&name, now)?.epoch;
        let settings = &self.settings;
        let index = shard_index(shard);
        let stream = index.zip(self.streams.get_mut(&name));
        let found = stream.map(|(index, stream)| {
            let (shard, consumer) = stream.shard_and_consumer(index, &consumer_name, now);
            (index, shard, consumer)
        });
        let Some((index, Some(found), Some(consumer))) = found else {
            return Err(settings.shard_not_found(&name, shard));
        };
        if consumer.phase != ConsumerPhase::Active {
            return Err(settings.consumer_not_active(&name, &consumer_name, consumer));
        }
        let reading = consumer.reading(index, now);
        let counted = run.count(&mut reading.calls, now);
        let recent = |since: Moment| now.since(since) < limits::SUBSCRIBE_AGAIN_AFTER;
        if reading.since.is_some_and(recent) {
            return Err(settings.subscribed_elsewhere(&name, index, &consumer_name));
        }
        if settings.limits == Limits::Enforced && !counted {
            return Err(settings.subscribed_too_often(&name, shard, &consumer_name));
        }
        let ordinal = found.ordinal_of(start, now).map_err(|fault| {
            fault.refusal(Operation::SubscribeToShard, shard, &name, &settings.account)
        })?;
        run.go_on()?;
        reading.turn += 1;
        reading.since = Some(now);
        let turn = reading.turn;
        Ok(Subscription {
            stream: name,
            stream_epoch,
            consumer: consumer_name,
            registered,
            shard: index,
            turn,
            since: now,
            position: Position::At(ordinal),
            pushed: now,
        })
    }

    /// What the subscription is pushed now. An event counts as pushed.
    pub(crate) fn push(&mut self, subscription: &mut Subscription, now: Moment) -> Push {
        let pushed = match subscription.position {
            Position::Ended => return Push::Over,
            Position::At(_) if subscription.over() <= now => Push::Over,
            Position::At(next) => self
                .push_from(next, subscription, now)
                .unwrap_or_else(Push::Broken),
        };
        subscription.note(&pushed, now);
        pushed
    }

    fn push_from(
        &mut self,
        next: u64,
        subscription: &Subscription,
        now: Moment,
    ) -> Result<Push, ServiceError> {
        let Subscription {
            stream: name,
            consumer: consumer_name,
            shard: index,
            ..
        } = subscription;
        self.settle_one(name, now);
        let settings = &self.settings;
        let same = |stream: &&mut Stream| {
            stream.phase.serves() && stream.epoch == subscription.stream_epoch
        };
        let stream = self.streams.get_mut(name).filter(same);
        let stream = stream.ok_or_else(|| settings.stream_not_found(name))?;
        let due = stream.due();
        let (shard, consumer) = stream.shard_and_consumer(*index, consumer_name, now);
        let consumer = consumer.filter(|consumer| {
            consumer.created == subscription.registered && consumer.phase == ConsumerPhase::Active
        });
        let consumer = consumer.ok_or_else(|| settings.consumer_not_found(name, consumer_name))?;
        let reading = consumer.reading(*index, now);
        if reading.turn != subscription.turn {
            return Err(settings.subscribed_elsewhere(name, *index, consumer_name));
        }
        let shard = shard.ok_or_else(|| settings.shard_not_found(name, &shard_id(*index)))?;

        let unread = shard.records.get(shard.seek(next)).is_some();
        let clear = match settings.limits {
            Limits::Enforced => reading.bytes.clear_at(now),
            Limits::Off => now,
        };
        let ready = if unread {
            clear <= now
        } else {
            shard.closed.is_some()
        };
        let beat = subscription.pushed.plus(limits::SUBSCRIPTION_HEARTBEAT);
        if ready {
            let event = Event::of(shard, next, now);
            let bytes = event.records.iter().map(Record::size).sum();
            reading.bytes.charge(bytes, now);
            Ok(Push::Event(event))
        } else if beat <= now {
            Ok(Push::Event(Event::heartbeat(shard, next, now)))
        } else {
            let others = [Some(subscription.over()), due, unread.then_some(clear)];
            let first = others.into_iter().flatten().fold(beat, Moment::min);
            Ok(Push::Wait(first))
        }
    }
}

impl Subscription {
    fn over(&self) -> Moment {
        self.since.plus(limits::SUBSCRIPTION_LIFETIME)
    }

    fn note(&mut self, pushed: &Push, now: Moment) {
        match pushed {
            Push::Wait(_) => {}
            Push::Over | Push::Broken(_) => self.position = Position::Ended,
            Push::Event(event) => {
                self.pushed = now;
                match (&event.continuation, event.records.last()) {
                    (None, _) => self.position = Position::Ended,
                    (Some(_), Some(last)) => self.position = Position::At(last.ordinal + 1),
                    (Some(_), None) => {}
                }
            }
        }
    }
}

impl Event {
    /// The records from an ordinal on, or the end of a closed shard, or both.
    fn of(shard: &Shard, next: u64, now: Moment) -> Self {
        let begin = shard.seek(next);
        let mut bytes = 0;
        let fits = |record: &&Record| {
            let first = bytes == 0;
            bytes += record.size();
            first || bytes <= limits::EVENT_BYTES
        };
        let records = shard.records.range(begin..).take(limits::EVENT_RECORDS);
        let records: Vec<Record> = records.take_while(fits).cloned().collect();
        let unread = shard.records.get(begin + records.len());
        let (continuation, children) = match (&shard.closed, records.last(), unread) {
            (Some(closed), _, None) => (None, closed.children.clone()),
            (_, Some(last), _) => (Some(last.number.to_string()), Vec::new()),
            (_, None, _) => (Some(shard.before(next, now)), Vec::new()),
        };
        Self {
            millis_behind: millis_behind(unread, records.last(), now),
            records,
            continuation,
            children,
        }
    }

    /// That nothing came: how far the shard has come meanwhile.
    fn heartbeat(shard: &Shard, next: u64, now: Moment) -> Self {
        let unread = shard.records.get(shard.seek(next));
        Self {
            records: Vec::new(),
            continuation: Some(shard.before(next, now)),
            millis_behind: millis_behind(unread, None, now),
            children: Vec::new(),
        }
    }

    /// Whether the shard ends with it.
    pub(crate) const fn is_last(&self) -> bool {
        self.continuation.is_none()
    }
}

impl Shard {
    /// A number behind all that lies before an ordinal: it grows with the time, also where no record
    /// comes.
    fn before(&self, next: u64, now: Moment) -> String {
        self.sequence(next.saturating_sub(1), now).to_string()
    }
}
