//! Codecs whose cargo feature is off. They can be named, so that what is missing is said where they are used.

use std::marker::PhantomData;

use bytes::Bytes;

use super::{Encode, Payload};
use crate::{dispatch::outcome::Undecodable, publish::PublishError, record::RecordRef};

/// Stands for the cargo feature that a `T` needs. Not the `T` itself, or its error would be that of [`Payload`].
#[derive(Debug)]
pub struct FeatureFor<T>(PhantomData<T>);

macro_rules! missing {
    ($($codec:ident, $feature:literal, $is_on:ident, $message:literal, $note:literal;)*) => { $(
        /// Implemented by nothing: its text is that of the compile error.
        #[cfg(not(feature = $feature))]
        #[diagnostic::on_unimplemented(message = $message, label = "its records cannot be decoded", note = $note)]
        pub trait $is_on {}

        #[doc = concat!("A codec that needs the cargo feature `", $feature, "`.")]
        #[cfg(not(feature = $feature))]
        #[derive(Debug, Clone, Copy)]
        pub struct $codec;

        #[cfg(not(feature = $feature))]
        impl<'r, T> Payload<'r, $codec> for T
        where
            FeatureFor<T>: $is_on,
        {
            fn decode(_: RecordRef<'r>) -> Result<Self, Undecodable> {
                unreachable!("the feature is off")
            }
        }

        #[cfg(not(feature = $feature))]
        impl<T> Encode<$codec> for T
        where
            FeatureFor<T>: $is_on,
        {
            fn encode(self) -> Result<Bytes, PublishError> {
                unreachable!("the feature is off")
            }
        }
    )* };
}
missing! {
    Cbor, "cbor", CborIsOn, "`codec(Cbor)` needs the feature `cbor` of `kinesis-app`", "in `Cargo.toml`: `features = [\"cbor\"]`";
    MessagePack, "messagepack", MessagePackIsOn, "`codec(MessagePack)` needs the feature `messagepack` of `kinesis-app`", "in `Cargo.toml`: `features = [\"messagepack\"]`";
    Prost, "prost", ProstIsOn, "`codec(Prost)` needs the feature `prost` of `kinesis-app`", "in `Cargo.toml`: `features = [\"prost\"]`";
}
