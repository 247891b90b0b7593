//! What a handler may ask for, and that payloads may borrow.

use std::{
    sync::{Arc, Mutex},
    time::SystemTime,
};

use kinesis_app::{Running, Setup, prelude::*};
use kinesis_app_emulator::{Kinesis, Put};
use serde::Deserialize;
use tokio::time::sleep;

use crate::world::{FIRST, World, secs};

type Notes = Arc<Mutex<Vec<String>>>;

#[derive(Debug, Clone, AppState)]
pub(crate) struct Shared {
    notes: Notes,
    greeting: &'static str,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Note<'a> {
    #[serde(borrow)]
    text: &'a str,
}

/// Hooks, fields of the state, borrowed payloads and every extractor.
#[kinesis_app(name = "notes", leases(memory))]
mod notes {
    use super::*;

    #[stream(name = "orders", start(trim_horizon))]
    struct Orders;

    #[on_start]
    async fn open(setup: Setup) -> Result<Shared, kinesis_app::SetupError> {
        setup.env("GREETING")?;
        Ok(Shared {
            notes: Notes::default(),
            greeting: "from the environment",
        })
    }

    #[on_ready]
    async fn ready(State(notes): State<Notes>) {
        notes.lock().expect("alone").push("ready".into());
    }

    #[on_record(Orders)]
    #[expect(clippy::too_many_arguments, reason = "it is what is tested")]
    pub(crate) async fn take(
        note: Note<'_>,
        key: Option<PartitionKey>,
        at: Position,
        shard: ShardId,
        arrival: ArrivalTime,
        lag: Lag,
        attempt: Attempt,
        State(notes): State<Notes>,
        State(greeting): State<&'static str>,
    ) -> Outcome {
        assert_eq!(at.shard_id(), Some(&*shard));
        assert!(arrival.0 > SystemTime::UNIX_EPOCH);
        let key = key.as_deref().unwrap_or("no key").to_owned();
        let line = format!(
            "{greeting}: {key} {} {} behind {:?} attempt {}",
            note.text,
            at,
            lag.behind(),
            attempt.get()
        );
        notes.lock().expect("alone").push(line);
        Outcome::Done
    }

    #[on_shutdown]
    async fn flush(State(notes): State<Notes>) -> Result<(), String> {
        notes.lock().expect("alone").push("flushed".into());
        Ok(())
    }
}

async fn start(kinesis: &Kinesis, shared: Shared) -> Running {
    kinesis_app::launch(notes::App)
        .setup(Setup::empty())
        .aws(kinesis.sdk_config())
        .state(shared)
        .start()
        .await
        .expect("a start")
}

#[tokio::test(start_paused = true)]
async fn a_handler_is_given_what_it_asks_for_and_hooks_run_around_it() {
    let world = World::new(1);
    let sequence = world.put("ada", r#"{"text":"hello"}"#);
    world
        .kinesis
        .put_with("orders", Put::keyless(r#"{"text":"anon"}"#))
        .expect("the stream is there");
    let shared = Shared {
        notes: Notes::default(),
        greeting: "hi",
    };
    let running = start(&world.kinesis, shared.clone()).await;
    sleep(secs(3)).await;
    running.shutdown().await.expect("a clean stop");
    let notes = shared.notes.lock().expect("alone").clone();
    assert_eq!(notes.len(), 4, "{notes:?}");
    assert_eq!(notes[0], "ready");
    assert_eq!(
        notes[1],
        format!("hi: ada hello {FIRST}/{sequence} behind 0ns attempt 1")
    );
    assert!(notes[2].starts_with("hi: no key anon"), "{}", notes[2]);
    assert_eq!(notes[3], "flushed");
}

#[tokio::test(start_paused = true)]
async fn a_start_hook_that_fails_fails_the_start_with_its_words_and_takes_no_lease() {
    let world = World::new(1);
    let error = kinesis_app::launch(notes::App)
        .setup(Setup::empty())
        .aws(world.kinesis.sdk_config())
        .leases(world.leases.clone())
        .start()
        .await
        .expect_err("no greeting");
    assert_eq!(
        error.to_string(),
        "notes: the `#[on_start]` hook failed: the environment variable `GREETING` is not set"
    );
    assert!(world.leases.rows().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_handler_is_still_a_function_that_a_test_can_call() {
    let notes = Notes::default();
    let payload = String::from(r#"{"text":"direct"}"#);
    let outcome = notes::take(
        serde_json::from_str(&payload).expect("a note"),
        Some("ada".into()),
        Position::sequence(FIRST, "1"),
        FIRST.into(),
        ArrivalTime(SystemTime::UNIX_EPOCH + secs(1)),
        Lag(secs(0)),
        Attempt(std::num::NonZeroU32::MIN),
        State(notes.clone()),
        State("hi"),
    )
    .await;
    assert!(matches!(outcome, Outcome::Done));
    assert_eq!(notes.lock().expect("alone").len(), 1);
}
