//! SplitShard and MergeShards.

use super::request::Mode;
use super::shard::{Child, Shard, shard_id, shard_index};
use super::stream::{Change, Phase, Step, Stream};
use super::{HashRange, Moment, Service};
use crate::Operation;
use crate::error::{ErrorCode, ServiceError};

impl Service {
    /// The ids of the two children: the lower range first.
    pub(crate) fn split_shard(
        &mut self,
        name: &str,
        shard: &str,
        at: u128,
        now: Moment,
    ) -> Result<[String; 2], ServiceError> {
        let (index, range) = self.reshardable(name, shard, now)?;
        self.check_shard_quota(1)?;
        // The service leaves at least two hash keys on either side.
        if at <= range.start.saturating_add(1) || at >= range.end {
            return Err(ServiceError::invalid(format!(
                "NewStartingHashKey {at} used in SplitShard() on shard {shard} in stream {name} under account {} is not both greater than one plus the shard's StartingHashKey {} and less than the shard's EndingHashKey {}.",
                self.settings.account, range.start, range.end
            )));
        }
        let low = HashRange {
            start: range.start,
            end: at - 1,
        };
        let high = HashRange {
            start: at,
            end: range.end,
        };
        let ids = self.reshard(Operation::SplitShard, name, &[index], &[low, high], now)?;
        let [first, second] = ids[..] else {
            unreachable!("two ranges make two children");
        };
        Ok([shard_id(first), shard_id(second)])
    }

    /// The hash key in the middle of a shard's range.
    pub(crate) fn middle_of(
        &mut self,
        name: &str,
        shard: &str,
        now: Moment,
    ) -> Result<u128, ServiceError> {
        let (_, range) = self.reshardable(name, shard, now)?;
        Ok(range.middle())
    }

    /// The two come in either order: the API reference asks that they touch, and no more. Which of
    /// them the child names as its parent it leaves open; here it is the one with the lower range,
    /// so that a merge has one outcome.
    pub(crate) fn merge_shards(
        &mut self,
        name: &str,
        shard: &str,
        adjacent: &str,
        now: Moment,
    ) -> Result<String, ServiceError> {
        let (first, range) = self.reshardable(name, shard, now)?;
        let (second, other) = self.reshardable(name, adjacent, now)?;
        let (parents, joined) = if range <= other {
            ([first, second], range.join(other))
        } else {
            ([second, first], other.join(range))
        };
        let Some(joined) = joined else {
            return Err(ServiceError::invalid(format!(
                "Shards {shard} and {adjacent} in stream {name} under account {} are not an adjacent pair of shards eligible for merging",
                self.settings.account
            )));
        };
        let ids = self.reshard(Operation::MergeShards, name, &parents, &[joined], now)?;
        let [child] = ids[..] else {
            unreachable!("one range makes one child");
        };
        Ok(shard_id(child))
    }

    /// An open shard of a provisioned, active stream.
    fn reshardable(
        &mut self,
        name: &str,
        shard: &str,
        now: Moment,
    ) -> Result<(u32, HashRange), ServiceError> {
        let stream = self.provisioned(name, now)?;
        let Some(found) = shard_index(shard).and_then(|index| stream.shard_at(index, now)) else {
            return Err(self.settings.shard_not_found(name, shard));
        };
        if found.closed.is_some() {
            return Err(ServiceError::new(
                ErrorCode::ResourceInUse,
                format!(
                    "Shard {shard} in stream {name} under account {} has already been merged or split, and thus is not eligible for merging or splitting.",
                    self.settings.account
                ),
            ));
        }
        let Shard { index, range, .. } = *found;
        Ok((index, range))
    }

    /// A stream whose shards may be changed by a caller.
    pub(super) fn provisioned(
        &mut self,
        name: &str,
        now: Moment,
    ) -> Result<&mut Stream, ServiceError> {
        let message = format!(
            "Request is invalid. Stream {name} under account {} is in On-Demand mode.",
            self.settings.account
        );
        let stream = self.active(name, now)?;
        match stream.mode {
            Mode::Provisioned => Ok(stream),
            Mode::OnDemand => Err(ServiceError::new(ErrorCode::Validation, message)),
        }
    }

    fn reshard(
        &mut self,
        operation: Operation,
        name: &str,
        parents: &[u32],
        ranges: &[HashRange],
        now: Moment,
    ) -> Result<Vec<u32>, ServiceError> {
        let epoch = self.next_epoch(now);
        let until = now.plus(self.settings.duration(operation));
        let stream = self.active(name, now)?;
        let children: Vec<Child> = ranges
            .iter()
            .map(|range| Child {
                index: next_index(stream),
                parents: parents.to_vec(),
                range: *range,
            })
            .collect();
        let indices = children.iter().map(|child| child.index).collect();
        let step = Step {
            at: until,
            epoch,
            children,
        };
        stream.phase = Phase::Updating {
            until,
            change: Change::Shards([step].into()),
        };
        stream.settle(now);
        Ok(indices)
    }
}

fn next_index(stream: &mut Stream) -> u32 {
    let index = stream.next_index;
    stream.next_index += 1;
    index
}
