//! Where a worker's records are while something is done about them: handlers in slots, dead letters and replies in the post.

use std::{
    future::Future,
    sync::Arc,
    task::{Context, Poll},
};

use super::{
    desk::{Desk, Ended, NotBegun},
    gate::Gate,
    post::{Delivered, Post, Posted},
    share::{Permit, Share},
    slots::Slots,
    worker::Assignment,
};

#[derive(Debug)]
pub(super) struct Floor<F> {
    slots: Slots<F>,
    post: Post,
    share: Share,
}

/// Something has moved on the floor.
pub(super) enum Moved {
    Ended(Ended),
    Posted(Posted),
    /// It is the shard's turn to begin a record.
    Turn,
}

impl<F: Future<Output = Ended>> Floor<F> {
    pub(super) fn new(shard: &Assignment, gate: &Arc<Gate>) -> Self {
        Self {
            slots: Slots::new(shard.rules.concurrency as usize),
            post: Post::new(shard, Arc::clone(gate)),
            share: Share::new(shard.rules.total.clone()),
        }
    }

    pub(super) fn running(&self) -> usize {
        self.slots.running() + self.post.len()
    }

    /// Whether a record could begin but for the other shards of its handler.
    pub(super) fn waits_for_turn(&self) -> bool {
        self.share.waits()
    }

    pub(super) fn has_idle_slot(&self) -> bool {
        self.slots.has_idle()
    }

    /// Begins what there is room for, if anything may begin.
    pub(super) fn begin<B>(
        &mut self,
        desk: &mut Desk,
        begins: bool,
        next: impl Fn(&mut Desk) -> Option<B>,
        attempt: impl Fn(B, Permit) -> F,
    ) {
        while begins
            && let Some((route, place, job, parcel)) =
                desk.next_parcel(|route| self.post.has_room(route))
        {
            self.post.send(route, place, job, parcel);
        }
        while begins
            && self.slots.has_idle()
            && desk.has_ready()
            && let Some(permit) = self.share.take()
            && let Some(begun) = next(desk)
        {
            self.slots.start(attempt(begun, permit));
        }
        if !(begins && self.slots.has_idle() && desk.has_ready()) {
            self.share.leave();
        }
    }

    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Moved> {
        // First: whoever is not polled stands in no queue, and slots that are always ready would keep it from that.
        if self.share.poll(cx).is_ready() {
            return Poll::Ready(Moved::Turn);
        }
        if let Poll::Ready(ended) = self.slots.poll_next(cx) {
            return Poll::Ready(Moved::Ended(ended));
        }
        self.post.poll_next(cx).map(|delivered| match delivered {
            Delivered::Letter(posted) => Moved::Posted(posted),
            Delivered::Replies(ended) => Moved::Ended(ended),
        })
    }

    pub(super) fn drop_all(&mut self) {
        self.slots.drop_all();
        self.post.drop_all();
    }
}

impl Moved {
    /// It was not begun, for the deadline has passed.
    pub(super) fn is_late(&self) -> bool {
        match self {
            Self::Ended(ended) => ended.is_late(),
            Self::Posted(posted) => posted.stored.as_ref().err() == Some(&NotBegun::Late),
            Self::Turn => false,
        }
    }
}
