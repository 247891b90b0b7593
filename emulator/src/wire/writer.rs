//! An answer's members, written once in either protocol.
//!
//! Containers of CBOR are of indefinite length: that is what a streaming writer gives, and it keeps
//! readers from counting on the other form.

use super::Protocol;
use crate::service::Moment;
use std::fmt::Display;

const CBOR_BYTES: u8 = 2;
const CBOR_TEXT: u8 = 3;
const CBOR_TAG: u8 = 6;
const CBOR_EPOCH: u64 = 1;
const CBOR_FALSE: u8 = 0xf4;
const CBOR_LIST: u8 = 0x9f;
const CBOR_MAP: u8 = 0xbf;
const CBOR_BREAK: u8 = 0xff;

/// A whole body: one object.
pub(super) fn document(protocol: Protocol, fill: impl FnOnce(&mut Object<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    Object::write(&mut out, protocol, fill);
    out
}

/// An object that is being written.
pub(super) struct Object<'a> {
    protocol: Protocol,
    out: &'a mut Vec<u8>,
    empty: bool,
}

impl Object<'_> {
    pub(super) fn write(out: &mut Vec<u8>, protocol: Protocol, fill: impl FnOnce(&mut Object<'_>)) {
        out.push(match protocol {
            Protocol::Json => b'{',
            Protocol::Cbor => CBOR_MAP,
        });
        fill(&mut Object {
            protocol,
            out,
            empty: true,
        });
        out.push(match protocol {
            Protocol::Json => b'}',
            Protocol::Cbor => CBOR_BREAK,
        });
    }

    /// Member names are the model's own: nothing in them needs escaping.
    fn name(&mut self, name: &str) {
        let first = std::mem::replace(&mut self.empty, false);
        match self.protocol {
            Protocol::Json => {
                self.out
                    .extend_from_slice(if first { b"\"" } else { b",\"" });
                self.out.extend_from_slice(name.as_bytes());
                self.out.extend_from_slice(b"\":");
            }
            Protocol::Cbor => text(self.out, self.protocol, name),
        }
    }

    pub(super) fn text(&mut self, name: &str, value: &str) {
        self.name(name);
        text(self.out, self.protocol, value);
    }

    /// Absent, not null, without a value.
    pub(super) fn text_if(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    pub(super) fn shown(&mut self, name: &str, value: impl Display) {
        self.text(name, &value.to_string());
    }

    pub(super) fn integer(&mut self, name: &str, value: u64) {
        self.name(name);
        match self.protocol {
            Protocol::Json => self.out.extend_from_slice(value.to_string().as_bytes()),
            Protocol::Cbor => head(self.out, 0, value),
        }
    }

    pub(super) fn count(&mut self, name: &str, value: usize) {
        self.integer(name, value as u64);
    }

    pub(super) fn flag(&mut self, name: &str, value: bool) {
        self.name(name);
        match self.protocol {
            Protocol::Json => self.out.extend_from_slice(value.to_string().as_bytes()),
            Protocol::Cbor => self.out.push(CBOR_FALSE + u8::from(value)),
        }
    }

    pub(super) fn time(&mut self, name: &str, value: Moment) {
        self.name(name);
        match self.protocol {
            Protocol::Json => value.write(self.out),
            Protocol::Cbor => {
                head(self.out, CBOR_TAG, CBOR_EPOCH);
                head(self.out, 0, value.millis());
            }
        }
    }

    pub(super) fn blob(&mut self, name: &str, value: &[u8]) {
        self.name(name);
        match self.protocol {
            Protocol::Json => {
                self.out.push(b'"');
                base64_simd::STANDARD.encode_append(value, self.out);
                self.out.push(b'"');
            }
            Protocol::Cbor => {
                head(self.out, CBOR_BYTES, value.len() as u64);
                self.out.extend_from_slice(value);
            }
        }
    }

    pub(super) fn object(&mut self, name: &str, fill: impl FnOnce(&mut Object<'_>)) {
        self.name(name);
        Object::write(self.out, self.protocol, fill);
    }

    pub(super) fn objects<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut fill: impl FnMut(&mut Object<'_>, T),
    ) {
        self.list(name, items, |out, protocol, item| {
            Object::write(out, protocol, |object| fill(object, item));
        });
    }

    pub(super) fn texts<T: AsRef<str>>(&mut self, name: &str, items: impl IntoIterator<Item = T>) {
        self.list(name, items, |out, protocol, item| {
            text(out, protocol, item.as_ref());
        });
    }

    fn list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Vec<u8>, Protocol, T),
    ) {
        self.name(name);
        let (open, between, close): (u8, &[u8], u8) = match self.protocol {
            Protocol::Json => (b'[', b",", b']'),
            Protocol::Cbor => (CBOR_LIST, b"", CBOR_BREAK),
        };
        self.out.push(open);
        for (n, item) in items.into_iter().enumerate() {
            if n > 0 {
                self.out.extend_from_slice(between);
            }
            write(self.out, self.protocol, item);
        }
        self.out.push(close);
    }

    /// Room for what is known to come, so that a large page does not move while it grows.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }
}

fn text(out: &mut Vec<u8>, protocol: Protocol, value: &str) {
    match protocol {
        Protocol::Json => {
            serde_json::to_writer(out, value).expect("text is always JSON, and a vector takes all");
        }
        Protocol::Cbor => {
            head(out, CBOR_TEXT, value.len() as u64);
            out.extend_from_slice(value.as_bytes());
        }
    }
}

/// The head of a CBOR item: its major type, and its value or length in the shortest form.
fn head(out: &mut Vec<u8>, major: u8, value: u64) {
    let major = major << 5;
    let bytes = value.to_be_bytes();
    match value {
        0..24 => out.push(major + bytes[7]),
        24..0x100 => out.extend_from_slice(&[major + 24, bytes[7]]),
        0x100..0x1_0000 => {
            out.push(major + 25);
            out.extend_from_slice(&bytes[6..]);
        }
        0x1_0000..0x1_0000_0000 => {
            out.push(major + 26);
            out.extend_from_slice(&bytes[4..]);
        }
        _ => {
            out.push(major + 27);
            out.extend_from_slice(&bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_the_shortest_on_both_sides_of_every_bound() {
        let powers = [0_u64, 24, 1 << 8, 1 << 16, 1 << 32, u64::MAX];
        let near = |power: u64| [power.wrapping_sub(1), power, power.wrapping_add(1)];
        for value in powers.into_iter().flat_map(near) {
            let mut ours = Vec::new();
            head(&mut ours, 0, value);
            assert_eq!(ours, minicbor::to_vec(value).unwrap(), "{value}");
        }
    }
}
