//! How a stream gets from its shards to a number of equal ones: splits first, then merges.
//!
//! A plan on plain data. Every split and merge is one step, as if asked for by itself, so that
//! lineage is complete and every step leaves the hash keys covered once.

use super::HashRange;
use super::shard::Child;
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    index: u32,
    range: HashRange,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The children of each step: two of a split, one of a merge.
    pub(crate) steps: Vec<Vec<Child>>,
    /// How many more shards than at the beginning are open at some time.
    pub(crate) extra: usize,
    /// The index of the next shard that is made.
    pub(crate) next_index: u32,
}

/// `open` covers all hash keys, in their order.
pub(crate) fn uniform(open: &[(u32, HashRange)], target: u32, next_index: u32) -> Plan {
    let pieces = open.iter();
    let mut planner = Planner {
        pieces: pieces
            .map(|(index, range)| Piece {
                index: *index,
                range: *range,
            })
            .collect(),
        steps: Vec::new(),
        next_index,
    };
    let bounds = bounds(open, target);
    planner.split(&bounds);
    let extra = planner.pieces.len() - open.len();
    planner.merge(&bounds);
    Plan {
        steps: planner.steps,
        extra,
        next_index: planner.next_index,
    }
}

/// Where the shards to come begin. A bound that lies within rounding of one that exists is that one:
/// halves of a third and sixths of the whole differ by a key, and are the same to everybody.
fn bounds(open: &[(u32, HashRange)], target: u32) -> Vec<u128> {
    let rounding = u128::from(target);
    let snap = |bound: u128| {
        let behind = open.partition_point(|(_, range)| range.start < bound);
        let near = &open[behind.saturating_sub(1)..open.len().min(behind + 1)];
        let starts = near.iter().map(|(_, range)| range.start);
        let nearest = starts.min_by_key(|start| start.abs_diff(bound));
        nearest
            .filter(|start| start.abs_diff(bound) <= rounding)
            .unwrap_or(bound)
    };
    let ranges = HashRange::divide(target);
    ranges.iter().map(|range| snap(range.start)).collect()
}

struct Planner {
    pieces: Vec<Piece>,
    steps: Vec<Vec<Child>>,
    next_index: u32,
}

impl Planner {
    fn child(&mut self, parents: &[u32], range: HashRange) -> Child {
        let index = self.next_index;
        self.next_index += 1;
        Child {
            index,
            parents: parents.to_vec(),
            range,
        }
    }

    /// Splits every piece at the bounds within it, at the middle one first.
    fn split(&mut self, bounds: &[u128]) {
        let mut whole = VecDeque::from(std::mem::take(&mut self.pieces));
        while let Some(piece) = whole.pop_front() {
            let from = bounds.partition_point(|bound| *bound <= piece.range.start);
            let to = bounds.partition_point(|bound| *bound <= piece.range.end);
            let Some(at) = bounds[from..to].get((to - from) / 2) else {
                self.pieces.push(piece);
                continue;
            };
            let low = HashRange {
                start: piece.range.start,
                end: at - 1,
            };
            let high = HashRange {
                start: *at,
                end: piece.range.end,
            };
            let children = [low, high].map(|range| self.child(&[piece.index], range));
            whole.extend(children.iter().map(Piece::of));
            self.steps.push(children.into());
        }
        self.pieces.sort_unstable_by_key(|piece| piece.range);
    }

    /// Merges the pieces between two bounds, neighbours first, until one is left.
    fn merge(&mut self, bounds: &[u128]) {
        let pieces = std::mem::take(&mut self.pieces);
        let group = |piece: &Piece| bounds.partition_point(|bound| *bound <= piece.range.start);
        for group in pieces.chunk_by(|a, b| group(a) == group(b)) {
            let mut group = group.to_vec();
            while group.len() > 1 {
                let mut merged = Vec::with_capacity(group.len().div_ceil(2));
                for pair in group.chunks(2) {
                    let [low, high] = pair else {
                        merged.extend_from_slice(pair);
                        continue;
                    };
                    let range = HashRange {
                        start: low.range.start,
                        end: high.range.end,
                    };
                    let child = self.child(&[low.index, high.index], range);
                    merged.push(Piece::of(&child));
                    self.steps.push(vec![child]);
                }
                group = merged;
            }
            self.pieces.append(&mut group);
        }
    }
}

