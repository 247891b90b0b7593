//! Settled records -> how far the checkpoint may move.

use std::{collections::VecDeque, sync::Arc};

use crate::record::{page::Names, text::SharedText};

const BITS: u64 = u64::BITS as u64;

/// The records of one reading of a shard, numbered by delivery, and which of them have settled.
///
/// It keeps a bit a record past the first unsettled one, and the sequence numbers (not the payloads) of the pages they came in.
#[derive(Debug, Default)]
pub(crate) struct Watermark {
    /// Everything below has settled.
    settled: u64,
    /// The next delivery's number.
    next: u64,
    /// Bit `n` of word `w` is record `(first_word + w) * 64 + n`.
    bits: VecDeque<u64>,
    first_word: u64,
    pages: VecDeque<Delivered>,
    last: Option<SharedText>,
}

#[derive(Debug)]
struct Delivered {
    first: u64,
    /// Fewer than there are names if the rest was given back.
    count: u64,
    names: Arc<Names>,
}

impl Watermark {
    /// Takes in a page and returns the number of its first record.
    pub(crate) fn deliver(&mut self, names: &Arc<Names>) -> u64 {
        let first = self.next;
        let count = names.len() as u64;
        if count > 0 {
            self.pages.push_back(Delivered {
                first,
                count,
                names: Arc::clone(names),
            });
            self.next += count;
            self.resize();
        }
        first
    }

    fn resize(&mut self) {
        let words = self.next.div_ceil(BITS).saturating_sub(self.first_word);
        self.bits
            .resize(usize::try_from(words).expect("the window is bounded"), 0);
    }

    /// Takes back every delivery from this number on. None of them has settled.
    pub(crate) fn truncate(&mut self, next: u64) {
        debug_assert!(next >= self.settled && next <= self.next);
        self.next = next;
        self.resize();
        while let Some(page) = self.pages.back_mut() {
            if page.first < next {
                page.count = page.count.min(next - page.first);
                break;
            }
            self.pages.pop_back();
        }
    }

    /// Settles one record, once. Returns whether the checkpoint may move.
    pub(crate) fn settle(&mut self, number: u64) -> bool {
        debug_assert!(
            number >= self.settled && number < self.next,
            "a delivery settles exactly once"
        );
        let word = usize::try_from(number / BITS - self.first_word).expect("the window is bounded");
        self.bits[word] |= 1 << (number % BITS);
        if number != self.settled {
            return false;
        }
        while self.settled < self.next {
            let word = self.bits[usize::try_from(self.settled / BITS - self.first_word)
                .expect("the window is bounded")];
            let run = u64::from((word >> (self.settled % BITS)).trailing_ones());
            if run == 0 {
                break;
            }
            self.settled += run;
            while self.first_word < self.settled / BITS {
                self.bits.pop_front();
                self.first_word += 1;
            }
        }
        self.forget_pages();
        true
    }

    /// Sequence numbers of pages wholly behind the watermark are needed no more, but for the last record's.
    fn forget_pages(&mut self) {
        while let Some(page) = self.pages.front() {
            let inside = (self.settled - page.first).min(page.count);
            if let Some(last) = inside.checked_sub(1) {
                self.last = Some(
                    page.names
                        .shared_sequence(usize::try_from(last).expect("an index into the page")),
                );
            }
            if inside < page.count {
                break;
            }
            self.pages.pop_front();
        }
    }

    /// The sequence number of the last record of the settled prefix; `None` while not even the first record has settled.
    pub(crate) fn checkpoint(&self) -> Option<&SharedText> {
        self.last.as_ref()
    }

    /// The sequence number of the last of the first `records` deliveries, none for none of them. What has settled long ago is forgotten.
    pub(crate) fn sequence_before(&self, records: u64) -> Option<SharedText> {
        debug_assert!(records >= self.settled, "its page is kept");
        let page = self.pages.iter().rev().find(|page| page.first < records);
        let Some(page) = page else {
            return self.last.clone();
        };
        let index = records - page.first - 1;
        Some(
            page.names
                .shared_sequence(usize::try_from(index).expect("an index into the page")),
        )
    }

