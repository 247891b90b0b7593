use std::{fmt, ops::Deref, sync::Arc};

/// A slice of a text that many records share, so that an owned key or sequence number costs a reference count and no allocation.
#[derive(Clone)]
pub(crate) struct SharedText {
    whole: Arc<str>,
    start: u32,
    end: u32,
}

impl SharedText {
    /// `start..end` must lie on character boundaries of `whole`; [`Page`](super::page::Page) makes its spans from whole strings.
    pub(crate) fn slice(whole: &Arc<str>, start: u32, end: u32) -> Self {
        Self {
            whole: Arc::clone(whole),
            start,
            end,
        }
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.whole[self.start as usize..self.end as usize]
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        let end =
            u32::try_from(text.len()).expect("keys and sequence numbers are a few hundred bytes");
        Self {
            whole: text.into(),
            start: 0,
            end,
        }
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SharedText {}

impl std::hash::Hash for SharedText {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}
