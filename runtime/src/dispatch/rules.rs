//! What a worker goes by: the settings of its handler, as it needs them.

use std::{sync::Arc, time::Duration};

use kinesis_app_rules::defaults;
use tokio::sync::Semaphore;

use super::{policy::Policy, retry::Backoff};
use crate::spec::{BatchSpec, HandlerSpec, Order};

/// What a worker goes by.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) concurrency: u32,
    pub(crate) order: Order,
    pub(crate) batch: Option<BatchSpec>,
    pub(crate) policy: Policy,
    pub(crate) timeout: Option<Duration>,
    /// Of the handler in this process; `None` sets no limit.
    pub(crate) total: Option<Arc<Semaphore>>,
    /// The handler's name, and its stream's, as dead letters bear them.
    pub(crate) label: &'static str,
    pub(crate) stream: Arc<str>,
    pub(crate) letters: Backoff,
    pub(crate) backoff: Backoff,
    pub(crate) window: u64,
}

impl Rules {
    /// `service` is the back-off of calls to the service.
    pub(crate) fn of(handler: &HandlerSpec, stream: &str, service: &Backoff) -> Self {
        let total = handler.concurrency.total;
        let total = total.map(|total| total.get() as usize);
        Self {
            concurrency: match handler.batch {
                None => handler.concurrency.shard,
                Some(_) => 1,
            },
            order: handler.order,
            batch: handler.batch,
            policy: Policy::of(handler),
            timeout: handler.timeout,
            total: total.map(|total| Arc::new(Semaphore::new(total.min(Semaphore::MAX_PERMITS)))),
            label: handler.label,
            stream: stream.into(),
            letters: service.clone(),
            backoff: Backoff {
                first: handler.retry.backoff,
                max: handler.retry.max_backoff,
                chance: Arc::clone(&service.chance),
            },
            window: defaults::WINDOW_RECORDS.into(),
        }
    }

    /// With fewer records than these at hand, more are taken in.
    pub(crate) fn nearly_begun(&self) -> usize {
        match self.batch {
            None => self.concurrency as usize + 1,
            Some(batch) => batch.max_records as usize,
        }
    }
}
