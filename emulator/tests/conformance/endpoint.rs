//! The checks on an emulator at an endpoint, in real time, each disagreement told.

use crate::check::{Check, Seen};
use crate::subject::Subject;
use aws_sdk_kinesis::config::timeout::TimeoutConfig;
use aws_sdk_kinesis::config::{BehaviorVersion, Builder, Credentials, Region};
use aws_smithy_async::rt::sleep::TokioSleep;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

/// The longest of one check, however the emulator hangs.
const PATIENCE: Duration = Duration::from_mins(1);
const ATTEMPT: Duration = Duration::from_secs(20);

#[expect(
    clippy::disallowed_methods,
    reason = "the one test that is about something outside says where that is"
)]
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn config(endpoint: &str) -> Builder {
    let timeouts = TimeoutConfig::builder().operation_attempt_timeout(ATTEMPT);
    Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("us-east-1"))
        .endpoint_url(endpoint)
        .credentials_provider(Credentials::new("test", "test", None, None, "conformance"))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .sleep_impl(TokioSleep::new())
        .timeout_config(timeouts.build())
}

/// Waits until the emulator is up.
async fn answers(subject: &Subject) {
    for _ in 0..120 {
        if subject.hasty.list_streams().send().await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    panic!("the emulator does not list its streams in a minute");
}

/// The suite against the emulator at `CONFORMANCE_ENDPOINT`, which is called `CONFORMANCE_NAME`. A
/// line for each disagreement, and a Markdown section at the end of the file `CONFORMANCE_REPORT`.
#[tokio::test]
#[ignore = "needs CONFORMANCE_ENDPOINT: run live/conformance"]
async fn disagreements_are_told() {
    let endpoint =
        setting("CONFORMANCE_ENDPOINT").expect("CONFORMANCE_ENDPOINT, as http://host:port");
    let name = setting("CONFORMANCE_NAME").unwrap_or_else(|| endpoint.clone());
    let config = config(&endpoint);
    answers(&Subject::new(&config, "c")).await;

    let mut report = Report::default();
    for (n, check) in crate::all().enumerate() {
        let subject = Subject::new(&config, &format!("c{}-{n}", std::process::id()));
        let met = tokio::time::timeout(PATIENCE, (check.run)(&subject)).await;
        let met = met.unwrap_or_else(|_| Seen::instead(format!("not over in {PATIENCE:?}")));
        let _ = tokio::time::timeout(PATIENCE, subject.clean()).await;
        report.add(check, met.err());
    }
    println!("{name}: {}", report.sum());
    if let Some(path) = setting("CONFORMANCE_REPORT") {
        let mut file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(&path);
        let file = file.as_mut().expect("the report can be written to");
        let section = report.section(&name);
        file.write_all(section.as_bytes())
            .expect("the report is written");
    }
}

#[derive(Default)]
struct Report {
    kept: usize,
    rows: Vec<(&'static Check, Seen)>,
}

impl Report {
    fn add(&mut self, check: &'static Check, seen: Option<Seen>) {
        match seen {
            None => self.kept += 1,
            Some(seen) => {
                println!("{}: {}", check.name, seen.0);
                self.rows.push((check, seen));
            }
        }
    }

    fn sum(&self) -> String {
        format!("{} of {} kept", self.kept, self.kept + self.rows.len())
    }

    /// Folded, for it is long.
    fn section(&self, name: &str) -> String {
        let (sum, table) = (self.sum(), self.table());
        format!("<details>\n<summary>{name}: {sum}</summary>\n\n{table}\n</details>\n\n")
    }

    fn table(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let mut table = "| Promise | Seen instead | Documented |\n|---|---|---|\n".to_owned();
        for (check, seen) in &self.rows {
            let cells = [
                check.name.replace('_', " "),
                seen.0.clone(),
                check.rule.to_owned(),
            ];
            let short = |cell: String| cell.replace("shardId-00000000000", "shard ");
            let cells = cells.map(|cell| short(cell).replace('|', "\\|"));
            writeln!(table, "| {} |", cells.join(" | ")).expect("a string takes it all");
        }
        table
    }
}
