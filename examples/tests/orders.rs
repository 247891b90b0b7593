//! The main job as a user runs it, and with faults planted in its application.

use std::{
    future::pending,
    process::{Command, Output},
};

use kinesis_app_examples::orders::{self, Display, Plan, Plant, Report, Target};

/// In virtual time: the same application, the same streams, no waiting.
async fn run(plant: Option<Plant>) -> Report {
    let plan = Plan {
        rate: 400,
        records: 2000,
        target: Target::Embedded,
        plant,
    };
    let mut display = Display::nowhere();
    let run = orders::run(&plan, &mut display, pending());
    Box::pin(run).await.expect("the run comes to a verdict")
}

#[tokio::test(start_paused = true)]
async fn every_record_is_handled_in_order_across_splits_merges_and_a_restart() {
    let report = run(None).await;
    assert!(report.verdict.holds(), "{report}");
    assert_eq!(report.verdict.put, 2000);
    assert_eq!(report.verdict.stored, 2000);
    assert_eq!(report.verdict.handled, 2000);
    assert_eq!((report.reshards.splits, report.reshards.merges), (3, 3));
    // Two streams of two shards, two children for each split, one for each merge.
    assert_eq!(report.reshards.shards, 4 + 3 * 2 + 3);
    assert!(report.get_records > 0);
    assert!(report.checkpoints > 0);
    assert_eq!(report.halted, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn an_order_that_is_called_done_and_was_not_is_lost() {
    let report = run(Some(Plant::Drop)).await;
    // One order in a hundred, of 1500.
    assert_eq!(report.verdict.lost, 15, "{report}");
    assert_eq!(report.verdict.out_of_order, 0, "{report}");
    assert!(!report.verdict.holds());
}

#[tokio::test(start_paused = true)]
async fn a_skipped_order_is_lost() {
    let report = run(Some(Plant::Skip)).await;
    assert_eq!(report.verdict.lost, 15, "{report}");
    assert!(!report.verdict.holds());
}

#[tokio::test(start_paused = true)]
async fn two_orders_of_a_customer_that_change_places_are_out_of_order() {
    let report = run(Some(Plant::Reorder)).await;
    assert!(report.verdict.out_of_order > 0, "{report}");
    assert!(!report.verdict.holds());
}

fn command(options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_orders"))
        .args(options)
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The count in a line of the summary.
fn count(summary: &str, name: &str) -> Option<u64> {
    let line = summary
        .lines()
        .find_map(|line| line.trim_start().strip_prefix(name))?;
    line.split_whitespace()
        .next()?
        .replace(',', "")
        .parse()
        .ok()
}

#[test]
fn the_command_shows_progress_and_a_summary_and_exits_with_0() {
    let output = command(&["--rate", "1500", "--records", "1500"]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    for (name, expected) in [
        ("put", 1500),
        ("handled", 1500),
        ("lost", 0),
        ("out of order", 0),
        ("missing", 0),
    ] {
        assert_eq!(count(&shown, name), Some(expected), "{name} in {shown}");
    }
    for event in [
        "created orders with 3 shards",
        "split orders shardId-",
        "merged payments shardId-",
        "the application stopped; it resumes in a moment",
        "/s), handled ",
    ] {
        assert!(shown.contains(event), "{event} in {shown}");
    }
}

#[test]
fn the_command_exits_with_1_when_the_application_drops_orders() {
    let output = command(&["--rate", "1500", "--records", "1500", "--plant", "skip"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert_eq!(count(&shown, "lost"), Some(11), "{shown}");
    assert!(shown.contains("FAILED: "), "{shown}");
}

#[test]
fn the_command_refuses_options_that_make_no_sense_with_2() {
    let output = command(&["--rate", "fast"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "error: `--rate` is `fast`; it is a whole number from 1 to 10000\nhelp: --rate 3000\n"
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn the_command_says_which_endpoint_does_not_answer() {
    // Port 9 is `discard`; nobody listens on it.
    let output = command(&["--endpoint", "http://127.0.0.1:9", "--records", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.starts_with("error: `CreateStream` on stream `kinesis-app-"),
        "{said}"
    );
    assert!(
        said.contains("` at `http://127.0.0.1:9` failed: "),
        "{said}"
    );
}
