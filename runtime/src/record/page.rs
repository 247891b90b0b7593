use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use aws_sdk_kinesis::types::Record as SdkRecord;
use bytes::Bytes;

use super::text::SharedText;
use crate::source::budget::{Account, Held};

/// One GetRecords answer, handed on whole.
///
/// Payloads lie in one buffer, keys and sequence numbers in one text: what a handler takes from a record is a slice with a reference
/// count, never an allocation. The two halves have lives of their own, since a checkpoint needs the sequence numbers of records whose
/// payloads are long gone.
#[derive(Debug)]
pub(crate) struct Page {
    payloads: Bytes,
    names: Arc<Names>,
    behind: Duration,
    _held: Held,
}

/// The keys, sequence numbers and arrival times of a page, without its payloads.
#[derive(Debug)]
pub(crate) struct Names {
    text: Arc<str>,
    spans: Box<[Span]>,
}

/// Offsets are 32 bits wide: an answer is at most 10 MiB of payload (GetRecords), and its keys and numbers are less than that again.
#[derive(Debug, Clone, Copy)]
struct Span {
    data_start: u32,
    data_end: u32,
    sequence_start: u32,
    key_start: u32,
    key_end: u32,
    keyed: bool,
    arrival_millis: i64,
}

impl Page {
    /// Copies the SDK's records into the two buffers and frees its four allocations a record.
    pub(crate) fn new(records: Vec<SdkRecord>, behind: Duration, held: Held) -> Self {
        let (mut data_len, mut text_len) = (0, 0);
        for record in &records {
            data_len += record.data.as_ref().len();
            text_len +=
                record.sequence_number.len() + record.partition_key.as_deref().map_or(0, str::len);
        }
        let mut payloads = Vec::with_capacity(data_len);
        let mut text = String::with_capacity(text_len);
        let mut spans = Vec::with_capacity(records.len());
        for record in records {
            let data_start = offset(payloads.len());
            payloads.extend_from_slice(record.data.as_ref());
            let sequence_start = offset(text.len());
            text.push_str(&record.sequence_number);
            let key_start = offset(text.len());
            text.push_str(record.partition_key.as_deref().unwrap_or_default());
            spans.push(Span {
                data_start,
                data_end: offset(payloads.len()),
                sequence_start,
                key_start,
                key_end: offset(text.len()),
                keyed: record.partition_key.is_some(),
                arrival_millis: record
                    .approximate_arrival_timestamp
                    .map_or(0, |at| rounded_millis(at.as_secs_f64())),
            });
        }
        Self {
            payloads: payloads.into(),
            names: Arc::new(Names {
                text: text.into(),
                spans: spans.into(),
            }),
            behind,
            _held: held,
        }
    }

    /// A page of one of its records, copied: it outlives the page, whose bytes are given back.
    pub(crate) fn alone(&self, index: usize, account: &Account) -> Self {
        let span = self.names.spans[index];
        let payload = Bytes::copy_from_slice(self.data(index));
        let text = &self.names.text[span.sequence_start as usize..span.key_end as usize];
        let key_len = span.key_end - span.key_start;
        let moved = Span {
            data_start: 0,
            data_end: offset(payload.len()),
            sequence_start: 0,
            key_start: offset(text.len()) - key_len,
            key_end: offset(text.len()),
            ..span
        };
        let held = account.book(payload.len() + key_len as usize);
        Self {
            payloads: payload,
            names: Arc::new(Names {
                text: text.into(),
                spans: Box::new([moved]),
            }),
            behind: self.behind,
            _held: held,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.spans.len()
    }

    /// How far behind the tip of the shard the reader was after this page.
    pub(crate) fn behind(&self) -> Duration {
        self.behind
    }

    pub(crate) fn names(&self) -> &Arc<Names> {
        &self.names
    }

    pub(crate) fn data(&self, index: usize) -> &[u8] {
        let span = self.names.spans[index];
        &self.payloads[span.data_start as usize..span.data_end as usize]
    }

    pub(crate) fn bytes(&self, index: usize) -> Bytes {
        let span = self.names.spans[index];
        self.payloads
            .slice(span.data_start as usize..span.data_end as usize)
    }
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    pub(crate) fn sequence(&self, index: usize) -> &str {
        let span = self.spans[index];
        &self.text[span.sequence_start as usize..span.key_start as usize]
    }

    pub(crate) fn shared_sequence(&self, index: usize) -> SharedText {
        let span = self.spans[index];
        SharedText::slice(&self.text, span.sequence_start, span.key_start)
    }

    pub(crate) fn key(&self, index: usize) -> Option<&str> {
        let span = self.spans[index];
        span.keyed
            .then(|| &self.text[span.key_start as usize..span.key_end as usize])
    }

    pub(crate) fn shared_key(&self, index: usize) -> Option<SharedText> {
        let span = self.spans[index];
        span.keyed
            .then(|| SharedText::slice(&self.text, span.key_start, span.key_end))
    }

    pub(crate) fn arrival(&self, index: usize) -> SystemTime {
        let millis = self.spans[index].arrival_millis;
        SystemTime::UNIX_EPOCH + Duration::from_millis(millis.unsigned_abs())
    }
}

fn offset(len: usize) -> u32 {
    u32::try_from(len).expect("a GetRecords answer is at most 10 MiB")
}

/// The SDK's own conversion truncates, which makes half of all timestamps a millisecond early.
#[expect(
    clippy::cast_possible_truncation,
    reason = "milliseconds of this era fit an i64 many times over"
)]
fn rounded_millis(seconds: f64) -> i64 {
    (seconds * 1000.0).round().max(0.0) as i64
}

