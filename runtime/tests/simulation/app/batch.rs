//! Records, handled in batches.

use std::sync::atomic::Ordering;

use kinesis_app::{Batch, BatchItem, BatchOutcome, HandlerError, Lease, Outcome};
use tokio::time::sleep;

use super::{
    Desk,
    cut::Cut,
    order::{LeftOut, Order},
    record::outcome,
    work::{End, Failure},
};
use crate::trace::{Handling, What};

impl Desk {
    pub(super) async fn handle_batch(
        &self,
        orders: &Batch<Order>,
        LeftOut(left_out): LeftOut,
        lease: Lease,
    ) -> Result<BatchOutcome, HandlerError> {
        let batch = self.batches.fetch_add(1, Ordering::Relaxed);
        let handling = |order: &BatchItem<Order>| Handling {
            machine: self.machine,
            shard_id: orders.shard_id().to_owned(),
            record: order.value().number,
            attempt: order.attempt().get(),
            token: lease.token(),
            batch: Some(batch),
        };
        let handlings: Vec<_> = orders.iter().map(handling).collect();
        for record in left_out {
            self.trace.write(What::LeftOut {
                machine: self.machine,
                batch,
                record,
            });
        }
        for handling in &handlings {
            self.trace.write(What::Begun(handling.clone()));
        }
        let mut cut = Cut::new(&self.trace, handlings.clone());
        // All of them, one after the other, would take for ever.
        let takes = self.work(handlings[0].record).takes;
        if !takes.is_zero() && !self.hurries() {
            sleep(takes).await;
        }
        let end = |handling: &Handling| {
            let held = self.times_held(handling.record);
            let work = self.work(handling.record);
            (handling.record, work.end(handling.attempt, held))
        };
        let ends: Vec<_> = handlings.iter().map(end).collect();
        cut.is_over();
        if let Some((record, failure)) = whole(&ends) {
            self.fails(handlings, failure);
            if let Some(error) = failure.error(record) {
                return Err(error);
            }
        } else {
            for (handling, (_, end)) in handlings.into_iter().zip(&ends) {
                self.trace.write(self.told(handling, *end));
            }
        }
        let mut ends = ends.into_iter();
        Ok(orders.settle(|_| match ends.next() {
            Some((_, End::Skip)) => Outcome::Skip,
            Some((_, End::Hold)) => Outcome::Hold,
            Some((record, End::Failed(failure))) => outcome(failure, record),
            Some((_, End::Done | End::Replies(_))) | None => Outcome::Done,
        }))
    }

    /// Only a record that fails alone may be given up on.
    fn fails(&self, handlings: Vec<Handling>, failure: Failure) {
        let alone = handlings.len() == 1;
        for handling in handlings {
            self.trace.write(if alone {
                self.told(handling, End::Failed(failure))
            } else {
                What::Failed(handling)
            });
        }
    }
}

/// What a batch fails with as a whole, and for which record.
fn whole(ends: &[(u64, End)]) -> Option<(u64, Failure)> {
    ends.iter().find_map(|(record, end)| match end {
        End::Failed(failure) if failure.is_whole() => Some((*record, *failure)),
        _ => None,
    })
}
