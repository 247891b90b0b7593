//! A GetRecords answer, written straight into one buffer.

use crate::service::Page;
use crate::service::record::Record;
use base64_simd::STANDARD;

const CLOSE: &[u8] = br#""}"#;

/// `prefix` is the answer's object without the records and without its closing brace.
pub(super) fn write(prefix: &[u8], page: &Page) -> Vec<u8> {
    let records: usize = page.records.iter().map(|record| length(record) + 1).sum();
    let mut body = Vec::with_capacity(prefix.len() + records + 16);
    body.extend_from_slice(prefix);
    body.extend_from_slice(br#""Records":["#);
    for (n, record) in page.records.iter().enumerate() {
        if n > 0 {
            body.push(b',');
        }
        body.extend_from_slice(&record.head);
        STANDARD.encode_append(&record.data, &mut body);
        body.extend_from_slice(CLOSE);
    }
    body.extend_from_slice(b"]}");
    body
}

fn length(record: &Record) -> usize {
    record.head.len() + STANDARD.encoded_length(record.data.len()) + CLOSE.len()
}
