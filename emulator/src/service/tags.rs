//! Tags of a stream, or of a consumer.

use super::registry::ConsumerRef;
use super::request::StreamRef;
use super::{Moment, Service};
use crate::error::ServiceError;
use crate::limits;
use std::collections::BTreeMap;
use std::ops::Bound;

/// What has tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TagOwner {
    Stream(StreamRef),
    Consumer(ConsumerRef),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TagEdit {
    Add(BTreeMap<String, String>),
    Remove(Vec<String>),
}

/// What the two operations that list tags answer.
#[derive(Clone, Debug)]
pub(crate) struct TagPage {
    pub(crate) tags: Vec<(String, String)>,
    /// `None` for the operation that has no pages.
    pub(crate) more: Option<bool>,
}

/// Which of its tags a stream shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TagSelection {
    All,
    Page { after: Option<String>, limit: usize },
}

/// Adds tags to those that there are.
pub(crate) fn add(
    tags: &mut BTreeMap<String, String>,
    more: &BTreeMap<String, String>,
    stream: &str,
    account: &str,
) -> Result<(), ServiceError> {
    let fresh = more.keys().filter(|key| !tags.contains_key(*key)).count();
    if tags.len() + fresh > limits::TAGS {
        return Err(ServiceError::invalid(format!(
            "Failed to add tags to stream {stream} under account {account} because a given stream cannot have more than {} tags associated with it.",
            limits::TAGS
        )));
    }
    tags.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
    Ok(())
}

impl Service {
    pub(crate) fn stream_of_tags(&self, owner: &TagOwner) -> Result<String, ServiceError> {
        match owner {
            TagOwner::Stream(stream) => self.resolve(stream),
            TagOwner::Consumer(consumer) => Ok(self.resolve_consumer(consumer)?.0),
        }
    }

    fn tags_of(
        &mut self,
        owner: &TagOwner,
        now: Moment,
    ) -> Result<&mut BTreeMap<String, String>, ServiceError> {
        match owner {
            TagOwner::Stream(stream) => {
                let name = self.resolve(stream)?;
                Ok(&mut self.stream(&name, now)?.tags)
            }
            TagOwner::Consumer(consumer) => Ok(&mut self.consumer(consumer, now)?.tags),
        }
    }

    pub(crate) fn edit_tags(
        &mut self,
        owner: &TagOwner,
        edit: &TagEdit,
        now: Moment,
    ) -> Result<(), ServiceError> {
        let account = self.settings.account.clone();
        let name = self.stream_of_tags(owner)?;
        if let TagOwner::Stream(_) = owner {
            self.active(&name, now)?;
        }
        let tags = self.tags_of(owner, now)?;
        match edit {
            TagEdit::Add(more) => add(tags, more, &name, &account),
            TagEdit::Remove(keys) => {
                tags.retain(|key, _| !keys.contains(key));
                Ok(())
            }
        }
    }

    pub(crate) fn list_tags(
        &mut self,
        owner: &TagOwner,
        selection: &TagSelection,
        now: Moment,
    ) -> Result<TagPage, ServiceError> {
        let tags = &*self.tags_of(owner, now)?;
        let shown = |(key, value): (&String, &String)| (key.clone(), value.clone());
        let (after, limit) = match selection {
            TagSelection::All => {
                return Ok(TagPage {
                    tags: tags.iter().map(shown).collect(),
                    more: None,
                });
            }
            TagSelection::Page { after, limit } => (after.as_deref(), *limit),
        };
        let begin = after.map_or(Bound::Unbounded, Bound::Excluded);
        let mut found = tags.range::<str, _>((begin, Bound::Unbounded));
        let page = found.by_ref().take(limit).map(shown).collect();
        Ok(TagPage {
            tags: page,
            more: Some(found.next().is_some()),
        })
    }
}
