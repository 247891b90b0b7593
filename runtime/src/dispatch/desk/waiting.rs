//! Records that have not ended, as their handler takes them: one by one, or in batches.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use tokio::time::Instant;

use super::Job;
use crate::{
    dispatch::{
        batches::queue::{Entry, Group, Patience, Queue},
        lanes::{Lane, Lanes, Ticket},
    },
    spec::BatchSpec,
};

/// Where a record that has begun keeps its lane closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dispatch) enum Place {
    Lanes(Ticket),
    Queue { number: u64, lane: Lane },
}

#[derive(Debug)]
pub(super) struct Waiting {
    rows: Rows,
    /// Parked records that wait for a time.
    retries: BinaryHeap<Reverse<(Instant, Place)>>,
}

#[derive(Debug)]
enum Rows {
    Lanes(Lanes<Job>),
    Queue {
        queue: Queue<Job>,
        /// Records that are in no batch any more, and have not ended: their dead letters are not stored.
        parked: BTreeMap<u64, (Lane, Job)>,
    },
}

const ONE_KIND: &str = "a worker has one kind of handler";

impl Waiting {
    pub(super) fn new(batch: Option<BatchSpec>) -> Self {
        let rows = match batch {
            None => Rows::Lanes(Lanes::new()),
            Some(batch) => Rows::Queue {
                queue: Queue::new(batch.max_records, batch.max_wait),
                parked: BTreeMap::new(),
            },
        };
        Self {
            rows,
            retries: BinaryHeap::new(),
        }
    }

    /// Adds a record behind all of its lane. `now` is when its page came.
    pub(super) fn push(&mut self, lane: Lane, job: Job, now: Instant) {
        match &mut self.rows {
            Rows::Lanes(lanes) => lanes.push(lane, job),
            Rows::Queue { queue, .. } => queue.push(Entry {
                number: job.number,
                lane,
                ready_at: now,
                item: job,
            }),
        }
    }

    /// The next record of a handler that takes one at a time.
    pub(super) fn begin(&mut self) -> Option<(Place, Job)> {
        match &mut self.rows {
            Rows::Lanes(lanes) => {
                let (ticket, job) = lanes.begin()?;
                Some((Place::Lanes(ticket), job))
            }
            Rows::Queue { .. } => None,
        }
    }

    /// The next batch of a handler that takes batches.
    pub(super) fn begin_batch(&mut self, patience: Patience) -> Option<Group<Job>> {
        self.queue()?.next(Instant::now(), patience)
    }

