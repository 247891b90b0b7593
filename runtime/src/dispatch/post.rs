//! Dead letters and replies under way. They take no slot: a stream that takes none keeps no other key from its handler.

use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use kinesis_app_rules::defaults;

use super::{
    dead_letter::{self, Letter, NotStored, Origin},
    desk::{Ended, EndedRecord, Job, NotBegun, Place},
    gate::Gate,
    store,
    worker::Assignment,
};
use crate::{app::directory::Directory, publish::Outbox, record::text::SharedText};

/// What is to be stored for a record.
#[derive(Debug)]
pub(super) enum Parcel {
    Letter(Box<Letter>),
    Replies(Outbox),
}

/// Parcels of one route stand in one line: those to one stream, and apart from them those that it did not take before. A try at a stream
/// that takes nothing lasts up to a minute, and what goes elsewhere, or there for the first time, finds room meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route {
    /// The name of the stream's struct.
    to: &'static str,
    tries: Tries,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tries {
    First,
    Another,
}

impl Route {
    /// `failures` counts the tries at this parcel.
    pub(super) fn new(parcel: &Parcel, failures: u32) -> Self {
        Self {
            to: match parcel {
                Parcel::Letter(letter) => letter.to.label,
                Parcel::Replies(outbox) => outbox.label(),
            },
            tries: if failures == 0 {
                Tries::First
            } else {
                Tries::Another
            },
        }
    }
}

pub(super) enum Delivered {
    Letter(Posted),
    /// Whether or not they were stored.
    Replies(Ended),
}

/// A letter that was stored, or was not.
pub(super) struct Posted {
    pub(super) place: Place,
    pub(super) job: Job,
    pub(super) letter: Box<Letter>,
    pub(super) stored: Result<Result<(), NotStored>, NotBegun>,
}

type UnderWay = Pin<Box<dyn Future<Output = (Route, Delivered)> + Send>>;

pub(super) struct Post {
    under_way: FuturesUnordered<UnderWay>,
    /// How many of each route.
    routes: BTreeMap<Route, usize>,
    sender: Arc<Sender>,
}

/// Who stores, and whence the records are.
struct Sender {
    handler: &'static str,
    stream: Arc<str>,
    shard_id: SharedText,
    directory: Arc<Directory>,
    gate: Arc<Gate>,
}

impl Post {
    pub(super) fn new(shard: &Assignment, gate: Arc<Gate>) -> Self {
        Self {
            under_way: FuturesUnordered::new(),
            routes: BTreeMap::new(),
            sender: Arc::new(Sender {
                handler: shard.rules.label,
                stream: Arc::clone(&shard.rules.stream),
                shard_id: shard.shard_id.clone(),
                directory: Arc::clone(&shard.directory),
                gate,
            }),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.under_way.len()
    }

    pub(super) fn has_room(&self, route: Route) -> bool {
        let under_way = self.routes.get(&route);
        under_way.is_none_or(|under_way| *under_way < defaults::PARCELS_AT_A_TIME)
    }

    pub(super) fn send(&mut self, route: Route, place: Place, job: Job, parcel: Parcel) {
        *self.routes.entry(route).or_default() += 1;
        let sender = Arc::clone(&self.sender);
        self.under_way.push(Box::pin(async move {
            let delivered = match parcel {
                Parcel::Letter(letter) => sender.send_letter(place, job, letter).await,
                Parcel::Replies(replies) => sender.send_replies(place, job, replies).await,
            };
            (route, delivered)
        }));
    }

    /// The next answer. Pending for ever while nothing is under way.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Delivered> {
        match self.under_way.poll_next_unpin(cx) {
            Poll::Ready(Some((route, delivered))) => {
                if let Some(under_way) = self.routes.get_mut(&route) {
                    *under_way = under_way.saturating_sub(1);
                }
                Poll::Ready(delivered)
            }
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }

    pub(super) fn drop_all(&mut self) {
        self.under_way.clear();
        self.routes.clear();
    }
}

impl Sender {
    async fn send_letter(&self, place: Place, job: Job, letter: Box<Letter>) -> Delivered {
        let origin = Origin {
            handler: self.handler,
            stream: &self.stream,
            shard_id: &self.shard_id,
        };
        let stored = match self.gate.lets_begin(job.reading) {
            Err(why) => Err(why),
            Ok(()) => Ok(dead_letter::store(&self.directory, origin, &job, &letter).await),
        };
        Delivered::Letter(Posted {
            place,
            job,
            letter,
            stored,
        })
    }

    async fn send_replies(&self, place: Place, job: Job, replies: Outbox) -> Delivered {
        let settled = match self.gate.lets_begin(job.reading) {
            Err(why) => Err(why),
            Ok(()) => Ok(store::replies(replies, &self.directory).await),
        };
        Delivered::Replies(Ended::Record(EndedRecord {
            place,
            job,
            settled,
        }))
    }
}

impl fmt::Debug for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Post")
            .field("under_way", &self.len())
            .finish_non_exhaustive()
    }
}
