//! What a start puts together: the instance, a producer for each stream, a coordinator for each that is consumed.

use std::sync::Arc;

use kinesis_app_rules::defaults;
use tokio::sync::{Semaphore, oneshot, watch};

use super::{
    config::Resolved, directory::Directory, meet::Found, running::Consumed,
    shard_hooks::ShardHooks, shared::Instance,
};
use crate::{
    chance::Chance,
    coordinator::Coordinator,
    dispatch::{retry::Backoff, rules::Rules, worker::Worker},
    leases::{
        bell::Bell, bounded::Bounded, clock::Clock, generation::Known, shares::Shares,
        store::LeaseStore, tenure::Timing, tenures::Tenures,
    },
    publish::Producer,
    reader::StreamContext,
    source::{budget::Budget, kinesis::Kinesis},
    stop::Stop,
    tasks,
    telemetry::board::Board,
};

pub(super) fn instance(
    settings: &Resolved,
    store: Arc<dyn LeaseStore>,
    seed: Option<u64>,
    clock: Clock,
    directory: &Arc<Directory>,
    board: Board,
) -> Arc<Instance> {
    let chance = Arc::new(Chance::new(seed));
    let session = chance.session();
    let owner_id = settings.owner_id.clone();
    Arc::new(Instance {
        app: settings.name.clone(),
        // The whole session: two starts of one seed begin it alike.
        owner_id: owner_id.unwrap_or_else(|| format!("{}-{session}", std::process::id())),
        session,
        store: Arc::new(Bounded(store)),
        timing: Timing::of(settings.leases.duration),
        clock,
        backoff: Backoff {
            first: defaults::BACKOFF_FIRST,
            max: defaults::BACKOFF_MAX,
            chance,
        },
        budget: Budget::new(settings.prefetch),
        board,
        directory: Arc::clone(directory),
        shares: Shares::default(),
        ready: watch::Sender::new(false),
    })
}

/// Every stream may be written to, consumed or not.
pub(super) fn producers(
    instance: &Instance,
    client: &aws_sdk_kinesis::Client,
    settings: &Resolved,
) -> Vec<Arc<Producer>> {
    let producers = settings.streams.iter().map(|config| {
        let kinesis = Kinesis::new(client.clone(), config.target.clone());
        let key = config.partition_key.clone();
        let producer = Producer::start(instance, config.label, key, kinesis);
        (config.stream, Arc::new(producer))
    });
    let producers: Vec<_> = producers.collect();
    let entries = producers
        .iter()
        .map(|(stream, producer)| (*stream, Arc::downgrade(producer)));
    instance.directory.open_written(entries.collect());
    producers
        .into_iter()
        .map(|(_, producer)| producer)
        .collect()
}

/// Spawns a coordinator for every stream that is consumed.
pub(super) fn consume(
    instance: &Arc<Instance>,
    settings: &Resolved,
    found: Vec<Option<Found>>,
    workers: Vec<Option<Arc<dyn Worker>>>,
    hooks: Vec<ShardHooks>,
    stop: &Stop,
) -> Vec<Consumed> {
    let consumed = settings
        .streams
        .iter()
        .zip(found)
        .zip(workers.into_iter().zip(hooks));
    let contexts: Vec<_> = consumed
        .filter_map(|((config, found), (worker, hooks))| {
            Some((config, config.handler?, found?, worker?, hooks))
        })
        .map(|(config, handler, found, worker, hooks)| {
            let context = StreamContext {
                instance: Arc::clone(instance),
                label: config.label,
                name: config.row_name(),
                kinesis: found.kinesis,
                bell: Bell::new(found.row.key.clone(), found.row.bell),
                known: Arc::new(Known::new(found.row)),
                tenures: Tenures::default(),
                checkpoints: config.checkpoints,
                declared: config.start,
                recreated: config.recreated,
                read: config.read,
                fatal: config.fatal,
                rules: Rules::of(&handler, config.name(), &instance.backoff),
                worker,
                hooks,
                takes: Semaphore::new(defaults::STORE_CALLS_AT_A_TIME),
                stop: stop.clone(),
            };
            (config, Arc::new(context))
        })
        .collect();
    let directory = contexts.iter();
    let directory = directory.map(|(config, context)| (config.stream, Arc::downgrade(context)));
    // Before anything runs: a hook of a shard may seek at once.
    instance.directory.open_consumed(directory.collect());
    contexts
        .into_iter()
        .map(|(config, context)| {
            let (ready_in, ready) = oneshot::channel();
            let coordinator = Coordinator::new(context, ready_in);
            Consumed {
                task: tasks::spawn(coordinator.run(stop.clone())),
                ready: Some(ready),
                label: config.label,
                name: config.name().into(),
            }
        })
        .collect()
}
