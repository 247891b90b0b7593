//! What the handlers did, one line each in a file: it outlives the application's restart, and others can read it.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use serde::{Deserialize, Serialize};

use super::shop::Record;

/// One handling of one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Handling {
    #[serde(flatten)]
    pub(crate) record: Record,
    /// 1 unless attempts before it failed.
    pub(crate) attempt: u32,
}

/// The writing end.
#[derive(Debug)]
pub(crate) struct Journal(File);

impl Journal {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self(file))
    }

    /// One `write` call in append mode: lines of handlers that run at the same time do not mix.
    pub(crate) fn write(&self, handling: &Handling) -> io::Result<()> {
        let mut line = serde_json::to_vec(handling)?;
        line.push(b'\n');
        (&self.0).write_all(&line)
    }
}

/// The reading end: everything that was written so far, and what is written while it is open.
#[derive(Debug)]
pub(crate) struct Tail {
    file: File,
    /// A line that is not whole yet.
    rest: Vec<u8>,
}

impl Tail {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: File::open(path)?,
            rest: Vec::new(),
        })
    }

    /// The handlings that were written since the last call.
    pub(crate) fn new_ones(&mut self) -> io::Result<Vec<Handling>> {
        self.file.read_to_end(&mut self.rest)?;
        let whole = self
            .rest
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let handlings = self.rest[..whole]
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(serde_json::from_slice)
            .collect::<Result<_, _>>()?;
        self.rest.drain(..whole);
        Ok(handlings)
    }
}

/// The journal as it grows.
#[derive(Debug)]
pub(crate) struct Followed {
    tail: Tail,
    journal: Vec<Handling>,
    distinct: HashSet<Record>,
}

impl Followed {
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            tail: Tail::open(path)?,
            journal: Vec::new(),
            distinct: HashSet::new(),
        })
    }

    /// Everything so far, in the order of handling.
    pub(crate) fn handlings(&self) -> &[Handling] {
        &self.journal
    }

    /// Reads what is new: how many different records the journal speaks of by now.
    pub(crate) fn catch_up(&mut self) -> io::Result<u64> {
        for handling in self.tail.new_ones()? {
            self.distinct.insert(handling.record.clone());
            self.journal.push(handling);
        }
        Ok(self.distinct.len() as u64)
    }
}

/// A journal of this run alone, removed at the end.
#[derive(Debug)]
pub(crate) struct JournalFile(PathBuf);

impl JournalFile {
    pub(crate) fn create() -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("orders-{}-{number}.jsonl", std::process::id());
            let path = std::env::temp_dir().join(name);
            match File::create_new(&path) {
                Ok(_) => return Ok(Self(path)),
                // Left by a process that had this id before.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Keeps what there is by now, under another name.
    pub(crate) fn keep(&self) -> io::Result<PathBuf> {
        let kept = self.0.with_extension("failed.jsonl");
        std::fs::copy(&self.0, &kept)?;
        Ok(kept)
    }
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        // A file that stays in the temporary folder harms nobody.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::shop::Topic;

    fn handling(id: u64) -> Handling {
        Handling {
            record: Record {
                topic: Topic::Orders,
                key: "ada".into(),
                shard: "shardId-000000000000".into(),
                sequence: id.to_string(),
                id,
            },
            attempt: 1,
        }
    }

    #[test]
    fn a_tail_gives_each_whole_line_once() -> io::Result<()> {
        let file = JournalFile::create()?;
        let journal = Journal::open(file.path())?;
        let mut tail = Tail::open(file.path())?;
        journal.write(&handling(1))?;
        journal.write(&handling(2))?;
        assert_eq!(tail.new_ones()?, [handling(1), handling(2)]);
        assert_eq!(tail.new_ones()?, []);

        let line = serde_json::to_vec(&handling(3))?;
        let (head, end) = line.split_at(10);
        (&journal.0).write_all(head)?;
        assert_eq!(tail.new_ones()?, []);
        (&journal.0).write_all(end)?;
        (&journal.0).write_all(b"\n")?;
        assert_eq!(tail.new_ones()?, [handling(3)]);

        // A second start appends.
        Journal::open(file.path())?.write(&handling(4))?;
        assert_eq!(tail.new_ones()?, [handling(4)]);
        Ok(())
    }

    #[test]
    fn a_record_that_is_handled_again_is_counted_once_and_kept_twice() -> io::Result<()> {
        let file = JournalFile::create()?;
        let journal = Journal::open(file.path())?;
        let mut followed = Followed::new(file.path())?;
        for id in [1, 2, 1] {
            journal.write(&handling(id))?;
        }
        assert_eq!(followed.catch_up()?, 2);
        assert_eq!(followed.handlings().len(), 3);
        Ok(())
    }

    #[test]
    fn a_journal_goes_with_its_run_unless_it_is_kept() -> io::Result<()> {
        let file = JournalFile::create()?;
        Journal::open(file.path())?.write(&handling(1))?;
        let path = file.path().to_owned();
        let kept = file.keep()?;
        drop(file);
        assert!(!path.exists());
        assert_eq!(Tail::open(&kept)?.new_ones()?, [handling(1)]);
        std::fs::remove_file(kept)
    }
}
