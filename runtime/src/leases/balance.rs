//! Who reads how many shards. Pure: the rows of one stream as one instance sees them -> what it takes, asks for, hands over and refuses.
//!
//! Each stream is spread by itself: of `t` leases over `n` instances everybody holds `t / n`, rounded down or up. Where that leaves a
//! choice, the leases of the application's other streams decide: many streams of one shard each are spread like the shards of one. But for
//! who takes what is free: that goes by what all see alike, and is evened out afterwards.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use kinesis_app_rules::defaults;

/// What one instance sees of one stream.
#[derive(Debug)]
pub(crate) struct Sight<'a> {
    /// Its session, as those of others.
    pub(crate) me: &'a str,
    /// The stream's name: a shard's id is no other's within one stream only.
    pub(crate) stream: &'a str,
    /// Those that count: their shards may start and are not finished.
    pub(crate) leases: &'a [Lease],
    /// How many leases of other streams everybody holds.
    pub(crate) elsewhere: &'a BTreeMap<String, usize>,
    /// Who was seen to ask for the first time just now. Whoever joins at the same moment has not asked yet: they are answered together.
    pub(crate) newcomers: &'a BTreeSet<String>,
    pub(crate) asks: &'a Asks,
}

/// Which leases are asked for. An instance that could not read a shard that others can would have it handed over for nothing.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Asks {
    /// Shards that I could not read a short while ago.
    pub(crate) but_for: BTreeSet<String>,
    pub(crate) at_once: AtOnce,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtOnce {
    /// My whole share.
    #[default]
    All,
    /// One lease, until it is known that I can read it: I could read none so far.
    One,
    /// None for now: I could not read one just now.
    None,
}

/// One lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lease {
    pub(crate) shard_id: String,
    pub(crate) owner: Owner,
    /// Whose request stands in its row.
    pub(crate) wanted_by: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owner {
    Me,
    /// On its way from me to another.
    Leaving {
        to: String,
    },
    Other(String),
    /// Free or dead. Whoever left it, or died with it, is given none for now.
    Nobody {
        left_by: Option<String>,
    },
    /// Whoever should have taken it did not.
    Overdue,
    /// Free, and not to be read by me for now.
    Shunned,
}

/// What is to be done, by shard.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Free and dead leases.
    pub(crate) take: Vec<String>,
    /// Whether there are more to be taken when these are.
    pub(crate) takes_more: bool,
    /// Leases to ask their owners for.
    pub(crate) request: Vec<String>,
    /// Leases that are handed over, each to who asked for it.
    pub(crate) grant: Vec<(String, String)>,
    /// Whether others hold leases, or are to take some: they may be dead.
    pub(crate) watches: bool,
    /// Leases whose request is refused: the owner has no more than his share.
    pub(crate) refuse: Vec<String>,
    /// How many everybody holds when what I know to be under way is done.
    pub(crate) then: BTreeMap<String, usize>,
}

/// Decides for one instance.
///
/// Free and dead leases come first: everybody who sees the same gives them out alike, so that each takes his own and nobody two. Then
/// whoever holds less than others asks the one who holds most, down to that one's share; and who is asked grants down to his own.
pub(crate) fn plan(sight: &Sight<'_>) -> Plan {
    let mut plan = Plan {
        watches: sight.leases.iter().any(Lease::is_anothers),
        ..Plan::default()
    };
    let mut spread = Spread::of(sight);
    spread.give_out(sight, &mut plan);
    spread.answer(sight, &mut plan);
    spread.ask(sight, &mut plan);
    plan.then = spread.then();
    plan
}

/// How many leases everybody holds.
struct Spread<'a> {
    here: BTreeMap<&'a str, usize>,
    /// What is left for others to take, who may be dead.
    left: BTreeMap<&'a str, usize>,
    elsewhere: &'a BTreeMap<String, usize>,
    /// What everybody holds at least when all is even, and at most.
    least: usize,
    most: usize,
}

