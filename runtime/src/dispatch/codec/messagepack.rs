use bytes::Bytes;
use rmp_serde::Deserializer;
use serde::{Serialize, de::DeserializeOwned};

use super::{Encode, Payload};
use crate::{dispatch::outcome::Undecodable, publish::PublishError, record::RecordRef};

/// MessagePack from and to any serde type that owns what it has (cargo feature `messagepack`). Structs are written as maps, with the names
/// of their fields.
#[derive(Debug, Clone, Copy)]
pub struct MessagePack;

const NAME: &str = "MessagePack";

#[diagnostic::do_not_recommend]
impl<'r, T: DeserializeOwned> Payload<'r, MessagePack> for T {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        let mut left = record.data();
        let mut reader = Deserializer::new(&mut left);
        let value =
            T::deserialize(&mut reader).map_err(|error| Undecodable::payload(NAME, error))?;
        match left.len() {
            0 => Ok(value),
            left => Err(Undecodable::trailing(NAME, left)),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Encode<MessagePack> for T {
    fn encode(self) -> Result<Bytes, PublishError> {
        let encoded = rmp_serde::to_vec_named(&self);
        encoded
            .map(Bytes::from)
            .map_err(|error| PublishError::encode(NAME, error))
    }
}
