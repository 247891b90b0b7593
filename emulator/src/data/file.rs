//! A file of JSON lines between a first line that names it and a last one that vouches for it.

pub(crate) use super::error::Attempt;
use super::error::DataError;
use md5::{Digest, Md5};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, IntoInnerError, Read, Write};
use std::path::{Path, PathBuf};

const FORMAT: &str = "kinesis-app-emulator";

/// Grows when an older program could not read what is written, or would read it wrongly.
const VERSION: u64 = 1;

/// The longest first line that is read: a file of another kind may have no lines at all.
const FIRST_LINE_BYTES: u64 = 1_024;

const END: &[u8] = br#"{"end":"#;

/// Which of the files it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) file: &'static str,
    pub(crate) holds: &'static str,
}

#[derive(Serialize, Deserialize)]
struct First {
    format: String,
    version: u64,
    holds: String,
}

#[derive(Serialize, Deserialize)]
struct Last {
    end: End,
}

#[derive(Serialize, Deserialize)]
struct End {
    /// All before this one.
    lines: u64,
    /// Of all bytes before this line.
    md5: String,
}

/// Writes a file beside the one that it will replace.
#[derive(Debug)]
pub(crate) struct Writer {
    file: BufWriter<File>,
    beside: PathBuf,
    path: PathBuf,
    digest: Md5,
    lines: u64,
}

/// A file that is whole and on the disk, under its other name.
#[derive(Debug)]
pub(crate) struct Written {
    beside: PathBuf,
    path: PathBuf,
}

impl Writer {
    pub(crate) fn begin(directory: &Path, kind: Kind) -> Result<Self, DataError> {
        let beside = directory.join(format!("{}.new", kind.file));
        let file = File::create(&beside).attempt("written", &beside)?;
        let mut writer = Self {
            file: BufWriter::with_capacity(1 << 20, file),
            beside,
            path: directory.join(kind.file),
            digest: Md5::new(),
            lines: 0,
        };
        writer.line(&First {
            format: FORMAT.into(),
            version: VERSION,
            holds: kind.holds.into(),
        })?;
        Ok(writer)
    }

    pub(crate) fn line(&mut self, line: &impl Serialize) -> Result<(), DataError> {
        let mut bytes = serde_json::to_vec(line)
            .map_err(Into::into)
            .attempt("written", &self.beside)?;
        bytes.push(b'\n');
        self.digest.update(&bytes);
        self.lines += 1;
        self.file.write_all(&bytes).attempt("written", &self.beside)
    }

    pub(crate) fn finish(mut self) -> Result<Written, DataError> {
        let end = End {
            lines: self.lines,
            md5: format!("{:x}", self.digest.finalize_reset()),
        };
        self.line(&Last { end })?;
        let file = self.file.into_inner().map_err(IntoInnerError::into_error);
        let file = file.attempt("written", &self.beside)?;
        file.sync_all().attempt("written", &self.beside)?;
        Ok(Written {
            beside: self.beside,
            path: self.path,
        })
    }
}

impl Written {
    pub(crate) fn put_in_place(self) -> Result<(), DataError> {
        fs::rename(&self.beside, &self.path).attempt("written", &self.path)?;
        sync_directory(&self.path)
    }
}

/// Removes a file that need not be there.
#[cfg(feature = "dynamodb")]
pub(crate) fn remove(path: &Path) -> Result<(), DataError> {
    match fs::remove_file(path) {
        Ok(()) => sync_directory(path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).attempt("removed", path),
    }
}

/// Until then a new name may be lost with the machine's power.
fn sync_directory(path: &Path) -> Result<(), DataError> {
    if cfg!(unix) {
        let directory = path.parent().unwrap_or(path);
        let synced = File::open(directory).and_then(|directory| directory.sync_all());
        return synced.attempt("written", directory);
    }
    Ok(())
}

/// Reads a file to its end, or tells why it is not to be trusted.
#[derive(Debug)]
pub(crate) struct Reader {
    file: BufReader<File>,
    path: PathBuf,
    digest: Md5,
    /// The one that was read last.
    line: u64,
}

impl Reader {
    /// `None` where there is no such file.
    pub(crate) fn open(directory: &Path, kind: Kind) -> Result<Option<Self>, DataError> {
        let path = directory.join(kind.file);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).attempt("read", &path),
        };
        let mut reader = Self {
            file: BufReader::with_capacity(1 << 20, file),
            path,
            digest: Md5::new(),
            line: 0,
        };
        reader.first(kind)?;
        Ok(Some(reader))
    }

    fn first(&mut self, kind: Kind) -> Result<(), DataError> {
        let line = self.bytes(FIRST_LINE_BYTES)?;
        self.digest.update(&line);
        let first = serde_json::from_slice::<First>(&line).ok();
        let Some(first) = first.filter(|first| first.format == FORMAT && first.holds == kind.holds)
        else {
            return Err(self.bad(format!("it is no file of the {} of {FORMAT}", kind.holds)));
        };
        if first.version > VERSION {
            return Err(self.bad(format!(
                "version `{}` of the file is newer than `{VERSION}`, which this program writes",
                first.version
            )));
        }
        Ok(())
    }

    /// The next line; `None` behind the last one, when the whole file has proved good.
    pub(crate) fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, DataError> {
        let line = self.bytes(u64::MAX)?;
        if line.starts_with(END) {
            self.last(&line)?;
            return Ok(None);
        }
        self.digest.update(&line);
        let read = serde_json::from_slice(&line);
        read.map(Some).map_err(|error| self.bad(error.to_string()))
    }

    fn last(&mut self, line: &[u8]) -> Result<(), DataError> {
        let Last { end } =
            serde_json::from_slice(line).map_err(|error| self.bad(error.to_string()))?;
        let before = self.line - 1;
        if end.lines != before {
            let problem = format!("{before} lines precede, not the `{}` of the end", end.lines);
            return Err(self.bad(problem));
        }
        if end.md5 != format!("{:x}", self.digest.finalize_reset()) {
            return Err(self.bad("the lines before are not those that were written"));
        }
        if !self.file.fill_buf().attempt("read", &self.path)?.is_empty() {
            self.line += 1;
            return Err(self.bad("something follows the end"));
        }
        Ok(())
    }

    fn bytes(&mut self, most: u64) -> Result<Vec<u8>, DataError> {
        let mut line = Vec::new();
        let read = (&mut self.file).take(most).read_until(b'\n', &mut line);
        read.attempt("read", &self.path)?;
        self.line += 1;
        if line.last() != Some(&b'\n') && self.line > 1 {
            return Err(self.bad("the file was cut: its end is missing"));
        }
        Ok(line)
    }

    /// The line that was read last is not what it should be.
    pub(crate) fn bad(&self, problem: impl Into<String>) -> DataError {
        DataError::unreadable(&self.path, self.line, problem)
    }

    /// As [`bad`](Self::bad), with another way out than to begin anew.
    pub(crate) fn refused(&self, problem: String, help: String) -> DataError {
        DataError::with_help(&self.path, self.line, problem, help)
    }

    /// Tables whose streams are gone: what leases say of them would be wrong.
    #[cfg(feature = "dynamodb")]
    pub(super) fn without_streams(&self, streams: &str) -> DataError {
        self.bad(format!(
            "its tables belong to the streams of `{streams}`, which is not there"
        ))
    }
}
