//! From a record's bytes to the first parameter of its handler.

use bytes::Bytes;
use serde::Deserialize;

use super::outcome::Undecodable;
use crate::record::{RawRecord, RecordRef};

/// The default codec: JSON into any `serde::Deserialize` type, borrowing from the payload where the type does.
#[derive(Debug, Clone, Copy)]
pub struct Json;

/// No decoding: [`Bytes`] or `Vec<u8>` as they arrived.
#[derive(Debug, Clone, Copy)]
pub struct Raw;

/// A type that the codec `C` decodes a record into; `'r` is how long it may borrow from the payload.
///
/// Under [`Json`] that is every `serde::Deserialize` type, under [`Raw`] `Bytes` and `Vec<u8>`, and under every codec [`RawRecord`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a payload the `{C}` codec decodes",
    label = "the `{C}` codec does not decode into this type",
    note = "derive `serde::Deserialize` for `{Self}`, or name another codec: `#[stream(codec(..))]`",
    note = "a handler of whole batches is marked `#[on_batch(..)]`"
)]
pub trait Payload<'r, C>: Sized {
    /// Decodes one record.
    ///
    /// # Errors
    ///
    /// [`Undecodable`] if the payload is not what the codec and the type expect; the record is then never given to the handler.
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable>;
}

#[diagnostic::do_not_recommend]
impl<'r, T: Deserialize<'r>> Payload<'r, Json> for T {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        serde_json::from_slice(record.data()).map_err(|error| Undecodable::Payload {
            codec: "Json",
            source: error.into(),
        })
    }
}

#[diagnostic::do_not_recommend]
impl<'r> Payload<'r, Raw> for Bytes {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        Ok(record.bytes())
    }
}

#[diagnostic::do_not_recommend]
impl<'r> Payload<'r, Raw> for Vec<u8> {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        Ok(record.data().to_vec())
    }
}

#[diagnostic::do_not_recommend]
impl<'r> Payload<'r, Raw> for RawRecord {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        Ok(record.into())
    }
}

#[diagnostic::do_not_recommend]
impl<'r> Payload<'r, Json> for RawRecord {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        Ok(record.into())
    }
}
