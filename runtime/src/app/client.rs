//! How the service is reached: one client per application, with the SDK's pitfalls taken care of.

use aws_config::{BehaviorVersion, Region};
use aws_credential_types::Credentials as Keys;
use aws_sdk_kinesis::{
    Client,
    config::{retry::RetryConfig, timeout::TimeoutConfig},
};
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_http_client::Builder as HttpBuilder;
use aws_smithy_runtime::client::retries::RetryPartition;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_types::SdkConfig;
use kinesis_app_rules::defaults;

use super::config::Resolved;
use crate::spec::Credentials;

/// The region of requests that no service reads: dummy keys go to a local stack.
const LOCAL_REGION: &str = "us-east-1";

/// A configuration from the application's settings, and the SDK's chain for what they leave open.
///
/// # Errors
///
/// What is missing, in words.
pub(crate) async fn sdk_config(settings: &Resolved) -> Result<SdkConfig, String> {
    reachable(settings.endpoint.as_deref().unwrap_or(OF_AWS))?;
    if let Some(endpoint) = settings.leases.endpoint() {
        reachable(endpoint)?;
    }
    let mut loader = aws_config::defaults(BehaviorVersion::latest()).http_client(http_client());
    if let Some(region) = &settings.region {
        loader = loader.region(Region::new(region.clone()));
    }
    if let Some(endpoint) = &settings.endpoint {
        loader = loader.endpoint_url(endpoint);
    }
    if settings.credentials == Credentials::Test {
        loader =
            loader.credentials_provider(Keys::new("test", "test", None, None, "credentials(test)"));
        if settings.region.is_none() {
            loader = loader.region(Region::new(LOCAL_REGION));
        }
    }
    let config = loader.load().await;
    if config.region().is_none() {
        return Err("no region is set, here or in the SDK's chain\nhelp: `region = \"eu-west-1\"` in `#[kinesis_app]`, or the variable `AWS_REGION`".into());
    }
    Ok(config)
}

/// What every endpoint of AWS is.
const OF_AWS: &str = "https://*.amazonaws.com";

fn reachable(endpoint: &str) -> Result<(), String> {
    let needs_tls = endpoint
        .get(.."https:".len())
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"));
    if needs_tls && cfg!(not(feature = "tls")) {
        return Err(format!(
            "`{endpoint}` is reached by HTTPS, and this build has no TLS\nhelp: enable the feature `tls` of `kinesis-app`"
        ));
    }
    Ok(())
}

fn http_client() -> SharedHttpClient {
    #[cfg(feature = "tls")]
    {
        use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};

        HttpBuilder::new()
            .tls_provider(Provider::Rustls(CryptoMode::Ring))
            .build_https()
    }
    #[cfg(not(feature = "tls"))]
    HttpBuilder::new().build_http()
}

/// Retries are ours, per shard and with a class for each failure; so the SDK tries once. An attempt has a time limit, which it has not
/// by default. The retry partition keeps what is left of the SDK's process-wide state apart from other clients'.
pub(crate) fn client(config: &SdkConfig, app: &str) -> Client {
    let timeouts =
        TimeoutConfig::builder().operation_attempt_timeout(defaults::ATTEMPT_TIMEOUT_KINESIS);
    let timeouts = match config
        .timeout_config()
        .and_then(TimeoutConfig::connect_timeout)
    {
        Some(connect) => timeouts.connect_timeout(connect),
        None => timeouts,
    };
    let mut builder = aws_sdk_kinesis::config::Builder::from(config);
    // A configuration made by hand may lack what the client panics without.
    if config.behavior_version().is_none() {
        builder = builder.behavior_version(BehaviorVersion::latest());
    }
    if config.sleep_impl().is_none() {
        builder = builder.sleep_impl(TokioSleep::new());
    }
    let config = builder
        .retry_config(RetryConfig::disabled())
        .timeout_config(timeouts.build())
        .retry_partition(RetryPartition::custom(format!("kinesis-app {app}")).build())
        .build();
    Client::from_conf(config)
}

/// Where requests go, for people.
pub(crate) fn endpoint(config: &SdkConfig) -> String {
    match (config.endpoint_url(), config.region()) {
        (Some(endpoint), _) => endpoint.into(),
        (None, Some(region)) => format!("kinesis in {region}"),
        (None, None) => "kinesis".into(),
    }
}
