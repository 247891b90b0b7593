//! Which record may begin next: in order within a lane, in order of arrival between lanes.

use std::{
    collections::{HashMap, VecDeque, hash_map::Entry},
    hash::{BuildHasherDefault, DefaultHasher, Hasher},
};

/// What a record may not overtake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lane {
    /// The records of one partition key, by a hash of it. Two keys with one hash share a lane, which costs concurrency and no order.
    Key(u64),
    /// Nothing: a record without a key, or one of a handler that keeps no order.
    Free,
}

impl Lane {
    /// The one lane of a shard whose records are handled one after the other.
    pub(crate) const SHARD: Self = Self::Key(0);

    pub(crate) fn of_key(key: Option<&str>) -> Self {
        key.map_or(Self::Free, |key| {
            // Not the random state of std's maps: a lane must be the same in every run of a seed.
            let mut hasher = DefaultHasher::new();
            hasher.write(key.as_bytes());
            Self::Key(hasher.finish())
        })
    }
}

/// A record's place in the lanes, from `push` to `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u32);

/// Records that have not ended, each in its lane. Nothing is allocated per record once the vectors have grown.
#[derive(Debug)]
pub(crate) struct Lanes<T> {
    nodes: Vec<Node<T>>,
    vacant: Vec<u32>,
    tails: HashMap<u64, u32, BuildHasherDefault<AsIs>>,
    ready: VecDeque<u32>,
    live: usize,
}

#[derive(Debug)]
struct Node<T> {
    lane: Lane,
    item: Option<T>,
    next: Option<u32>,
}

impl<T> Lanes<T> {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            vacant: Vec::new(),
            tails: HashMap::default(),
            ready: VecDeque::new(),
            live: 0,
        }
    }

    /// How many records have not ended: waiting, begun, or between two attempts.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.live
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// How many records could begin now.
    pub(crate) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Adds a record behind all of its lane. Call it in the order of the shard.
    pub(crate) fn push(&mut self, lane: Lane, item: T) {
        let node = Node {
            lane,
            item: Some(item),
            next: None,
        };
        let index = if let Some(index) = self.vacant.pop() {
            self.nodes[index as usize] = node;
            index
        } else {
            self.nodes.push(node);
            u32::try_from(self.nodes.len() - 1)
                .expect("the window bounds a shard's records far below 2^32")
        };
        self.live += 1;
        match lane {
            Lane::Free => self.ready.push_back(index),
            Lane::Key(key) => match self.tails.entry(key) {
                Entry::Occupied(mut tail) => {
                    let before = tail.insert(index);
                    self.nodes[before as usize].next = Some(index);
                }
                Entry::Vacant(tail) => {
                    tail.insert(index);
                    self.ready.push_back(index);
                }
            },
        }
    }

    /// Takes the record that is to begin next. Its lane stays closed until [`end`](Self::end).
    pub(crate) fn begin(&mut self) -> Option<(Ticket, T)> {
        let index = self.ready.pop_front()?;
        let item = self.nodes[index as usize]
            .item
            .take()
            .expect("a ready record has its item");
        Some((Ticket(index), item))
    }

    /// Puts a begun record back for another attempt, which must be asked for with [`again`](Self::again). Its lane stays closed.
    pub(crate) fn park(&mut self, ticket: Ticket, item: T) {
        self.nodes[ticket.0 as usize].item = Some(item);
    }

    /// A parked record.
    pub(crate) fn parked(&self, ticket: Ticket) -> Option<&T> {
        self.nodes[ticket.0 as usize].item.as_ref()
    }

    /// Takes a parked record back without a turn. Its lane stays closed until [`end`](Self::end).
    pub(crate) fn take_back(&mut self, ticket: Ticket) -> Option<T> {
        self.nodes[ticket.0 as usize].item.take()
    }

    /// Makes a parked record ready.
    pub(crate) fn again(&mut self, ticket: Ticket) {
        debug_assert!(
            self.nodes[ticket.0 as usize].item.is_some(),
            "only a parked record is begun again"
        );
        // In front: it is older than all that wait, and the checkpoint waits for it.
        self.ready.push_front(ticket.0);
    }

    /// A begun record has ended for good: the next one of its lane becomes ready.
    pub(crate) fn end(&mut self, ticket: Ticket) {
        let node = &mut self.nodes[ticket.0 as usize];
        debug_assert!(
            node.item.is_none(),
            "a record ends in the hands of its handler"
        );
        let (lane, next) = (node.lane, node.next.take());
        self.vacant.push(ticket.0);
        self.live -= 1;
        if let Some(next) = next {
            self.ready.push_back(next);
        } else if let Lane::Key(key) = lane {
            self.tails.remove(&key);
        }
    }

    /// Forgets records that are waiting or parked. Whoever forgets one forgets all that lie behind it in its lane.
    pub(crate) fn cut(&mut self, forgotten: impl Fn(&T) -> bool) {
        let nodes = self.nodes.iter();
        let gone: Vec<bool> = nodes
            .map(|node| node.item.as_ref().is_some_and(&forgotten))
            .collect();
        self.ready.retain(|index| !gone[*index as usize]);
        for (index, node) in (0..).zip(&mut self.nodes) {
            if gone[index as usize] {
                node.item = None;
                node.next = None;
                self.vacant.push(index);
                self.live -= 1;
                if let Lane::Key(key) = node.lane
                    && self.tails.get(&key) == Some(&index)
                {
                    self.tails.remove(&key);
                }
            }
        }
        for (index, node) in (0..).zip(&mut self.nodes) {
            if node.next.is_some_and(|next| gone[next as usize]) {
                node.next = None;
                if let Lane::Key(key) = node.lane {
                    self.tails.insert(key, index);
                }
            }
        }
    }

    /// Records that are waiting or parked, in no order.
    pub(crate) fn waiting_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.nodes.iter_mut().filter_map(|node| node.item.as_mut())
    }
}

