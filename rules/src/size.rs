//! Sizes of records and requests.

use core::fmt;

use crate::limits::{PUT_RECORDS_BYTES, PUT_RECORDS_RECORDS, RECORD_BYTES_MOST};

/// Why a record or a request is refused for its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeFault {
    /// Data and partition key of a record are larger than the stream allows.
    Record {
        /// Bytes of data and key.
        bytes: usize,
        /// What the stream allows.
        limit: usize,
    },
    /// A `PutRecords` request without a record.
    NoRecords,
    /// A `PutRecords` request of more than [`PUT_RECORDS_RECORDS`] records.
    Records {
        /// How many there are.
        records: usize,
    },
    /// A `PutRecords` request of more than [`PUT_RECORDS_BYTES`] bytes.
    Request {
        /// Bytes of data and keys.
        bytes: usize,
    },
}

/// Checks the size of a record: bytes of its data and of its partition key together, against what the stream allows
/// ([`RECORD_BYTES`](crate::limits::RECORD_BYTES) unless the stream was set to more).
///
/// # Errors
///
/// The record is larger; no stream can be set to more than [`RECORD_BYTES_MOST`].
pub const fn record_size(data: usize, key: usize, limit: usize) -> Result<usize, SizeFault> {
    let limit = if limit < RECORD_BYTES_MOST {
        limit
    } else {
        RECORD_BYTES_MOST
    };
    let bytes = data.saturating_add(key);
    if bytes > limit {
        Err(SizeFault::Record { bytes, limit })
    } else {
        Ok(bytes)
    }
}

/// Checks a `PutRecords` request: 1 to 500 records, at most 10 MiB of data and partition keys.
///
/// # Errors
///
/// The request has no record, too many, or too many bytes.
pub const fn put_records(records: usize, bytes: usize) -> Result<(), SizeFault> {
    if records == 0 {
        Err(SizeFault::NoRecords)
    } else if records > PUT_RECORDS_RECORDS {
        Err(SizeFault::Records { records })
    } else if bytes > PUT_RECORDS_BYTES {
        Err(SizeFault::Request { bytes })
    } else {
        Ok(())
    }
}

impl SizeFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Record { .. } => "record is larger than the stream allows",
            Self::NoRecords => "request has no record; one PutRecords call takes 1 to 500",
            Self::Records { .. } => {
                "request has more than 500 records; one PutRecords call takes at most 500"
            }
            Self::Request { .. } => {
                "request has more than 10485760 bytes; one PutRecords call takes at most 10485760"
            }
        }
    }
}

impl fmt::Display for SizeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record { bytes, limit } => write!(
                f,
                "record has {bytes} bytes with its partition key; the stream allows {limit}"
            ),
            Self::NoRecords => f.write_str(self.rule()),
            Self::Records { records } => write!(
                f,
                "request has {records} records; one PutRecords call takes at most {PUT_RECORDS_RECORDS}"
            ),
            Self::Request { bytes } => write!(
                f,
                "request has {bytes} bytes; one PutRecords call takes at most {PUT_RECORDS_BYTES}"
            ),
        }
    }
}

impl core::error::Error for SizeFault {}
