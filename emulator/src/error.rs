//! What the service says when it refuses: a code, an HTTP status, a message.

/// A code that the service answers with, named as on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The caller may not do this.
    AccessDenied,
    /// The request would succeed, and was only to be checked (`DryRun`).
    DryRunOperation,
    /// The shard iterator is older than 5 minutes.
    ExpiredIterator,
    /// The `NextToken` is older than 300 seconds.
    ExpiredNextToken,
    /// The service failed; the only code with HTTP status 500.
    InternalFailure,
    /// An argument is well formed but means nothing here.
    InvalidArgument,
    /// The request was signed too long before, or after, it arrived.
    InvalidSignature,
    /// The key of an encrypted record may not be used.
    KmsAccessDenied,
    /// The key of an encrypted record is disabled.
    KmsDisabled,
    /// The key of an encrypted record is in a state that does not allow its use.
    KmsInvalidState,
    /// The key of an encrypted record is not there.
    KmsNotFound,
    /// The account is not subscribed to the key service.
    KmsOptInRequired,
    /// The key service sheds load.
    KmsThrottling,
    /// An account-wide quota or a control-plane call rate is used up.
    LimitExceeded,
    /// The request carries no signature.
    MissingAuthenticationToken,
    /// The throughput of a shard is used up.
    ProvisionedThroughputExceeded,
    /// The stream is not `ACTIVE`, or exists already.
    ResourceInUse,
    /// There is no such stream or shard.
    ResourceNotFound,
    /// The body is not the JSON that the operation takes.
    Serialization,
    /// The `x-amz-target` names no operation that is known here.
    UnknownOperation,
    /// An argument breaks a rule of the API model.
    Validation,
}

impl ErrorCode {
    /// The code as it stands in `__type`.
    ///
    /// ```
    /// use kinesis_app_emulator::ErrorCode;
    /// assert_eq!(ErrorCode::ExpiredIterator.as_str(), "ExpiredIteratorException");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AccessDenied => "AccessDeniedException",
            Self::DryRunOperation => "DryRunOperationException",
            Self::ExpiredIterator => "ExpiredIteratorException",
            Self::ExpiredNextToken => "ExpiredNextTokenException",
            Self::InternalFailure => "InternalFailureException",
            Self::InvalidArgument => "InvalidArgumentException",
            Self::InvalidSignature => "InvalidSignatureException",
            Self::KmsAccessDenied => "KMSAccessDeniedException",
            Self::KmsDisabled => "KMSDisabledException",
            Self::KmsInvalidState => "KMSInvalidStateException",
            Self::KmsNotFound => "KMSNotFoundException",
            Self::KmsOptInRequired => "KMSOptInRequired",
            Self::KmsThrottling => "KMSThrottlingException",
            Self::LimitExceeded => "LimitExceededException",
            Self::MissingAuthenticationToken => "MissingAuthenticationTokenException",
            Self::ProvisionedThroughputExceeded => "ProvisionedThroughputExceededException",
            Self::ResourceInUse => "ResourceInUseException",
            Self::ResourceNotFound => "ResourceNotFoundException",
            Self::Serialization => "SerializationException",
            Self::UnknownOperation => "UnknownOperationException",
            Self::Validation => "ValidationException",
        }
    }

    /// The HTTP status that goes with the code.
    pub const fn http_status(self) -> u16 {
        match self {
            Self::InternalFailure => 500,
            _ => 400,
        }
    }
}

/// A refusal of the service.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct ServiceError {
    code: ErrorCode,
    message: String,
}

impl ServiceError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidArgument, message)
    }

    /// The text that the service uses for a broken rule of its model.
    pub(crate) fn validation(at: &str, value: Option<&str>, constraint: &str) -> Self {
        let value = value.map_or("null".to_owned(), |value| format!("'{value}'"));
        Self::new(
            ErrorCode::Validation,
            format!(
                "1 validation error detected: Value {value} at '{at}' failed to satisfy constraint: {constraint}"
            ),
        )
    }

    pub(crate) fn expired_token() -> Self {
        Self::new(
            ErrorCode::ExpiredNextToken,
            format!(
                "NextToken expired: it is valid for {} seconds.",
                crate::limits::LIST_SHARDS_TOKEN_LIFETIME.as_secs()
            ),
        )
    }

    pub(crate) fn missing(at: &str) -> Self {
        Self::validation(at, None, "Member must not be null")
    }

    /// The code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The service's words.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether the same request may succeed later without any change.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self.code,
            ErrorCode::InternalFailure
                | ErrorCode::KmsThrottling
                | ErrorCode::LimitExceeded
                | ErrorCode::ProvisionedThroughputExceeded
                | ErrorCode::ResourceInUse
        )
    }
}
