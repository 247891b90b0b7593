//! The 128-bit space of hash keys, and how a partition key falls into it.

use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};

/// A range of hash keys; both ends belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HashRange {
    /// The lowest hash key.
    pub start: u128,
    /// The highest hash key.
    pub end: u128,
}

impl HashRange {
    /// Whether the hash key falls into this range.
    pub fn contains(&self, hash_key: u128) -> bool {
        self.start <= hash_key && hash_key <= self.end
    }

    /// The hash key at which `Kinesis::split` cuts.
    pub(crate) fn middle(&self) -> u128 {
        self.start + (self.end - self.start) / 2 + 1
    }

    /// The whole space in `parts` ranges of width 2^128 / `parts`; the last one takes the rest.
    pub(crate) fn divide(parts: u32) -> Vec<Self> {
        let parts = u128::from(parts.max(1));
        if parts == 1 {
            return vec![Self {
                start: 0,
                end: u128::MAX,
            }];
        }
        // 2^128 itself does not fit, so its division is made from that of 2^128 - 1.
        let width = u128::MAX / parts + u128::from(u128::MAX % parts == parts - 1);
        (0..parts)
            .map(|part| Self {
                start: part * width,
                end: if part + 1 == parts {
                    u128::MAX
                } else {
                    (part + 1) * width - 1
                },
            })
            .collect()
    }

    /// Both in one, if the other begins where this one ends.
    pub(crate) fn join(self, next: Self) -> Option<Self> {
        (self.end.checked_add(1) == Some(next.start)).then_some(Self {
            start: self.start,
            end: next.end,
        })
    }
}

/// The hash key of a partition key: its MD5 digest as a big-endian number.
///
/// ```
/// use kinesis_app_emulator::hash_key;
/// assert_eq!(hash_key("a"), 0x0cc1_75b9_c0f1_b6a8_31c3_99e2_6977_2661);
/// ```
pub fn hash_key(partition_key: &str) -> u128 {
    u128::from_be_bytes(Md5::digest(partition_key.as_bytes()).into())
}
