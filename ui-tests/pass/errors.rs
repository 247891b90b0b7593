use std::fmt;

use kinesis_app::prelude::*;

/// An error like that of `anyhow` and `eyre`: no `std::error::Error` itself, but it converts into a boxed one.
#[derive(Debug)]
pub struct Report(Box<dyn std::error::Error + Send + Sync>);

impl<E: std::error::Error + Send + Sync + 'static> From<E> for Report {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl From<Report> for Box<dyn std::error::Error + Send + Sync> {
    fn from(report: Report) -> Self {
        report.0
    }
}

/// An error of the usual kind.
#[derive(Debug)]
pub struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed")
    }
}

impl std::error::Error for Failed {}

/// The application.
#[kinesis_app(name = "errors")]
pub mod errors {
    use super::*;

    #[stream(name = "a", codec(Raw))]
    struct A;
    #[stream(name = "b", codec(Raw))]
    struct B;
    #[stream(name = "c", codec(Raw))]
    struct C;
    #[stream(name = "d", codec(Raw))]
    struct D;
    #[stream(name = "e", codec(Raw))]
    struct E;

    #[on_start]
    async fn start() -> Result<(), Report> {
        Ok(std::fs::create_dir_all("")?)
    }

    #[on_record(A)]
    async fn reports(_record: Bytes) -> Result<(), Report> {
        Err(Failed)?
    }

    #[on_record(B)]
    async fn usual(_record: Bytes) -> Result<Outcome, Failed> {
        Err(Failed)
    }

    #[on_record(C)]
    async fn text(record: Bytes) -> Result<(), String> {
        Err(format!("{} bytes", record.len()))
    }

    #[on_record(D)]
    async fn words(_record: Bytes) -> Result<(), &'static str> {
        Err("failed")
    }

    #[on_record(E)]
    async fn boxed(_record: Bytes) -> Result<Outcome, Box<dyn std::error::Error + Send + Sync>> {
        Err(Box::new(Failed))
    }

    #[on_shutdown]
    async fn stop() -> Result<(), &'static str> {
        Err("failed")
    }
}