impl<'a> Spread<'a> {
    fn of(sight: &Sight<'a>) -> Self {
        let leaving: BTreeSet<&str> = sight.leases.iter().filter_map(Lease::left_by).collect();
        let stays = |who: &&str| *who == sight.me || !leaving.contains(who);
        let elsewhere = sight.elsewhere.keys().map(String::as_str);
        let asking = sight.leases.iter().filter_map(Lease::wanted_by);
        let owners = sight
            .leases
            .iter()
            .filter_map(|lease| lease.owner(sight.me));
        let members = elsewhere
            .chain(asking)
            .chain(owners.clone())
            .chain([sight.me]);
        let mut here: BTreeMap<&str, usize> = members.filter(stays).map(|who| (who, 0)).collect();
        for owner in owners {
            if let Some(held) = here.get_mut(owner) {
                *held += 1;
            }
        }
        let leases = sight.leases.len();
        Self {
            least: leases / here.len(),
            most: leases.div_ceil(here.len()),
            here,
            left: BTreeMap::new(),
            elsewhere: sight.elsewhere,
        }
    }

    fn held(&self, who: &str) -> usize {
        self.here.get(who).copied().unwrap_or(0)
    }

    /// Of this stream first, of all streams second.
    fn load(&self, who: &str) -> (usize, usize) {
        let here = self.held(who);
        (here, here + self.elsewhere.get(who).copied().unwrap_or(0))
    }

    /// Whether a lease that goes from one to the other makes it more even, and takes nobody past his share.
    fn evens(&self, from: &str, to: &str) -> bool {
        let ((from_here, from_all), (to_here, to_all)) = (self.load(from), self.load(to));
        let is_more =
            from_here >= to_here + 2 || from_here == to_here + 1 && from_all >= to_all + 2;
        is_more && from_here > self.least && to_here < self.most
    }

    /// Whom to ask first: those who hold more than anybody is to, each asker in an order of his own, so that not all ask the richest; then
    /// the richest.
    fn gives(&self, owner: &str, asker: &str) -> (bool, (usize, usize), u64) {
        let has_too_many = self.held(owner) > self.most;
        let load = if has_too_many {
            (0, 0)
        } else {
            self.load(owner)
        };
        (has_too_many, load, chance(asker, drawn(owner)))
    }

    fn gains(&mut self, who: &'a str) {
        *self.here.entry(who).or_default() += 1;
    }

    fn loses(&mut self, who: &str) {
        if let Some(held) = self.here.get_mut(who) {
            *held -= 1;
        }
    }