/// The keys of the map are hashes already.
#[derive(Debug, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only u64 keys are hashed")
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn other_keys_go_on_while_one_waits_for_its_retry() {
        let mut lanes = Lanes::new();
        for (key, item) in [(1, "a1"), (1, "a2"), (2, "b1")] {
            lanes.push(Lane::Key(key), item);
        }
        let (a1, item) = lanes.begin().expect("a1 is first");
        assert_eq!(item, "a1");
        lanes.park(a1, item);
        let (b1, item) = lanes.begin().expect("b1 waits for nobody");
        assert_eq!(item, "b1");
        lanes.end(b1);
        assert!(lanes.begin().is_none(), "a2 may not overtake a1");
        lanes.again(a1);
        let (a1, item) = lanes.begin().expect("a1 is tried again");
        assert_eq!(item, "a1");
        lanes.end(a1);
        assert_eq!(lanes.begin().map(|(_, item)| item), Some("a2"));
    }

    #[test]
    fn records_without_a_key_wait_for_nobody() {
        let mut lanes = Lanes::new();
        lanes.push(Lane::of_key(None), 1);
        lanes.push(Lane::of_key(None), 2);
        assert_eq!(
            (lanes.begin().map(|b| b.1), lanes.begin().map(|b| b.1)),
            (Some(1), Some(2))
        );
    }

    #[test]
    fn what_is_cut_is_forgotten_and_its_lane_takes_records_again() {
        let mut lanes = Lanes::new();
        for (key, item) in [(1, 1), (1, 2), (1, 3), (2, 4)] {
            lanes.push(Lane::Key(key), item);
        }
        let (first, item) = lanes.begin().expect("1 is first");
        lanes.park(first, item);
        lanes.cut(|item| *item >= 3);
        assert_eq!(lanes.len(), 2);
        lanes.push(Lane::Key(1), 5);
        lanes.push(Lane::Key(2), 6);
        assert_eq!(lanes.begin().map(|(_, item)| item), Some(6));
        lanes.again(first);
        for expected in [1, 2, 5] {
            let (ticket, item) = lanes.begin().expect("in order");
            assert_eq!(item, expected);
            lanes.end(ticket);
        }
    }

    #[derive(Debug, Clone)]
    enum Step {
        Push(u64),
        Begin,
        End(usize),
        Park(usize),
        Again(usize),
        Cut,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0..4_u64).prop_map(Step::Push),
            Just(Step::Begin),
            any::<usize>().prop_map(Step::End),
            any::<usize>().prop_map(Step::Park),
            any::<usize>().prop_map(Step::Again),
            Just(Step::Cut),
        ]
    }

    proptest! {
        #[test]
        fn a_record_never_begins_before_every_earlier_one_of_its_key_has_ended(steps in prop::collection::vec(step(), 0..300)) {
            let mut lanes = Lanes::new();
            let mut pushed: u32 = 0;
            let mut live: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
            let (mut begun, mut parked) = (Vec::new(), Vec::new());
            let mut front = 0;
            for step in steps {
                match step {
                    Step::Push(key) => {
                        lanes.push(Lane::Key(key), (key, pushed));
                        live.entry(key).or_default().insert(pushed);
                        pushed += 1;
                    }
                    Step::Begin => if let Some((ticket, (key, number))) = lanes.begin() {
                        prop_assert_eq!(live[&key].first(), Some(&number));
                        front = front.max(number + 1);
                        begun.push((ticket, key, number));
                    },
                    Step::End(pick) if !begun.is_empty() => {
                        let (ticket, key, number) = begun.swap_remove(pick % begun.len());
                        lanes.end(ticket);
                        live.get_mut(&key).expect("pushed").remove(&number);
                    }
                    Step::Park(pick) if !begun.is_empty() => {
                        let (ticket, key, number) = begun.swap_remove(pick % begun.len());
                        lanes.park(ticket, (key, number));
                        parked.push(ticket);
                    }
                    Step::Again(pick) if !parked.is_empty() => lanes.again(parked.swap_remove(pick % parked.len())),
                    Step::Cut => {
                        lanes.cut(|(_, number)| *number >= front);
                        for numbers in live.values_mut() {
                            numbers.retain(|number| *number < front);
                        }
                    }
                    _ => {}
                }
                prop_assert_eq!(lanes.len(), live.values().map(BTreeSet::len).sum::<usize>());
            }
            // Nothing is stuck: with every parked record tried again, all of them can end.
            for ticket in parked { lanes.again(ticket); }
            for (ticket, ..) in begun { lanes.end(ticket); }
            while let Some((ticket, _)) = lanes.begin() { lanes.end(ticket); }
            prop_assert!(lanes.is_empty());
        }
    }
}
