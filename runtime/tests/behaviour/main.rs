//! What an application promises, shown by applications on the emulator in virtual time.

mod log;
mod phantom;
mod store;
mod tricks;
mod wall;
mod world;

mod accounts;
mod adoption;
mod at_least_once;
mod bad_settings;
mod balance;
#[cfg(feature = "dynamodb")]
mod balance_in_a_table;
mod batches;
mod checkpoints;
mod clocks;
mod cost;
mod dead_letters;
mod deadline;
mod describe;
mod discovery;
mod extractors;
mod fencing;
#[cfg(feature = "dynamodb")]
mod foreign;
mod generations;
mod given_up;
mod hand_over;
mod headers;
mod health;
mod hold;
mod lag;
mod lease_keys;
#[cfg(feature = "dynamodb")]
mod lease_table;
mod leases;
mod lineage;
mod lineage_resumed;
mod on_fatal;
mod order;
mod outcomes;
mod owner_id;
mod partition_key;
mod prefetch;
mod publishing;
mod put_back;
mod reading;
mod recreated;
mod refusals;
mod replies;
mod seek;
mod shard_hooks;
mod shutdown_extractor;
mod silence;
mod start;
mod start_after_reshard;
mod start_keys;
mod stop;
mod throttles;
mod timeouts;
mod tokens;
mod total_concurrency;
mod two_apps;
mod undecodable;
mod variables;
