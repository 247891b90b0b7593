//! Slips of the fingers: the nearest known name.

use crate::keys::{Key, Table};

/// The key whose name is nearest, if it is near.
pub(super) fn nearest(table: &'static Table, word: &str) -> Option<&'static Key> {
    table
        .keys
        .iter()
        .map(|key| (distance(word, key.name), key))
        .filter(|(distance, key)| *distance <= (key.name.len() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, key)| key)
}

/// Damerau-Levenshtein distance with adjacent swaps: insertions, deletions, replacements and swaps of neighbours.
pub(crate) fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, r) in right.iter().enumerate() {
            let replaced = above[j] + usize::from(l != r);
            let mut least = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *l == right[j - 1] && left[i - 1] == *r {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[right.len()]
}
