//! Which of the application's streams are read, for those who hold a handle to one of them.

use std::{
    any::TypeId,
    sync::{OnceLock, Weak},
};

use crate::reader::StreamContext;

/// The streams that are consumed, by their types. Handles outlive what they lead to: they keep no stream alive.
#[derive(Debug, Default)]
pub(crate) struct Directory(OnceLock<Vec<(TypeId, Weak<StreamContext>)>>);

/// What a directory says of a stream.
#[derive(Debug)]
pub(crate) enum Entry<'a> {
    /// Nothing is read yet.
    Unopened,
    /// The application has no handler for it.
    Unknown,
    Stream(&'a Weak<StreamContext>),
}

impl Directory {
    /// Once, when the streams begin to be read.
    pub(crate) fn open(&self, streams: Vec<(TypeId, Weak<StreamContext>)>) {
        let opened = self.0.set(streams);
        debug_assert!(opened.is_ok(), "an application starts once");
    }

    pub(crate) fn find(&self, stream: TypeId) -> Entry<'_> {
        let Some(streams) = self.0.get() else {
            return Entry::Unopened;
        };
        let found = streams.iter().find(|(type_id, _)| *type_id == stream);
        found.map_or(Entry::Unknown, |(_, stream)| Entry::Stream(stream))
    }
}
