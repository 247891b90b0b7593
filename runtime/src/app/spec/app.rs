//! What `#[kinesis_app(..)]` says.

use std::time::Duration;

use kinesis_app_rules::defaults;

use super::{Setting, Variable};

/// Where requests get their signature from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credentials {
    /// The SDK's default chain: environment, profile, web identity, container, instance.
    Chain,
    /// Fixed dummy keys, for a local stack behind `endpoint`.
    Test,
}

/// Leases and checkpoints: where they are kept, and how long a lease lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leases {
    /// Where they are kept.
    pub store: Store,
    /// A lease is dead to others when its row stood still for so long.
    pub duration: Duration,
}

impl Leases {
    /// In memory.
    pub const DEFAULT: Self = Self {
        store: Store::Memory,
        duration: defaults::LEASE_DURATION,
    };
}

/// Where leases and checkpoints are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Store {
    /// In this process, forgotten when it ends.
    Memory,
    /// In this file, for the processes of one machine.
    File(Setting),
    /// In a table of DynamoDB (cargo feature `dynamodb`).
    DynamoDb(LeaseTable),
}

/// A table of DynamoDB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseTable {
    /// Its name or ARN.
    pub name: Setting,
    /// Its endpoint, if that is not the application's.
    pub endpoint: Option<Setting>,
    /// What a start does without it.
    pub missing: MissingTable,
}

impl LeaseTable {
    /// The table of this name, at the application's endpoint; without it there is no start.
    pub const fn named(name: Setting) -> Self {
        Self {
            name,
            endpoint: None,
            missing: MissingTable::Refused,
        }
    }
}

/// What a start does when the table of leases does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingTable {
    /// It fails.
    Refused,
    /// It creates the table, on demand, and waits for it.
    Created,
}

/// A `#[kinesis_app(..)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppSpec {
    /// The namespace of the application's leases.
    pub name: Setting,
    /// The AWS region; `None` asks the SDK's chain.
    pub region: Option<Setting>,
    /// Another endpoint than the service's own.
    pub endpoint: Option<Setting>,
    /// Who signs.
    pub credentials: Credentials,
    /// The instance's name in lease rows and logs; `None` makes one of the process's own.
    pub owner_id: Option<Setting>,
    /// How leases are kept.
    pub leases: Leases,
    /// How long handlers may go on after a stop was asked for.
    pub shutdown_timeout: Duration,
    /// How much of records read and unhandled is held, such as `256MiB`; `None` is the default.
    pub prefetch: Option<Setting>,
    /// What of it the environment decides.
    pub variables: &'static [Variable<AppKey>],
}

/// What of an application the environment may decide as a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppKey {
    /// `leases(.., duration)`.
    LeaseDuration,
    /// `shutdown_timeout`.
    ShutdownTimeout,
}

impl AppSpec {
    /// The application of this name, and nothing else said about it.
    pub const fn named(name: Setting) -> Self {
        Self {
            name,
            region: None,
            endpoint: None,
            credentials: Credentials::Chain,
            owner_id: None,
            leases: Leases::DEFAULT,
            shutdown_timeout: defaults::SHUTDOWN_TIMEOUT,
            prefetch: None,
            variables: &[],
        }
    }
}
