//! What must be stored before the record that it belongs to has settled.

use std::{collections::BTreeMap, sync::Arc};

use bytes::Bytes;
use futures_util::future::join_all;

use super::{
    error::PublishError,
    message::Parts,
    producer::{Producer, Sealed},
};
use crate::{
    app::directory::{Directory, Entry},
    spec::StreamRef,
};

/// Encoded messages to one stream: each try to store them sends those that are not stored yet.
#[derive(Debug)]
pub(crate) struct Outbox {
    to: StreamRef,
    /// In the order in which those of one key are stored.
    missing: Vec<Parts<Bytes>>,
}

impl Outbox {
    pub(crate) fn new(to: StreamRef, messages: Vec<Parts<Bytes>>) -> Self {
        Self {
            to,
            missing: messages,
        }
    }

    /// The name of the struct of the stream that they go to.
    pub(crate) fn label(&self) -> &'static str {
        self.to.label
    }

    /// What the messages that are not stored yet keep in memory.
    pub(crate) fn bytes(&self) -> usize {
        let payloads = self.missing.iter().map(|message| message.payload.len());
        payloads.sum()
    }

    /// Tries to store what is missing; none of it if one message can never be stored.
    ///
    /// Messages of one key are stored one after the other, and the first that fails keeps those behind it back. The error is that of
    /// the first message that failed.
    pub(crate) async fn store(&mut self, directory: &Directory) -> Result<(), PublishError> {
        let producer = self.producer(directory)?;
        let mut by_key: BTreeMap<Arc<str>, Vec<(usize, Sealed)>> = BTreeMap::new();
        for (at, parts) in self.missing.iter().enumerate() {
            let sealed = producer.seal(parts).await?;
            by_key
                .entry(Arc::clone(&sealed.key))
                .or_default()
                .push((at, sealed));
        }
        let chains = by_key.into_values().map(|chain| in_turn(&producer, chain));
        let mut stored = vec![false; self.missing.len()];
        let mut failed: Option<(usize, PublishError)> = None;
        for (done, stopped) in join_all(chains).await {
            for at in done {
                stored[at] = true;
            }
            failed = failed.into_iter().chain(stopped).min_by_key(|(at, _)| *at);
        }
        let mut stored = stored.into_iter();
        self.missing.retain(|_| !stored.next().unwrap_or_default());
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    fn producer(&self, directory: &Directory) -> Result<Arc<Producer>, PublishError> {
        let stream = self.to.label;
        match directory.written(self.to.stream) {
            Entry::Open(producer) => Ok(producer),
            Entry::Unknown => Err(PublishError::NotDeclared { stream }),
            Entry::Closed => Err(PublishError::NotRunning { stream }),
        }
    }
}

/// Messages of one key, up to the first that fails: which of them are stored, and what stopped them.
async fn in_turn(
    producer: &Producer,
    chain: Vec<(usize, Sealed)>,
) -> (Vec<usize>, Option<(usize, PublishError)>) {
    let mut stored = Vec::with_capacity(chain.len());
    for (at, sealed) in chain {
        if let Err(error) = producer.send(sealed).await {
            return (stored, Some((at, error)));
        }
        stored.push(at);
    }
    (stored, None)
}
