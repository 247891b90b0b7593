//! The shape of a stream: what is listed and what is stored -> what may start, what is missing, what can be forgotten.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use crate::{
    leases::row::LeaseRow,
    planted::{self, Bug, planted},
};

/// A shard as ListShards or the last GetRecords of its parent names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedShard {
    pub(crate) shard_id: String,
    /// None, one after a split, two after a merge. They may be trimmed already.
    pub(crate) parents: Vec<String>,
}

/// What one round is to do, each in the order of shard ids.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Listed shards without a row.
    pub(crate) create: Vec<ListedShard>,
    /// Shards whose parents are all done with and that are not finished themselves. Rows yet to be created are among them.
    pub(crate) startable: Vec<String>,
    /// Shards that wait for a parent, or for their absence to be certain.
    pub(crate) waiting: Vec<String>,
    /// Shards with an unfinished row that the service has not listed for so long that it has forgotten them.
    pub(crate) vanished: Vec<String>,
    /// Finished rows that nothing needs any more: not listed, and their children have rows, or they are of an older generation.
    pub(crate) forget: Vec<String>,
}

impl Plan {
    /// Whether there is something to be done for a shard, now or later.
    pub(crate) fn keeps(&self, shard_id: &str) -> bool {
        let mut kept = [&self.startable, &self.waiting, &self.vanished].into_iter();
        kept.any(|shards| shards.iter().any(|kept| kept == shard_id))
    }
}

/// Since when shards with a row are missing from complete listings.
#[derive(Debug, Default)]
pub(crate) struct Absences(BTreeMap<String, Absence>);

#[derive(Debug, Clone, Copy)]
struct Absence {
    first: Instant,
    last: Instant,
}

/// A listing may lag behind for moments, in which many rounds may fall: absence is a time, not a count.
const GONE_AFTER: Duration = defaults::LIST_SHARDS;

impl Absences {
    /// Takes in a complete listing. Whether a shard is missing from it that was not missing before.
    pub(crate) fn count(
        &mut self,
        rows: &[LeaseRow],
        listing: &[ListedShard],
        now: Instant,
    ) -> bool {
        let listed: BTreeSet<&str> = listing.iter().map(|shard| &*shard.shard_id).collect();
        let missing = rows.iter().filter(|row| !listed.contains(&*row.shard_id));
        let mut is_new = false;
        let counted = missing.map(|row| {
            let seen = self.0.get(&row.shard_id);
            is_new |= seen.is_none();
            let first = seen.map_or(now, |seen| seen.first);
            (row.shard_id.clone(), Absence { first, last: now })
        });
        self.0 = counted.collect();
        is_new
    }

    fn gone(&self, shard_id: &str) -> bool {
        self.0
            .get(shard_id)
            .is_some_and(|seen| seen.last - seen.first >= GONE_AFTER)
    }
}

