//! Where a reader of a shard begins.

use super::Moment;
use super::request::Start;
use super::sequence::SequenceNumber;
use super::shard::Shard;
use crate::Operation;
use crate::error::ServiceError;

/// Why a reader cannot begin there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StartFault<'a> {
    Future { time: Moment, now: Moment },
    Foreign(&'a str),
}

impl StartFault<'_> {
    /// In the service's words.
    pub(super) fn refusal(
        self,
        operation: Operation,
        shard: &str,
        stream: &str,
        account: &str,
    ) -> ServiceError {
        ServiceError::invalid(match self {
            Self::Future { time, now } => format!(
                "The timestampInMillis parameter cannot be greater than the currentTimestampInMillis. timestampInMillis: {}, currentTimestampInMillis: {}",
                time.millis(),
                now.millis()
            ),
            Self::Foreign(number) => format!(
                "StartingSequenceNumber {number} used in {} on shard {shard} in stream {stream} under account {account} is invalid because it did not come from this stream.",
                operation.as_str()
            ),
        })
    }
}

impl Shard {
    /// The lowest ordinal that a reader who begins there has not read. Fixed at this moment, for
    /// `LATEST` too.
    pub(super) fn ordinal_of<'a>(
        &self,
        start: &'a Start,
        now: Moment,
    ) -> Result<u64, StartFault<'a>> {
        let after_last = self.last + 1;
        match start {
            Start::TrimHorizon => Ok(0),
            Start::Latest => Ok(after_last),
            Start::AtTimestamp(time) if time.millis() > now.millis() => {
                Err(StartFault::Future { time: *time, now })
            }
            Start::AtTimestamp(time) => {
                let place = self
                    .records
                    .partition_point(|record| record.arrival() < *time);
                let first = self.records.get(place);
                Ok(first.map_or(after_last, |record| record.ordinal))
            }
            Start::AtSequence(text) | Start::AfterSequence(text) => {
                let number = SequenceNumber::parse(text).filter(|number| self.knows(*number));
                let number = number.ok_or(StartFault::Foreign(text))?;
                match start {
                    Start::AtSequence(_) => Ok(number.ordinal),
                    _ => Ok(number.ordinal + 1),
                }
            }
        }
    }
}
