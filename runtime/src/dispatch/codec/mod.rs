//! Between a record's payload and the types of the application.

#[cfg(feature = "cbor")]
mod cbor;
mod json;
#[cfg(feature = "messagepack")]
mod messagepack;
#[cfg(not(all(feature = "cbor", feature = "messagepack", feature = "prost")))]
mod missing;
#[cfg(feature = "prost")]
mod prost;
mod raw;

use bytes::Bytes;

#[cfg(feature = "cbor")]
pub use self::cbor::Cbor;
#[cfg(feature = "messagepack")]
pub use self::messagepack::MessagePack;
#[cfg(not(all(feature = "cbor", feature = "messagepack", feature = "prost")))]
pub use self::missing::*;
#[cfg(feature = "prost")]
pub use self::prost::Prost;
pub use self::{json::Json, raw::Raw};
use super::outcome::Undecodable;
use crate::{
    publish::PublishError,
    record::{RawRecord, RecordRef},
};

/// A type that the codec `C` decodes a record into; `'r` is how long it may borrow from the payload.
///
/// Under [`Json`], `MessagePack` and `Cbor` that is every `serde::Deserialize` type, under `Prost` every `prost::Message`, under [`Raw`]
/// `Bytes` and `Vec<u8>`, and under every codec [`RawRecord`].
///
/// A codec of your own is any type; what it decodes implements this trait:
///
/// ```
/// use kinesis_app::{RecordRef, Undecodable, codec::Payload};
///
/// pub struct Csv;
///
/// struct Point(i64, i64);
///
/// impl<'r> Payload<'r, Csv> for Point {
///     fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
///         let text = str::from_utf8(record.data()).map_err(|error| Undecodable::payload("Csv", error))?;
///         let (x, y) = text.split_once(',').ok_or_else(|| Undecodable::payload("Csv", "no comma"))?;
///         let number = |text: &str| text.parse().map_err(|error| Undecodable::payload("Csv", error));
///         Ok(Self(number(x)?, number(y)?))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a payload the `{C}` codec decodes",
    label = "the `{C}` codec does not decode into this type",
    note = "derive `serde::Deserialize` for `{Self}`, or name another codec: `#[stream(codec(..))]`",
    note = "the record comes first, what else there is to it (`PartitionKey`, `State<T>`, ..) behind it; a handler of whole batches is marked `#[on_batch(..)]`"
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
impl<'r, C> Payload<'r, C> for RawRecord {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        Ok(record.into())
    }
}

/// A type that the codec `C` encodes into the payload of a record.
///
/// Under [`Json`], `MessagePack` and `Cbor` that is every `serde::Serialize` type, under `Prost` every `prost::Message`, under [`Raw`]
/// `Bytes`, `Vec<u8>`, `String` and `&'static` bytes or text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a payload the `{C}` codec encodes",
    label = "the `{C}` codec does not encode this type",
    note = "derive `serde::Serialize` for `{Self}`, or name another codec: `#[stream(codec(..))]`"
)]
pub trait Encode<C>: Sized {
    /// Encodes one payload.
    ///
    /// # Errors
    ///
    /// [`PublishError::Encode`] if the codec cannot write the value.
    fn encode(self) -> Result<Bytes, PublishError>;
}

#[cfg(test)]
mod tests;
