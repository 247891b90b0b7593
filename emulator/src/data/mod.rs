//! A directory that keeps the streams and tables of an emulator beyond its end.
//!
//! Two files of JSON lines: `kinesis.jsonl`, the streams, and `dynamodb.jsonl`, the tables. Each is
//! written beside itself and renamed, so that it is there as a whole or as it was. They are two
//! because a lease table changes all the time and a full stream is large.
//!
//! The streams on the disk are never older than the tables: a lease table that names records which
//! are not there would make its application fail, one that is behind makes it read some again.

mod error;
pub(crate) mod file;

pub use error::DataError;

use crate::hub::Core;
use crate::service::{Service, Settings};
use crate::{Kinesis, KinesisBuilder};
use file::{Attempt, Kind, Reader, Writer};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const LOCK: &str = "emulator.lock";

const STREAMS: Kind = Kind {
    file: "kinesis.jsonl",
    holds: "streams",
};

#[cfg(feature = "dynamodb")]
const TABLES: Kind = Kind {
    file: "dynamodb.jsonl",
    holds: "tables",
};

#[cfg(not(feature = "dynamodb"))]
const TABLES: &str = "dynamodb.jsonl";

/// A directory that keeps streams and tables, for one emulator at a time.
///
/// What was handed out stays valid: sequence numbers, shard iterators and `NextToken`s, each for
/// its time. New sequence numbers are above the kept ones. Streams in the middle of a change are
/// kept so. Not kept: faults, cuts, counts of calls and the call log, what stale reads could show,
/// and the account's call rates.
///
/// ```
/// use kinesis_app_emulator::{DataDirectory, Kinesis};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("kinesis-app-emulator-{}", std::process::id()));
/// let directory = DataDirectory::open(&path)?;
/// let kinesis = Kinesis::builder().load(&directory)?;
/// kinesis.create_stream("orders", 1)?;
/// let stored = kinesis.put("orders", "customer-7", "an order")?;
/// kinesis.save(&directory)?;
///
/// let again = Kinesis::builder().load(&directory)?;
/// let records = again.records("orders", &stored.shard_id);
/// assert_eq!(records[0].sequence_number, stored.sequence_number);
/// # std::fs::remove_dir_all(&path)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DataDirectory {
    path: PathBuf,
    /// Held for as long as this is.
    _lock: File,
}

/// How often each side had been changed by requests when it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    streams: u64,
    #[cfg(feature = "dynamodb")]
    tables: u64,
}

impl DataDirectory {
    /// Takes the directory, and makes it if it is not there.
    ///
    /// # Errors
    ///
    /// When another [`DataDirectory`], of this process or another, has it
    /// ([`is_in_use`](DataError::is_in_use)), and when it cannot be written to.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DataError> {
        let path = path.as_ref();
        fs::create_dir_all(path).attempt("created", path)?;
        let file = path.join(LOCK);
        let lock = File::options().create(true).append(true).open(&file);
        let lock = lock.attempt("opened", &file)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                path: path.to_owned(),
                _lock: lock,
            }),
            Err(TryLockError::WouldBlock) => Err(DataError::in_use(path)),
            Err(TryLockError::Error(error)) => Err(error).attempt("locked", &file),
        }
    }

    /// Whether an emulator was saved here.
    #[cfg(feature = "dynamodb")]
    fn holds_streams(&self) -> bool {
        self.path.join(STREAMS.file).exists()
    }

    /// The streams, and the time of their last save; none where nothing was saved.
    pub(crate) fn streams(
        &self,
        settings: &Settings,
    ) -> Result<Option<(Service, SystemTime)>, DataError> {
        match Reader::open(&self.path, STREAMS)? {
            Some(mut reader) => Service::read(settings.clone(), &mut reader).map(Some),
            None => Ok(None),
        }
    }

    #[cfg(feature = "dynamodb")]
    pub(crate) fn read_tables(&self, core: &Core) -> Result<(), DataError> {
        match Reader::open(&self.path, TABLES)? {
            Some(reader) if !self.holds_streams() => Err(reader.without_streams(STREAMS.file)),
            Some(mut reader) => core.tables.read_from(&mut reader, &self.path),
            None => Ok(()),
        }
    }

    /// Tables that nobody would show, and that the next save would leave behind their streams.
    #[cfg(not(feature = "dynamodb"))]
    pub(crate) fn refuse_tables(&self) -> Result<(), DataError> {
        let file = self.path.join(TABLES);
        if file.exists() {
            return Err(DataError::tables_unknown(&file));
        }
        Ok(())
    }

    /// Writes what was changed since `saved`, or all: what stands in the files then.
    ///
    /// The tables are copied before anybody asks whether the streams were changed, and put in place
    /// after them.
    pub(crate) fn write(
        &self,
        core: &Core,
        saved: Option<Revision>,
    ) -> Result<Revision, DataError> {
        #[cfg(feature = "dynamodb")]
        let (tables, copied) = {
            // Counted before the copy: what comes in between is written again, never left out.
            let tables = core.tables.changes();
            let changed = saved.is_none_or(|saved| saved.tables != tables);
            (
                tables,
                if changed {
                    self.copy_tables(core)?
                } else {
                    None
                },
            )
        };
        let streams = core.changes();
        if saved.is_none_or(|saved| saved.streams != streams) {
            let (service, now) = core.streams();
            let mut writer = Writer::begin(&self.path, STREAMS)?;
            service.write(&mut writer, now)?;
            writer.finish()?.put_in_place()?;
        }
        #[cfg(feature = "dynamodb")]
        if let Some(copied) = copied {
            copied.put_in_place()?;
        }
        Ok(Revision {
            streams,
            #[cfg(feature = "dynamodb")]
            tables,
        })
    }

    /// Where there are no tables, those of an earlier emulator go before its streams do.
    #[cfg(feature = "dynamodb")]
    fn copy_tables(&self, core: &Core) -> Result<Option<file::Written>, DataError> {
        let copied = core.tables.write_to(&self.path, TABLES)?;
        if copied.is_none() {
            file::remove(&self.path.join(TABLES.file))?;
        }
        Ok(copied)
    }
}

impl KinesisBuilder {
    /// Builds it with what was [saved](Kinesis::save) in the directory; without anything where
    /// nothing was.
    ///
    /// Its clock starts as after [`build`](Self::build), a virtual one not before the time of the
    /// save. Retention goes on by the arrival times of the records. The settings are this
    /// builder's; only account and region must be those that were saved, for they are part of every
    /// ARN.
    ///
    /// # Errors
    ///
    /// When a file there is of another kind or of a newer version, was cut or changed, or cannot be
    /// read. The error names the file, the line and the way out; the file stays as it is.
    pub fn load(self, directory: &DataDirectory) -> Result<Kinesis, DataError> {
        #[cfg(not(feature = "dynamodb"))]
        directory.refuse_tables()?;
        let kept = directory.streams(self.settings())?;
        let kinesis = self.build_with(kept);
        #[cfg(feature = "dynamodb")]
        directory.read_tables(&kinesis.core)?;
        Ok(kinesis)
    }
}

impl Kinesis {
    /// Writes streams and tables into the directory, in place of what was saved there.
    ///
    /// # Errors
    ///
    /// When a file cannot be written; what was saved before is still there then.
    pub fn save(&self, directory: &DataDirectory) -> Result<(), DataError> {
        directory.write(&self.core, None).map(drop)
    }
}
