//! The settings of leases: where they are kept, and how long one lives.

use std::{sync::Arc, time::Duration};

use aws_types::SdkConfig;
use kinesis_app_rules::{self as rules, length::Length};

use super::{config::AppConfig, problem::ConfigError, resolve::Resolve};
use crate::{
    FileLeases, MemoryLeases,
    leases::store::LeaseStore,
    spec::{Leases, MissingTable, Store},
};

/// How leases are kept.
#[derive(Debug)]
pub(crate) struct LeaseConfig {
    pub(super) duration: Duration,
    store: Place,
    named_by: NamedBy,
}

/// Who has named the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamedBy {
    /// The keys of the application, or nobody.
    Keys,
    /// `#[configure]`, which has the last word.
    Configure,
}

/// Where they are kept. What needs a client is opened when the service is reached.
#[derive(Debug)]
enum Place {
    Memory,
    File(String),
    Table(Table),
    Given(Arc<dyn LeaseStore>),
}

#[derive(Debug)]
#[cfg_attr(
    not(feature = "dynamodb"),
    expect(dead_code, reason = "no table is opened in this build")
)]
struct Table {
    name: String,
    endpoint: Option<String>,
    missing: MissingTable,
}

impl LeaseConfig {
    pub(super) fn new(spec: Leases, app: &mut Resolve<'_>) -> Self {
        let store = match spec.store {
            Store::Memory => Place::Memory,
            Store::File(path) => {
                Place::File(app.text("lease file", path, check_file).unwrap_or_default())
            }
            Store::DynamoDb(table) => Place::Table(Table {
                // A table without a name has a problem, and with a problem nothing is opened.
                name: app
                    .text("lease table", table.name, check_table)
                    .unwrap_or_default(),
                endpoint: table.endpoint.and_then(|endpoint| {
                    app.text(LEASE_ENDPOINT, endpoint, super::config::check_endpoint)
                }),
                missing: table.missing,
            }),
        };
        Self {
            duration: spec.duration,
            store,
            named_by: NamedBy::Keys,
        }
    }

    /// The word of `#[configure]`.
    fn keep(&mut self, store: Place) {
        self.store = store;
        self.named_by = NamedBy::Configure;
    }

    /// The table's own endpoint.
    pub(super) fn endpoint(&self) -> Option<&str> {
        match &self.store {
            Place::Table(table) => table.endpoint.as_deref(),
            Place::Memory | Place::File(_) | Place::Given(_) => None,
        }
    }

    /// The store that `#[configure]` named, which goes before that of a `#[leases]` function.
    pub(super) fn configured(&self, aws: &SdkConfig) -> Option<Arc<dyn LeaseStore>> {
        (self.named_by == NamedBy::Configure).then(|| self.open(aws))
    }

    /// The store, reached like the streams unless it has an endpoint of its own.
    pub(super) fn open(&self, aws: &SdkConfig) -> Arc<dyn LeaseStore> {
        match &self.store {
            Place::Memory => Arc::new(MemoryLeases::new()),
            Place::File(path) => Arc::new(FileLeases::new(path)),
            Place::Table(table) => table.open(aws, self.duration),
            Place::Given(store) => Arc::clone(store),
        }
    }
}

impl Table {
    #[cfg(feature = "dynamodb")]
    fn open(&self, aws: &SdkConfig, duration: Duration) -> Arc<dyn LeaseStore> {
        let endpoint = self.endpoint.as_deref();
        let leases = crate::DynamoLeases::for_duration(aws, &self.name, endpoint, duration);
        Arc::new(match self.missing {
            MissingTable::Refused => leases,
            MissingTable::Created => leases.create_if_missing(),
        })
    }

    #[cfg(not(feature = "dynamodb"))]
    fn open(&self, _: &SdkConfig, _: Duration) -> Arc<dyn LeaseStore> {
        unreachable!("`check_table` refuses every table in this build: {self:?}")
    }
}

impl AppConfig {
    /// Keeps leases and checkpoints in this store.
    pub fn set_leases(&mut self, store: impl LeaseStore) {
        self.leases.keep(Place::Given(Arc::new(store)));
    }

