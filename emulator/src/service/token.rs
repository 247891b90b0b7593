//! Opaque tokens: shard iterators and the `NextToken` of a listing.
//!
//! A token is base64 of its fields and a keyed digest of them. The digest is no secret worth
//! keeping; it makes sure that a token which was cut, joined or made up is told from a real one.

use super::Moment;
use super::request::ShardFilter;
use md5::{Digest, Md5};

const TAG: usize = 16;
const ITERATOR: u8 = 1;
const LISTING: u8 = 2;
const STREAMS: u8 = 3;
const CONSUMERS: u8 = 4;

/// Between two names in a token; no name has it.
const BETWEEN: char = '/';

/// Where the next read of a shard begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShardIterator {
    pub(crate) stream: String,
    /// Of the stream: an iterator outlives no deletion.
    pub(crate) stream_epoch: u64,
    pub(crate) shard: u32,
    /// The lowest ordinal that is not read yet. Fixed when the iterator is made, for `LATEST` too.
    pub(crate) ordinal: u64,
    pub(crate) issued: Moment,
}

/// Where the next page of a listing begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NextToken {
    pub(crate) stream: String,
    pub(crate) stream_epoch: u64,
    /// The last shard that was listed.
    pub(crate) after: u32,
    pub(crate) filter: Option<ShardFilter>,
    pub(crate) issued: Moment,
}

/// Where the next page of the streams begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StreamsToken {
    /// The last stream that was listed.
    pub(crate) after: String,
    pub(crate) issued: Moment,
}

/// Where the next page of a stream's consumers begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsumersToken {
    pub(crate) stream: String,
    pub(crate) stream_epoch: u64,
    /// The last consumer that was listed.
    pub(crate) after: String,
    pub(crate) issued: Moment,
}

impl ConsumersToken {
    pub(crate) fn seal(&self, secret: u64) -> String {
        let mut fields = vec![CONSUMERS];
        put(&mut fields, self.stream_epoch);
        put(&mut fields, self.issued.millis());
        fields.extend_from_slice(format!("{}{BETWEEN}{}", self.stream, self.after).as_bytes());
        seal(fields, secret)
    }

    pub(crate) fn open(text: &str, secret: u64) -> Option<Self> {
        let fields = unseal(text, CONSUMERS, secret)?;
        let mut rest = fields.as_slice();
        let (stream_epoch, issued) = (take(&mut rest)?, take(&mut rest)?);
        let (stream, after) = std::str::from_utf8(rest).ok()?.split_once(BETWEEN)?;
        Some(Self {
            stream: stream.to_owned(),
            stream_epoch,
            after: after.to_owned(),
            issued: Moment::from_millis(issued),
        })
    }
}

impl StreamsToken {
    pub(crate) fn seal(&self, secret: u64) -> String {
        let mut fields = vec![STREAMS];
        put(&mut fields, self.issued.millis());
        fields.extend_from_slice(self.after.as_bytes());
        seal(fields, secret)
    }

    pub(crate) fn open(text: &str, secret: u64) -> Option<Self> {
        let fields = unseal(text, STREAMS, secret)?;
        let mut rest = fields.as_slice();
        Some(Self {
            issued: Moment::from_millis(take(&mut rest)?),
            after: std::str::from_utf8(rest).ok()?.to_owned(),
        })
    }
}

impl ShardIterator {
    pub(crate) fn seal(&self, secret: u64) -> String {
        let mut fields = vec![ITERATOR];
        put(&mut fields, self.stream_epoch);
        put(&mut fields, u64::from(self.shard));
        put(&mut fields, self.ordinal);
        put(&mut fields, self.issued.millis());
        fields.extend_from_slice(self.stream.as_bytes());
        seal(fields, secret)
    }

    pub(crate) fn open(text: &str, secret: u64) -> Option<Self> {
        let fields = unseal(text, ITERATOR, secret)?;
        let mut rest = fields.as_slice();
        Some(Self {
            stream_epoch: take(&mut rest)?,
            shard: take(&mut rest)?.try_into().ok()?,
            ordinal: take(&mut rest)?,
            issued: Moment::from_millis(take(&mut rest)?),
            stream: std::str::from_utf8(rest).ok()?.to_owned(),
        })
    }
}

impl NextToken {
    pub(crate) fn seal(&self, secret: u64) -> String {
        let mut fields = vec![LISTING];
        let (kind, value) = match self.filter {
            None => (0, 0),
            Some(ShardFilter::AfterShardId(index)) => (1, u64::from(index)),
            Some(ShardFilter::AtTrimHorizon) => (2, 0),
            Some(ShardFilter::FromTrimHorizon) => (3, 0),
            Some(ShardFilter::AtLatest) => (4, 0),
            Some(ShardFilter::AtTimestamp(time)) => (5, time.millis()),
            Some(ShardFilter::FromTimestamp(time)) => (6, time.millis()),
        };
        put(&mut fields, self.stream_epoch);
        put(&mut fields, u64::from(self.after));
        put(&mut fields, kind);
        put(&mut fields, value);
        put(&mut fields, self.issued.millis());
        fields.extend_from_slice(self.stream.as_bytes());
        seal(fields, secret)
    }

