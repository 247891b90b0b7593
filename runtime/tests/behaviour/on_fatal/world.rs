//! Two streams that may be refused, and what is seen of it.

use std::time::Duration;

use kinesis_app::{
    Activity, Health, Running, Setup, ShardName, StreamActivity, prelude::*, spec::OnFatal,
};
use kinesis_app_emulator::{ErrorCode, Fault, FaultKind, Operation};
use tokio::time::timeout;

use crate::world::{Entry, FIRST, Ledger, STREAM, World};

/// Two streams, which may be refused. `ON_FATAL` has another word for it.
#[kinesis_app(name = "billing", leases(memory))]
pub(super) mod marked {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw), on_fatal(mark))]
    pub(in crate::on_fatal) struct Orders;

    #[stream(name = "refunds", start(trim_horizon), codec(Raw), on_fatal(mark))]
    struct Refunds;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Orders)]
    async fn book(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }

    #[on_record(Refunds)]
    async fn refund(
        _: Bytes,
        entry: Entry,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }

    #[configure]
    fn settings(config: &mut AppConfig, setup: &Setup) {
        if setup.env("ON_FATAL").is_ok_and(|word| word == "stop") {
            config.stream::<Orders>().set_on_fatal(OnFatal::Stop);
            config.stream::<Refunds>().set_on_fatal(OnFatal::Stop);
        }
    }
}

pub(super) fn world() -> World {
    let world = World::new(1);
    world
        .kinesis
        .create_stream("refunds", 1)
        .expect("a new stream");
    world
}

pub(super) fn refuse(world: &World, operation: Operation) {
    let kind = FaultKind::Refuse(ErrorCode::AccessDenied);
    world
        .kinesis
        .fault(Fault::new(operation, kind).stream(STREAM).always());
}

pub(super) fn put_refund(world: &World, text: &str) {
    world
        .kinesis
        .put("refunds", "ada", text.to_owned())
        .expect("the stream is there");
}

/// The shard of the stream that may be refused, and its words if it is.
pub(super) fn refused_shard(health: &Health) -> Option<String> {
    let name = ShardName {
        stream: "Orders",
        shard_id: FIRST.into(),
    };
    let shard = health.shards.get(&name)?;
    (shard.activity == Activity::Refused).then(|| {
        let failing = shard.failing.as_ref().expect("words");
        failing.error.clone()
    })
}

pub(super) fn refused_stream(health: &Health) -> Option<String> {
    let stream = &health.streams["Orders"];
    (stream.activity == StreamActivity::Refused).then(|| {
        let failing = stream.failing.as_ref().expect("words");
        failing.error.clone()
    })
}

pub(super) async fn goes_on(running: &mut Running, time: Duration) {
    assert!(
        timeout(time, running.ended()).await.is_err(),
        "the run goes on"
    );
}

/// A refusal of any of the two ends it.
pub(super) fn start_to_stop(
    world: &World,
) -> impl Future<Output = Result<Running, kinesis_app::Error>> {
    let setup = Setup::empty().with_env("ON_FATAL", "stop");
    world.launch(marked::App).setup(setup).start()
}
