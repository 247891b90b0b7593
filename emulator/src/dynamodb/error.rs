//! What the service says when it refuses.

use serde_json::{Value, json};

/// A code that DynamoDB answers with, named as on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The caller may not do this.
    AccessDenied,
    /// The condition of a write does not hold.
    ConditionalCheckFailed,
    /// A PartiQL `INSERT` of a key that exists.
    DuplicateItem,
    /// A client token that came before, with another request.
    IdempotentParameterMismatch,
    /// The service failed; the only code with HTTP status 500.
    InternalServerError,
    /// The request was signed too long before, or after, it arrived.
    InvalidSignature,
    /// One partition key of a table with a local index holds more than 10 GB.
    ItemCollectionSizeLimitExceeded,
    /// Too many tables, or too many changes of tables at a time.
    LimitExceeded,
    /// The request carries no signature.
    MissingAuthenticationToken,
    /// The capacity of a table or of one partition is used up.
    ProvisionedThroughputExceeded,
    /// The account's throughput is used up.
    RequestLimitExceeded,
    /// The table exists already, or is being created.
    ResourceInUse,
    /// There is no such table, or it is not `ACTIVE` yet.
    ResourceNotFound,
    /// The body is not the JSON that the operation takes.
    Serialization,
    /// The rate of control calls, or of requests that a table can take, is exceeded.
    Throttling,
    /// A transaction was not carried out.
    TransactionCanceled,
    /// A transaction is under way for the item.
    TransactionConflict,
    /// The `x-amz-target` names no operation that is known here.
    UnknownOperation,
    /// An argument breaks a rule.
    Validation,
}

impl ErrorCode {
    const ALL: [Self; 19] = [
        Self::AccessDenied,
        Self::ConditionalCheckFailed,
        Self::DuplicateItem,
        Self::IdempotentParameterMismatch,
        Self::InternalServerError,
        Self::InvalidSignature,
        Self::ItemCollectionSizeLimitExceeded,
        Self::LimitExceeded,
        Self::MissingAuthenticationToken,
        Self::ProvisionedThroughputExceeded,
        Self::RequestLimitExceeded,
        Self::ResourceInUse,
        Self::ResourceNotFound,
        Self::Serialization,
        Self::Throttling,
        Self::TransactionCanceled,
        Self::TransactionConflict,
        Self::UnknownOperation,
        Self::Validation,
    ];

    /// The code as it stands in `__type`, behind the `#`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AccessDenied => "AccessDeniedException",
            Self::ConditionalCheckFailed => "ConditionalCheckFailedException",
            Self::DuplicateItem => "DuplicateItemException",
            Self::IdempotentParameterMismatch => "IdempotentParameterMismatchException",
            Self::InternalServerError => "InternalServerError",
            Self::InvalidSignature => "InvalidSignatureException",
            Self::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceededException",
            Self::LimitExceeded => "LimitExceededException",
            Self::MissingAuthenticationToken => "MissingAuthenticationTokenException",
            Self::ProvisionedThroughputExceeded => "ProvisionedThroughputExceededException",
            Self::RequestLimitExceeded => "RequestLimitExceeded",
            Self::ResourceInUse => "ResourceInUseException",
            Self::ResourceNotFound => "ResourceNotFoundException",
            Self::Serialization => "SerializationException",
            Self::Throttling => "ThrottlingException",
            Self::TransactionCanceled => "TransactionCanceledException",
            Self::TransactionConflict => "TransactionConflictException",
            Self::UnknownOperation => "UnknownOperationException",
            Self::Validation => "ValidationException",
        }
    }

    /// The HTTP status that goes with the code.
    pub const fn http_status(self) -> u16 {
        match self {
            Self::InternalServerError => 500,
            _ => 400,
        }
    }

    /// The code at the end of a `__type`; what is unknown is the engine's failure, not the caller's.
    pub(crate) fn of_type(kind: &str) -> Self {
        let name = kind.rsplit('#').next().unwrap_or(kind);
        let known = Self::ALL.into_iter().find(|code| code.as_str() == name);
        known.unwrap_or(Self::InternalServerError)
    }

    /// The namespace that the service puts before the `#`.
    const fn namespace(self) -> &'static str {
        match self {
            Self::InvalidSignature
            | Self::MissingAuthenticationToken
            | Self::Serialization
            | Self::UnknownOperation => "com.amazon.coral.service",
            Self::Throttling => "com.amazon.coral.availability",
            Self::Validation => "com.amazon.coral.validate",
            _ => "com.amazonaws.dynamodb.v20120810",
        }
    }
}

/// A refusal as it goes over the wire.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) code: ErrorCode,
    pub(crate) body: Value,
}

impl Refusal {
    pub(crate) fn new(code: ErrorCode, message: &str) -> Self {
        let kind = format!("{}#{}", code.namespace(), code.as_str());
        Self {
            code,
            body: json!({ "__type": kind, "message": message }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_found_by_the_type_it_is_sent_with() {
        for code in ErrorCode::ALL {
            let sent = Refusal::new(code, "").body["__type"].clone();
            assert_eq!(ErrorCode::of_type(sent.as_str().unwrap()), code);
        }
    }
}
