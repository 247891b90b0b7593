//! `#[on_shard_start]` and `#[on_shard_end]` in one tenure: called until they succeed, or until the shard is left.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::FutureExt;
use kinesis_app_rules::defaults;
use tokio::{
    select,
    sync::oneshot,
    time::{Instant, sleep, sleep_until, timeout},
};

use super::StreamContext;
use crate::{
    app::{
        shard_hooks::{ErasedShardHook, HookedShard},
        wire::BoxFuture,
    },
    cause::{Chain, HandlerError},
    dispatch::{
        outcome::panic_text,
        shutdown::Shutdown,
        worker::{Assignment, Exit},
    },
    leases::{readings::Turn, row::lease_key, tenure::Tenure, writer::Lost},
    planted::{self, Bug, planted},
    telemetry::health::Activity,
};

/// When a hook is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// Before the first record.
    Start,
    /// The last record of this reading has settled.
    End { reading: u64 },
}

impl Moment {
    fn hook(self) -> &'static str {
        match self {
            Self::Start => "on_shard_start",
            Self::End { .. } => "on_shard_end",
        }
    }

    /// Whether a word to the reader ends it. A shard that is repositioned has not ended; its worker begins where it is told.
    fn yields_to(self, turn: &Turn) -> bool {
        matches!(
            (self, turn),
            (_, Turn::HandOver | Turn::GiveBack) | (Self::End { .. }, _)
        )
    }
}

/// `#[on_shard_start]`, if there is one. Nothing of the shard begins unless it succeeded.
pub(super) async fn start(stream: &StreamContext, shard: &mut Assignment) -> Result<(), Exit> {
    let Some(hook) = &stream.hooks.start else {
        return Ok(());
    };
    shard
        .health
        .write(|health| health.activity = Activity::Starting);
    match call(&**hook, Moment::Start, stream, shard).await? {
        None => {
            shard
                .health
                .write(|health| health.activity = Activity::Reading);
            Ok(())
        }
        // It succeeded in the time that was left, and there is none to read.
        Some(leaves) => Err(leaves.exit),
    }
}

/// `#[on_shard_end]`, if there is one and the shard has ended. It says how the tenure ends, and until when its shard may still be
/// finished if it is about to be left.
pub(super) async fn end(
    stream: &StreamContext,
    shard: &mut Assignment,
    exit: Exit,
) -> (Exit, Option<Instant>) {
    let (Exit::ShardEnd { reading, .. }, Some(hook)) = (&exit, &stream.hooks.end) else {
        return (exit, None);
    };
    if planted(Bug::ChildrenBeforeHook) {
        let key = lease_key(&stream.instance.app, &stream.name, &shard.shard_id);
        planted::note(Bug::ChildrenBeforeHook, &key);
        stream.bell.ring(&stream.instance.store).await;
    }
    let moment = Moment::End { reading: *reading };
    match call(&**hook, moment, stream, shard).await {
        Ok(leaves) => (exit, leaves.map(|leaves| leaves.until)),
        Err(other) => (other, None),
    }
}

/// The shard is about to be left.
struct Leaves {
    exit: Exit,
    until: Instant,
}

