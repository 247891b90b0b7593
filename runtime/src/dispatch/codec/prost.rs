use ::prost::Message;
use bytes::Bytes;

use super::{Encode, Payload};
use crate::{dispatch::outcome::Undecodable, publish::PublishError, record::RecordRef};

/// Protocol buffers from and to any `prost::Message` (cargo feature `prost`). A field of type `Bytes` shares the page's buffer.
#[derive(Debug, Clone, Copy)]
pub struct Prost;

#[diagnostic::do_not_recommend]
impl<'r, T: Message + Default> Payload<'r, Prost> for T {
    fn decode(record: RecordRef<'r>) -> Result<Self, Undecodable> {
        T::decode(record.bytes()).map_err(|error| Undecodable::payload("Prost", error))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Message> Encode<Prost> for T {
    fn encode(self) -> Result<Bytes, PublishError> {
        Ok(self.encode_to_vec().into())
    }
}
