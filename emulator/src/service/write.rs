//! PutRecord and PutRecords.

use super::record::{self, Record};
use super::request::{Distribution, Encryption, Entry, Metered, StreamRef, member_of};
use super::run::Run;
use super::shard::shard_id;
use super::{Limits, Moment, Service};
use crate::arrivals::Arrival;
use crate::error::{ErrorCode, ServiceError};
use kinesis_app_rules::size::record_size;

/// Ordinals grow by 1 to this many: nobody may count on the next number.
const ORDINAL_GAP: u64 = 16;

/// Where a record was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Receipt {
    pub(crate) shard_id: String,
    pub(crate) sequence_number: String,
    pub(crate) encryption: Encryption,
}

/// Why one entry of a `PutRecords` was not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PutFailure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl PutFailure {
    /// `PutRecords` knows two codes for an entry, and the second is not named as the exception is.
    pub(crate) fn of(error: &ServiceError) -> Self {
        Self {
            code: match error.code() {
                ErrorCode::InternalFailure => "InternalFailure",
                code => code.as_str(),
            },
            message: error.message().to_owned(),
        }
    }
}

impl Service {
    /// The shard that each entry would go to; draws no random number.
    pub(crate) fn routes(&mut self, name: &str, entries: &[Entry], now: Moment) -> Vec<u32> {
        let Ok(stream) = self.serving(name, now) else {
            return Vec::new();
        };
        if stream.distribution == Distribution::Auto {
            return Vec::new();
        }
        let route = |entry: &Entry| entry.hash_key.map(|hash| stream.route(hash));
        entries.iter().filter_map(route).collect()
    }

    pub(crate) fn put_record(
        &mut self,
        stream: &StreamRef,
        entry: Entry,
        metered: Metered,
        run: Run,
        now: Moment,
    ) -> Result<Receipt, ServiceError> {
        let name = self.resolve(stream)?;
        self.check_entry(&name, &entry, metered, None, now)?;
        if run == Run::Dry {
            self.check_room(&name, &entry, now)?;
        }
        run.go_on()?;
        self.store(&name, entry, metered, now)
    }

    /// Every entry is tried; what one shard refuses does not hold up the rest. `refuse` names the
    /// entries that an injected fault takes out.
    pub(crate) fn put_records(
        &mut self,
        stream: &StreamRef,
        entries: Vec<Entry>,
        mut refuse: impl FnMut(u32) -> Option<ServiceError>,
        run: Run,
        now: Moment,
    ) -> Result<Vec<Result<Receipt, PutFailure>>, ServiceError> {
        let name = self.resolve(stream)?;
        // Before anything is stored: a request that breaks a rule is refused as a whole.
        for (n, entry) in (1..).zip(&entries) {
            self.check_entry(&name, entry, Metered::Yes, Some(n), now)?;
        }
        // A shard that has no room fails its entries, not the request: it is not looked at.
        run.go_on()?;
        let mut results = Vec::with_capacity(entries.len());
        for entry in entries {
            let shard = self.routes(&name, std::slice::from_ref(&entry), now);
            let refused = shard.first().copied().and_then(&mut refuse);
            let stored = match refused {
                Some(error) => Err(error),
                None => self.store(&name, entry, Metered::Yes, now),
            };
            results.push(stored.map_err(|error| PutFailure::of(&error)));
        }
        Ok(results)
    }

    fn check_entry(
        &mut self,
        name: &str,
        entry: &Entry,
        metered: Metered,
        place: Option<usize>,
        now: Moment,
    ) -> Result<(), ServiceError> {
        let stream = self.serving(name, now)?;
        let keyless = entry.partition_key.is_none();
        if keyless && metered == Metered::Yes && stream.distribution != Distribution::Auto {
            return Err(ServiceError::missing(&member_of(place, "partitionKey")));
        }
        let key = entry.partition_key.as_deref().map_or(0, str::len);
        record_size(entry.data.len(), key, stream.record_bytes)
            .map(drop)
            .map_err(|fault| ServiceError::invalid(format!("{fault} (stream {name})")))
    }

    /// What the shard of an entry would refuse it for. On a stream that distributes by itself the
    /// shard is chosen when the record is stored, not before.
    fn check_room(&mut self, name: &str, entry: &Entry, now: Moment) -> Result<(), ServiceError> {
        let routes = self.routes(name, std::slice::from_ref(entry), now);
        let (Some(index), Limits::Enforced) = (routes.first().copied(), self.settings.limits)
        else {
            return Ok(());
        };
        let shard = self.serving(name, now)?.shard_at(index, now);
        let size = record::size(entry.partition_key.as_deref(), &entry.data);
        if shard.is_some_and(|shard| !shard.meters.covers_write(size, now)) {
            return Err(self.settings.rate_exceeded(name, &shard_id(index)));
        }
        Ok(())
    }

    fn store(
        &mut self,
        name: &str,
        entry: Entry,
        metered: Metered,
        now: Moment,
    ) -> Result<Receipt, ServiceError> {
        let metered = metered == Metered::Yes && self.settings.limits == Limits::Enforced;
        let watched = self.arrivals.is_some();
        let gap = self.random.u64(1..=ORDINAL_GAP);
        let anywhere = self.random.u128(..);
        let stream = self.serving(name, now)?;
        // What distributes by itself ignores the keys that producers give all the same.
        let hash_key = match stream.distribution {
            Distribution::Auto => anywhere,
            Distribution::UserPartitionKey => entry.hash_key.unwrap_or(anywhere),
        };
        let encryption = stream.encryption();
        let index = stream.route(hash_key);
        let shard = stream
            .shard_at(index, now)
            .expect("a route leads to an open shard");
        let size = record::size(entry.partition_key.as_deref(), &entry.data);
        if metered && !shard.meters.take_write(size, now) {
            return Err(self.settings.rate_exceeded(name, &shard_id(index)));
        }
        let sequence_number = shard.append(entry.partition_key, entry.data, encryption, gap, now);
        let record = shard.records.back().filter(|_| watched).map(Record::view);
        if let (Some(arrivals), Some(record)) = (&mut self.arrivals, record) {
            arrivals.push(Arrival {
                link: String::new(),
                stream: name.to_owned(),
                shard_id: shard_id(index),
                record,
            });
        }
        Ok(Receipt {
            shard_id: shard_id(index),
            sequence_number,
            encryption,
        })
    }
}
