use bytes::Bytes;

use super::{Encode, Payload};
use crate::{dispatch::outcome::Undecodable, publish::PublishError, record::RecordRef};

/// No codec: payloads are bytes, as they are.
#[derive(Debug, Clone, Copy)]
pub struct Raw;

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

macro_rules! encode {
    ($($bytes:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Encode<Raw> for $bytes {
            fn encode(self) -> Result<Bytes, PublishError> {
                Ok(self.into())
            }
        }
    )*};
}
encode!(Bytes, Vec<u8>, String, &'static [u8], &'static str);
