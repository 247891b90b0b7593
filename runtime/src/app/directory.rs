//! The application's streams, for those who hold a handle to one of them.

use std::{
    any::TypeId,
    sync::{Arc, OnceLock, Weak},
};

use crate::{publish::Producer, reader::StreamContext};

/// The streams by their types. Handles outlive what they lead to: they keep nothing alive.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    consumed: Table<StreamContext>,
    written: Table<Producer>,
}

/// Filled once, when an application starts.
type Table<T> = OnceLock<Vec<(TypeId, Weak<T>)>>;

/// What a directory says of a stream.
#[derive(Debug)]
pub(crate) enum Entry<T> {
    /// The application does not run, or not yet, or not any more.
    Closed,
    /// The application does not have it.
    Unknown,
    Open(Arc<T>),
}

impl Directory {
    /// Once, when the streams begin to be read.
    pub(crate) fn open_consumed(&self, streams: Vec<(TypeId, Weak<StreamContext>)>) {
        fill(&self.consumed, streams);
    }

    /// Once, when the streams may be written to.
    pub(crate) fn open_written(&self, streams: Vec<(TypeId, Weak<Producer>)>) {
        fill(&self.written, streams);
    }

    pub(crate) fn consumed(&self, stream: TypeId) -> Entry<StreamContext> {
        find(&self.consumed, stream)
    }

    pub(crate) fn written(&self, stream: TypeId) -> Entry<Producer> {
        find(&self.written, stream)
    }
}

fn fill<T>(table: &Table<T>, streams: Vec<(TypeId, Weak<T>)>) {
    let filled = table.set(streams);
    debug_assert!(filled.is_ok(), "an application starts once");
}

fn find<T>(table: &Table<T>, stream: TypeId) -> Entry<T> {
    let Some(streams) = table.get() else {
        return Entry::Closed;
    };
    let found = streams.iter().find(|(type_id, _)| *type_id == stream);
    match found.map(|(_, stream)| stream.upgrade()) {
        None => Entry::Unknown,
        Some(None) => Entry::Closed,
        Some(Some(stream)) => Entry::Open(stream),
    }
}