    /// By what everybody sees alike, or each would leave the lease to the other: nobody knows what another one knows of other streams. Of
    /// those who hold as many of this one, each shard has an order of its own, so that the free ones of many streams are spread as well.
    fn taker(&self, stream: &str, shard_id: &str) -> Option<&'a str> {
        let shard = format!("{stream}/{shard_id}");
        let takers = self.here.keys().copied();
        takers.min_by_key(|who| (self.held(who), chance(who, &shard), *who))
    }

    /// Without who holds none: two streams would remind each other of the dead for ever.
    fn then(self) -> BTreeMap<String, usize> {
        let held = self.here.into_iter().map(|(who, held)| {
            let left = self.left.get(who).copied().unwrap_or(0);
            (who.to_owned(), held - left)
        });
        held.filter(|(_, held)| *held > 0).collect()
    }

    fn give_out(&mut self, sight: &Sight<'a>, plan: &mut Plan) {
        let held = self.held(sight.me);
        for lease in sight.leases {
            let taker = match &lease.owner {
                Owner::Overdue => Some(sight.me),
                Owner::Nobody { .. } => self.taker(sight.stream, &lease.shard_id),
                _ => None,
            };
            let Some(taker) = taker else { continue };
            self.gains(taker);
            if taker == sight.me {
                plan.take.push(lease.shard_id.clone());
            } else {
                plan.watches = true;
                *self.left.entry(taker).or_default() += 1;
            }
        }
        // Many who start at once see nobody yet. They take few at first, each in an order of his own, and look again.
        let at_a_time = held.max(defaults::STORE_CALLS_AT_A_TIME);
        plan.takes_more = plan.take.len() > at_a_time;
        if plan.takes_more {
            plan.take.sort_by_key(|shard_id| chance(sight.me, shard_id));
            plan.take.truncate(at_a_time);
        }
    }

    /// Grants to whoever holds least, for as long as that evens.
    fn answer(&mut self, sight: &Sight<'a>, plan: &mut Plan) {
        let mut asked: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for lease in sight
            .leases
            .iter()
            .rev()
            .filter(|lease| lease.owner == Owner::Me)
        {
            if let Some(who) = lease.wanted_by()
                && !sight.newcomers.contains(who)
            {
                asked.entry(who).or_default().push(&lease.shard_id);
            }
        }
        while let Some(who) = asked
            .keys()
            .copied()
            .filter(|who| *who != sight.me && self.evens(sight.me, who))
            .min_by_key(|who| (self.load(who), *who))
        {
            let leases = asked.entry(who).or_default();
            if let Some(shard_id) = leases.pop() {
                plan.grant.push((shard_id.into(), who.into()));
            }
            if leases.is_empty() {
                asked.remove(who);
            }
            self.loses(sight.me);
            self.gains(who);
        }
        plan.refuse = asked.into_values().flatten().map(String::from).collect();
    }

    /// Asks whoever holds most, for as long as that evens. What others asked for is not to be had, and may be refused to them.
    fn ask(&mut self, sight: &Sight<'a>, plan: &mut Plan) {
        let mut asked = self.held(sight.me);
        let at_most = match sight.asks.at_once {
            AtOnce::All => usize::MAX,
            AtOnce::One => 1,
            AtOnce::None => 0,
        };
        let mut to_be_had: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for lease in sight.leases {
            match (&lease.owner, lease.wanted_by()) {
                (Owner::Other(owner), None) if !sight.asks.but_for.contains(&lease.shard_id) => {
                    to_be_had.entry(owner).or_default().push(&lease.shard_id);
                }
                // Asked for already.
                (Owner::Other(owner), Some(who)) if who == sight.me => {
                    self.loses(owner);
                    self.gains(sight.me);
                    asked += 1;
                }
                _ => {}
            }
        }
        for leases in to_be_had.values_mut() {
            leases.sort_by_key(|shard_id| chance(sight.me, shard_id));
        }
        while let Some(owner) = to_be_had
            .keys()
            .copied()
            .filter(|owner| asked < at_most && self.evens(owner, sight.me))
            .max_by_key(|owner| self.gives(owner, sight.me))
        {
            asked += 1;
            let leases = to_be_had.entry(owner).or_default();
            plan.request.extend(leases.pop().map(String::from));
            if leases.is_empty() {
                to_be_had.remove(owner);
            }
            self.loses(owner);
            self.gains(sight.me);
        }
    }
}

impl Lease {
    fn is_anothers(&self) -> bool {
        matches!(self.owner, Owner::Leaving { .. } | Owner::Other(_))
    }

    /// Whether nobody holds it.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self.owner, Owner::Nobody { .. } | Owner::Overdue)
    }

    fn owner<'a>(&'a self, me: &'a str) -> Option<&'a str> {
        match &self.owner {
            Owner::Me => Some(me),
            Owner::Leaving { to: owner } | Owner::Other(owner) => Some(owner),
            Owner::Nobody { .. } | Owner::Overdue | Owner::Shunned => None,
        }
    }

    fn left_by(&self) -> Option<&str> {
        match &self.owner {
            Owner::Nobody { left_by } => left_by.as_deref(),
            _ => None,
        }
    }

    /// A request counts while there is somebody to answer it.
    fn wanted_by(&self) -> Option<&str> {
        match &self.owner {
            Owner::Me | Owner::Other(_) => self.wanted_by.as_deref(),
            _ => None,
        }
    }
}

/// An order of leases, and of their owners, that is another one for everybody, so that two seldom want the same.
fn chance(session: &str, choice: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (drawn(session), choice).hash(&mut hasher);
    hasher.finish()
}

/// What a seed decides of a session: a run can be had again.
fn drawn(session: &str) -> &str {
    session.split_once('-').map_or(session, |(drawn, _)| drawn)
}

#[cfg(test)]
mod tests;
