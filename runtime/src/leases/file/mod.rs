//! Leases in a local file: several processes and applications of one machine share it.

mod format;

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use kinesis_app_rules::defaults;
use tokio::{
    sync::Mutex,
    time::{Instant, sleep},
};

use self::format::Unreadable;
use super::{
    row::LeaseRow,
    rows::Rows,
    store::{LeaseStore, StoreError, StoreFuture},
    stream_row::{StreamRow, StreamWrite},
    write::{LeaseWrite, Refused},
};
use crate::tasks;

/// Leases in a local file, for one machine.
///
/// Processes of the machine share the file, and so may several applications; it survives restarts. Each write replaces the whole file
/// under a lock on the file `<path>.lock` beside it, so that a crash leaves the version before or the one after. It is meant for a few
/// hundred shards, and for a local disk: over a network, locks and renames keep no promise, and another machine needs
/// `DynamoLeases` or a store of your own.
///
/// ```no_run
/// # async fn example(app: impl kinesis_app::Application) -> Result<(), kinesis_app::Error> {
/// // As `leases(file = "leases.json")` in the application does.
/// let leases = kinesis_app::FileLeases::new("leases.json");
/// kinesis_app::launch(app).leases(leases).run().await
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FileLeases(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    /// One write of this process at a time asks for the lock that processes share.
    turn: Mutex<()>,
}

/// The file cannot be used.
#[derive(Debug, thiserror::Error)]
enum FileError {
    #[error("the lease file `{}`: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("the lease file `{}` {source}", .path.display())]
    Unreadable { path: PathBuf, source: Unreadable },
    #[error("the lease file `{}` is locked by another process", .path.display())]
    Locked { path: PathBuf },
    #[error("the lease file was not reached: {0}")]
    Dropped(#[source] tokio::task::JoinError),
}

impl From<FileError> for StoreError {
    fn from(error: FileError) -> Self {
        match &error {
            FileError::Io { source, .. } if !never_heals(source.kind()) => {
                Self::Unavailable(error.into())
            }
            FileError::Locked { .. } | FileError::Dropped(_) => Self::Unavailable(error.into()),
            FileError::Io { .. } | FileError::Unreadable { .. } => Self::Fatal(error.into()),
        }
    }
}

fn never_heals(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::NotFound
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::ReadOnlyFilesystem
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidFilename
    )
}

impl FileLeases {
    /// Leases in the file at this path, which is created if it does not exist; its folder must.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(Arc::new(Shared {
            path: path.into(),
            turn: Mutex::new(()),
        }))
    }

    /// The rows. The file is replaced as a whole, so that nobody needs the lock to read it.
    async fn rows(&self) -> Result<Rows, FileError> {
        self.blocking(load).await
    }

    /// Changes the rows, or leaves them and the file as they are.
    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Rows) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, StoreError> {
        let answer = self.locked(move |path| {
            let before = load(path)?;
            let mut rows = before.clone();
            let answer = change(&mut rows);
            if rows != before {
                save(path, &rows)?;
            }
            Ok(answer)
        });
        Ok(answer.await??)
    }

    /// Does what nobody else may do at the same time.
    async fn locked<T: Send + 'static>(
        &self,
        step: impl FnOnce(&Path) -> Result<T, FileError> + Send + 'static,
    ) -> Result<T, FileError> {
        let _turn = self.0.turn.lock().await;
        let lock = self.lock().await?;
        let done = self.blocking(move |path| {
            // Until the new version stands, also if nobody waits for the answer any more.
            let _lock = lock;
            step(path)
        });
        done.await
    }

    async fn lock(&self) -> Result<File, FileError> {
        let asked = Instant::now();
        loop {
            if let Some(lock) = self.blocking(try_lock).await? {
                return Ok(lock);
            }
            if asked.elapsed() >= defaults::LEASE_FILE_LOCK {
                let path = self.0.path.clone();
                return Err(FileError::Locked { path });
            }
            sleep(defaults::LEASE_FILE_PAUSE).await;
        }
    }

    async fn blocking<T: Send + 'static>(
        &self,
        step: impl FnOnce(&Path) -> Result<T, FileError> + Send + 'static,
    ) -> Result<T, FileError> {
        let shared = Arc::clone(&self.0);
        let done = tasks::blocking(move || step(&shared.path)).await;
        done.map_err(FileError::Dropped)?
    }
}

/// `path` with something behind its name.
fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(what);
    name.into()
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> FileError {
    let path = path.to_owned();
    move |source| FileError::Io { path, source }
}

/// The lock, if nobody has it. It goes with the handle, and with the process.
fn try_lock(path: &Path) -> Result<Option<File>, FileError> {
    let path = beside(path, ".lock");
    let mut options = OpenOptions::new();
    let options = options.create(true).truncate(false).write(true);
    let lock = options.open(&path).map_err(at(&path))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(at(&path)(error)),
    }
}

/// No file is no row: somebody deleted it, and the rows are created again.
fn load(path: &Path) -> Result<Rows, FileError> {
    match fs::read(path) {
        Ok(text) => format::read(&text).map_err(|source| FileError::Unreadable {
            path: path.to_owned(),
            source,
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Rows::default()),
        Err(error) => Err(at(path)(error)),
    }
}

/// Written beside it and put in its place in one step: whoever reads sees one version or the other.
fn save(path: &Path, rows: &Rows) -> Result<(), FileError> {
    let new = beside(path, ".new");
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(&format::write(rows))?;
        file.sync_all()
    };
    write().map_err(at(&new))?;
    fs::rename(&new, path).map_err(at(path))
}

impl LeaseStore for FileLeases {
    fn prepare(&self) -> StoreFuture<'_, ()> {
        // Reads, writes and locks, though nothing changes: whatever keeps it from that is said at the start.
        let touched = self.locked(|path| save(path, &load(path)?));
        Box::pin(async move { Ok(touched.await?) })
    }

    fn stream<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<StreamRow>> {
        Box::pin(async move { Ok(self.rows().await?.streams.remove(key)) })
    }

    fn meet_stream<'a>(&'a self, row: &'a StreamRow) -> StoreFuture<'a, StreamRow> {
        let row = row.clone();
        Box::pin(self.change(move |rows| Ok(rows.meet(&row))))
    }

    fn write_stream<'a>(&'a self, write: &'a StreamWrite) -> StoreFuture<'a, StreamRow> {
        let write = write.clone();
        Box::pin(self.change(move |rows| rows.apply_to_stream(&write)))
    }

    fn leases<'a>(&'a self, stream_key: &'a str) -> StoreFuture<'a, Vec<LeaseRow>> {
        Box::pin(async move { Ok(self.rows().await?.of_stream(stream_key)) })
    }

    fn lease<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<LeaseRow>> {
        Box::pin(async move { Ok(self.rows().await?.leases.remove(key)) })
    }

    fn write<'a>(&'a self, write: &'a LeaseWrite) -> StoreFuture<'a, Option<LeaseRow>> {
        let write = write.clone();
        Box::pin(self.change(move |rows| rows.apply(&write)))
    }
}