impl Piece {
    fn of(child: &Child) -> Self {
        Self {
            index: child.index,
            range: child.range,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn even(shards: u32) -> Vec<(u32, HashRange)> {
        (0..).zip(HashRange::divide(shards)).collect()
    }

    /// Carries the plan out, and holds every step to the rules of a split or a merge.
    fn carry_out(open: &[(u32, HashRange)], plan: &Plan) -> Vec<HashRange> {
        let mut shards: BTreeMap<u32, HashRange> = open.iter().copied().collect();
        let mut most = shards.len();
        for step in &plan.steps {
            let parents: Vec<HashRange> = step[0]
                .parents
                .iter()
                .map(|parent| shards.remove(parent).expect("a parent is open"))
                .collect();
            let (first, last) = (step.first().unwrap(), step.last().unwrap());
            match (&parents[..], &step[..]) {
                ([whole], [low, high]) => {
                    assert_eq!(low.range.join(high.range), Some(*whole));
                    assert_eq!(low.parents, high.parents);
                    assert!(low.range.start < low.range.end && high.range.start < high.range.end);
                }
                ([low, high], [whole]) => assert_eq!(low.join(*high), Some(whole.range)),
                shape => panic!("neither a split nor a merge: {shape:?}"),
            }
            assert!(first.index <= last.index && last.index < plan.next_index);
            for child in step {
                assert_eq!(shards.insert(child.index, child.range), None);
            }
            most = most.max(shards.len());
        }
        assert_eq!(most - open.len(), plan.extra);
        let mut ranges: Vec<HashRange> = shards.into_values().collect();
        ranges.sort_unstable();
        ranges
    }

    #[test]
    fn doubling_splits_and_halving_merges_and_nothing_else() {
        let plan = uniform(&even(2), 4, 2);
        assert_eq!(plan.steps.len(), 2);
        assert_eq!(carry_out(&even(2), &plan), HashRange::divide(4));
        let plan = uniform(&even(4), 2, 4);
        assert_eq!((plan.steps.len(), plan.extra), (2, 0));
        assert_eq!(carry_out(&even(4), &plan), HashRange::divide(2));
        assert_eq!(uniform(&even(3), 3, 3).steps, Vec::<Vec<Child>>::new());
    }

    #[test]
    fn thirds_become_sixths_in_three_splits_although_the_bounds_are_rounded() {
        let plan = uniform(&even(3), 6, 3);
        assert_eq!(plan.steps.len(), 3);
        assert_eq!(carry_out(&even(3), &plan).len(), 6);
    }

    #[test]
    fn two_become_three_by_short_lived_shards() {
        let plan = uniform(&even(2), 3, 2);
        let shapes: Vec<usize> = plan.steps.iter().map(Vec::len).collect();
        assert_eq!((shapes, plan.extra), (vec![2, 2, 1], 2));
        assert_eq!(carry_out(&even(2), &plan), HashRange::divide(3));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_shards_become_equal_ones(
            cuts in prop::collection::btree_set(prop_oneof![2..20_u128, 2..u128::MAX - 2], 0..12),
            target in 1..40_u32,
        ) {
            let mut starts = vec![0];
            for cut in cuts {
                // As a split leaves them: two keys at least.
                if cut - starts[starts.len() - 1] >= 2 {
                    starts.push(cut);
                }
            }
            let ends = starts[1..].iter().map(|start| start - 1).chain([u128::MAX]);
            let open: Vec<(u32, HashRange)> = (0..)
                .zip(starts.iter().zip(ends).map(|(start, end)| HashRange { start: *start, end }))
                .collect();
            let plan = uniform(&open, target, 100);
            let ranges = carry_out(&open, &plan);
            prop_assert_eq!(ranges.len(), target as usize);
            for (is, ideal) in ranges.iter().zip(HashRange::divide(target)) {
                prop_assert!(is.start.abs_diff(ideal.start) <= u128::from(target));
                prop_assert!(is.end.abs_diff(ideal.end) <= u128::from(target));
            }
        }
    }
}
