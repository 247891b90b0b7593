//! A failed call of Kinesis or DynamoDB: its class, told by type and code through every wrapper of the SDK.

use std::{fmt, sync::Arc};

use aws_credential_types::provider::error::CredentialsError;
use aws_sdk_kinesis::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

use crate::cause::Chain;

/// A failed call of the service, with its class and the service's own words.
#[derive(Debug, Clone)]
pub struct ServiceError {
    class: Class,
    operation: &'static str,
    code: Option<String>,
    answer: Answer,
    source: Arc<dyn std::error::Error + Send + Sync>,
}

/// What came back, in words.
#[derive(Debug, Clone)]
enum Answer {
    Refused(String),
    None(String),
}

/// What a failure means for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Class {
    /// The service asks for fewer calls.
    Throttled,
    /// The iterator or listing token has outlived its five minutes.
    Expired,
    /// The network, a time-out, or the service's own failure.
    Transient,
    /// The stream or shard does not exist.
    NotFound,
    /// It exists already, or is being changed.
    InUse,
    /// The credentials are missing, wrong, or not enough.
    AccessDenied,
    /// The request can never succeed.
    Invalid,
}

impl ServiceError {
    pub(crate) fn new<E>(operation: &'static str, error: SdkError<E, HttpResponse>) -> Self
    where
        E: std::error::Error + ProvideErrorMetadata + Send + Sync + 'static,
    {
        let code = error.code().map(str::to_owned);
        let (class, answer) = match &error {
            SdkError::ServiceError(answer) => {
                let status = answer.raw().status().as_u16();
                let text = match (&code, answer.err().message()) {
                    (Some(code), text) => format!("{code}: {}", text.unwrap_or("no message")),
                    (None, text) => format!(
                        "HTTP {status} {}",
                        text.unwrap_or("without an error of Kinesis")
                    ),
                };
                (classify(code.as_deref(), status), Answer::Refused(text))
            }
            // An answer that is none of the service's, or one that was cut on its way, whatever its status: a refusal whose end is
            // missing may be the answer to a write that was applied.
            SdkError::ResponseError(answer) => {
                let status = answer.raw().status().as_u16();
                let text = format!("HTTP {status}: {}", chain(&error));
                (Class::Transient, Answer::Refused(text))
            }
            SdkError::ConstructionFailure(_) => {
                let class = credentials(&error).unwrap_or(Class::Invalid);
                (class, Answer::None(chain(&error)))
            }
            SdkError::DispatchFailure(failure) if failure.is_user() => {
                let class = credentials(&error).unwrap_or(Class::Invalid);
                (class, Answer::None(chain(&error)))
            }
            _ => {
                let class = credentials(&error).unwrap_or(Class::Transient);
                (class, Answer::None(chain(&error)))
            }
        };
        Self {
            class,
            operation,
            code,
            answer,
            source: Arc::new(error),
        }
    }

    /// An answer that no service gives, as of a proxy or a broken emulator.
    pub(crate) fn malformed(operation: &'static str, text: &str) -> Self {
        Self {
            class: Class::Transient,
            operation,
            code: None,
            answer: Answer::Refused(text.into()),
            source: Arc::from(Box::<dyn std::error::Error + Send + Sync>::from(text)),
        }
    }

    /// What the failure means.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Whether the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self.class,
            Class::Throttled | Class::Transient | Class::InUse
        )
    }

    /// The service's code, such as `ResourceNotFoundException`.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.answer {
            Answer::Refused(text) => write!(f, "{} was refused: {text}", self.operation),
            Answer::None(text) => write!(f, "{} got no answer: {text}", self.operation),
        }
    }
}

impl std::error::Error for ServiceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.source)
    }
}

fn chain<E: std::error::Error + 'static>(error: &SdkError<E, HttpResponse>) -> String {
    // The outer texts of the SDK ("dispatch failure") say nothing that the class does not.
    std::error::Error::source(error)
        .map_or_else(|| error.to_string(), |inner| Chain(inner).to_string())
}

/// The SDK reports credentials that it could not get as a failed construction or dispatch; only the chain of causes tells. A provider
/// that stumbles is not a refusal.
fn credentials<E: std::error::Error + 'static>(error: &SdkError<E, HttpResponse>) -> Option<Class> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        match error.downcast_ref::<CredentialsError>() {
            Some(
                CredentialsError::CredentialsNotLoaded(_)
                | CredentialsError::InvalidConfiguration(_),
            ) => return Some(Class::AccessDenied),
            Some(_) => return Some(Class::Transient),
            None => cause = error.source(),
        }
    }
    None
}

fn classify(code: Option<&str>, status: u16) -> Class {
    match code.unwrap_or_default() {
        "ProvisionedThroughputExceededException"
        | "LimitExceededException"
        | "ThrottlingException"
        | "Throttling"
        | "RequestLimitExceeded"
        | "ThrottledException"
        | "SlowDown"
        | "KMSThrottlingException" => Class::Throttled,
        "RequestTimeout" | "RequestTimeoutException" | "RequestExpired" => Class::Transient,
        "ExpiredIteratorException" | "ExpiredNextTokenException" => Class::Expired,
        "ResourceNotFoundException" => Class::NotFound,
        "ResourceInUseException" => Class::InUse,
        "AccessDeniedException"
        | "UnrecognizedClientException"
        | "InvalidSignatureException"
        | "IncompleteSignature"
        | "InvalidClientTokenId"
        | "MissingAuthenticationToken"
        | "MissingAuthenticationTokenException"
        | "ExpiredTokenException"
        | "OptInRequired"
        | "NotAuthorized"
        | "KMSAccessDeniedException" => Class::AccessDenied,
        _ if status == 401 || (status == 403 && code.is_none()) => Class::AccessDenied,
        // A good status with a body that does not decode was cut on its way.
        _ if status >= 500 || status == 429 || status < 300 => Class::Transient,
        _ => Class::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_of_the_service_has_its_class() {
        let classes = [
            ("ProvisionedThroughputExceededException", Class::Throttled),
            ("LimitExceededException", Class::Throttled),
            ("KMSThrottlingException", Class::Throttled),
            ("ExpiredIteratorException", Class::Expired),
            ("ExpiredNextTokenException", Class::Expired),
            ("ResourceNotFoundException", Class::NotFound),
            ("ResourceInUseException", Class::InUse),
            ("AccessDeniedException", Class::AccessDenied),
            ("KMSAccessDeniedException", Class::AccessDenied),
            ("InvalidArgumentException", Class::Invalid),
        ];
        for (code, class) in classes {
            assert_eq!(classify(Some(code), 400), class, "{code}");
        }
        assert_eq!(
            classify(Some("InternalFailureException"), 500),
            Class::Transient
        );
    }

    #[test]
    fn a_failure_without_a_known_code_is_told_by_its_status() {
        assert_eq!(classify(None, 500), Class::Transient);
        assert_eq!(classify(Some("InternalFailure"), 503), Class::Transient);
        assert_eq!(
            classify(Some("InvalidArgumentException"), 400),
            Class::Invalid
        );
        assert_eq!(
            classify(Some("ProvisionedThroughputExceededException"), 400),
            Class::Throttled
        );
    }
}
