//! GetShardIterator and GetRecords.

use super::record::Record;
use super::request::{Start, StreamRef};
use super::run::Run;
use super::shard::{Child, shard_id, shard_index};
use super::token::ShardIterator;
use super::{Limits, Moment, Service};
use crate::Operation;
use crate::error::{ErrorCode, ServiceError};
use crate::limits;

/// What one `GetRecords` answers.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) records: Vec<Record>,
    /// Absent at the end of a closed shard.
    pub(crate) next: Option<String>,
    pub(crate) millis_behind: u64,
    /// Only at the end of a closed shard.
    pub(crate) children: Vec<Child>,
}

/// How much of what is stored a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    Records {
        limit: usize,
    },
    /// Nothing, as the service may answer before it reaches the part of a shard that holds records.
    Nothing,
}

// A record above the limit of a page could never be read.
const _: () = assert!(limits::RECORD_BYTES_MOST <= limits::GET_RECORDS_BYTES);

impl Service {
    pub(crate) fn get_shard_iterator(
        &mut self,
        stream: &StreamRef,
        shard: &str,
        start: &Start,
        run: Run,
        now: Moment,
    ) -> Result<String, ServiceError> {
        let name = self.resolve(stream)?;
        let secret = self.secret;
        let metered = self.settings.limits == Limits::Enforced;
        let stream = self.serving(&name, now)?;
        let stream_epoch = stream.epoch;
        let Some(found) = shard_index(shard).and_then(|index| stream.shard_at(index, now)) else {
            return Err(self.settings.shard_not_found(&name, shard));
        };
        if metered && !run.count(&mut found.meters.iterator_calls, now) {
            return Err(self.settings.rate_exceeded(&name, shard));
        }
        let ordinal = match found.ordinal_of(start, now) {
            Ok(ordinal) => ordinal,
            Err(fault) => {
                let (operation, account) = (Operation::GetShardIterator, &self.settings.account);
                return Err(fault.refusal(operation, shard, &name, account));
            }
        };
        run.go_on()?;
        let iterator = ShardIterator {
            stream: name,
            stream_epoch,
            shard: found.index,
            ordinal,
            issued: now,
        };
        Ok(iterator.seal(secret))
    }

    /// The stream and shard of an iterator, for faults and counts. `None` for one not from here.
    pub(crate) fn open_iterator(&self, text: &str) -> Option<ShardIterator> {
        ShardIterator::open(text, self.secret)
    }

    pub(crate) fn get_records(
        &mut self,
        iterator: &str,
        arn: Option<&str>,
        fill: Fill,
        run: Run,
        now: Moment,
    ) -> Result<Page, ServiceError> {
        let iterator = self
            .open_iterator(iterator)
            .ok_or_else(|| ServiceError::invalid("Invalid ShardIterator."))?;
        if let Some(arn) = arn
            && self.name_of_arn(arn)? != iterator.stream
        {
            return Err(ServiceError::invalid(format!(
                "StreamARN {arn} is not that of the shard iterator."
            )));
        }
        check_life(&iterator, now)?;
        let secret = self.secret;
        let metered = self.settings.limits == Limits::Enforced;
        let stream = self.serving(&iterator.stream, now)?;
        let same = stream.epoch == iterator.stream_epoch;
        let Some(shard) = stream.shard_at(iterator.shard, now).filter(|_| same) else {
            let id = shard_id(iterator.shard);
            return Err(self.settings.shard_not_found(&iterator.stream, &id));
        };
        if metered {
            let meters = &mut shard.meters;
            if !(meters.read_bytes.is_clear(now) && run.count(&mut meters.read_calls, now)) {
                let id = shard_id(iterator.shard);
                return Err(self.settings.rate_exceeded(&iterator.stream, &id));
            }
        }
        run.go_on()?;

        let begin = shard.seek(iterator.ordinal);
        let mut bytes = 0;
        let mut charge = None;
        let mut records = Vec::new();
        if let Fill::Records { limit } = fill {
            records.reserve_exact(limit.min(shard.records.len() - begin));
            for record in shard.records.range(begin..).take(limit) {
                if bytes + record.size() > limits::GET_RECORDS_BYTES {
                    // A page that this limit ended counts as a full one.
                    charge = Some(limits::GET_RECORDS_BYTES);
                    break;
                }
                bytes += record.size();
                records.push(record.clone());
            }
        }
        if metered {
            let bytes = charge.unwrap_or(bytes);
            shard.meters.read_bytes.charge(bytes, now);
        }

        let unread = shard.records.get(begin + records.len());
        let millis_behind = millis_behind(unread, records.last(), now);
        let ended = unread.is_none();
        let (next, children) = match &shard.closed {
            Some(closed) if ended => (None, closed.children.clone()),
            _ => {
                let read = records.last().map(|record| record.ordinal + 1);
                let next = ShardIterator {
                    ordinal: read.unwrap_or(iterator.ordinal),
                    issued: now,
                    ..iterator
                };
                (Some(next.seal(secret)), Vec::new())
            }
        };
        Ok(Page {
            records,
            next,
            millis_behind,
            children,
        })
    }
}

/// How far a reader is behind who has `unread` before it. Zero means "at the tip": a record of this
/// very millisecond is still one to come.
pub(super) fn millis_behind(unread: Option<&Record>, last: Option<&Record>, now: Moment) -> u64 {
    unread.map_or(0, |unread| {
        let seen = last.unwrap_or(unread);
        now.millis().saturating_sub(seen.arrival().millis()).max(1)
    })
}

fn check_life(iterator: &ShardIterator, now: Moment) -> Result<(), ServiceError> {
    let age = now.since(iterator.issued);
    if age <= limits::ITERATOR_LIFETIME {
        return Ok(());
    }
    let show = |moment: Moment| {
        use aws_smithy_types::date_time::{DateTime, Format};
        let time = std::time::SystemTime::from(moment);
        DateTime::from(time)
            .fmt(Format::DateTime)
            .unwrap_or_else(|_| moment.wire())
    };
    Err(ServiceError::new(
        ErrorCode::ExpiredIterator,
        format!(
            "Iterator expired. The iterator was created at time {} while right now it is {} which is further in the future than the tolerated delay of {} milliseconds.",
            show(iterator.issued),
            show(now),
            limits::ITERATOR_LIFETIME.as_millis()
        ),
    ))
}
