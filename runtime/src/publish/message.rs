use crate::record::Headers;

/// What is published: a payload, its partition key or none, and its headers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no partition key to be published with",
    label = "not a message",
    note = "publish `value.keyed(key)`, or `value.unkeyed()` for a record whose place in order does not matter"
)]
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
pub struct Keyed<T>(Parts<T>);

/// A payload without a key of its own. Made by [`unkeyed`](Outgoing::unkeyed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unkeyed<T>(Parts<T>);

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
        Keyed(Parts {
            payload: self,
            key: Some(key.into()),
            headers: Headers::new(),
        })
    }

    /// Without a key of its own: the header `partition-key` is its key, or else one that nobody has, so that
    /// such records spread over all shards.
    fn unkeyed(self) -> Unkeyed<Self> {
        Unkeyed(Parts {
            payload: self,
            key: None,
            headers: Headers::new(),
        })
    }
}

impl<T> Outgoing for T {}

macro_rules! message {
    ($name:ident) => {
        impl<T> $name<T> {
            /// Adds a header. The name is ASCII; see [`Headers`].
            pub fn header(mut self, name: impl AsRef<str>, value: impl AsRef<[u8]>) -> Self {
                self.0.headers.insert(name, value);
                self
            }

            /// Adds these headers, such as those of a record that is passed on. `partition-key` among them is the key of a message that
            /// has none of its own.
            pub fn headers(mut self, headers: &Headers) -> Self {
                self.0.headers.extend(headers.iter());
                self
            }
        }

        impl<T> Message for $name<T> {
            type Payload = T;

            fn into_parts(self) -> Parts<T> {
                self.0
            }
        }
    };
}
message!(Keyed);
message!(Unkeyed);
