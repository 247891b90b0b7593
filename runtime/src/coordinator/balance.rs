//! Which leases of the stream this instance takes, asks for and hands over.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use kinesis_app_rules::defaults;
use tokio::time::Instant;

use super::{Coordinator, Next, RoundError, takes::Candidate};
use crate::{
    leases::{
        balance::{self, Lease, Owner, Plan, Sight},
        liveness::Liveness,
        readings::Turn,
        row::{LeaseRow, Wanted},
    },
    reader::Purpose,
    shards::lineage,
};

/// The rows of a stream as they were listed, and when that was asked for and answered.
#[derive(Debug)]
pub(super) struct Listed<'a> {
    rows: BTreeMap<&'a str, &'a LeaseRow>,
    sent: Instant,
    answered: Instant,
}

impl<'a> Listed<'a> {
    pub(super) fn new(rows: &'a [LeaseRow], sent: Instant, answered: Instant) -> Self {
        let rows = rows.iter().map(|row| (&*row.shard_id, row));
        Self {
            rows: rows.collect(),
            sent,
            answered,
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &'a LeaseRow> {
        self.rows.values().copied()
    }

    pub(super) fn row(&self, shard_id: &str) -> Option<&'a LeaseRow> {
        self.rows.get(shard_id).copied()
    }
}

impl Coordinator {
    /// Asks for leases and answers who asks. The answer is which leases are to be taken, once a reading of each row confirms what the
    /// listing, which may lag, says of it.
    pub(super) async fn balance(
        &mut self,
        listed: &Listed<'_>,
        lineage: &lineage::Plan,
    ) -> Result<(Vec<Candidate>, Next), RoundError> {
        let (leases, mut candidates) = self.sight(listed, &lineage.startable);
        let newcomers = self.newcomers(&leases);
        let lease_duration = self.stream.instance.timing.lease_duration;
        let asks = self
            .given_up
            .asks(self.reads_since, Instant::now(), lease_duration);
        let stream = Arc::clone(&self.stream);
        let instance = &stream.instance;
        let plan = instance.shares.decide(&stream.name, |elsewhere| {
            balance::plan(&Sight {
                me: &instance.session,
                stream: &stream.name,
                leases: &leases,
                elsewhere,
                newcomers: &newcomers,
                asks: &asks,
            })
        });
        tracing::debug!(stream = self.stream.label, ?plan, "balance");
        self.answer(listed, &plan);
        let asked = self.ask(listed, &plan).await?;
        let has_joined = self.first_round.is_on() && !plan.takes_more;
        if asked > 0 || has_joined {
            self.stream.bell.ring(&instance.store).await;
        }
        let next = if plan.takes_more {
            Next::More
        } else if !newcomers.is_empty() {
            Next::Shortly
        } else if plan.watches {
            Next::Watch
        } else {
            Next::Later
        };
        candidates.extend(plan.take.into_iter().map(Candidate::to_read));
        Ok((candidates, next))
    }

    /// What the listing says of the leases that count, and the rows that carry this process's session without a reader: takes or tenures
    /// that were cut off, and grants. Nobody else reads those.
    fn sight(&mut self, listed: &Listed<'_>, startable: &[String]) -> (Vec<Lease>, Vec<Candidate>) {
        let mut own = Vec::new();
        let mut leases = Vec::new();
        for shard_id in startable {
            let row = listed.row(shard_id);
            let owner = if self.readers.contains(shard_id) {
                self.leaves_to(shard_id)
            } else if let Some(row) = row {
                let is_own = row.session() == Some(&*self.stream.instance.session);
                if is_own && !self.refused.rests(shard_id) {
                    own.push(Candidate {
                        shard_id: shard_id.clone(),
                        purpose: Purpose::Read,
                        must_be_ours: true,
                    });
                }
                self.owner(listed, row)
            } else {
                self.nobody(shard_id, None)
            };
            leases.push(Lease {
                shard_id: shard_id.clone(),
                owner,
                wanted_by: row
                    .and_then(|row| row.wanted_by.as_ref())
                    .map(|wanted| wanted.session.clone()),
            });
        }
        let idle = leases.iter().filter(|lease| lease.is_idle());
        let idle: BTreeSet<_> = idle.map(|lease| &*lease.shard_id).collect();
        self.idle.retain(|shard_id, _| idle.contains(&**shard_id));
        (leases, own)
    }

