use kinesis_app_rules::{Violation, header::HeaderNameFault, partition_key::PartitionKeyFault};

use crate::{
    cause::HandlerError,
    service_error::{Class, ServiceError},
};

/// Why a record was not published.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum PublishError {
    /// The codec refused the payload.
    #[error("the `{codec}` codec does not encode the payload: {source}")]
    Encode {
        /// The codec's name.
        codec: &'static str,
        /// What it says.
        source: std::sync::Arc<dyn std::error::Error + Send + Sync>,
    },
    /// The partition key is none.
    #[error(transparent)]
    Key(PartitionKeyFault),
    /// The name of a header is none.
    #[error("{text}")]
    Header {
        /// The name and the rule.
        text: String,
    },
    /// The record, with its key and its headers, is larger than the stream takes.
    #[error(
        "record of {size} bytes is larger than stream `{stream}` takes; the most is {limit} bytes, key and headers among them"
    )]
    TooLarge {
        /// The stream's struct.
        stream: &'static str,
        /// Payload, headers and key.
        size: usize,
        /// The stream's own limit.
        limit: usize,
    },
    /// The service refused the request, or gave no answer for a minute. Of a request without an answer nobody knows whether it was
    /// carried out.
    #[error("stream `{stream}`: {source}")]
    Service {
        /// The stream's struct.
        stream: &'static str,
        /// The last failure.
        source: ServiceError,
    },
    /// The service took the request and, for a minute, not this record.
    #[error("stream `{stream}` does not take the record: {code}: {message}")]
    Refused {
        /// The stream's struct.
        stream: &'static str,
        /// The service's code, such as `ProvisionedThroughputExceededException`.
        code: String,
        /// The service's words.
        message: String,
    },
    /// The application does not run any more, or stopped before the record was sent.
    #[error("stream `{stream}`: the application does not run any more")]
    NotRunning {
        /// The stream's struct.
        stream: &'static str,
    },
    /// The application does not declare the stream.
    #[error(
        "stream `{stream}` is not declared by the application that publishes to it\nhelp: declare it in the module: `#[stream(name = \"..\")] struct {stream};`"
    )]
    NotDeclared {
        /// The stream's struct.
        stream: &'static str,
    },
}

impl PublishError {
    /// For a codec of your own: it cannot write the value.
    pub fn encode(codec: &'static str, source: impl Into<HandlerError>) -> Self {
        Self::Encode {
            codec,
            source: source.into().into(),
        }
    }

    pub(super) fn header(violation: &Violation<'_, HeaderNameFault>) -> Self {
        Self::Header {
            text: violation.to_string(),
        }
    }

    /// Whether this very record can never be stored, whatever a person mends around it.
    pub(crate) fn is_final(&self) -> bool {
        match self {
            Self::Encode { .. }
            | Self::Key(_)
            | Self::Header { .. }
            | Self::TooLarge { .. }
            | Self::NotDeclared { .. } => true,
            Self::Service { source, .. } => source.class() == Class::Invalid,
            Self::Refused { .. } | Self::NotRunning { .. } => false,
        }
    }

    /// Whether the same record may be taken later: the service was busy, or could not be reached.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Service { source, .. } => source.is_retryable(),
            Self::Refused { .. } => true,
            _ => false,
        }
    }
}
