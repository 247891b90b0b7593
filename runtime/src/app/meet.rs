//! The first words with the streams: are they there, since when, and where does this application begin in them.
//!
//! All are asked before anything is created or stored, so that a start that fails has begun nothing.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use futures_util::future::join_all;
use tokio::time::{Instant, sleep};

use kinesis_app_rules::defaults;

use super::{
    config::Resolved,
    error::Error,
    problem::{StreamError, StreamErrors, StreamProblem},
    shared::Instance,
    stream_config::StreamConfig,
};
use crate::{
    leases::{
        store::StoreError,
        stream_row::{StoredStart, StreamRow, StreamWrite, stream_key},
    },
    planted::{Bug, planted},
    seek,
    service_error::{Class, ServiceError},
    source::kinesis::{Description, Kinesis},
    spec::{Checkpoints, OnRecreated, Start},
};

/// A stream that can be read, and where every shard without a checkpoint begins in it, from now on and for everybody.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) kinesis: Kinesis,
    /// As it stands.
    pub(crate) row: StreamRow,
}

/// One stream on its way through the steps.
struct Visit<'a> {
    instance: &'a Instance,
    config: &'a StreamConfig,
    kinesis: Kinesis,
}

/// What the first look at a stream says.
enum There {
    Described(Description),
    /// It is missing, and to be created.
    Missing,
    /// It is only written to, which needs no permission to describe it.
    Undescribed,
}

/// Meets every stream that the application declares; `None` stands for those that are only written to.
pub(crate) async fn meet_all(
    instance: &Arc<Instance>,
    client: &aws_sdk_kinesis::Client,
    settings: &Resolved,
    endpoint: &str,
) -> Result<Vec<Option<Found>>, Error> {
    let configs = settings.streams.iter();
    let visits: Vec<_> = configs
        .map(|config| Visit {
            instance,
            config,
            kinesis: Kinesis::new(client.clone(), config.target.clone()),
        })
        .collect();
    let there = join_all(visits.iter().map(Visit::first_look)).await;
    let there = gather(settings, endpoint, &visits, there)?;
    // Not earlier: it may create a table.
    let prepared = instance.store.prepare().await;
    prepared.map_err(|source| Error::Leases {
        app: settings.name.clone(),
        source,
    })?;
    let descriptions = join_all(
        visits
            .iter()
            .zip(there)
            .map(|(visit, there)| visit.readable(there)),
    )
    .await;
    let descriptions = gather(settings, endpoint, &visits, descriptions)?;
    let (visits, descriptions): (Vec<_>, Vec<_>) = visits
        .into_iter()
        .zip(descriptions)
        .filter_map(|(visit, description)| Some((visit, description?)))
        .filter(|(visit, _)| visit.config.handler.is_some())
        .unzip();
    let starts = visits
        .iter()
        .zip(&descriptions)
        .map(|(visit, description)| resolve(visit.config.start, description));
    let starts = gather(settings, endpoint, &visits, starts.collect())?;
    let rows = visits
        .iter()
        .zip(descriptions)
        .zip(starts)
        .map(|((visit, description), start)| visit.store(description, start));
    let rows = gather(settings, endpoint, &visits, join_all(rows).await)?;
    let mut found = visits.into_iter().zip(rows).map(|(visit, row)| Found {
        kinesis: visit.kinesis,
        row,
    });
    Ok(settings
        .streams
        .iter()
        .map(|config| {
            if config.handler.is_some() {
                found.next()
            } else {
                None
            }
        })
        .collect())
}

