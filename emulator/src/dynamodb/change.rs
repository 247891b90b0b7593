//! What writes change, told to whoever watches.

use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::BTreeMap;
use std::fmt;
use std::time::SystemTime;

/// One item that a write has changed, or would have changed if it had not stood so already.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// When it was carried out.
    pub at: SystemTime,
    /// The link that the request came over.
    pub link: String,
    /// The table.
    pub table: String,
    /// The item before, if there was one.
    pub before: Option<BTreeMap<String, AttributeValue>>,
    /// The item after, unless it was deleted.
    pub after: Option<BTreeMap<String, AttributeValue>>,
}

/// Who is told of every change, if anybody.
#[derive(Default)]
pub(crate) struct Watcher(pub(super) Option<Box<dyn FnMut(Change) + Send>>);

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watcher").field(&self.0.is_some()).finish()
    }
}
