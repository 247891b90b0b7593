//! A request in CBOR, as a serde data format.
//!
//! Lenient in form, as the service's clients differ: containers and texts of definite or indefinite
//! length, numbers of any width, tags looked through. Strict where JSON is: names are text, nothing
//! follows the body, nothing nests deeper than JSON may.

use minicbor::data::Type;
use minicbor::decode::{Decoder, Error as HeadError};
use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// As deep as `serde_json` goes: deeper bodies would end the thread's stack, not the request.
const DEPTH: u8 = 128;

#[derive(Debug, thiserror::Error)]
pub(super) enum CborError {
    #[error("{0}")]
    Head(#[from] HeadError),
    #[error("{0}")]
    Shape(String),
    #[error("the body nests deeper than {DEPTH} levels")]
    Deep,
    #[error("a member's name is no text")]
    Name,
    #[error("something follows the body")]
    Trailing,
}

impl de::Error for CborError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Shape(message.to_string())
    }
}

type Read<T> = Result<T, CborError>;

pub(super) fn from_slice<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Read<T> {
    let mut reader = Reader {
        decoder: Decoder::new(body),
        depth: DEPTH,
    };
    let value = T::deserialize(&mut reader)?;
    if reader.decoder.position() < body.len() {
        return Err(CborError::Trailing);
    }
    Ok(value)
}

struct Reader<'de> {
    decoder: Decoder<'de>,
    /// How many containers may still be entered.
    depth: u8,
}

impl Reader<'_> {
    /// The type of the next item, behind its tags. What a time's tag says is known from the member.
    fn next_type(&mut self) -> Read<Type> {
        loop {
            match self.decoder.datatype()? {
                Type::Tag => drop(self.decoder.tag()?),
                other => return Ok(other),
            }
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth = self.depth.checked_sub(1).ok_or(CborError::Deep)?;
        let value = read(self);
        self.depth += 1;
        value
    }

    fn text(&mut self) -> Read<String> {
        Ok(self.decoder.str_iter()?.collect::<Result<_, _>>()?)
    }

    fn bytes(&mut self) -> Read<Vec<u8>> {
        let mut bytes = Vec::new();
        for chunk in self.decoder.bytes_iter()? {
            bytes.extend_from_slice(chunk?);
        }
        Ok(bytes)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = CborError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.next_type()? {
            Type::Bool => visitor.visit_bool(self.decoder.bool()?),
            Type::Null => {
                self.decoder.null()?;
                visitor.visit_unit()
            }
            Type::Undefined => {
                self.decoder.undefined()?;
                visitor.visit_unit()
            }
            Type::U8 | Type::U16 | Type::U32 | Type::U64 => visitor.visit_u64(self.decoder.u64()?),
            Type::I8 | Type::I16 | Type::I32 | Type::I64 => visitor.visit_i64(self.decoder.i64()?),
            Type::F16 => visitor.visit_f64(self.decoder.f16()?.into()),
            Type::F32 => visitor.visit_f64(self.decoder.f32()?.into()),
            Type::F64 => visitor.visit_f64(self.decoder.f64()?),
            Type::Bytes => visitor.visit_borrowed_bytes(self.decoder.bytes()?),
            Type::BytesIndef => visitor.visit_byte_buf(self.bytes()?),
            Type::String => visitor.visit_borrowed_str(self.decoder.str()?),
            Type::StringIndef => visitor.visit_string(self.text()?),
            Type::Array | Type::ArrayIndef => self.nested(|reader| {
                let left = reader.decoder.array()?;
                visitor.visit_seq(Items { reader, left })
            }),
            Type::Map | Type::MapIndef => self.nested(|reader| {
                let left = reader.decoder.map()?;
                visitor.visit_map(Items { reader, left })
            }),
            other => Err(CborError::Shape(format!("unexpected {other}"))),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.next_type()? {
            Type::Null | Type::Undefined => self.deserialize_any(visitor),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The rest of a container. `left` is unknown where it ends with a break.
struct Items<'a, 'de> {
    reader: &'a mut Reader<'de>,
    left: Option<u64>,
}

impl Items<'_, '_> {
    /// Whether there is one more, which is then counted.
    fn advance(&mut self) -> Read<bool> {
        match &mut self.left {
            Some(0) => Ok(false),
            Some(left) => {
                *left -= 1;
                Ok(true)
            }
            None if self.reader.decoder.datatype()? == Type::Break => {
                self.reader
                    .decoder
                    .set_position(self.reader.decoder.position() + 1);
                self.left = Some(0);
                Ok(false)
            }
            None => Ok(true),
        }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = CborError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        if !self.advance()? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = CborError;

    /// Serde takes a number for the place of a member; a name is text alone.
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        if !self.advance()? {
            return Ok(None);
        }
        match self.reader.decoder.datatype()? {
            Type::String => {
                let name: StrDeserializer<'_, CborError> =
                    self.reader.decoder.str()?.into_deserializer();
                seed.deserialize(name).map(Some)
            }
            Type::StringIndef => seed
                .deserialize(self.reader.text()?.into_deserializer())
                .map(Some),
            _ => Err(CborError::Name),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        seed.deserialize(&mut *self.reader)
    }
}