    /// How many records were delivered.
    pub(crate) fn delivered(&self) -> u64 {
        self.next
    }

    /// How many records lie past the first unsettled one.
    pub(crate) fn window(&self) -> u64 {
        self.next - self.settled
    }

    /// How many records have settled in a row from the beginning.
    pub(crate) fn settled(&self) -> u64 {
        self.settled
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use aws_sdk_kinesis::{primitives::Blob, types::Record};
    use proptest::prelude::*;

    use super::*;
    use crate::{record::page::Page, source::budget::Held};

    fn page(numbers: std::ops::Range<u64>) -> Arc<Names> {
        let records = numbers
            .map(|number| {
                let record = Record::builder()
                    .sequence_number(number.to_string())
                    .partition_key("k")
                    .data(Blob::new(""));
                record.build().expect("all required members are set")
            })
            .collect();
        Arc::clone(Page::new(records, Duration::ZERO, Held::nothing()).names())
    }

    #[test]
    fn the_checkpoint_waits_for_the_slowest_record() {
        let mut mark = Watermark::default();
        assert_eq!(mark.deliver(&page(0..3)), 0);
        assert_eq!(mark.deliver(&page(3..5)), 3);
        assert!(!mark.settle(1));
        assert!(!mark.settle(3));
        assert_eq!(mark.checkpoint(), None);
        assert!(mark.settle(0));
        assert_eq!(mark.checkpoint().map(|s| &**s), Some("1"));
        assert!(mark.settle(2));
        assert_eq!(
            (mark.checkpoint().map(|s| &**s), mark.window()),
            (Some("3"), 1)
        );
    }

    #[test]
    fn deliveries_that_are_taken_back_come_again_under_the_same_numbers() {
        let mut mark = Watermark::default();
        mark.deliver(&page(0..100));
        mark.deliver(&page(100..150));
        for number in 0..70 {
            mark.settle(number);
        }
        mark.truncate(72);
        assert_eq!((mark.delivered(), mark.window()), (72, 2));
        assert_eq!(mark.sequence_before(72).as_deref(), Some("71"));
        assert_eq!(mark.deliver(&page(72..80)), 72);
        for number in (70..80).rev() {
            mark.settle(number);
        }
        assert_eq!(mark.checkpoint().map(|s| &**s), Some("79"));
        mark.truncate(80);
        assert_eq!(mark.sequence_before(80).as_deref(), Some("79"));
    }

    #[test]
    fn nothing_lies_before_the_first_record_of_a_reading() {
        let mut mark = Watermark::default();
        assert_eq!(mark.sequence_before(0), None);
        mark.deliver(&page(0..3));
        assert_eq!(mark.sequence_before(0), None);
        mark.truncate(0);
        assert_eq!(mark.deliver(&page(0..3)), 0);
    }

    proptest! {
        #[test]
        fn the_checkpoint_is_the_last_of_the_settled_prefix(
            pages in prop::collection::vec(0..90_u64, 1..6),
            order in any::<prop::sample::Index>(),
            seed in any::<u64>(),
        ) {
            let mut mark = Watermark::default();
            let mut total = 0;
            for len in pages {
                mark.deliver(&page(total..total + len));
                total += len;
            }
            let mut left: Vec<u64> = (0..total).collect();
            let mut rng = fastrand::Rng::with_seed(seed);
            rng.shuffle(&mut left);
            let stop = if total == 0 { 0 } else { order.index(usize::try_from(total).expect("small") + 1) };
            let mut settled = std::collections::BTreeSet::new();
            for number in left.into_iter().take(stop) {
                let before = mark.settled();
                let moved = mark.settle(number);
                settled.insert(number);
                let prefix = (0..total).take_while(|n| settled.contains(n)).count() as u64;
                prop_assert_eq!(mark.settled(), prefix);
                prop_assert_eq!(moved, prefix > before);
                prop_assert_eq!(mark.checkpoint().map(ToString::to_string), prefix.checked_sub(1).map(|n| n.to_string()));
                prop_assert_eq!(mark.window(), total - prefix);
            }
        }
    }
}