/// What one round is to do in a generation. Rows of an older one stand at its position, `SHARD_END` included.
///
/// A parent is done with when its row is finished in the generation, or when it vanished after it was read to its end in an older one, or
/// when it is neither stored nor listed: then it was trimmed before this application ever saw it. Closed is not done with, and neither is
/// vanished before the end: its last records may be in the hands of handlers, so such a shard blocks its children until somebody holds
/// its lease and finishes its row.
pub(crate) fn plan(
    rows: &[LeaseRow],
    listing: &[ListedShard],
    absences: &Absences,
    generation: u64,
) -> Plan {
    let stored: BTreeMap<&str, &LeaseRow> = rows.iter().map(|row| (&*row.shard_id, row)).collect();
    let listed: BTreeMap<&str, &ListedShard> = listing
        .iter()
        .map(|shard| (&*shard.shard_id, shard))
        .collect();
    // A row that is held though it is finished is being read again: it will stand in this generation with the next heartbeat.
    let finished = |row: &LeaseRow| {
        let is_gone = row.holder.is_none() && !listed.contains_key(&*row.shard_id);
        row.is_finished_in(generation) || (row.is_finished() && is_gone)
    };
    let done = |parent: &String| match stored.get(&**parent) {
        Some(row) => {
            finished(row)
                || planted::is_noted(Bug::ChildrenBeforeConfirmation, &row.key)
                || planted::is_noted(Bug::ChildrenBeforeHook, &row.key)
                || planted(Bug::VanishedIsFinished) && absences.gone(parent)
        }
        None => !listed.contains_key(&**parent),
    };

    let mut plan = Plan::default();
    let shards: BTreeSet<&str> = stored.keys().chain(listed.keys()).copied().collect();
    for shard_id in shards {
        let row = stored.get(shard_id);
        if row.is_some_and(|row| finished(row)) {
            continue;
        }
        if absences.gone(shard_id) {
            plan.vanished.push(shard_id.into());
            continue;
        }
        // It may be another stream's: one that is to come may have a shard of its name, whose row must not have this generation then.
        if row.is_some_and(|row| row.generation < generation) && !listed.contains_key(shard_id) {
            plan.waiting.push(shard_id.into());
            continue;
        }
        // The listing knows parents better than an old row; a row knows them when the listing lags.
        let parents = listed
            .get(shard_id)
            .map(|shard| &shard.parents)
            .or(row.map(|row| &row.parents));
        if row.is_none() {
            plan.create
                .extend(listed.get(shard_id).map(|shard| (*shard).clone()));
        }
        let one_will_do = |parents: &Vec<String>| {
            planted(Bug::ChildBeforeSecondParent) && parents.iter().any(done)
        };
        if parents.is_none_or(|parents| parents.iter().all(done) || one_will_do(parents)) {
            plan.startable.push(shard_id.into());
        } else {
            plan.waiting.push(shard_id.into());
        }
    }

    let mut has_child: BTreeSet<&str> = BTreeSet::new();
    for row in rows {
        has_child.extend(row.parents.iter().map(String::as_str));
    }
    plan.forget = rows
        .iter()
        .filter(|row| {
            // Nobody waits for what an older generation left.
            let needed = row.generation >= generation && !has_child.contains(&*row.shard_id);
            row.is_finished() && absences.gone(&row.shard_id) && !needed
        })
        .map(|row| row.shard_id.clone())
        .collect();
    plan
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::leases::row::{Checkpoint, Holder};

    fn row(shard_id: &str, parents: &[&str], finished: bool) -> LeaseRow {
        LeaseRow {
            key: format!("app:s:{shard_id}"),
            shard_id: shard_id.into(),
            parents: parents.iter().map(ToString::to_string).collect(),
            holder: None,
            wanted_by: None,
            counter: 0,
            checkpoint: finished.then_some(Checkpoint::ShardEnd),
            generation: 0,
        }
    }

    fn listed(shard_id: &str, parents: &[&str]) -> ListedShard {
        ListedShard {
            shard_id: shard_id.into(),
            parents: parents.iter().map(ToString::to_string).collect(),
        }
    }

    fn gone(rows: &[LeaseRow], listing: &[ListedShard]) -> Absences {
        let mut absences = Absences::default();
        let now = Instant::now();
        absences.count(rows, listing, now);
        absences.count(rows, listing, now + GONE_AFTER);
        absences
    }

    #[test]
    fn a_child_waits_until_every_parent_is_finished() {
        let listing = [listed("a", &[]), listed("b", &[]), listed("c", &["a", "b"])];
        let none = Absences::default();
        let first = plan(&[], &listing, &none, 0);
        assert_eq!(
            (first.create.len(), first.startable, first.waiting),
            (3, vec!["a".to_owned(), "b".into()], vec!["c".to_owned()])
        );
        let half = [
            row("a", &[], true),
            row("b", &[], false),
            row("c", &["a", "b"], false),
        ];
        assert_eq!(plan(&half, &listing, &none, 0).waiting, ["c"]);
        let both = [
            row("a", &[], true),
            row("b", &[], true),
            row("c", &["a", "b"], false),
        ];
        assert_eq!(plan(&both, &listing, &none, 0).startable, ["c"]);
    }

    #[test]
    fn a_trimmed_parent_does_not_block_its_child() {
        let listing = [listed("c", &["a"])];
        assert_eq!(
            plan(&[], &listing, &Absences::default(), 0).startable,
            ["c"]
        );
    }

    #[test]
    fn listings_that_lag_for_a_moment_make_no_shard_vanish() {
        let rows = [row("a", &[], false), row("b", &["a"], false)];
        let listing = [listed("b", &["a"])];
        let mut absences = Absences::default();
        let now = Instant::now();
        for millis in 0..100 {
            absences.count(&rows, &listing, now + Duration::from_millis(millis));
        }
        let moment = plan(&rows, &listing, &absences, 0);
        assert_eq!(
            (moment.vanished.len(), moment.startable),
            (0, vec!["a".to_owned()])
        );
        absences.count(&rows, &listing, now + GONE_AFTER);
        let long = plan(&rows, &listing, &absences, 0);
        assert_eq!(
            (long.vanished, long.startable.len()),
            (vec!["a".to_owned()], 0)
        );
        assert_eq!(
            long.waiting,
            ["b"],
            "until the row of its parent is finished"
        );
    }

    #[test]
    fn a_shard_that_is_listed_again_was_never_gone() {
        let rows = [row("a", &[], false)];
        let mut absences = Absences::default();
        let now = Instant::now();
        absences.count(&rows, &[], now);
        absences.count(&rows, &[listed("a", &[])], now + GONE_AFTER / 2);
        absences.count(&rows, &[], now + GONE_AFTER);
        assert!(plan(&rows, &[], &absences, 0).vanished.is_empty());
    }

    #[test]
    fn a_finished_row_is_forgotten_only_when_it_is_unlisted_and_its_children_have_rows() {
        let parent = row("a", &[], true);
        let child = row("b", &["a"], false);
        let listing = [listed("b", &["a"])];
        let alone = [parent.clone()];
        assert!(
            plan(&alone, &listing, &gone(&alone, &listing), 0)
                .forget
                .is_empty()
        );
        let both = [parent, child];
        assert_eq!(
            plan(&both, &listing, &gone(&both, &listing), 0).forget,
            ["a"]
        );
        let still_listed = [listed("a", &[]), listed("b", &["a"])];
        assert!(
            plan(&both, &still_listed, &gone(&both, &still_listed), 0)
                .forget
                .is_empty()
        );
    }

    #[test]
    fn a_row_of_an_older_generation_is_read_again_and_its_children_wait_again() {
        let listing = [listed("a", &[]), listed("b", &["a"])];
        let rows = [row("a", &[], true), row("b", &["a"], true)];
        let none = Absences::default();
        let old = plan(&rows, &listing, &none, 0);
        assert!(old.startable.is_empty() && old.waiting.is_empty());
        let new = plan(&rows, &listing, &none, 1);
        assert_eq!(
            (new.startable, new.waiting),
            (vec!["a".to_owned()], vec!["b".to_owned()])
        );
        let mut half = rows;
        half[0].generation = 1;
        assert_eq!(plan(&half, &listing, &none, 1).startable, ["b"]);
    }

    #[test]
    fn what_an_older_generation_read_to_its_end_and_vanished_since_keeps_nobody_waiting_and_goes() {
        let listing = [listed("b", &["a"])];
        let rows = [row("a", &[], true), row("b", &["a"], false)];
        let moment = plan(&rows, &listing, &Absences::default(), 1);
        assert_eq!(
            (moment.startable, moment.vanished.len()),
            (vec!["b".to_owned()], 0)
        );
        let alone = [row("x", &[], true)];
        let gone = gone(&alone, &[]);
        assert!(
            plan(&alone, &[], &gone, 0).forget.is_empty(),
            "its children are still to come"
        );
        assert_eq!(plan(&alone, &[], &gone, 1).forget, ["x"]);
    }

    #[test]
    fn what_is_read_again_while_it_vanishes_keeps_its_children_waiting() {
        let listing = [listed("b", &["a"])];
        let mut rows = [row("a", &[], true), row("b", &["a"], false)];
        rows[0].holder = Some(Holder {
            owner_id: "one".into(),
            session: "s".into(),
            lease_duration: Duration::from_secs(10),
        });
        let moment = plan(&rows, &listing, &Absences::default(), 1);
        assert_eq!(
            (moment.startable.len(), moment.waiting),
            (0, vec!["a".to_owned(), "b".into()])
        );
    }

    #[test]
    fn an_unfinished_row_of_an_older_generation_blocks_its_children_until_it_is_closed() {
        let listing = [listed("b", &["a"])];
        let rows = [row("a", &[], false), row("b", &["a"], false)];
        let moment = plan(&rows, &listing, &Absences::default(), 1);
        assert_eq!(
            (moment.startable.len(), moment.waiting),
            (0, vec!["a".to_owned(), "b".into()]),
            "nor is it read in the new one"
        );
        let long = plan(&rows, &listing, &gone(&rows, &listing), 1);
        assert_eq!(
            (long.vanished, long.waiting),
            (vec!["a".to_owned()], vec!["b".to_owned()])
        );
    }

    /// A random history of splits and merges: shard `n` may have parents among the open shards before it.
    fn history() -> impl Strategy<Value = Vec<ListedShard>> {
        prop::collection::vec(
            (
                any::<prop::sample::Index>(),
                any::<prop::sample::Index>(),
                any::<bool>(),
            ),
            0..12,
        )
        .prop_map(|steps| {
            let mut shards = vec![listed("s00", &[]), listed("s01", &[])];
            let mut open = vec![0, 1];
            for (one, two, split) in steps {
                let name = |n: usize| format!("s{n:02}");
                let first = open.remove(one.index(open.len()));
                let mut parents = vec![name(first)];
                let children = if split || open.is_empty() { 2 } else { 1 };
                if children == 1 {
                    parents.push(name(open.remove(two.index(open.len()))));
                }
                for _ in 0..children {
                    open.push(shards.len());
                    shards.push(ListedShard {
                        shard_id: name(shards.len()),
                        parents: parents.clone(),
                    });
                }
            }
            shards
        })
    }

    proptest! {
        #[test]
        fn every_shard_starts_once_and_after_all_its_parents(shards in history(), picks in prop::collection::vec(any::<prop::sample::Index>(), 64)) {
            let mut rows: Vec<LeaseRow> = Vec::new();
            let mut finished = BTreeSet::new();
            for pick in picks {
                let plan = plan(&rows, &shards, &Absences::default(), 0);
                for shard in &plan.create {
                    rows.push(LeaseRow { parents: shard.parents.clone(), ..row(&shard.shard_id, &[], false) });
                }
                if plan.startable.is_empty() {
                    break;
                }
                for startable in &plan.startable {
                    let shard = shards.iter().find(|s| s.shard_id == *startable).expect("listed");
                    prop_assert!(shard.parents.iter().all(|parent| finished.contains(parent)));
                }
                let ended = &plan.startable[pick.index(plan.startable.len())];
                prop_assert!(finished.insert(ended.clone()));
                rows.iter_mut().find(|row| row.shard_id == *ended).expect("created").checkpoint = Some(Checkpoint::ShardEnd);
            }
            prop_assert_eq!(finished.len(), shards.len(), "nothing waits for ever");
        }
    }
}
