//! SDK clients that cannot step into the known pits.
//!
//! | Pit | What is set here |
//! |---|---|
//! | retry tokens are shared by all clients of a process and region | a retry partition per client |
//! | a system clock beside a paused tokio clock never sees a body stall | the emulator's clock, [skewed](crate::Skew) if wanted |
//! | no timeout by default: a call without an answer hangs for ever | an attempt timeout of 10 s |
//! | no behavior version: the client panics | the latest |
//! | `aws-config` asks the environment and the instance metadata | fixed region and credentials |

use crate::connector::EmulatorHttpClient;
use crate::hub::Core;
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sdk_kinesis::config::retry::RetryConfig;
use aws_sdk_kinesis::config::timeout::TimeoutConfig;
use aws_sdk_kinesis::config::{BehaviorVersion, Builder, Region};
use aws_smithy_async::rt::sleep::{SharedAsyncSleep, TokioSleep};
use aws_smithy_runtime::client::retries::RetryPartition;
use aws_types::SdkConfig;
use std::sync::Arc;
use std::time::Duration;

/// The attempt timeout of the clients that are made here.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);

/// A network connection to an emulated Kinesis, with a name.
///
/// Clients that are built over different links reach the same streams; each link can be cut on its
/// own, and the call log and the faults tell them apart. Give each instance of an application its
/// own link to simulate several machines.
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// use kinesis_app_emulator::Kinesis;
///
/// let kinesis = Kinesis::new();
/// let (one, two) = (kinesis.link("one"), kinesis.link("two"));
/// one.cut();
/// assert!(one.client().list_shards().stream_name("orders").send().await.is_err());
/// kinesis.create_stream("orders", 1).unwrap();
/// assert!(two.client().list_shards().stream_name("orders").send().await.is_ok());
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Link {
    pub(crate) core: Arc<Core>,
    pub(crate) name: Arc<str>,
}

impl Link {
    /// The name, as in the call log.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A configuration with everything set; each call makes one with its own retry tokens.
    ///
    /// Set on it what a test is about, such as other timeouts, and build a client from it.
    pub fn config(&self) -> Builder {
        Builder::from(&self.sdk_config())
            .retry_partition(RetryPartition::custom("kinesis-app-emulator").build())
    }

    /// A client with everything set.
    pub fn client(&self) -> aws_sdk_kinesis::Client {
        aws_sdk_kinesis::Client::from_conf(self.config().build())
    }

    /// A configuration of a client for the tables with everything set; each call makes one with its
    /// own retry tokens.
    #[cfg(feature = "dynamodb")]
    pub fn dynamodb_config(&self) -> aws_sdk_dynamodb::config::Builder {
        aws_sdk_dynamodb::config::Builder::from(&self.sdk_config())
            .retry_partition(RetryPartition::custom("kinesis-app-emulator").build())
    }

    /// A client for the tables with everything set.
    #[cfg(feature = "dynamodb")]
    pub fn dynamodb_client(&self) -> aws_sdk_dynamodb::Client {
        aws_sdk_dynamodb::Client::from_conf(self.dynamodb_config().build())
    }

    /// What an application that is configured by an [`SdkConfig`] needs to run here.
    ///
    /// An `SdkConfig` has no place for a retry partition: clients that are built from it alone
    /// share the process's retry tokens of their region. Prefer [`config`](Self::config) where the
    /// choice is yours.
    pub fn sdk_config(&self) -> SdkConfig {
        let credentials = Credentials::new("test", "test", None, None, "kinesis-app-emulator");
        let timeouts = TimeoutConfig::builder().operation_attempt_timeout(ATTEMPT_TIMEOUT);
        SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(self.core.region.clone()))
            .credentials_provider(SharedCredentialsProvider::new(credentials))
            .http_client(EmulatorHttpClient {
                core: Arc::clone(&self.core),
                link: Arc::clone(&self.name),
            })
            .time_source(self.core.clock.skewed(self.core.skew))
            .sleep_impl(SharedAsyncSleep::new(TokioSleep::new()))
            .timeout_config(timeouts.build())
            .retry_config(RetryConfig::standard())
            .build()
    }

    /// Cuts this link: new requests are reset at once, answers under way are lost.
    pub fn cut(&self) {
        self.core.set_cut(Some(&self.name), true);
    }

    /// Ends the cut.
    pub fn restore(&self) {
        self.core.set_cut(Some(&self.name), false);
    }
}
