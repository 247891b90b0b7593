//! What the clones of a handle share: the service, the wires to it, and who listens.

use crate::Operation;
use crate::arrivals::{Arrival, Watcher};
use crate::bells::Bells;
use crate::calls::{Call, CallId, CallLog, Outcome, Scope};
use crate::clock::{EmulatorClock, Skew};
use crate::error::ServiceError;
use crate::faults::{FaultBook, Struck};
use crate::service::request::Request;
use crate::service::{Answer, Moment, Push, Service, Subscription, Twist};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) clock: EmulatorClock,
    pub(crate) skew: Skew,
    pub(crate) region: String,
    pub(crate) latency: Duration,
    pub(crate) service: Mutex<Service>,
    watcher: Mutex<Watcher>,
    bells: Mutex<Bells>,
    pub(crate) wires: Mutex<Wires>,
    #[cfg(feature = "dynamodb")]
    pub(crate) tables: crate::dynamodb::Side,
}

/// What lies between clients and the service.
#[derive(Debug)]
pub(crate) struct Wires {
    pub(crate) faults: FaultBook,
    pub(crate) calls: CallLog,
    all_cut: bool,
    /// No subscription goes on.
    hung_up: bool,
    cut: BTreeSet<String>,
    requests: u64,
}

/// A panic elsewhere must not turn every later assertion of a test into a poisoned lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Core {
    pub(crate) fn new(
        service: Service,
        clock: EmulatorClock,
        skew: Skew,
        region: String,
        latency: Duration,
        log: usize,
        #[cfg(feature = "dynamodb")] tables: crate::dynamodb::Side,
    ) -> Self {
        let seed = service.settings.seed;
        Self {
            clock,
            skew,
            region,
            latency,
            service: Mutex::new(service),
            watcher: Mutex::default(),
            bells: Mutex::default(),
            wires: Mutex::new(Wires {
                faults: FaultBook::new(seed),
                calls: CallLog::new(log),
                all_cut: false,
                hung_up: false,
                cut: BTreeSet::new(),
                requests: 0,
            }),
            #[cfg(feature = "dynamodb")]
            tables,
        }
    }

    pub(crate) fn scope(&self, request: &Request) -> Scope {
        lock(&self.service).scope(request, self.clock.moment())
    }

    pub(crate) fn answer(
        &self,
        request: Request,
        scope: &Scope,
        twist: &Twist,
        link: &str,
    ) -> Result<Answer, ServiceError> {
        let operation = request.operation();
        let mut service = lock(&self.service);
        let answer = service.answer(request, twist, self.clock.moment());
        self.tell(&mut service, link);
        drop(service);
        // A new subscription may end an older one.
        let changes = operation.is_change() || operation == Operation::SubscribeToShard;
        let heard = changes && !lock(&self.bells).is_empty();
        if let (true, Ok(answer)) = (heard, &answer) {
            self.ring(&Scope {
                stream: scope.stream.clone(),
                shards: answer.changed_shards(),
            });
        }
        answer
    }

    pub(crate) fn watch(&self, watcher: Watcher) {
        lock(&self.service).arrivals = Some(Vec::new());
        *lock(&self.watcher) = watcher;
    }

    /// While the service is locked: what is told is told in the order in which it was stored.
    pub(crate) fn tell(&self, service: &mut Service, link: &str) {
        let Some(arrivals) = service.arrivals.as_mut().filter(|told| !told.is_empty()) else {
            return;
        };
        if let Some(told) = &mut lock(&self.watcher).0 {
            for arrival in arrivals.drain(..) {
                told(Arrival {
                    link: link.to_owned(),
                    ..arrival
                });
            }
        }
    }

    /// What a subscription is pushed now, and the time that it is.
    pub(crate) fn push(&self, subscription: &mut Subscription) -> (Push, Moment) {
        let mut service = lock(&self.service);
        let now = self.clock.moment();
        (service.push(subscription, now), now)
    }

    /// Has a connection polled again when its shard may have changed.
    pub(crate) fn listen(&self, subscription: &Subscription, waker: &Waker) {
        lock(&self.bells).listen(&subscription.stream, subscription.shard, waker);
    }

    pub(crate) fn ring(&self, changed: &Scope) {
        let woken = lock(&self.bells).about(changed);
        woken.iter().for_each(Waker::wake_by_ref);
    }

    pub(crate) fn ring_all(&self) {
        let woken = lock(&self.bells).all();
        woken.iter().for_each(Waker::wake_by_ref);
    }

    /// Ends all subscriptions, as a server that goes away does.
    #[cfg(feature = "server")]
    pub(crate) fn hang_up(&self) {
        lock(&self.wires).hung_up = true;
        self.ring_all();
    }

    pub(crate) fn is_hung_up(&self, link: &str) -> bool {
        self.is_cut(link) || lock(&self.wires).hung_up
    }

    /// The streams as they stand, and the time. A copy: writing it holds up nobody.
    pub(crate) fn streams(&self) -> (Service, Moment) {
        let service = lock(&self.service);
        (service.clone(), self.clock.moment())
    }

    /// Comes after an emulator that it replaces: what was handed out there is refused here, also
    /// within the same second.
    #[cfg(feature = "server")]
    pub(crate) fn come_after(&self, replaced: &Self) {
        let epoch = lock(&replaced.service).epoch;
        lock(&self.service).epoch = epoch;
    }

    /// How often requests may have changed a stream.
    pub(crate) fn changes(&self) -> u64 {
        lock(&self.service).changes
    }

    pub(crate) fn begin(&self, call: Call) -> CallId {
        lock(&self.wires).calls.begin(call)
    }

    pub(crate) fn finish(&self, call: CallId, records: usize, outcome: Outcome) {
        lock(&self.wires).calls.finish(call, records, outcome);
    }

    pub(crate) fn strike(&self, operation: Operation, scope: &Scope, link: &str) -> Option<Struck> {
        lock(&self.wires).faults.strike(operation, scope, link)
    }

    pub(crate) fn is_cut(&self, link: &str) -> bool {
        let wires = lock(&self.wires);
        wires.all_cut || wires.cut.contains(link)
    }

    pub(crate) fn set_cut(&self, link: Option<&str>, cut: bool) {
        let mut wires = lock(&self.wires);
        match (link, cut) {
            (None, _) => wires.all_cut = cut,
            (Some(link), true) => {
                wires.cut.insert(link.to_owned());
            }
            (Some(link), false) => {
                wires.cut.remove(link);
            }
        }
        drop(wires);
        self.ring_all();
    }

    pub(crate) fn request_id(&self) -> String {
        let mut wires = lock(&self.wires);
        wires.requests += 1;
        format!("00000000-0000-4000-8000-{:012x}", wires.requests)
    }
}
