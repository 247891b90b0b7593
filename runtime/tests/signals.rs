//! `run` ends gracefully on SIGTERM and on SIGINT.
//!
//! A signal is for a whole process, so each test runs this binary again as the application, waits for a line of it, and signals it.
#![cfg(unix)]

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
};

use kinesis_app::{MemoryLeases, Setup, prelude::*};
use kinesis_app_emulator::Kinesis;

/// Set in the process that is the application.
const ROLE: &str = "KINESIS_APP_TEST_SIGNALS";
/// Set where `#[on_ready]` never ends.
const SLOW: &str = "KINESIS_APP_TEST_SLOW_START";

#[kinesis_app(name = "billing", leases(memory))]
mod billing {
    use super::*;

    #[stream(name = "orders", start(trim_horizon), codec(Raw))]
    struct Orders;

    #[on_record(Orders)]
    async fn book(bytes: Bytes) -> Outcome {
        println!("\nhandled {}", String::from_utf8_lossy(&bytes));
        Outcome::Done
    }

    /// In one test the start is not done when the signal comes.
    #[on_ready]
    async fn ready() {
        if std::env::var_os(SLOW).is_some() {
            std::future::pending::<()>().await;
        }
    }

    #[on_shutdown]
    async fn flush() {
        println!("\nflushed");
    }
}

#[tokio::main]
async fn application() {
    let kinesis = Kinesis::new();
    kinesis.create_stream("orders", 1).expect("a new stream");
    kinesis
        .put("orders", "ada", "1")
        .expect("the stream is there");
    let leases = MemoryLeases::new();
    let launch = kinesis_app::launch(billing::App)
        .setup(Setup::empty())
        .aws(kinesis.sdk_config())
        .leases(leases.clone());
    launch.run().await.expect("a clean stop");
    let row = &leases.rows()[0];
    println!(
        "\ncheckpoint {} holder {}",
        row.checkpoint.is_some(),
        row.holder.is_some()
    );
}

#[test]
#[ignore = "it is the application that the tests below run"]
fn the_application() {
    assert!(
        std::env::var_os(ROLE).is_some(),
        "only as a child of a test"
    );
    application();
}

fn spawn(slow: bool) -> Child {
    let this = std::env::current_exe().expect("the test binary");
    let mut command = Command::new(this);
    command
        .args(["--exact", "the_application", "--ignored", "--nocapture"])
        .env(ROLE, "application")
        .stdout(Stdio::piped());
    if slow {
        command.env(SLOW, "1");
    }
    command.spawn().expect("the test binary starts")
}

fn stops_on(signal: &str, slow: bool) {
    let mut child = spawn(slow);
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    while line.trim() != "handled 1" {
        line.clear();
        assert!(
            output.read_line(&mut line).expect("text") > 0,
            "the application ended before its record"
        );
    }
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status()
        .expect("kill is there");
    assert!(sent.success());
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert!(child.wait().expect("a child").success(), "{rest}");
    assert!(rest.contains("flushed"), "{rest}");
    assert!(rest.contains("checkpoint true holder false"), "{rest}");
}

#[test]
fn sigterm_stops_gracefully() {
    stops_on("-TERM", false);
}

#[test]
fn sigint_stops_gracefully() {
    stops_on("-INT", false);
}

#[test]
fn a_signal_before_the_start_is_done_stops_gracefully_too() {
    stops_on("-TERM", true);
}
