//! Shards as their ranges and parents say: which comes before which, which to split, which to merge. Pure.

use std::collections::BTreeSet;

/// A shard as the service lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) id: String,
    pub(crate) parents: Vec<String>,
    /// The hash keys that it takes, both ends included.
    pub(crate) range: (u128, u128),
    pub(crate) open: bool,
}

impl Shard {
    fn width(&self) -> u128 {
        self.range.1 - self.range.0
    }
}

/// The same shards, each one after its parents. Parents that are not listed, because their records have expired, come
/// before everything.
pub(crate) fn parents_first(shards: &[Shard]) -> Vec<&Shard> {
    let mut waiting: Vec<&Shard> = shards.iter().collect();
    let mut ordered = Vec::with_capacity(shards.len());
    while !waiting.is_empty() {
        let unplaced: BTreeSet<&str> = waiting.iter().map(|shard| shard.id.as_str()).collect();
        let (free, bound): (Vec<&Shard>, Vec<&Shard>) = waiting.iter().partition(|shard| {
            !shard
                .parents
                .iter()
                .any(|parent| unplaced.contains(parent.as_str()))
        });
        // Shards that are each other's ancestors do not exist; if they did, any order is as good as another.
        let Some(_) = free.first() else {
            ordered.extend(bound);
            break;
        };
        ordered.extend(free);
        waiting = bound;
    }
    ordered
}

/// The open shard with the widest range, and the hash key in its middle.
pub(crate) fn to_split(shards: &[Shard]) -> Option<(&Shard, u128)> {
    let widest = shards
        .iter()
        .filter(|shard| shard.open)
        .max_by_key(|shard| shard.width())?;
    Some((widest, widest.range.0 + widest.width() / 2 + 1))
}

/// The narrowest two open shards that touch, cousins before siblings: a merge that does not just undo a split makes a
/// lineage worth the name.
pub(crate) fn to_merge(shards: &[Shard]) -> Option<(&Shard, &Shard)> {
    let mut open: Vec<&Shard> = shards.iter().filter(|shard| shard.open).collect();
    open.sort_by_key(|shard| shard.range);
    open.windows(2)
        .map(|pair| (pair[0], pair[1]))
        .min_by_key(|(low, high)| {
            let siblings = !low.parents.is_empty() && low.parents == high.parents;
            (siblings, low.width().saturating_add(high.width()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(id: &str, parents: &[&str], range: (u128, u128), open: bool) -> Shard {
        Shard {
            id: id.into(),
            parents: parents.iter().map(ToString::to_string).collect(),
            range,
            open,
        }
    }

    /// `a` was split into `c` and `d`; `d` and `b` were merged into `e`.
    fn family() -> Vec<Shard> {
        vec![
            shard("e", &["d", "b"], (50, 199), true),
            shard("c", &["a"], (0, 49), true),
            shard("d", &["a"], (50, 99), false),
            shard("a", &["expired"], (0, 99), false),
            shard("b", &[], (100, 199), false),
        ]
    }

    #[test]
    fn each_shard_comes_after_its_parents() {
        let family = family();
        let ids: Vec<&str> = parents_first(&family)
            .into_iter()
            .map(|shard| shard.id.as_str())
            .collect();
        assert_eq!(ids, ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn the_widest_open_shard_is_split_in_its_middle() {
        let family = family();
        let (shard, middle) = to_split(&family).expect("there are open ones");
        assert_eq!((shard.id.as_str(), middle), ("e", 125));
        assert!(to_split(&family[2..]).is_none());
    }

    #[test]
    fn cousins_are_merged_before_siblings() {
        let ids = |shards: &[Shard]| {
            to_merge(shards).map(|(low, high)| (low.id.clone(), high.id.clone()))
        };
        let mut shards = vec![
            shard("low", &["p"], (0, 9), true),
            shard("high", &["p"], (10, 19), true),
            shard("other", &[], (20, 99), true),
        ];
        assert_eq!(ids(&shards), Some(("high".into(), "other".into())));
        shards.truncate(2);
        assert_eq!(ids(&shards), Some(("low".into(), "high".into())));
        shards.truncate(1);
        assert_eq!(ids(&shards), None);
    }
}
