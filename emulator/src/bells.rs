//! Who is to be woken when a shard changes: the connections of subscriptions.

use crate::calls::Scope;
use std::collections::BTreeMap;
use std::task::Waker;

/// Wakers by stream and shard. Each is woken once; who still waits then listens again.
#[derive(Debug, Default)]
pub(crate) struct Bells {
    waiting: BTreeMap<String, BTreeMap<u32, Vec<Waker>>>,
}

impl Bells {
    pub(crate) fn listen(&mut self, stream: &str, shard: u32, waker: &Waker) {
        let shards = match self.waiting.get_mut(stream) {
            Some(shards) => shards,
            None => self.waiting.entry(stream.to_owned()).or_default(),
        };
        let waiting = shards.entry(shard).or_default();
        if !waiting.iter().any(|known| known.will_wake(waker)) {
            waiting.push(waker.clone());
        }
    }

    /// Whether nobody waits for anything: most emulators have no subscriptions.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Those that a change may be about: all of the stream where it names no shard. They are to be
    /// woken without a lock.
    #[must_use]
    pub(crate) fn about(&mut self, changed: &Scope) -> Vec<Waker> {
        let Some(stream) = &changed.stream else {
            return Vec::new();
        };
        if changed.shards.is_empty() {
            let all = self.waiting.remove(stream).unwrap_or_default();
            return all.into_values().flatten().collect();
        }
        let Some(shards) = self.waiting.get_mut(stream) else {
            return Vec::new();
        };
        let named = changed.shards.iter();
        let named = named.filter_map(|id| shards.remove(&crate::service::shard::shard_index(id)?));
        named.flatten().collect()
    }

    #[must_use]
    pub(crate) fn all(&mut self) -> Vec<Waker> {
        let shards = std::mem::take(&mut self.waiting).into_values();
        shards.flat_map(BTreeMap::into_values).flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_wakes_those_of_its_shard_once_and_one_of_the_stream_wakes_all() {
        let listening = || {
            let mut bells = Bells::default();
            for (stream, shard) in [("s", 0), ("s", 1), ("t", 0)] {
                bells.listen(stream, shard, Waker::noop());
            }
            bells
        };
        let change = |stream: &str, shards: &[&str]| Scope {
            stream: Some(stream.into()),
            shards: shards.iter().map(|id| (*id).to_owned()).collect(),
        };
        let of_one_shard = change("s", &["shardId-000000000001"]);
        let mut bells = listening();
        assert_eq!(bells.about(&Scope::default()).len(), 0);
        assert_eq!(bells.about(&of_one_shard).len(), 1);
        assert_eq!(bells.about(&of_one_shard).len(), 0);
        assert_eq!(bells.about(&change("s", &[])).len(), 1);
        assert_eq!(bells.all().len(), 1);
        assert_eq!(listening().about(&change("s", &[])).len(), 2);
        assert_eq!(listening().all().len(), 3);
    }
}
