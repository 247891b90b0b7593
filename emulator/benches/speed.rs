//! What the emulator costs, as ratios: to a plain copy, to an empty shard, to the memory of this job.
//!
//! Each ratio is the median of several rounds. The bounds are wide, for machines that are busy: what
//! is beyond them has changed in kind, and ends the run with an error.

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponentsBuilder;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body_util::BodyExt;
use kinesis_app_emulator::{Kinesis, Limits};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;
use tokio::time::Instant;

const JSON: &str = "application/x-amz-json-1.1";
const CBOR: &str = "application/x-amz-cbor-1.1";
const SHARD: &str = "shardId-000000000000";
const PAGE: usize = 10_000;
const ROUNDS: usize = 15;
const GIB: f64 = 1_073_741_824.0;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    // `cargo test --all-targets` starts this too, and only asks whether it does.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let mut report = Report::default();
    for (size, json, cbor) in [(1_024, 16.0, 16.0), (100, 60.0, 60.0)] {
        page(&mut report, "JSON", JSON, size, json).await;
        page(&mut report, "CBOR", CBOR, size, cbor).await;
    }
    puts(&mut report).await;
    memory(&mut report);
    report.end()
}

fn emulator() -> Kinesis {
    let builder = Kinesis::builder().limits(Limits::Off).log_calls(0);
    builder.latency(Duration::ZERO).build()
}

/// Requests and answers without an SDK around them.
struct Wire {
    connector: SharedHttpConnector,
}

impl Wire {
    fn to(kinesis: &Kinesis) -> Self {
        let config = kinesis.sdk_config();
        let client = config
            .http_client()
            .expect("the emulator is an HTTP client");
        let components = RuntimeComponentsBuilder::for_tests().build();
        let components = components.expect("they are complete");
        let settings = HttpConnectorSettings::builder().build();
        Self {
            connector: client.http_connector(&settings, &components),
        }
    }

    async fn call(&self, operation: &str, content_type: &'static str, body: Vec<u8>) -> Bytes {
        let mut request = HttpRequest::new(SdkBody::from(body));
        let headers = request.headers_mut();
        headers.insert("x-amz-target", format!("Kinesis_20131202.{operation}"));
        headers.insert("content-type", content_type);
        headers.insert("authorization", "AWS4-HMAC-SHA256 bench");
        let response = self.connector.call(request).await.expect("it is answered");
        let status = response.status().as_u16();
        let body = response
            .into_body()
            .collect()
            .await
            .expect("in one piece")
            .to_bytes();
        assert_eq!(
            status,
            200,
            "{operation}: {}",
            String::from_utf8_lossy(&body)
        );
        body
    }
}

