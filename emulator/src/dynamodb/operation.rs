//! The operations that are served, and what kind of access each one is.

use super::ErrorCode;

/// An operation of DynamoDB that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is named as the service names it")]
pub enum Operation {
    BatchExecuteStatement,
    BatchGetItem,
    BatchWriteItem,
    CreateTable,
    DeleteItem,
    DeleteTable,
    DescribeTable,
    DescribeTimeToLive,
    ExecuteStatement,
    ExecuteTransaction,
    GetItem,
    ListTables,
    ListTagsOfResource,
    PutItem,
    Query,
    Scan,
    TagResource,
    TransactGetItems,
    TransactWriteItems,
    UntagResource,
    UpdateItem,
    UpdateTable,
    UpdateTimeToLive,
}

/// What an operation touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Tables themselves, their tags and settings.
    Control,
    /// Items, to read them.
    Read,
    /// Items, to write them.
    Write,
}

impl Operation {
    /// Every operation, in the order of their names.
    pub const ALL: [Self; 23] = [
        Self::BatchExecuteStatement,
        Self::BatchGetItem,
        Self::BatchWriteItem,
        Self::CreateTable,
        Self::DeleteItem,
        Self::DeleteTable,
        Self::DescribeTable,
        Self::DescribeTimeToLive,
        Self::ExecuteStatement,
        Self::ExecuteTransaction,
        Self::GetItem,
        Self::ListTables,
        Self::ListTagsOfResource,
        Self::PutItem,
        Self::Query,
        Self::Scan,
        Self::TagResource,
        Self::TransactGetItems,
        Self::TransactWriteItems,
        Self::UntagResource,
        Self::UpdateItem,
        Self::UpdateTable,
        Self::UpdateTimeToLive,
    ];

    /// The name, as in `x-amz-target`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BatchExecuteStatement => "BatchExecuteStatement",
            Self::BatchGetItem => "BatchGetItem",
            Self::BatchWriteItem => "BatchWriteItem",
            Self::CreateTable => "CreateTable",
            Self::DeleteItem => "DeleteItem",
            Self::DeleteTable => "DeleteTable",
            Self::DescribeTable => "DescribeTable",
            Self::DescribeTimeToLive => "DescribeTimeToLive",
            Self::ExecuteStatement => "ExecuteStatement",
            Self::ExecuteTransaction => "ExecuteTransaction",
            Self::GetItem => "GetItem",
            Self::ListTables => "ListTables",
            Self::ListTagsOfResource => "ListTagsOfResource",
            Self::PutItem => "PutItem",
            Self::Query => "Query",
            Self::Scan => "Scan",
            Self::TagResource => "TagResource",
            Self::TransactGetItems => "TransactGetItems",
            Self::TransactWriteItems => "TransactWriteItems",
            Self::UntagResource => "UntagResource",
            Self::UpdateItem => "UpdateItem",
            Self::UpdateTable => "UpdateTable",
            Self::UpdateTimeToLive => "UpdateTimeToLive",
        }
    }

    pub(crate) fn of_target(target: &str) -> Option<Self> {
        let name = target.strip_prefix(TARGET_PREFIX)?;
        Self::ALL.into_iter().find(|known| known.as_str() == name)
    }

    /// PartiQL counts as a write: what a statement does is known only to who runs it.
    pub(crate) const fn access(self) -> Access {
        match self {
            Self::BatchGetItem
            | Self::GetItem
            | Self::Query
            | Self::Scan
            | Self::TransactGetItems => Access::Read,
            Self::BatchExecuteStatement
            | Self::BatchWriteItem
            | Self::DeleteItem
            | Self::ExecuteStatement
            | Self::ExecuteTransaction
            | Self::PutItem
            | Self::TransactWriteItems
            | Self::UpdateItem => Access::Write,
            Self::CreateTable
            | Self::DeleteTable
            | Self::DescribeTable
            | Self::DescribeTimeToLive
            | Self::ListTables
            | Self::ListTagsOfResource
            | Self::TagResource
            | Self::UntagResource
            | Self::UpdateTable
            | Self::UpdateTimeToLive => Access::Control,
        }
    }

    /// The code with which the service sheds load of this operation.
    pub(crate) const fn throttle(self) -> ErrorCode {
        match self.access() {
            Access::Read | Access::Write => ErrorCode::ProvisionedThroughputExceeded,
            Access::Control => ErrorCode::Throttling,
        }
    }
}

/// What the service's targets begin with.
pub(crate) const TARGET_PREFIX: &str = "DynamoDB_20120810.";
