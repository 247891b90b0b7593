use crate::record::Headers;

/// What is published: a payload, its partition key or none, and its headers.
pub trait Message {
    /// What the stream's codec encodes.
    type Payload;

    /// The parts.
    fn into_parts(self) -> Parts<Self::Payload>;
}

/// A message in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts<T> {
    /// What the stream's codec encodes.
    pub payload: T,
    /// The partition key, if the message has one.
    pub key: Option<String>,
    /// Its headers.
    pub headers: Headers,
}

/// A payload with the partition key that chooses its shard, and with it its place in order.
///
/// Made by [`keyed`](Outgoing::keyed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyed<T> {
    payload: T,
    key: String,
    headers: Headers,
}

/// A payload without a key of its own. Made by [`unkeyed`](Outgoing::unkeyed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unkeyed<T> {
    payload: T,
    headers: Headers,
}

/// Makes a message of any payload.
///
/// ```
/// use kinesis_app::Outgoing;
///
/// let receipt = "{\"order\":1}".keyed("ada").header("trace-id", "4bf92f");
/// # let _ = receipt;
/// ```
pub trait Outgoing: Sized {
    /// With a partition key: 1 to 256 characters.
    fn keyed(self, key: impl Into<String>) -> Keyed<Self> {
        Keyed {
            payload: self,
            key: key.into(),
            headers: Headers::new(),
        }
    }

    /// Without a key of its own: the header `partition-key` is its key, or else one that nobody has, so that
    /// such records spread over all shards.
    fn unkeyed(self) -> Unkeyed<Self> {
        Unkeyed {
            payload: self,
            headers: Headers::new(),
        }
    }
}

impl<T> Outgoing for T {}

impl<T> Keyed<T> {
    /// Adds a header. The name is ASCII; see [`Headers`].
    pub fn header(mut self, name: impl AsRef<str>, value: impl AsRef<[u8]>) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Adds these headers, such as those of a record that is passed on. The key stays, whatever they say.
    pub fn headers(mut self, headers: &Headers) -> Self {
        self.headers.extend(headers.iter());
        self
    }
}

impl<T> Unkeyed<T> {
    /// Adds a header. The name is ASCII; see [`Headers`].
    pub fn header(mut self, name: impl AsRef<str>, value: impl AsRef<[u8]>) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Adds these headers, such as those of a record that is passed on, its key among them.
    pub fn headers(mut self, headers: &Headers) -> Self {
        self.headers.extend(headers.iter());
        self
    }
}

impl<T> Message for Keyed<T> {
    type Payload = T;

    fn into_parts(self) -> Parts<T> {
        Parts {
            payload: self.payload,
            key: Some(self.key),
            headers: self.headers,
        }
    }
}

impl<T> Message for Unkeyed<T> {
    type Payload = T;

    fn into_parts(self) -> Parts<T> {
        Parts {
            payload: self.payload,
            key: None,
            headers: self.headers,
        }
    }
}
