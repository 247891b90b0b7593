//! The records that go from one to the other.

use std::collections::BTreeMap;

/// A record as both systems show it, without what they add to a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) key: String,
    pub(crate) headers: BTreeMap<String, Vec<u8>>,
    pub(crate) payload: Vec<u8>,
}

impl Sample {
    fn new(payload: &[u8], headers: &[(&str, &[u8])]) -> Self {
        Self {
            // One key, so that the order is told as well.
            key: "größe".into(),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.to_vec()))
                .collect(),
            payload: payload.to_vec(),
        }
    }
}

/// What either can publish.
pub(crate) fn by_both() -> Vec<Sample> {
    let large = vec![0xa5; 200_000];
    vec![
        Sample::new(b"{\"id\":1}\n", &[]),
        Sample::new(&[0xff, 0x00, 0xfe], &[]),
        Sample::new(b"", &[]),
        Sample::new(b"RSK", &[]),
        Sample::new(&large, &[]),
        Sample::new(b"{\"id\":2}\n", &[("trace-id", b"4bf92f")]),
        Sample::new(b"", &[("only", b"a header")]),
        Sample::new(b"RSK2", &[("content-type", b"text/plain")]),
        Sample::new(
            &[0xff, 0x00, 0xfe],
            &[
                ("empty", b""),
                ("colon", b"a: b\r\nc: d"),
                ("digest", &[0x00, 0x9f, 0xff, b'\n']),
                ("unicode", "größe".as_bytes()),
            ],
        ),
        Sample::new(&large, &[("large", &large)]),
    ]
}

/// Payloads that look like an envelope. The other system writes them as they are and then takes them for one; we put an empty envelope
/// in front, which it reads.
pub(crate) fn by_us_alone() -> Vec<Sample> {
    vec![
        Sample::new(b"RSK2\0\0\0\0not an envelope", &[]),
        Sample::new(b"RSK1\0\0\0\x04a: bnot an envelope", &[]),
        Sample::new(b"RSK2\0\0\0\0in an envelope", &[("trace-id", b"4bf92f")]),
    ]
}
