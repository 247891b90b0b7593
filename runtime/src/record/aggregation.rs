//! The Kinesis Producer Library packs many user records into one: magic, a protobuf message, and the message's MD5.

use md5::{Digest, Md5};

const MAGIC: [u8; 4] = [0xF3, 0x89, 0x9A, 0xC2];
const DIGEST_LEN: usize = 16;

/// Whether `data` is a KPL aggregate: the magic alone may start any payload, the right digest behind it does not happen by chance.
pub(crate) fn is_aggregate(data: &[u8]) -> bool {
    let Some(rest) = data.strip_prefix(&MAGIC) else {
        return false;
    };
    let Some((message, digest)) = rest.split_last_chunk::<DIGEST_LEN>() else {
        return false;
    };
    !message.is_empty() && Md5::digest(message).as_slice() == digest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn aggregate(message: &[u8]) -> Vec<u8> {
        [&MAGIC[..], message, Md5::digest(message).as_slice()].concat()
    }

    #[test]
    fn only_the_magic_with_the_right_digest_is_an_aggregate() {
        assert!(is_aggregate(&aggregate(b"\x0a\x01a")));
        assert!(!is_aggregate(b""));
        assert!(!is_aggregate(&MAGIC));
        assert!(!is_aggregate(&aggregate(b"")));
        let mut flipped = aggregate(b"\x0a\x01a");
        flipped[5] ^= 1;
        assert!(!is_aggregate(&flipped));
    }

    proptest! {
        #[test]
        fn a_payload_that_starts_like_one_is_not_taken_for_one(tail in prop::collection::vec(any::<u8>(), 0..64)) {
            prop_assert!(!is_aggregate(&[&MAGIC[..], &tail].concat()));
        }
    }
}
