//! The rows of some streams, and instances that act on them without readers and without time.

use crate::leases::balance::*;

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) owner: Option<String>,
    pub(super) left_by: Option<String>,
    pub(super) wanted_by: Option<String>,
    pub(super) moves: u32,
}

/// The rows of some streams, and what each instance remembers of the others' shares.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) streams: Vec<Vec<Row>>,
    pub(super) members: BTreeSet<String>,
    pub(super) shares: BTreeMap<String, BTreeMap<usize, BTreeMap<String, usize>>>,
    pub(super) newcomers: BTreeSet<String>,
}

impl World {
    pub(super) fn new(streams: &[usize]) -> Self {
        let free = Row {
            owner: None,
            left_by: None,
            wanted_by: None,
            moves: 0,
        };
        Self {
            streams: streams
                .iter()
                .map(|leases| vec![free.clone(); *leases])
                .collect(),
            ..Self::default()
        }
    }

    pub(super) fn join(&mut self, who: &str) {
        self.members.insert(who.into());
    }

    /// Its leases are free, or dead: that is the same here.
    pub(super) fn leave(&mut self, who: &str) {
        self.members.remove(who);
        self.shares.remove(who);
        for row in self.streams.iter_mut().flatten() {
            if row.owner.as_deref() == Some(who) {
                row.left_by = row.owner.take();
            }
        }
    }

    pub(super) fn forget_moves(&mut self) {
        for row in self.streams.iter_mut().flatten() {
            row.moves = 0;
        }
    }

    pub(super) fn sees(&self, who: &str, stream: usize) -> Vec<Lease> {
        let rows = self.streams[stream].iter().enumerate();
        rows.map(|(number, row)| Lease {
            shard_id: number.to_string(),
            owner: match &row.owner {
                None => Owner::Nobody {
                    left_by: row.left_by.clone(),
                },
                Some(owner) if owner == who => Owner::Me,
                Some(owner) => Owner::Other(owner.clone()),
            },
            wanted_by: row.wanted_by.clone(),
        })
        .collect()
    }

    pub(super) fn plan(&mut self, who: &str, stream: usize) -> Plan {
        let shares = self.shares.entry(who.into()).or_default();
        let mut elsewhere = BTreeMap::new();
        for (_, share) in shares.iter().filter(|(other, _)| **other != stream) {
            for (member, held) in share {
                *elsewhere.entry(member.clone()).or_default() += held;
            }
        }
        let plan = plan(&Sight {
            me: who,
            stream: &format!("s{stream}"),
            leases: &self.sees(who, stream),
            elsewhere: &elsewhere,
            newcomers: &self.newcomers,
            asks: &Asks::default(),
        });
        let shares = self.shares.entry(who.into()).or_default();
        shares.insert(stream, plan.then.clone());
        plan
    }

    /// Whether anything was done.
    pub(super) fn act(&mut self, who: &str, stream: usize) -> bool {
        let plan = self.plan(who, stream);
        let row = |shard_id: &String| shard_id.parse::<usize>().expect("a number");
        let rows = &mut self.streams[stream];
        for shard_id in &plan.take {
            rows[row(shard_id)] = Row {
                owner: Some(who.into()),
                left_by: None,
                wanted_by: None,
                moves: rows[row(shard_id)].moves + 1,
            };
        }
        for shard_id in &plan.request {
            rows[row(shard_id)].wanted_by = Some(who.into());
        }
        for (shard_id, to) in &plan.grant {
            rows[row(shard_id)] = Row {
                owner: Some(to.clone()),
                left_by: None,
                wanted_by: None,
                moves: rows[row(shard_id)].moves + 1,
            };
        }
        for shard_id in &plan.refuse {
            rows[row(shard_id)].wanted_by = None;
        }
        let Plan {
            take,
            request,
            grant,
            refuse,
            ..
        } = plan;
        !(take.is_empty() && request.is_empty() && grant.is_empty() && refuse.is_empty())
    }

    pub(super) fn round(&mut self) -> bool {
        let mut acted = false;
        for who in self.members.clone() {
            for stream in 0..self.streams.len() {
                acted |= self.act(&who, stream);
            }
        }
        acted
    }

    /// The number of rounds in which something was done.
    pub(super) fn settle(&mut self) -> usize {
        (0..100).take_while(|_| self.round()).count()
    }

    pub(super) fn counts(&self, rows: &[&Row]) -> Vec<usize> {
        let held = |who: &String| {
            rows.iter()
                .filter(|row| row.owner.as_ref() == Some(who))
                .count()
        };
        self.members.iter().map(held).collect()
    }

    pub(super) fn is_even(&self) -> bool {
        let all: Vec<_> = self.streams.iter().flatten().collect();
        let streams = self.streams.iter().map(|rows| rows.iter().collect());
        let differ = |rows: Vec<&Row>| {
            let counts = self.counts(&rows);
            counts
                .iter()
                .max()
                .zip(counts.iter().min())
                .map_or(0, |(most, least)| most - least)
        };
        streams
            .chain([all.clone()])
            .map(differ)
            .all(|difference| difference <= 1)
            && all
                .iter()
                .all(|row| row.owner.is_some() && row.wanted_by.is_none())
    }

    pub(super) fn most_moves(&self) -> u32 {
        self.streams
            .iter()
            .flatten()
            .map(|row| row.moves)
            .max()
            .unwrap_or(0)
    }
}

/// What a store was asked in one round in which everybody acted at the same moment.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub(super) reads: usize,
    pub(super) writes: usize,
    pub(super) refused: usize,
}

impl World {
    /// Everybody plans on how things stood at the beginning of the round; who comes second is refused.
    pub(super) fn round_at_once(&mut self) -> Option<Calls> {
        let stood = self.streams[0].clone();
        let mut calls = Calls::default();
        let mut acted = false;
        for who in self.members.clone() {
            let now = std::mem::replace(&mut self.streams[0], stood.clone());
            let plan = self.plan(&who, 0);
            self.streams[0] = now;
            let rows = &mut self.streams[0];
            // A scan, and the stream's row.
            calls.reads += 2;
            let row = |shard_id: &String| shard_id.parse::<usize>().expect("a number");
            for shard_id in &plan.take {
                // A reading of the row comes first, and a refused take is one that was lost after it.
                calls.reads += 1;
                let row = &mut rows[row(shard_id)];
                if row.owner.is_none() {
                    calls.writes += 1;
                    row.owner = Some(who.clone());
                    row.moves += 1;
                } else {
                    calls.refused += 1;
                }
            }
            for shard_id in &plan.request {
                let row = &mut rows[row(shard_id)];
                if row.wanted_by.is_none() {
                    calls.writes += 1;
                    row.wanted_by = Some(who.clone());
                } else {
                    calls.refused += 1;
                }
            }
            for (shard_id, to) in &plan.grant {
                // The grant, and the first beat of the new owner after a reading of his.
                calls.writes += 2;
                calls.reads += 1;
                rows[row(shard_id)] = Row {
                    owner: Some(to.clone()),
                    left_by: None,
                    wanted_by: None,
                    moves: rows[row(shard_id)].moves + 1,
                };
            }
            // Refusals ride on heartbeats.
            acted |= !plan.refuse.is_empty();
            for shard_id in &plan.refuse {
                rows[row(shard_id)].wanted_by = None;
            }
            // Everybody rings at most twice.
            calls.writes += 2 * usize::from(!(plan.request.is_empty() && plan.grant.is_empty()));
        }
        (acted || calls.writes + calls.refused > 0).then_some(calls)
    }
}