fn gather<T>(
    settings: &Resolved,
    endpoint: &str,
    visits: &[Visit<'_>],
    results: Vec<Result<T, StreamProblem>>,
) -> Result<Vec<T>, StreamErrors> {
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for (visit, result) in visits.iter().zip(results) {
        match result {
            Ok(value) => values.push(value),
            Err(problem) => errors.push(StreamError::new(visit.config, endpoint, problem)),
        }
    }
    if errors.is_empty() {
        Ok(values)
    } else {
        Err(StreamErrors {
            app: settings.name.clone(),
            errors,
        })
    }
}

impl Visit<'_> {
    async fn first_look(&self) -> Result<There, StreamProblem> {
        match self.look().await {
            Ok(Some(description)) => Ok(There::Described(description)),
            Ok(None) => Ok(There::Missing),
            Err(StreamProblem::Service(error))
                if error.class() == Class::AccessDenied && self.config.handler.is_none() =>
            {
                tracing::warn!(stream = self.config.label, %error, "a stream that is written to cannot be described; the largest record that it takes is not known");
                Ok(There::Undescribed)
            }
            Err(problem) => Err(problem),
        }
    }

    /// What the service says of the stream; `None` if it is missing and to be created.
    async fn look(&self) -> Result<Option<Description>, StreamProblem> {
        let patience = Instant::now() + defaults::START_THROTTLED;
        let mut failures = 0;
        loop {
            match self.kinesis.describe().await {
                Ok(description) => return Ok(Some(description)),
                Err(error) if error.class() == Class::NotFound && self.config.create.is_some() => {
                    return Ok(None);
                }
                Err(error)
                    if error.is_retryable() && failures + 1 < defaults::START_TRIES
                        || error.class() == Class::Throttled && Instant::now() < patience =>
                {
                    failures += 1;
                    sleep(self.instance.backoff.wait(failures)).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    async fn readable(&self, there: There) -> Result<Option<Description>, StreamProblem> {
        let patience = Instant::now() + defaults::STREAM_CREATION;
        let mut described = match there {
            There::Undescribed => return Ok(None),
            There::Described(description) => Some(description),
            There::Missing => {
                if let Some(shards) = self.config.create {
                    create(&self.kinesis, shards).await?;
                    tracing::info!(stream = self.config.label, shards, "stream created");
                }
                None
            }
        };
        loop {
            match described {
                Some(description) if description.readable => return Ok(Some(description)),
                _ if Instant::now() >= patience => return Err(StreamProblem::NotReady),
                // The service may not know for a moment what it just created.
                _ => sleep(defaults::CREATION_POLL).await,
            }
            described = self.look().await?;
        }
    }

    async fn store(
        &self,
        description: Description,
        start: StoredStart,
    ) -> Result<StreamRow, StreamProblem> {
        let row = StreamRow {
            key: stream_key(&self.instance.app, &self.config.row_name()),
            created_millis: description.created_millis,
            start,
            generation: 0,
            position: None,
            bell: 0,
        };
        let store = &self.instance.store;
        let seen = store.stream(&row.key).await.map_err(StreamProblem::Store)?;
        let (stands, is_new) = match seen {
            Some(seen) => (seen, false),
            None => self
                .create_row(row.clone())
                .await
                .map_err(StreamProblem::Store)?,
        };
        if stands.created_millis != row.created_millis {
            return match self.config.recreated {
                OnRecreated::Refuse => Err(StreamProblem::Recreated { rows: row.key }),
                OnRecreated::Restart => self.restart(stands, row).await,
            };
        }
        if self.config.checkpoints == Checkpoints::Ignore && !is_new {
            let row = seek::ignore_checkpoint::unless_read(self.instance, stands, start).await;
            return row.map_err(StreamProblem::Store);
        }
        // `latest` resolves to another time at every start; only the others can be seen to have been edited.
        if self.config.start != Start::Latest && stands.start != row.start {
            tracing::warn!(
                stream = self.config.label, stored = ?stands.start, declared = ?self.config.start,
                "the stored start holds; an edited one does nothing"
            );
        }
        if planted(Bug::LatestPerInstance) {
            return Ok(StreamRow { start, ..stands });
        }
        Ok(stands)
    }

    /// Lease rows of a stream row that was deleted by hand keep their checkpoints: it comes back in their generation. The answer says as
    /// well whether nothing at all was stored of the stream.
    async fn create_row(&self, mut row: StreamRow) -> Result<(StreamRow, bool), StoreError> {
        let store = &self.instance.store;
        let leases = store.leases(&row.key).await?;
        let generations = leases.iter().map(|lease| lease.generation);
        row.generation = generations.max().unwrap_or(0);
        let stands = store.meet_stream(&row).await?;
        Ok((stands, leases.is_empty()))
    }

    /// Nothing that is stored of the stream before counts any more.
    async fn restart(&self, old: StreamRow, new: StreamRow) -> Result<StreamRow, StreamProblem> {
        if new.created_millis < old.created_millis {
            // What the service said lags behind what another instance made of it.
            return Ok(old);
        }
        tracing::warn!(
            stream = self.config.label,
            "stream was deleted and created again; it is read from its start"
        );
        let write = StreamWrite::Restart {
            key: new.key,
            seen_generation: old.generation,
            created_millis: new.created_millis,
            start: new.start,
        };
        let stands = seek::write_stream(self.instance, &write).await;
        stands.map_err(StreamProblem::Store)
    }
}

/// Another instance may be creating it at the same moment.
async fn create(kinesis: &Kinesis, shards: u32) -> Result<(), ServiceError> {
    match kinesis.create(shards).await {
        Err(error) if error.class() != Class::InUse => Err(error),
        _ => Ok(()),
    }
}

/// `latest` is the service's time now, less a margin: a position that means the same to every instance and after every crash. The
/// seconds of the margin may be read again; without it, records could fall between the clock and the first iterator.
pub(crate) fn resolve(
    start: Start,
    description: &Description,
) -> Result<StoredStart, StreamProblem> {
    let now = description.date.map(millis);
    match (start, now) {
        (Start::TrimHorizon, _) => Ok(StoredStart::TrimHorizon),
        (Start::Latest, Some(now)) => {
            let margin = i64::try_from(defaults::LATEST_MARGIN.as_millis()).unwrap_or(0);
            Ok(StoredStart::At {
                millis: (now - margin).max(0),
            })
        }
        (Start::Latest, None) => Err(StreamProblem::NoClock),
        // The service refuses a time ahead of its clock, shard by shard and for ever. A little ahead is what clocks of machines are.
        (Start::Timestamp { millis }, Some(now)) => {
            let ahead_millis = u64::try_from(millis.saturating_sub(now)).unwrap_or(0);
            if Duration::from_millis(ahead_millis) > defaults::START_AHEAD {
                return Err(StreamProblem::StartInTheFuture {
                    ahead_seconds: ahead_millis.div_ceil(1000),
                });
            }
            Ok(StoredStart::At {
                millis: millis.min(now),
            })
        }
        (Start::Timestamp { millis }, None) => Ok(StoredStart::At { millis }),
    }
}

fn millis(at: SystemTime) -> i64 {
    let since = at
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
