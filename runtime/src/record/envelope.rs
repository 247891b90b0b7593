//! Headers in front of a payload: pure, bytes in and bytes out.
//!
//! A record without headers is its payload. Otherwise it begins with a magic, a big-endian `u32` length and that many bytes of headers:
//! after `RSK1` a line `name: value` each, after `RSK2` name and value behind a big-endian `u32` length each. Lines are what most can
//! read; fields carry what lines would change. A payload that begins like an envelope gets an empty one.

use bytes::Bytes;

use super::headers::{Headers, PARTITION_KEY_HEADER, SEQUENCE_NUMBER_HEADER, SHARD_ID_HEADER};

const LINES: [u8; 4] = *b"RSK1";
const FIELDS: [u8; 4] = *b"RSK2";
const LENGTH: usize = size_of::<u32>();

/// How headers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Lines,
    Fields,
}

/// The headers of a record, as they are written in front of its payload.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block<'d> {
    form: Form,
    bytes: &'d [u8],
}

/// Names and values of what is left of a block. Where it does not parse it stops, with bytes left.
struct Entries<'d>(Block<'d>);

/// Parts a record's bytes: its headers, and where its payload begins. What is no envelope, or not a whole one, is a payload.
pub(crate) fn open(data: &[u8]) -> (Block<'_>, usize) {
    envelope(data).unwrap_or((Block::EMPTY, 0))
}

fn envelope(data: &[u8]) -> Option<(Block<'_>, usize)> {
    let form = Form::of(data)?;
    let (bytes, payload) = field(&data[form.magic().len()..])?;
    let block = Block { form, bytes };
    block
        .is_whole()
        .then_some((block, data.len() - payload.len()))
}

/// Puts headers in front of a payload. What every delivery says anyway is left out, or a record that is passed on would grow each time.
pub(crate) fn seal(headers: &Headers, payload: Bytes) -> Bytes {
    let written: Vec<_> = headers
        .iter()
        .filter(|(name, _)| !is_native(name))
        .collect();
    if written.is_empty() && Form::of(&payload).is_none() {
        return payload;
    }
    let form = if written.iter().all(|(name, value)| fits_a_line(name, value)) {
        Form::Lines
    } else {
        Form::Fields
    };
    let block = form.write(&written);
    let mut data = Vec::with_capacity(form.magic().len() + LENGTH + block.len() + payload.len());
    data.extend_from_slice(&form.magic());
    push_field(&mut data, &block);
    data.extend_from_slice(&payload);
    data.into()
}

fn is_native(name: &str) -> bool {
    [
        PARTITION_KEY_HEADER,
        SEQUENCE_NUMBER_HEADER,
        SHARD_ID_HEADER,
    ]
    .contains(&name)
}

/// Whether a reader of lines gets both back as they are: it parts lines at line breaks, names from values at the first colon, and trims.
fn fits_a_line(name: &str, value: &[u8]) -> bool {
    let stands = |text: &str| text.trim() == text && !text.contains(['\n', '\r']);
    let Ok(value) = std::str::from_utf8(value) else {
        return false;
    };
    stands(name) && !name.contains(':') && stands(value)
}

impl Form {
    fn of(data: &[u8]) -> Option<Self> {
        [Self::Lines, Self::Fields]
            .into_iter()
            .find(|form| data.starts_with(&form.magic()))
    }

    const fn magic(self) -> [u8; 4] {
        match self {
            Self::Lines => LINES,
            Self::Fields => FIELDS,
        }
    }

    fn write(self, headers: &[(&str, &[u8])]) -> Vec<u8> {
        let mut block = Vec::new();
        for (name, value) in headers {
            match self {
                Self::Lines => {
                    block.extend_from_slice(name.as_bytes());
                    block.extend_from_slice(b": ");
                    block.extend_from_slice(value);
                    block.push(b'\n');
                }
                Self::Fields => {
                    push_field(&mut block, name.as_bytes());
                    push_field(&mut block, value);
                }
            }
        }
        block
    }
}

impl<'d> Block<'d> {
    const EMPTY: Self = Self {
        form: Form::Lines,
        bytes: &[],
    };

    pub(crate) fn entries(self) -> impl Iterator<Item = (&'d str, &'d [u8])> {
        Entries(self)
    }

    fn is_whole(self) -> bool {
        let mut entries = Entries(self);
        while entries.next().is_some() {}
        entries.0.bytes.is_empty()
    }
}

impl<'d> Iterator for Entries<'d> {
    type Item = (&'d str, &'d [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value, rest) = match self.0.form {
            Form::Lines => line(self.0.bytes)?,
            Form::Fields => {
                let (name, rest) = field(self.0.bytes)?;
                let (value, rest) = field(rest)?;
                (name, value, rest)
            }
        };
        let name = std::str::from_utf8(name).ok()?;
        self.0.bytes = rest;
        Some((name, value))
    }
}

/// Name, value, and what follows.
fn line(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (line, rest) = end.map_or((bytes, &[][..]), |end| (&bytes[..end], &bytes[end + 1..]));
    let colon = line.iter().position(|byte| *byte == b':')?;
    Some((
        line[..colon].trim_ascii(),
        line[colon + 1..].trim_ascii(),
        rest,
    ))
}

/// What lies behind a length, and what follows.
fn field(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)
}

/// A length beyond 32 bits is of a record far beyond any limit, which is refused for its size.
fn push_field(data: &mut Vec<u8>, bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    data.extend_from_slice(&length.to_be_bytes());
    data.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests;
