//! The records of the stream: a number, and room.

use bytes::Bytes;
use kinesis_app::{BatchContext, FromBatch, HandlerError, RecordRef, Undecodable, codec::Payload};

use super::Shape;

/// One in so many records does not decode, where there is a place for such.
const UNDECODABLE: u32 = 50;

/// The codec of the stream.
pub(crate) struct Numbered;

#[derive(Debug)]
pub(crate) struct Order {
    pub(super) number: u64,
}

impl<'r> Payload<'r, Numbered> for Order {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        let bytes = record.data();
        let number = number(bytes).filter(|_| decodes(bytes));
        let number = number.ok_or_else(|| Undecodable::payload("Numbered", "no number"))?;
        Ok(Self { number })
    }
}

/// The record that these bytes are, whether or not they decode; the rest of them is there to be large.
pub(crate) fn number(bytes: &[u8]) -> Option<u64> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit());
    str::from_utf8(&bytes[..digits.count()]).ok()?.parse().ok()
}

/// The records of a batch that its handler is not given.
pub(super) struct LeftOut(pub(super) Vec<u64>);

impl<S> FromBatch<S> for LeftOut {
    fn from_batch(cx: &BatchContext<'_, S>) -> Result<Self, HandlerError> {
        let left_out = cx.records().filter(|record| !decodes(record.data()));
        Ok(Self(left_out.filter_map(|it| number(it.data())).collect()))
    }
}

pub(crate) fn decodes(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_digit()) == Some(&b' ')
}

/// What the dead letter of a record that does not decode is to say.
pub(crate) const UNDECODABLE_CAUSE: &str =
    "the `Numbered` codec does not decode the payload: no number";

/// The bytes of a record.
pub(crate) fn payload(seed: u64, record: u64, shape: Shape, padding: usize) -> Bytes {
    let mut rng = fastrand::Rng::with_seed(!seed ^ (record + 1).wrapping_mul(0x9e37_79b9));
    let is_whole = shape == Shape::Plain || rng.u32(0..UNDECODABLE) > 0;
    let behind = if is_whole { ' ' } else { '?' };
    format!("{record}{behind}{:padding$}", "").into()
}