/// A page of 10,000 records against a copy of as many bytes to memory that is as new.
async fn page(report: &mut Report, name: &str, protocol: &'static str, size: usize, most: f64) {
    let kinesis = emulator();
    kinesis.create_stream("s", 1).expect("a stream");
    for n in 0..PAGE {
        let data = vec![u8::try_from(n % 251).unwrap_or_default(); size];
        kinesis.put("s", &format!("key-{n}"), data).expect("a put");
    }
    let wire = Wire::to(&kinesis);
    let ask =
        format!(r#"{{"StreamName":"s","ShardId":"{SHARD}","ShardIteratorType":"TRIM_HORIZON"}}"#);
    let iterator = wire.call("GetShardIterator", JSON, ask.into_bytes()).await;
    let body = match protocol {
        CBOR => cbor_of(&iterator),
        _ => iterator.to_vec(),
    };
    let (mut served, mut copied, mut bytes) = (Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let answer = wire.call("GetRecords", protocol, body.clone()).await;
        served.push(start.elapsed());
        bytes = answer.len();
        let start = Instant::now();
        let copy = answer.to_vec();
        copied.push(start.elapsed());
        black_box(copy);
    }
    let (served, copied) = (median(served), median(copied));
    let what = format!("{PAGE} records of {size} bytes in {name}, against a copy of the answer");
    let detail = format!(
        "{} ns a record, {} MB/s",
        nanos(served, PAGE),
        megabytes(bytes, served)
    );
    report.ratio(
        &what,
        served.as_secs_f64() / copied.as_secs_f64(),
        most,
        &detail,
    );
}

/// `{"ShardIterator": ".."}` in CBOR.
fn cbor_of(json: &[u8]) -> Vec<u8> {
    let iterator = json
        .split(|byte| *byte == b'"')
        .nth(3)
        .expect("an iterator");
    let length = u16::try_from(iterator.len()).expect("at most 512 characters");
    let mut body = vec![0xa1, 0x6d];
    body.extend_from_slice(b"ShardIterator\x79");
    body.extend_from_slice(&length.to_be_bytes());
    body.extend_from_slice(iterator);
    body
}

/// Puts over the wire to a shard that keeps a million records, against those to an empty one.
async fn puts(report: &mut Report) {
    const KEPT: usize = 1_000_000;
    const PUTS: usize = 2_000;
    let (empty, full) = (emulator(), emulator());
    for kinesis in [&empty, &full] {
        kinesis.create_stream("s", 1).expect("a stream");
    }
    for _ in 0..KEPT {
        full.put("s", "k", "a record").expect("a put");
    }
    let body = r#"{"StreamName":"s","PartitionKey":"k","Data":"YSByZWNvcmQ="}"#;
    let wires = [Wire::to(&empty), Wire::to(&full)];
    let mut took = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (wire, took) in wires.iter().zip(&mut took) {
            let start = Instant::now();
            for _ in 0..PUTS {
                wire.call("PutRecord", JSON, body.into()).await;
            }
            took.push(start.elapsed());
        }
    }
    let [empty, full] = took.map(median);
    let what = format!("a put to a shard that keeps {KEPT} records, against one that is empty");
    let detail = format!("{} ns a put", nanos(full, PUTS));
    report.ratio(
        &what,
        full.as_secs_f64() / empty.as_secs_f64(),
        1.5,
        &detail,
    );
}

/// What 10 million small records in 1,000 shards take, against 4 GiB.
fn memory(report: &mut Report) {
    const SHARDS: u32 = 1_000;
    const RECORDS: usize = 10_000_000;
    let Some(before) = resident() else {
        println!("the memory of this job cannot be told on this system");
        return;
    };
    let kinesis = emulator();
    kinesis.create_stream("s", SHARDS).expect("a stream");
    let start = Instant::now();
    for n in 0..RECORDS {
        // A payload of its own each, as it comes from the wire.
        let data = n.to_le_bytes().to_vec();
        kinesis.put("s", &format!("key-{n}"), data).expect("a put");
    }
    let took = start.elapsed();
    let used = resident().unwrap_or_default().saturating_sub(before);
    let what = format!("{RECORDS} small records in {SHARDS} shards, against 4 GiB");
    let detail = format!(
        "{} bytes a record, {} ns a put",
        used / RECORDS,
        nanos(took, RECORDS)
    );
    report.ratio(&what, as_f64(used) / (4.0 * GIB), 1.0, &detail);
}

/// The memory of this job in bytes, where the system tells.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: usize = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1_024)
}

fn median(mut spans: Vec<Duration>) -> Duration {
    spans.sort_unstable();
    spans[spans.len() / 2]
}

fn nanos(span: Duration, among: usize) -> u128 {
    span.as_nanos() / among as u128
}

fn megabytes(bytes: usize, span: Duration) -> u128 {
    bytes as u128 * 1_000 / span.as_nanos().max(1)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a ratio is shown with two digits"
)]
const fn as_f64(value: usize) -> f64 {
    value as f64
}

/// Prints each ratio as it comes, and remembers whether all were within their bounds.
#[derive(Default)]
struct Report {
    beyond: usize,
}

impl Report {
    fn ratio(&mut self, what: &str, ratio: f64, most: f64, detail: &str) {
        let verdict = if ratio <= most { "ok" } else { "BEYOND" };
        self.beyond += usize::from(ratio > most);
        println!("{ratio:>8.2}  {verdict:<6}  at most {most:<5}  {what} ({detail})");
    }

    fn end(&self) -> ExitCode {
        match self.beyond {
            0 => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        }
    }
}
