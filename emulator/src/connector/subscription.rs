//! The body of a SubscribeToShard answer: events, as the shard and the time bring them.
//!
//! Nothing runs beside it. It does its work when it is polled: a client that does not read is pushed
//! nothing, and is told what came meanwhile when it reads again.

use super::body::BoxError;
use super::exchange::connection_reset;
use crate::calls::{CallId, Outcome};
use crate::error::ServiceError;
use crate::faults::{EventAt, EventFault};
use crate::hub::Core;
use crate::service::{Event, Push, Subscription};
use crate::wire::{self, Protocol};
use bytes::Bytes;
use http_body::{Body, Frame};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// What befalls one of the events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mishap {
    pub(super) at: EventAt,
    pub(super) fault: EventFault,
}

pub(super) struct Events {
    core: Arc<Core>,
    link: Arc<str>,
    protocol: Protocol,
    subscription: Subscription,
    mishap: Option<Mishap>,
    call: Option<CallId>,
    /// How many events, and how many records in them.
    pushed: u64,
    records: usize,
    stage: Stage,
    timer: Pin<Box<Sleep>>,
}

enum Stage {
    /// The shard is watched; the timer is for what time alone brings.
    Watching,
    /// On its way until the timer is over.
    Sent(Bytes, Then),
    /// Neither events nor an end will come.
    Silent,
    Reset,
    Over,
}

/// What follows a message.
#[derive(Clone, Copy)]
enum Then {
    Watch,
    End,
    Reset,
}

type Polled = Poll<Option<Result<Frame<Bytes>, BoxError>>>;

impl Events {
    /// `late` is how long the first message is behind the headers.
    pub(super) fn new(
        core: &Arc<Core>,
        link: &str,
        protocol: Protocol,
        subscription: Subscription,
        mishap: Option<Mishap>,
        call: Option<CallId>,
        late: Duration,
    ) -> Self {
        let first = wire::initial_response(protocol).into();
        Self {
            core: Arc::clone(core),
            link: link.into(),
            protocol,
            subscription,
            mishap,
            call,
            pushed: 0,
            records: 0,
            stage: Stage::Sent(first, Then::Watch),
            timer: Box::pin(sleep_until(Instant::now() + late)),
        }
    }

    fn log(&self, outcome: Outcome) {
        if let Some(call) = self.call {
            self.core.finish(call, self.records, outcome);
        }
    }

    /// Sends a message off: it takes as long as an answer's way back.
    fn send(&mut self, message: Vec<u8>, late: Duration, then: Then) {
        let arrival = Instant::now() + self.core.latency / 2 + late;
        self.timer.as_mut().reset(arrival);
        self.stage = Stage::Sent(message.into(), then);
    }

    fn send_event(&mut self, event: &Event) {
        let number = self.pushed;
        self.pushed += 1;
        let meets = |mishap: &mut Mishap| match mishap.at {
            EventAt::Number(at) => at == number,
            EventAt::Last => event.is_last(),
        };
        let fault = self.mishap.take_if(meets).map(|mishap| mishap.fault);
        let mut message = wire::event(self.protocol, event);
        let then = if event.is_last() {
            Then::End
        } else {
            Then::Watch
        };
        match fault {
            Some(EventFault::Reset) => {
                self.send(Vec::new(), Duration::ZERO, Then::Reset);
                return;
            }
            Some(EventFault::Truncated) => {
                message.truncate(message.len() / 2);
                self.send(message, Duration::ZERO, Then::Reset);
                return;
            }
            Some(EventFault::Hang) => {
                self.stage = Stage::Silent;
                return;
            }
            Some(EventFault::Refuse(code)) => {
                self.refuse(&ServiceError::new(code, "Refused by an injected fault."));
                return;
            }
            Some(EventFault::Delay(late)) => self.send(message, late, then),
            None => self.send(message, Duration::ZERO, then),
        }
        self.records += event.records.len();
        self.log(Outcome::Ok);
    }

    fn refuse(&mut self, error: &ServiceError) {
        self.log(Outcome::Refused(error.code()));
        let message = wire::exception(self.protocol, error);
        self.send(message, Duration::ZERO, Then::End);
    }

    fn reset(&mut self) -> Polled {
        self.log(Outcome::AnswerLost);
        self.stage = Stage::Over;
        let error = connection_reset("connection reset by peer");
        Poll::Ready(Some(Err(error.into())))
    }

    /// Asks the shard for what is next; ready when the stage is another one.
    fn watch(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            let (push, now) = self.core.push(&mut self.subscription);
            match push {
                Push::Event(event) => self.send_event(&event),
                Push::Over => self.stage = Stage::Over,
                Push::Broken(error) => self.refuse(&error),
                Push::Wait(until) => {
                    self.timer.as_mut().reset(Instant::now() + until.since(now));
                    ready!(self.timer.as_mut().poll(context));
                    continue;
                }
            }
            return Poll::Ready(());
        }
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Polled {
        let this = &mut *self;
        loop {
            match &this.stage {
                Stage::Over => return Poll::Ready(None),
                Stage::Reset => return this.reset(),
                Stage::Watching | Stage::Sent(..) | Stage::Silent => {}
            }
            // First of all, so that no change between the look and the wait is missed.
            this.core.listen(&this.subscription, context.waker());
            if this.core.is_hung_up(&this.link) {
                return this.reset();
            }
            match &mut this.stage {
                Stage::Silent => return Poll::Pending,
                Stage::Sent(message, then) => {
                    ready!(this.timer.as_mut().poll(context));
                    let message = std::mem::take(message);
                    this.stage = match then {
                        Then::Watch => Stage::Watching,
                        Then::End => Stage::Over,
                        Then::Reset => Stage::Reset,
                    };
                    if !message.is_empty() {
                        return Poll::Ready(Some(Ok(Frame::data(message))));
                    }
                }
                _ => ready!(this.watch(context)),
            }
        }
    }
}