/// Calls a hook until it succeeds. What is begun may end within the grace when the shard is about to be left, and is not tried again then.
async fn call(
    hook: &dyn ErasedShardHook,
    moment: Moment,
    stream: &StreamContext,
    shard: &mut Assignment,
) -> Result<Option<Leaves>, Exit> {
    let tenure = Arc::clone(&shard.tenure);
    let hooked = HookedShard {
        shard_id: shard.shard_id.clone(),
        token: tenure.token(),
        directory: Arc::clone(&shard.directory),
        shutdown: Shutdown::new(shard.leaving.listener()),
    };
    let name = moment.hook();
    let mut failures = 0;
    loop {
        if let Some((exit, _)) = asked(shard, moment).now_or_never() {
            return Err(exit);
        }
        if let Moment::End { reading } = moment
            && !is_current(shard, reading)
        {
            return Err(Exit::Outdated);
        }
        // As with handlers: whoever is waited for has a word of his own.
        tenure.pulse().waits();
        let mut attempt = pin!(attempt(hook, &hooked, &tenure));
        let mut leaves = None;
        let ended = select! {
            biased;
            word = asked(shard, moment) => {
                let (exit, grace) = word;
                // The word of a loss is said once; nobody asks for it again.
                if matches!(exit, Exit::Lost(_)) {
                    return Err(exit);
                }
                shard.leaving.ask(grace);
                leaves = Some(Leaves { exit, until: Instant::now() + grace });
                select! {
                    biased;
                    why = over(&mut shard.lost, &tenure) => return Err(Exit::Lost(why)),
                    ended = timeout(grace, &mut attempt) => ended.ok(),
                }
            }
            ended = &mut attempt => Some(ended),
        };
        let error = match (ended, leaves) {
            (Some(Ok(())), leaves) => {
                shard.health.recovered();
                return Ok(leaves);
            }
            (Some(Err(Failed::Late)), _) => return Err(Exit::Lost(Lost::Deadline)),
            (Some(Err(Failed::Hook(error))), None) => error,
            (ended, Some(Leaves { exit, .. })) => {
                let shown = match &ended {
                    Some(Err(Failed::Hook(error))) => error.clone(),
                    _ => "it took too long and was dropped".to_owned(),
                };
                tracing::warn!(stream = stream.label, shard = %hooked.shard_id, hook = name, error = shown, "shard is left, and its hook has not succeeded");
                return Err(exit);
            }
            (None, None) => unreachable!("only a hook whose shard is left is not waited for"),
        };
        failures += 1;
        let wait = stream.instance.backoff.wait(failures);
        tracing::warn!(stream = stream.label, shard = %hooked.shard_id, hook = name, failures, ?wait, error, "shard hook failed");
        shard.health.failed(&format!("`#[{name}]`: {error}"));
        tenure.pulse().until(Instant::now() + wait);
        select! {
            biased;
            (exit, _) = asked(shard, moment) => return Err(exit),
            () = sleep(wait) => {}
        }
    }
}

/// A seek that is known of makes what was read before it void.
fn is_current(shard: &Assignment, reading: u64) -> bool {
    let readings = shard.tenure.readings();
    readings.current() == reading && readings.generation() == shard.known.generation()
}

/// Why a hook did not succeed.
enum Failed {
    /// It was not begun: the deadline has passed.
    Late,
    /// It failed like this.
    Hook(String),
}

/// The deadline is looked at in the poll that begins the hook.
async fn attempt(
    hook: &dyn ErasedShardHook,
    shard: &HookedShard,
    tenure: &Tenure,
) -> Result<(), Failed> {
    if tenure.is_over() {
        return Err(Failed::Late);
    }
    // Its error is asked for its words in here: it may panic when it is shown.
    let call = async {
        let call = Contained(Some(hook.call(shard)));
        call.await.map_err(|error| Chain(&*error).to_string())
    };
    match AssertUnwindSafe(call).catch_unwind().await {
        Ok(result) => result.map_err(Failed::Hook),
        Err(panic) => Err(Failed::Hook(format!(
            "the hook panicked: {}",
            panic_text(&*panic)
        ))),
    }
}

/// A hook that panics while it is dropped, for its shard is left, must not take the reader's last words along.
struct Contained<'a>(Option<BoxFuture<'a, Result<(), HandlerError>>>);

impl Future for Contained<'_> {
    type Output = Result<(), HandlerError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Some(call) => call.as_mut().poll(cx),
            None => Poll::Pending,
        }
    }
}

impl Drop for Contained<'_> {
    fn drop(&mut self) {
        let call = self.0.take();
        if catch_unwind(AssertUnwindSafe(|| drop(call))).is_err() {
            tracing::error!("a shard hook panicked while it was dropped");
        }
    }
}

/// Waits until the shard is to be left, and says how its tenure ends then and how long what is begun may go on.
async fn asked(shard: &mut Assignment, moment: Moment) -> (Exit, Duration) {
    let tenure = &shard.tenure;
    select! {
        biased;
        why = over(&mut shard.lost, tenure) => (Exit::Lost(why), Duration::ZERO),
        grace = shard.stop.asked() => (Exit::Stopped, grace.min(defaults::LONGEST_WAIT)),
        turn = poll_fn(|cx| tenure.readings().poll_word(cx, |turn| moment.yields_to(turn))) => {
            let exit = if turn == Turn::HandOver { Exit::Stopped } else { Exit::Outdated };
            (exit, defaults::HANDOVER)
        }
    }
}

/// Waits until the lease is lost, or its deadline, which every heartbeat moves, has passed.
async fn over(lost: &mut oneshot::Receiver<Lost>, tenure: &Tenure) -> Lost {
    loop {
        select! {
            biased;
            why = &mut *lost => return why.unwrap_or(Lost::Deadline),
            () = sleep_until(tenure.deadline()) => {
                if Instant::now() >= tenure.deadline() {
                    return Lost::Deadline;
                }
            }
        }
    }
}
