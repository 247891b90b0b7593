//! Streams of one name in two accounts.

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
        SharedHttpConnector,
    },
    orchestrator::HttpRequest,
    runtime_components::RuntimeComponents,
};
use kinesis_app::{Setup, prelude::*};
use kinesis_app_emulator::Kinesis;
use tokio::time::sleep;

use crate::world::{Entry, FIRST, Ledger, STREAM, World, secs};

const OURS: &str = "111111111111";
const THEIRS: &str = "222222222222";

/// What a request is about is in the account that its ARN names.
#[derive(Debug)]
struct Accounts<T> {
    ours: T,
    theirs: T,
}

impl HttpClient for Accounts<SharedHttpClient> {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Accounts {
            ours: self.ours.http_connector(settings, components),
            theirs: self.theirs.http_connector(settings, components),
        })
    }
}

impl HttpConnector for Accounts<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = request.body().bytes().unwrap_or_default();
        let is_theirs = body
            .windows(THEIRS.len())
            .any(|part| part == THEIRS.as_bytes());
        let account = if is_theirs { &self.theirs } else { &self.ours };
        account.call(request)
    }
}

#[kinesis_app(name = "billing", leases(memory))]
mod both {
    use super::*;

    #[stream(arn(env = "OURS"), start(trim_horizon), codec(Raw))]
    struct Ours;

    #[stream(arn(env = "THEIRS"), start(trim_horizon), codec(Raw))]
    struct Theirs;

    #[on_start]
    async fn open() -> Result<Ledger, String> {
        Ok(Ledger::default())
    }

    #[on_record(Ours)]
    async fn ours(_: Bytes, entry: Entry, State(ledger): State<Ledger>) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }

    #[on_record(Theirs)]
    async fn theirs(
        _: Bytes,
        entry: Entry,
        State(ledger): State<Ledger>,
    ) -> Result<Outcome, String> {
        ledger.handle(entry).await
    }
}

fn account(number: &str) -> Kinesis {
    let kinesis = Kinesis::builder().account(number).build();
    kinesis.create_stream(STREAM, 1).expect("a new stream");
    kinesis
}

#[tokio::test(start_paused = true)]
async fn streams_of_one_name_in_two_accounts_have_rows_of_their_own() {
    let world = World {
        kinesis: account(OURS),
        ..World::new(1)
    };
    let theirs = account(THEIRS);
    let client = |kinesis: &Kinesis| {
        kinesis
            .sdk_config()
            .http_client()
            .expect("the emulator is one")
    };
    let accounts = Accounts {
        ours: client(&world.kinesis),
        theirs: client(&theirs),
    };
    let aws = world.kinesis.sdk_config().into_builder();
    let aws = aws.http_client(accounts).build();
    let setup = Setup::empty()
        .with_env("OURS", &world.kinesis.stream_arn(STREAM))
        .with_env("THEIRS", &theirs.stream_arn(STREAM));
    let start = || {
        world
            .launch(both::App)
            .setup(setup.clone())
            .aws(aws.clone())
    };
    let running = start().start().await.expect("a start");
    world.put("ada", "our first");
    theirs
        .put(STREAM, "ada", "their first")
        .expect("the stream is there");
    sleep(secs(10)).await;
    running.shutdown().await.expect("a clean stop");
    let keys: Vec<_> = world.leases.rows().into_iter().map(|row| row.key).collect();
    assert_eq!(
        keys,
        [
            format!("billing:orders@{OURS}:{FIRST}"),
            format!("billing:orders@{THEIRS}:{FIRST}")
        ]
    );
    let again = start().start().await.expect("a start");
    theirs
        .put(STREAM, "ada", "their second")
        .expect("the stream is there");
    sleep(secs(10)).await;
    let mut handled = world.ledger.ended();
    handled.sort();
    assert_eq!(
        handled,
        ["our first", "their first", "their second"],
        "each once"
    );
    again.shutdown().await.expect("a clean stop");
}
