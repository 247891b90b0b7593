use bytes::Bytes;
use serde::{Serialize, de::DeserializeOwned};

use super::{Encode, Payload};
use crate::{dispatch::outcome::Undecodable, publish::PublishError, record::RecordRef};

/// CBOR from and to any serde type that owns what it has (cargo feature `cbor`).
#[derive(Debug, Clone, Copy)]
pub struct Cbor;

const NAME: &str = "Cbor";

#[diagnostic::do_not_recommend]
impl<'r, T: DeserializeOwned> Payload<'r, Cbor> for T {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        let mut left = record.data();
        let value = ciborium::from_reader(&mut left)
            .map_err(|error| Undecodable::payload(NAME, error.to_string()))?;
        match left.len() {
            0 => Ok(value),
            left => Err(Undecodable::trailing(NAME, left)),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Encode<Cbor> for T {
    fn encode(self) -> Result<Bytes, PublishError> {
        let mut encoded = Vec::new();
        ciborium::into_writer(&self, &mut encoded)
            .map_err(|error| PublishError::encode(NAME, error))?;
        Ok(encoded.into())
    }
}