    /// Frees the leases of an instance that died after so long: 3 seconds to 1 hour.
    ///
    /// Every instance of an application should say the same: each waits for the longer of its own and the owner's.
    ///
    /// # Errors
    ///
    /// The time is shorter or longer.
    pub fn set_lease_duration(&mut self, duration: Duration) -> Result<(), ConfigError> {
        match Length::LeaseDuration.check(duration) {
            // Rows hold milliseconds: a part of one would make our own writes look like another's.
            Ok(duration) => {
                self.leases.duration =
                    Duration::new(duration.as_secs(), duration.subsec_millis() * 1_000_000);
            }
            Err(fault) => return self.refuse("lease duration", &fault.to_string()),
        }
        Ok(())
    }

    /// Keeps leases and checkpoints in this file, for the processes of one machine.
    ///
    /// # Errors
    ///
    /// The text cannot name a file.
    pub fn set_lease_file(&mut self, path: &str) -> Result<(), ConfigError> {
        match check_file(path) {
            Ok(()) => self.leases.keep(Place::File(path.into())),
            Err(text) => return self.refuse("lease file", &text),
        }
        Ok(())
    }

    /// Keeps leases and checkpoints in this table of DynamoDB, by name or ARN (cargo feature `dynamodb`).
    ///
    /// # Errors
    ///
    /// It is neither 3 to 255 letters, digits, `_`, `.` and `-`, nor the ARN of a table; or the feature is off.
    pub fn set_lease_table(&mut self, name: &str) -> Result<(), ConfigError> {
        if let Err(text) = check_table(name) {
            return self.refuse("lease table", &text);
        }
        // What the keys say of a table holds for another one.
        let (endpoint, missing) = match &self.leases.store {
            Place::Table(table) => (table.endpoint.clone(), table.missing),
            Place::Memory | Place::File(_) | Place::Given(_) => (None, MissingTable::Refused),
        };
        self.leases.keep(Place::Table(Table {
            name: name.into(),
            endpoint,
            missing,
        }));
        Ok(())
    }

    /// Reaches the table of leases at this endpoint instead of the application's (cargo feature `dynamodb`).
    ///
    /// # Errors
    ///
    /// The text is not an `http://` or `https://` URL, or the leases are not in a table.
    pub fn set_lease_endpoint(&mut self, endpoint: &str) -> Result<(), ConfigError> {
        if let Err(text) = super::config::check_endpoint(endpoint) {
            return self.refuse(LEASE_ENDPOINT, &text);
        }
        match &mut self.leases.store {
            Place::Table(table) => table.endpoint = Some(endpoint.into()),
            Place::Memory | Place::File(_) | Place::Given(_) => {
                return self.refuse(LEASE_ENDPOINT, NO_TABLE);
            }
        }
        Ok(())
    }

    /// Creates the table of leases at start if it does not exist (cargo feature `dynamodb`).
    ///
    /// # Errors
    ///
    /// The leases are not in a table.
    pub fn set_create_lease_table(&mut self) -> Result<(), ConfigError> {
        match &mut self.leases.store {
            Place::Table(table) => table.missing = MissingTable::Created,
            Place::Memory | Place::File(_) | Place::Given(_) => {
                return self.refuse("creation of the lease table", NO_TABLE);
            }
        }
        Ok(())
    }
}

const LEASE_ENDPOINT: &str = "endpoint of the lease table";
const NO_FEATURE: &str = concat!(
    "this build has no DynamoDB\nhelp: `kinesis-app = { version = \"",
    env!("CARGO_PKG_VERSION"),
    "\", features = [\"dynamodb\"] }`"
);
const NO_TABLE: &str = "the leases are not in a table; `set_lease_table` comes first";

fn check_file(path: &str) -> Result<(), String> {
    rules::lease_file::lease_file(path)
        .map(drop)
        .map_err(|fault| fault.with(path).to_string())
}

fn check_table(name: &str) -> Result<(), String> {
    if cfg!(not(feature = "dynamodb")) {
        return Err(NO_FEATURE.into());
    }
    rules::table::lease_table(name)
        .map(drop)
        .map_err(|fault| fault.with(name).to_string())
}
