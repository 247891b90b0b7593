//! What the handlers talk to: stand-ins for a database and for a provider of card payments, with the moods of both.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use kinesis_app::{Position, SetupError};
use serde::{Deserialize, Serialize};

use super::app::{Order, PageView, Refund};

/// Why something is not entered into the books.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BillingError {
    /// Another attempt may do.
    #[error("the ledger is busy")]
    Busy,
    /// No attempt will.
    #[error("order {0} costs nothing")]
    Free(u64),
    /// A variable is missing.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The books are not where they should be.
    #[error("the ledger's address `{0}` is not `file:` and a path")]
    Address(String),
    /// They cannot be written.
    #[error("the ledger cannot be written")]
    Ledger(#[from] io::Error),
}

/// Why money does not go back to a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CardError {
    /// Another attempt may do.
    #[error("the card is busy")]
    Busy,
    /// No attempt will.
    #[error("the card is closed")]
    Closed,
}

/// A line of the books.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entry {
    /// An order was booked.
    Booked {
        /// Its number.
        order: u64,
        /// Where it lies in its stream.
        at: String,
    },
    /// The card of a refund was busy.
    Busy {
        /// The refund's number.
        refund: u64,
    },
    /// A refund was paid back.
    Paid {
        /// Its number.
        refund: u64,
        /// How much.
        amount_cents: u64,
        /// Under which id it was asked for.
        trace_id: Option<String>,
    },
    /// A page was looked at.
    Viewed {
        /// Its path.
        path: String,
        /// How often, in one batch.
        times: usize,
    },
    /// A record was given up on.
    SetAside {
        /// Its partition key.
        key: String,
        /// Why.
        cause: String,
    },
}

/// The books: a file that is written when they are closed. Each seventh order finds them busy once.
#[derive(Debug, Clone)]
pub struct Ledger(Arc<Books>);

#[derive(Debug, Default)]
struct Books {
    path: Option<PathBuf>,
    pages: Mutex<Pages>,
}

#[derive(Debug, Default)]
struct Pages {
    entries: Vec<Entry>,
    busy_with: Vec<u64>,
}

impl Ledger {
    /// The books at an address: `file:` and a path, that nothing else lies at.
    ///
    /// # Errors
    ///
    /// [`BillingError`], if it is none, or nothing can be written there.
    pub async fn connect(url: &str) -> Result<Self, BillingError> {
        let path = url.strip_prefix("file:").map(Path::new);
        let path = path.ok_or_else(|| BillingError::Address(url.into()))?;
        File::create_new(path)?;
        Ok(Self(Arc::new(Books {
            path: Some(path.into()),
            pages: Mutex::default(),
        })))
    }

    /// Books that are gone with the process.
    pub fn in_memory() -> Self {
        Self(Arc::default())
    }

    /// All entries, in their order.
    pub fn entries(&self) -> Vec<Entry> {
        self.pages().entries.clone()
    }

    /// Books an order, once: one that comes again, after a crash for one, is known by its number.
    pub(super) async fn book(&self, order: &Order, at: &Position) -> Result<(), BillingError> {
        if order.amount_cents == 0 {
            return Err(BillingError::Free(order.id));
        }
        let mut pages = self.pages();
        if order.id.is_multiple_of(7) && !pages.busy_with.contains(&order.id) {
            pages.busy_with.push(order.id);
            return Err(BillingError::Busy);
        }
        let is_booked =
            |entry: &Entry| matches!(entry, Entry::Booked { order: id, .. } if *id == order.id);
        if !pages.entries.iter().any(is_booked) {
            pages.entries.push(Entry::Booked {
                order: order.id,
                at: at.to_string(),
            });
        }
        Ok(())
    }

    /// Adds views up.
    pub(super) async fn count(&self, views: impl Iterator<Item = &PageView>) {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for view in views {
            *times.entry(&view.path).or_default() += 1;
        }
        let viewed = times.into_iter().map(|(path, times)| Entry::Viewed {
            path: path.into(),
            times,
        });
        self.pages().entries.extend(viewed);
    }

    /// Notes a record that was given up on.
    pub(super) async fn set_aside(&self, key: &str, cause: &str) {
        self.enter(Entry::SetAside {
            key: key.into(),
            cause: cause.into(),
        });
    }

    /// Closes the books: what was entered is in their file now.
    pub(super) async fn flush(&self) -> Result<(), BillingError> {
        let Some(path) = &self.0.path else {
            return Ok(());
        };
        let mut file = BufWriter::new(File::create(path)?);
        for entry in &self.pages().entries {
            serde_json::to_writer(&mut file, entry).map_err(io::Error::from)?;
            file.write_all(b"\n")?;
        }
        Ok(file.flush()?)
    }

    fn enter(&self, entry: Entry) {
        self.pages().entries.push(entry);
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The provider of card payments. A card is what its number says: one of [`BUSY_TWICE`](Self::BUSY_TWICE),
/// [`BUSY`](Self::BUSY), [`CLOSED`](Self::CLOSED), else a good one.
#[derive(Debug, Clone)]
pub struct Cards(Ledger);

impl Cards {
    /// Is busy the first two times that it is asked for one refund.
    pub const BUSY_TWICE: &str = "4000 0002";
    /// Is always busy.
    pub const BUSY: &str = "4000 0119";
    /// Is closed.
    pub const CLOSED: &str = "4000 0069";

    /// The provider, whose answers are entered into the books.
    pub fn new(ledger: &Ledger) -> Self {
        Self(ledger.clone())
    }

    /// Pays a refund back.
    pub(super) async fn pay_back(
        &self,
        refund: &Refund,
        trace_id: Option<&str>,
    ) -> Result<(), CardError> {
        let busy = Entry::Busy { refund: refund.id };
        let so_far = || self.0.entries().into_iter().filter(|entry| *entry == busy);
        match &*refund.card {
            Self::CLOSED => return Err(CardError::Closed),
            Self::BUSY_TWICE if so_far().count() >= 2 => {}
            Self::BUSY | Self::BUSY_TWICE => {
                self.0.enter(busy);
                return Err(CardError::Busy);
            }
            _ => {}
        }
        self.0.enter(Entry::Paid {
            refund: refund.id,
            amount_cents: refund.amount_cents,
            trace_id: trace_id.map(Into::into),
        });
        Ok(())
    }
}
