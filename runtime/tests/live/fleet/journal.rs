//! What handlers did, one line each time, in a file that all instances append to: it outlives each of them.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use crate::gate::now;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Moment {
    Begin,
    End,
}

/// A handler began or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) moment: Moment,
    /// In microseconds since 1970.
    pub(crate) at: u64,
    pub(crate) pid: u32,
    pub(crate) key: String,
    pub(crate) shard: String,
    pub(crate) sequence: String,
    pub(crate) id: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Journal(Arc<File>);

impl Journal {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Self(Arc::new(file)))
    }

    /// Appends it with the time of now. One write, so that lines of several processes do not mix.
    pub(super) fn note(&self, event: &Event) {
        let event = Event {
            at: now(),
            ..event.clone()
        };
        let mut line = serde_json::to_vec(&event).expect("plain data");
        line.push(b'\n');
        (&*self.0).write_all(&line).expect("the disk has room");
    }

    /// All lines so far.
    pub(super) fn read(path: &Path) -> Vec<Event> {
        let text = std::fs::read_to_string(path).expect("the test created it");
        // The last line may be in the middle of its write.
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let events = whole.lines().map(serde_json::from_str);
        events.map(|event| event.expect("an event")).collect()
    }
}