#[cfg(test)]
mod tests {
    use aws_sdk_kinesis::primitives::{Blob, DateTime};

    use super::*;
    use crate::source::budget::Budget;

    fn record(sequence: &str, key: Option<&str>, data: &[u8], at: f64) -> SdkRecord {
        SdkRecord::builder()
            .sequence_number(sequence)
            .set_partition_key(key.map(Into::into))
            .data(Blob::new(data))
            .approximate_arrival_timestamp(DateTime::from_secs_f64(at))
            .build()
            .expect("all required members are set")
    }

    #[test]
    fn records_come_back_as_they_were_put() {
        let page = Page::new(
            vec![
                record("49", Some("ada"), b"one", 1.001),
                record("50", None, b"", 2.0),
                record("51", Some("ümlaut"), b"\xff\0", 3.0),
            ],
            Duration::from_secs(4),
            Held::nothing(),
        );
        assert_eq!(page.len(), 3);
        assert_eq!(
            (page.data(0), page.names.sequence(0), page.names.key(0)),
            (&b"one"[..], "49", Some("ada"))
        );
        assert_eq!(
            (page.data(1), page.names.sequence(1), page.names.key(1)),
            (&b""[..], "50", None)
        );
        assert_eq!(
            (&page.bytes(2)[..], page.names.key(2)),
            (&b"\xff\0"[..], Some("ümlaut"))
        );
        assert_eq!(page.names.shared_key(2).as_deref(), Some("ümlaut"));
    }

    #[test]
    fn a_record_that_leaves_its_page_is_the_same_and_all_that_is_held() {
        let budget = Budget::new(1 << 20);
        let page = Page::new(
            vec![
                record("49", Some("ada"), b"one", 1.0),
                record("51", Some("ümlaut"), b"\xff\0", 3.0),
                record("52", None, b"keyless", 4.0),
            ],
            Duration::from_secs(4),
            budget.account().book(1000),
        );
        let (alone, keyless) = (
            page.alone(1, &budget.account()),
            page.alone(2, &budget.account()),
        );
        for (alone, index) in [(&alone, 1), (&keyless, 2)] {
            assert_eq!((alone.len(), alone.behind()), (1, page.behind()));
            assert_eq!(alone.data(0), page.data(index));
            assert_eq!(alone.names.key(0), page.names.key(index));
            assert_eq!(alone.names.sequence(0), page.names.sequence(index));
            assert_eq!(alone.names.arrival(0), page.names.arrival(index));
        }
        drop(page);
        assert_eq!(budget.load().bytes, 2 + "ümlaut".len() + "keyless".len());
    }

    #[test]
    fn arrival_times_are_rounded_to_the_millisecond_they_were_sent_as() {
        let millis = 1_750_000_000_123_i64;
        let seconds = 1_750_000_000.123_f64;
        let page = Page::new(
            vec![record("1", None, b"", seconds)],
            Duration::ZERO,
            Held::nothing(),
        );
        assert_eq!(
            page.names.arrival(0),
            SystemTime::UNIX_EPOCH + Duration::from_millis(millis.unsigned_abs())
        );
    }
}
