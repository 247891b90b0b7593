use std::fmt;

use bytes::Bytes;

/// The header that holds a record's partition key. It stands on every delivery of a record that has one; on a record that is published
/// it chooses the key, and never enters the envelope.
pub const PARTITION_KEY_HEADER: &str = "partition-key";

/// The header that holds a record's sequence number. It stands on every delivery and is never written into a record.
pub const SEQUENCE_NUMBER_HEADER: &str = "kinesis-sequence-number";

/// The header that holds the shard that a record lies in. It stands on every delivery and is never written into a record.
pub const SHARD_ID_HEADER: &str = "kinesis-shard-id";

/// The headers of a record: names, and values that may be any bytes.
///
/// Names are ASCII in lower case; whatever case one is given in, it is the same name. A name stands once: the last value given to it is
/// the one that it has. Records have no headers of their own, so these ride in an envelope in front of the payload, and count towards
/// the record's size.
///
/// As a parameter of a handler it holds what the record was published with, and beside it [`PARTITION_KEY_HEADER`] (if the record has a
/// key), [`SEQUENCE_NUMBER_HEADER`] and [`SHARD_ID_HEADER`], as the service says.
///
/// ```
/// use kinesis_app::Headers;
///
/// let mut headers = Headers::new();
/// headers.insert("Trace-Id", "4bf92f");
/// headers.insert("digest", [0xff, 0x00]);
/// assert_eq!(headers.get("trace-id"), Some("4bf92f"));
/// assert_eq!(headers.get("digest"), None, "it is no text");
/// assert_eq!(headers.get_bytes("digest"), Some(&[0xff, 0x00][..]));
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, Bytes)>);

impl Headers {
    /// None yet.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Gives a header its value; one that it had is replaced.
    ///
    /// A name that is empty or not ASCII is refused when the record is published.
    pub fn insert(&mut self, name: impl AsRef<str>, value: impl AsRef<[u8]>) {
        let name = name.as_ref().to_ascii_lowercase();
        let value = Bytes::copy_from_slice(value.as_ref());
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name, value)),
        }
    }

    /// Takes a header away; whether it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.0.len() < before
    }

    /// The value of a header, if it is there and a text.
    pub fn get(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(self.get_bytes(name)?).ok()
    }

    /// The value of a header, if it is there.
    pub fn get_bytes(&self, name: &str) -> Option<&[u8]> {
        let (_, value) = self
            .0
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    /// Whether there is one of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.get_bytes(name).is_some()
    }

    /// Every name with its value, in the order in which the names came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: AsRef<str>, V: AsRef<[u8]>> Extend<(N, V)> for Headers {
    fn extend<T: IntoIterator<Item = (N, V)>>(&mut self, headers: T) {
        for (name, value) in headers {
            self.insert(name, value);
        }
    }
}

impl<N: AsRef<str>, V: AsRef<[u8]>> FromIterator<(N, V)> for Headers {
    fn from_iter<T: IntoIterator<Item = (N, V)>>(headers: T) -> Self {
        let mut collected = Self::new();
        collected.extend(headers);
        collected
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.0.iter().map(|(name, value)| (name, value)))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_name_in_any_case_and_its_last_value_stands() {
        let mut headers: Headers = [("Trace-Id", "1"), ("other", "2"), ("TRACE-ID", "3")]
            .into_iter()
            .collect();
        let all: Vec<_> = headers.iter().collect();
        assert_eq!(all, [("trace-id", &b"3"[..]), ("other", &b"2"[..])]);
        assert!(headers.contains("Trace-id"));
        assert!(headers.remove("trace-ID"));
        assert!(!headers.remove("trace-id"));
        assert_eq!(headers.get("trace-id"), None);
        assert_eq!((headers.len(), headers.get("other")), (1, Some("2")));
    }
}
