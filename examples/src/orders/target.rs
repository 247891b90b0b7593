//! Where Kinesis is: in this process, at an endpoint, or in AWS. The application is the same; what differs is one SDK
//! configuration.

use std::time::Duration;

use aws_config::{BehaviorVersion, Region};
use aws_credential_types::Credentials;
use aws_sdk_kinesis::{
    Client,
    config::{
        retry::{RetryConfig, RetryPartition},
        timeout::TimeoutConfig,
    },
};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_types::SdkConfig;
use kinesis_app_emulator::Kinesis;

use super::shop::PerTopic;

/// How long the embedded Kinesis takes to create, split or merge: a tenth of what the service takes would be a long time
/// to watch.
const CHANGE: Duration = Duration::from_millis(400);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
const ATTEMPTS: u32 = 4;
const FIRST_BACKOFF: Duration = Duration::from_millis(200);

/// Where Kinesis is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// In this process: nothing is installed, no port is opened.
    Embedded,
    /// At this URL, where dummy credentials do.
    Endpoint(String),
    /// In AWS, with the credentials and the region of the SDK's chain.
    Aws,
}

/// Why a target cannot be reached, before anything was sent.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The build has no TLS.
    #[error(
        "`{what}` needs HTTPS, and this build has no TLS\nhelp: cargo run --features tls -- {what}"
    )]
    NoTls {
        /// The option that asks for it.
        what: String,
    },
    /// The SDK's chain finds no region.
    #[error(
        "`--aws` finds no region in the environment or the profile\nhelp: AWS_REGION=eu-west-1 cargo run --features tls -- --aws"
    )]
    NoRegion,
}

/// A target that is set up.
#[derive(Debug)]
pub(crate) struct Reached {
    pub(crate) sdk: SdkConfig,
    pub(crate) names: PerTopic<String>,
    /// For people.
    pub(crate) place: String,
}

impl Target {
    pub(crate) async fn reach(&self) -> Result<Reached, TargetError> {
        match self {
            Self::Embedded => Ok(Reached {
                sdk: Kinesis::builder()
                    .wall_clock()
                    .create_duration(CHANGE)
                    .update_duration(CHANGE)
                    .build()
                    .sdk_config(),
                names: PerTopic::each(|topic| topic.as_str().into()),
                place: "the embedded Kinesis".into(),
            }),
            Self::Endpoint(url) => {
                if url.starts_with("https:") && cfg!(not(feature = "tls")) {
                    return Err(TargetError::NoTls {
                        what: format!("--endpoint {url}"),
                    });
                }
                let sdk = loader()
                    .endpoint_url(url)
                    .region(Region::new("us-east-1"))
                    .credentials_provider(Credentials::new("test", "test", None, None, "orders"))
                    .load()
                    .await;
                Ok(Reached {
                    sdk,
                    names: fresh_names(),
                    place: url.clone(),
                })
            }
            Self::Aws => {
                if cfg!(not(feature = "tls")) {
                    return Err(TargetError::NoTls {
                        what: "--aws".into(),
                    });
                }
                let sdk = loader().load().await;
                let region = sdk.region().ok_or(TargetError::NoRegion)?;
                let place = format!("AWS in {region}");
                Ok(Reached {
                    sdk,
                    names: fresh_names(),
                    place,
                })
            }
        }
    }
}

fn loader() -> aws_config::ConfigLoader {
    aws_config::defaults(BehaviorVersion::latest()).http_client(http_client())
}

#[cfg(feature = "tls")]
fn http_client() -> SharedHttpClient {
    use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};

    aws_smithy_http_client::Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .build_https()
}

#[cfg(not(feature = "tls"))]
fn http_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new().build_http()
}

/// Streams of others may be there: these names are nobody else's.
fn fresh_names() -> PerTopic<String> {
    let suffix = fastrand::u64(..);
    PerTopic::each(|topic| format!("kinesis-app-{topic}-{suffix:016x}"))
}

impl Reached {
    /// The job's own client. The application makes its own, from the same configuration.
    pub(crate) fn client(&self) -> Client {
        let timeouts = TimeoutConfig::builder().operation_attempt_timeout(ATTEMPT_TIMEOUT);
        let config = aws_sdk_kinesis::config::Builder::from(&self.sdk)
            .retry_config(
                RetryConfig::standard()
                    .with_max_attempts(ATTEMPTS)
                    .with_initial_backoff(FIRST_BACKOFF),
            )
            .timeout_config(timeouts.build())
            // Without its own, the client shares its retries with the application's.
            .retry_partition(RetryPartition::custom("orders-job").build())
            .build();
        Client::from_conf(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(feature = "tls"))]
    #[tokio::test(start_paused = true)]
    async fn without_tls_aws_and_https_are_refused_with_the_command_that_has_it() {
        let error = Target::Aws.reach().await.expect_err("no TLS");
        assert_eq!(
            error.to_string(),
            "`--aws` needs HTTPS, and this build has no TLS\nhelp: cargo run --features tls -- --aws"
        );
        let target = Target::Endpoint("https://localhost:4568".into());
        assert!(matches!(
            target.reach().await,
            Err(TargetError::NoTls { .. })
        ));
    }

    #[tokio::test(start_paused = true)]
    async fn streams_outside_of_this_process_have_names_of_their_own() {
        let target = Target::Endpoint("http://localhost:4567".into());
        let (one, two) = (target.reach().await, target.reach().await);
        let (one, two) = (one.expect("valid").names, two.expect("valid").names);
        assert_ne!(one.orders, two.orders);
        assert_ne!(one.orders, one.payments);
    }
}