    /// A begun record has ended for good.
    pub(super) fn end(&mut self, place: Place) {
        match (&mut self.rows, place) {
            (Rows::Lanes(lanes), Place::Lanes(ticket)) => lanes.end(ticket),
            (Rows::Queue { queue, .. }, Place::Queue { number, lane }) => queue.end(lane, number),
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// A begun record is put aside, and keeps its lane closed, until it is [taken back](Self::take_back) or begins
    /// [again](Self::again).
    pub(super) fn park(&mut self, place: Place, job: Job) {
        match (&mut self.rows, place) {
            (Rows::Lanes(lanes), Place::Lanes(ticket)) => lanes.park(ticket, job),
            (Rows::Queue { parked, .. }, Place::Queue { number, lane }) => {
                parked.insert(number, (lane, job));
            }
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// A parked record.
    pub(super) fn parked(&self, place: Place) -> Option<&Job> {
        match (&self.rows, place) {
            (Rows::Lanes(lanes), Place::Lanes(ticket)) => lanes.parked(ticket),
            (Rows::Queue { parked, .. }, Place::Queue { number, .. }) => {
                parked.get(&number).map(|(_, job)| job)
            }
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// Takes a parked record back without a turn.
    pub(super) fn take_back(&mut self, place: Place) -> Option<Job> {
        match (&mut self.rows, place) {
            (Rows::Lanes(lanes), Place::Lanes(ticket)) => lanes.take_back(ticket),
            (Rows::Queue { parked, .. }, Place::Queue { number, .. }) => {
                parked.remove(&number).map(|(_, job)| job)
            }
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// A parked record may begin.
    pub(super) fn again(&mut self, place: Place) {
        let now = Instant::now();
        match (&mut self.rows, place) {
            (Rows::Lanes(lanes), Place::Lanes(ticket)) => lanes.again(ticket),
            (Rows::Queue { queue, parked }, Place::Queue { number, lane }) => {
                if let Some((_, job)) = parked.remove(&number) {
                    wait_in(queue, number, lane, job, now);
                }
            }
            _ => unreachable!("{ONE_KIND}"),
        }
    }

    /// A begun record waits for `due`, for its next attempt or the next try at its letter; its lane stays closed.
    pub(super) fn wait(&mut self, place: Place, job: Job, due: Instant) {
        if let (Rows::Queue { queue, .. }, Place::Queue { number, lane }) = (&mut self.rows, place)
            && job.parcel.is_none()
        {
            return wait_in(queue, number, lane, job, due);
        }
        self.park(place, job);
        self.retries.push(Reverse((due, place)));
    }

    /// When time alone lets something begin. A batch that is due and may not begin for now, for another one runs, waits for no time: a
    /// timer for it would go off again and again.
    pub(super) fn due(&self, batch_may_begin: bool) -> Option<Instant> {
        let parked = self.retries.peek().map(|Reverse((due, _))| *due);
        let batch = match &self.rows {
            Rows::Queue { queue, .. } if batch_may_begin => queue.due(),
            Rows::Queue { .. } | Rows::Lanes(_) => None,
        };
        parked.into_iter().chain(batch).min()
    }

    /// A parked record whose time has come.
    pub(super) fn pop_due(&mut self) -> Option<Place> {
        let Reverse((due, place)) = *self.retries.peek()?;
        (due <= Instant::now()).then(|| {
            self.retries.pop();
            place
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        match &self.rows {
            Rows::Lanes(lanes) => lanes.is_empty(),
            Rows::Queue { queue, .. } => queue.is_empty(),
        }
    }

    /// How many records could begin now.
    pub(super) fn ready(&self) -> usize {
        match &self.rows {
            Rows::Lanes(lanes) => lanes.ready(),
            Rows::Queue { queue, .. } => queue.ready(),
        }
    }

    /// Whether it is worth to ask for what begins next.
    pub(super) fn has_ready(&self) -> bool {
        match &self.rows {
            Rows::Lanes(lanes) => lanes.ready() > 0,
            Rows::Queue { queue, .. } => !queue.is_empty(),
        }
    }

    /// Forgets what waits from this number on.
    pub(super) fn cut(&mut self, from: u64) {
        match &mut self.rows {
            Rows::Lanes(lanes) => lanes.cut(|job| job.number >= from),
            Rows::Queue { queue, parked } => {
                for (number, (lane, _)) in parked.split_off(&from) {
                    queue.end(lane, number);
                }
                queue.cut(from);
            }
        }
    }

    /// Forgets all that waits: what has begun still keeps its lane closed.
    pub(super) fn clear(&mut self) {
        self.cut(0);
        self.retries.clear();
    }

    /// Records that wait, in no order.
    pub(super) fn waiting_mut(&mut self) -> Box<dyn Iterator<Item = &mut Job> + '_> {
        match &mut self.rows {
            Rows::Lanes(lanes) => Box::new(lanes.waiting_mut()),
            Rows::Queue { queue, parked } => {
                let parked = parked.values_mut().map(|(_, job)| job);
                Box::new(queue.waiting_mut().chain(parked))
            }
        }
    }

    /// The queue of a handler that takes batches.
    pub(super) fn queue(&mut self) -> Option<&mut Queue<Job>> {
        match &mut self.rows {
            Rows::Lanes(_) => None,
            Rows::Queue { queue, .. } => Some(queue),
        }
    }
}

fn wait_in(queue: &mut Queue<Job>, number: u64, lane: Lane, job: Job, due: Instant) {
    queue.end(lane, number);
    queue.wait(Entry {
        number,
        lane,
        ready_at: due,
        item: job,
    });
}