    pub(crate) fn open(text: &str, secret: u64) -> Option<Self> {
        let fields = unseal(text, LISTING, secret)?;
        let mut rest = fields.as_slice();
        let stream_epoch = take(&mut rest)?;
        let after = take(&mut rest)?.try_into().ok()?;
        let (kind, value) = (take(&mut rest)?, take(&mut rest)?);
        let filter = match kind {
            0 => None,
            1 => Some(ShardFilter::AfterShardId(value.try_into().ok()?)),
            2 => Some(ShardFilter::AtTrimHorizon),
            3 => Some(ShardFilter::FromTrimHorizon),
            4 => Some(ShardFilter::AtLatest),
            5 => Some(ShardFilter::AtTimestamp(Moment::from_millis(value))),
            6 => Some(ShardFilter::FromTimestamp(Moment::from_millis(value))),
            _ => return None,
        };
        Some(Self {
            stream_epoch,
            after,
            filter,
            issued: Moment::from_millis(take(&mut rest)?),
            stream: std::str::from_utf8(rest).ok()?.to_owned(),
        })
    }
}

fn put(fields: &mut Vec<u8>, value: u64) {
    fields.extend_from_slice(&value.to_be_bytes());
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let (value, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(u64::from_be_bytes(*value))
}

fn tag(fields: &[u8], secret: u64) -> [u8; TAG] {
    let mut digest = Md5::new();
    digest.update(secret.to_be_bytes());
    digest.update(fields);
    digest.finalize().into()
}

fn seal(mut fields: Vec<u8>, secret: u64) -> String {
    let tag = tag(&fields, secret);
    fields.extend_from_slice(&tag);
    base64_simd::STANDARD.encode_to_string(&fields)
}

/// The fields behind the kind, if the token is one that was sealed here.
fn unseal(text: &str, kind: u8, secret: u64) -> Option<Vec<u8>> {
    let mut fields = base64_simd::STANDARD.decode_to_vec(text).ok()?;
    let end = fields.len().checked_sub(TAG)?;
    let sealed = fields.split_off(end);
    let known = fields.first() == Some(&kind) && sealed == tag(&fields, secret);
    known.then(|| fields.split_off(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{ITERATOR_CHARS, NAME_CHARS};
    use proptest::prelude::*;

    fn iterator(stream: String, ordinal: u64) -> ShardIterator {
        ShardIterator {
            stream,
            stream_epoch: 7,
            shard: 3,
            ordinal,
            issued: Moment::from_millis(42),
        }
    }

    #[test]
    fn the_longest_iterator_is_within_the_models_length() {
        let text = iterator("s".repeat(NAME_CHARS), u64::MAX).seal(1);
        assert!(text.len() <= ITERATOR_CHARS, "{}", text.len());
    }

    proptest! {
        #[test]
        fn iterators_are_opened_by_their_own_secret_alone(stream in "[a-z]{1,128}", ordinal: u64, secret: u64) {
            let iterator = iterator(stream, ordinal);
            let text = iterator.seal(secret);
            prop_assert_eq!(ShardIterator::open(&text, secret), Some(iterator));
            prop_assert_eq!(ShardIterator::open(&text, secret ^ 1), None);
            prop_assert_eq!(NextToken::open(&text, secret), None);
        }

        #[test]
        fn next_tokens_keep_their_filter(kind in 0..7_u8, value: u32, after: u32) {
            let time = Moment::from_millis(u64::from(value));
            let token = NextToken {
                stream: "s".into(),
                stream_epoch: 1,
                after,
                issued: time,
                filter: match kind {
                    0 => None,
                    1 => Some(ShardFilter::AfterShardId(value)),
                    2 => Some(ShardFilter::AtTrimHorizon),
                    3 => Some(ShardFilter::FromTrimHorizon),
                    4 => Some(ShardFilter::AtLatest),
                    5 => Some(ShardFilter::AtTimestamp(time)),
                    _ => Some(ShardFilter::FromTimestamp(time)),
                },
            };
            prop_assert_eq!(NextToken::open(&token.seal(9), 9), Some(token));
        }

        #[test]
        fn a_changed_token_is_refused(at: prop::sample::Index, with in "[A-Za-z0-9+/=]") {
            let text = iterator("stream".into(), 5).seal(1);
            let at = at.index(text.len());
            let mut changed = text.clone();
            changed.replace_range(at..=at, &with);
            prop_assume!(changed != text);
            prop_assert_eq!(ShardIterator::open(&changed, 1), None);
        }

        #[test]
        fn any_text_is_opened_without_a_panic(text in ".*") {
            prop_assert_eq!(ShardIterator::open(&text, 1), None);
            prop_assert_eq!(NextToken::open(&text, 1), None);
        }
    }
}
