//! Where the services are, and what becomes of a test that has none.

use std::{future::Future, io::Write, time::Duration};

use aws_sdk_kinesis::config::{Credentials, Region};
use kinesis_app::SdkConfig;
use tokio::time::{sleep, timeout};

pub(crate) const KINESIS: &str = "KINESIS_TEST_ENDPOINT";
pub(crate) const DYNAMODB: &str = "DYNAMODB_TEST_ENDPOINT";

const PATIENCE: Duration = Duration::from_mins(1);
const POLL: Duration = Duration::from_millis(50);

/// The endpoint that this variable names; none if the test is to be skipped.
#[expect(
    clippy::disallowed_methods,
    reason = "the environment says whether and where there is a service to test against"
)]
pub(crate) fn endpoint(variable: &str, test: &str) -> Option<String> {
    if let Ok(endpoint) = std::env::var(variable) {
        return Some(endpoint);
    }
    let required = std::env::var("KINESIS_LIVE_REQUIRED").is_ok_and(|value| value == "1");
    assert!(!required, "`{variable}` is not set\nhelp: live/run");
    let skipped = format!("{test}: skipped, for `{variable}` is not set; `live/run` sets it\n");
    // Not `eprintln!`, which the test runner swallows when a test passes.
    std::io::stderr()
        .write_all(skipped.as_bytes())
        .expect("standard error is open");
    None
}

/// How the plain SDK reaches a service on this machine.
pub(crate) fn sdk_config(endpoint: &str) -> SdkConfig {
    let keys = Credentials::new("test", "test", None, None, "live");
    SdkConfig::builder()
        .behavior_version(aws_sdk_kinesis::config::BehaviorVersion::latest())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .endpoint_url(endpoint)
        .region(Region::new("us-east-1"))
        .credentials_provider(aws_sdk_kinesis::config::SharedCredentialsProvider::new(
            keys,
        ))
        .build()
}

/// Microseconds since 1970: processes of one machine agree on them.
pub(crate) fn now() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed();
    let since = since.expect("the clock is past 1970").as_micros();
    u64::try_from(since).expect("the year is not 586000")
}

pub(crate) async fn eventually<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let wait = async {
        while !holds().await {
            sleep(POLL).await;
        }
    };
    assert!(timeout(PATIENCE, wait).await.is_ok(), "not in time: {what}");
}
