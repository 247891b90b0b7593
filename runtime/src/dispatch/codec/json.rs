use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{Encode, Payload};
use crate::{dispatch::outcome::Undecodable, publish::PublishError, record::RecordRef};

/// The default codec: JSON from and to any serde type, borrowing from the payload where the type does.
#[derive(Debug, Clone, Copy)]
pub struct Json;

const NAME: &str = "Json";

#[diagnostic::do_not_recommend]
impl<'r, T: Deserialize<'r>> Payload<'r, Json> for T {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        serde_json::from_slice(record.data()).map_err(|error| Undecodable::payload(NAME, error))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Encode<Json> for T {
    fn encode(self) -> Result<Bytes, PublishError> {
        let encoded = serde_json::to_vec(&self);
        encoded
            .map(Bytes::from)
            .map_err(|error| PublishError::encode(NAME, error))
    }
}
