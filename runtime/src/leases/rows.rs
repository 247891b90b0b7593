//! All rows of a store that holds them itself, and what each call does to them: pure, so that such stores differ in nothing but the place.

use std::collections::BTreeMap;

use super::{
    row::LeaseRow,
    stream_row::{StreamRow, StreamWrite},
    write::{LeaseWrite, Refused},
};

/// The rows by their keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rows {
    pub(super) streams: BTreeMap<String, StreamRow>,
    pub(super) leases: BTreeMap<String, LeaseRow>,
}

impl Rows {
    /// The row of a stream that stands, after this one was created if there was none.
    pub(super) fn meet(&mut self, row: &StreamRow) -> StreamRow {
        let stands = self.streams.entry(row.key.clone());
        stands.or_insert_with(|| row.clone()).clone()
    }

    pub(super) fn apply_to_stream(&mut self, write: &StreamWrite) -> Result<StreamRow, Refused> {
        let after = write.apply(self.streams.get(write.key()))?;
        self.streams.insert(after.key.clone(), after.clone());
        Ok(after)
    }

    pub(super) fn apply(&mut self, write: &LeaseWrite) -> Result<Option<LeaseRow>, Refused> {
        let after = write.apply(self.leases.get(write.key()))?;
        match &after {
            Some(row) => self.leases.insert(row.key.clone(), row.clone()),
            None => self.leases.remove(write.key()),
        };
        Ok(after)
    }

    /// The rows of a stream's shards.
    pub(super) fn of_stream(&self, stream_key: &str) -> Vec<LeaseRow> {
        let prefix = format!("{stream_key}:");
        let rows = self.leases.range(prefix.clone()..);
        rows.take_while(|(key, _)| key.starts_with(&prefix))
            .map(|(_, row)| row.clone())
            .collect()
    }
}
