//! Sequence numbers: 56 decimal digits, laid out as the service's version 2.
//!
//! From the high end: a version nibble, 36 bits of the shard's epoch, the lowest nibble of the
//! shard's index, 64 bits of the record's ordinal in its shard, 8 spare bits, 36 bits of the
//! second of the put, 32 bits of the shard's index, a version nibble. So numbers grow inside a
//! shard, are never equal in two shards, and a child's are above its parents' (its epoch is).

use std::fmt;

const VERSION: u64 = 2;
const CHUNK: u64 = 10_000_000_000_000_000_000;
const DIGITS: usize = 56;
/// Where the text is cut for arithmetic in 64 bits.
const CUTS: [usize; 2] = [18, 37];
const BITS_36: u64 = (1 << 36) - 1;
const BITS_48: u64 = (1 << 48) - 1;

/// The ordinal of an `EndingSequenceNumber`: above that of any record.
pub(crate) const ENDING_ORDINAL: u64 = i64::MAX.unsigned_abs();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SequenceNumber {
    /// Grows with every creation and reshard of the service.
    pub(crate) epoch: u64,
    /// The shard's index in its stream.
    pub(crate) shard: u32,
    /// The record's place in its shard; grows with gaps.
    pub(crate) ordinal: u64,
    /// The second of the put.
    pub(crate) second: u64,
}

impl SequenceNumber {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.len() != DIGITS || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let chunk = |range: std::ops::Range<usize>| text[range].parse::<u64>().ok();
        let mut limbs = [0_u64; 3];
        for part in [
            chunk(0..CUTS[0])?,
            chunk(CUTS[0]..CUTS[1])?,
            chunk(CUTS[1]..DIGITS)?,
        ] {
            multiply_add(&mut limbs, part)?;
        }
        Self::unpack(limbs)
    }

    fn pack(self) -> [u64; 3] {
        let low = u128::from(VERSION)
            | u128::from(self.shard) << 4
            | u128::from(self.second & BITS_36) << 36
            | u128::from(self.ordinal & BITS_48) << 80;
        let high = self.ordinal >> 48
            | u64::from(self.shard & 0xf) << 16
            | (self.epoch & BITS_36) << 20
            | VERSION << 56;
        let (middle, low) = halves(low);
        [high, middle, low]
    }

    fn unpack([high, middle, low]: [u64; 3]) -> Option<Self> {
        let lower = u128::from(middle) << 64 | u128::from(low);
        let bits = |shift: u32, mask: u64| halves(lower >> shift).1 & mask;
        let number = Self {
            epoch: high >> 20 & BITS_36,
            shard: u32::try_from(bits(4, u64::from(u32::MAX))).ok()?,
            ordinal: (high & 0xffff) << 48 | bits(80, BITS_48),
            second: bits(36, BITS_36),
        };
        // Spare bits and doubled fields must be as written: a forged number names no record.
        (number.pack() == [high, middle, low]).then_some(number)
    }
}

impl fmt::Display for SequenceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.decimal().fmt(f)
    }
}

impl SequenceNumber {
    pub(crate) fn decimal(self) -> Decimal {
        let mut limbs = self.pack();
        let low = divide(&mut limbs);
        let middle = divide(&mut limbs);
        let high = divide(&mut limbs);
        Decimal([high, middle, low])
    }
}

/// A sequence number ready to be written: three parts of 18, 19 and 19 digits. A record keeps it,
/// because dividing 188 bits costs more than the rest of writing the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal([u64; 3]);

impl Decimal {
    pub(crate) fn digits(self) -> [u8; DIGITS] {
        let mut text = [b'0'; DIGITS];
        let [high, middle, low] = self.0;
        let (start, end) = text.split_at_mut(CUTS[1]);
        write_digits(high, &mut start[..CUTS[0]]);
        write_digits(middle, &mut start[CUTS[0]..]);
        write_digits(low, end);
        text
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [high, middle, low] = self.0;
        write!(f, "{high:018}{middle:019}{low:019}")
    }
}

/// The low digits of a value, as many as there is room for, with leading zeros. Returns nothing of
/// what does not fit: callers give room for all.
pub(super) fn write_digits(mut value: u64, text: &mut [u8]) {
    const PAIRS: [[u8; 2]; 100] = {
        let mut pairs = [[b'0'; 2]; 100];
        let mut n = 0;
        while n < 100 {
            pairs[n as usize] = [b'0' + n / 10, b'0' + n % 10];
            n += 1;
        }
        pairs
    };
    let mut pairs = text.rchunks_exact_mut(2);
    for pair in &mut pairs {
        pair.copy_from_slice(&PAIRS[(value % 100) as usize]);
        value /= 100;
    }
    if let [digit] = pairs.into_remainder() {
        *digit = PAIRS[(value % 10) as usize][1];
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "taking the two halves of a u128 is the point"
)]
const fn halves(value: u128) -> (u64, u64) {
    ((value >> 64) as u64, value as u64)
}

/// Divides by `CHUNK` in place; returns the remainder.
fn divide(limbs: &mut [u64; 3]) -> u64 {
    let mut rest = 0_u64;
    for limb in limbs {
        let value = u128::from(rest) << 64 | u128::from(*limb);
        *limb = halves(value / u128::from(CHUNK)).1;
        rest = halves(value % u128::from(CHUNK)).1;
    }
    rest
}

/// Multiplies by `CHUNK` and adds; `None` when 192 bits are too few.
fn multiply_add(limbs: &mut [u64; 3], part: u64) -> Option<()> {
    let mut carry = part;
    for limb in limbs.iter_mut().rev() {
        let value = u128::from(*limb) * u128::from(CHUNK) + u128::from(carry);
        (carry, *limb) = halves(value);
    }
    (carry == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(epoch: u64, shard: u32, ordinal: u64, second: u64) -> SequenceNumber {
        SequenceNumber {
            epoch,
            shard,
            ordinal,
            second,
        }
    }

    #[test]
    fn looks_like_the_services_own() {
        let text = number(1_767_225_600, 0, 1, 1_767_225_600).to_string();
        assert_eq!(text.len(), 56);
        assert!(text.starts_with("49"), "{text}");
    }

    proptest! {
        #[test]
        fn text_is_read_back(epoch in 0..=BITS_36, shard: u32, ordinal in 0..=ENDING_ORDINAL, second in 0..=BITS_36) {
            let number = number(epoch, shard, ordinal, second);
            let text = number.to_string();
            prop_assert_eq!(text.len(), DIGITS);
            prop_assert_eq!(SequenceNumber::parse(&text), Some(number));
            prop_assert_eq!(&number.decimal().digits()[..], text.as_bytes());
        }

        #[test]
        fn numbers_grow_with_the_ordinal_and_children_follow_parents(
            epoch in 0..BITS_36, shard: u32, child: u32, a in 0..ENDING_ORDINAL, second in 0..=BITS_36, later in 0..=BITS_36,
        ) {
            let text = |epoch, shard, ordinal, second| number(epoch, shard, ordinal, second).to_string();
            // Equal lengths: text order is number order.
            prop_assert!(text(epoch, shard, a, second) < text(epoch, shard, a + 1, later));
            prop_assert!(text(epoch, shard, ENDING_ORDINAL, second) < text(epoch + 1, child, 0, later));
        }

        #[test]
        fn any_text_is_parsed_without_a_panic(text in "[0-9]{50,60}|.*") {
            if let Some(number) = SequenceNumber::parse(&text) {
                prop_assert_eq!(number.to_string(), text);
            }
        }
    }
}