    fn leaves_to(&self, shard_id: &str) -> Owner {
        let held = self.stream.tenures.find(shard_id);
        let to = held.and_then(|held| Some(held.tenure.petition().granted()?.session.clone()));
        to.map_or(Owner::Me, |to| Owner::Leaving { to })
    }

    /// Of a row that nobody here reads.
    fn owner(&mut self, listed: &Listed<'_>, row: &LeaseRow) -> Owner {
        let instance = &self.stream.instance;
        let Some(session) = row.session() else {
            self.seen.observe(
                row,
                listed.sent,
                listed.answered,
                instance.timing.lease_duration,
            );
            let left_by = self.seen.left_by(&row.key).map(String::from);
            return self.nobody(&row.shard_id, left_by);
        };
        if *session == *instance.session {
            return Owner::Me;
        }
        let ours = instance.timing.lease_duration;
        let liveness = self.seen.observe(row, listed.sent, listed.answered, ours);
        if liveness == Liveness::Moving {
            self.namesake.look(&self.stream, row);
        }
        match liveness {
            Liveness::Moving | Liveness::Watched => {
                self.refused.shard_is_over(&row.shard_id);
                Owner::Other(session.to_owned())
            }
            Liveness::Free | Liveness::Dead => self.nobody(&row.shard_id, Some(session.to_owned())),
        }
    }

    fn nobody(&mut self, shard_id: &str, left_by: Option<String>) -> Owner {
        if self.refused.rests(shard_id) {
            return Owner::Shunned;
        }
        let patience = self.pause(Next::Watch);
        let since = self
            .idle
            .entry(shard_id.to_owned())
            .or_insert_with(Instant::now);
        if since.elapsed() >= patience {
            Owner::Overdue
        } else {
            Owner::Nobody { left_by }
        }
    }

    /// Who was seen to ask for leases of this instance for less than a moment.
    fn newcomers(&mut self, leases: &[Lease]) -> BTreeSet<String> {
        let mine = leases.iter().filter(|lease| lease.owner == Owner::Me);
        let asking: BTreeSet<_> = mine.filter_map(|lease| lease.wanted_by.clone()).collect();
        self.asking.retain(|who, _| asking.contains(who));
        let now = Instant::now();
        let is_new = |who: &String| {
            let since = self.asking.entry(who.clone()).or_insert(now);
            now.duration_since(*since) < defaults::BELL
        };
        asking.into_iter().filter(is_new).collect()
    }

    /// A reader that is told twice hears it once.
    fn answer(&self, listed: &Listed<'_>, plan: &Plan) {
        let wanted = |shard_id: &str| -> Option<Wanted> { listed.row(shard_id)?.wanted_by.clone() };
        for (shard_id, _) in &plan.grant {
            if let (Some(held), Some(to)) = (self.stream.tenures.find(shard_id), wanted(shard_id)) {
                tracing::info!(
                    stream = self.stream.label,
                    shard = shard_id,
                    to = to.owner_id,
                    "lease is handed over"
                );
                held.tenure.petition().grant(to);
            }
        }
        for shard_id in &plan.refuse {
            if let Some(held) = self.stream.tenures.find(shard_id) {
                tracing::debug!(
                    stream = self.stream.label,
                    shard = shard_id,
                    "request refused"
                );
                held.tenure.petition().refuse();
            }
        }
        // Another word may have come in between.
        for (_, tenure) in self.stream.tenures.all() {
            if tenure.petition().granted().is_some() {
                tenure.readings().tell(Turn::HandOver);
            }
        }
    }
}
