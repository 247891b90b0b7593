//! The requests about tags, with the rules that keys and values keep.

use super::check::{self, required};
use super::decode::Decoded;
use super::input::TagsInput;
use crate::Operation;
use crate::error::{ErrorCode, ServiceError};
use crate::limits;
use crate::service::registry::{ConsumerArn, ConsumerRef};
use crate::service::request::{Request, StreamRef};
use crate::service::tags::{TagEdit, TagOwner, TagSelection, add};
use std::collections::BTreeMap;

/// Those for a stream and those for a resource do the same; the resource is a stream here, or a
/// consumer of one.
pub(super) fn decode(operation: Operation, input: TagsInput) -> Decoded<Request> {
    let resource = matches!(
        operation,
        Operation::TagResource | Operation::UntagResource | Operation::ListTagsForResource
    );
    let owner = if resource {
        owner_of(check::resource_arn(required(
            input.resource_arn,
            "resourceARN",
        )?)?)?
    } else {
        TagOwner::Stream(check::stream(input.stream)?)
    };
    match operation {
        Operation::AddTagsToStream | Operation::TagResource => {
            let edit = TagEdit::Add(checked(required(input.tags, "tags")?)?);
            Ok(Request::EditTags {
                operation,
                owner,
                edit,
            })
        }
        Operation::RemoveTagsFromStream | Operation::UntagResource => {
            let keys = required(input.tag_keys, "tagKeys")?;
            check::entries(keys.len(), limits::TAG_KEYS_PER_CALL, "tagKeys")?;
            for key in &keys {
                check::length(key, 1, limits::TAG_KEY_CHARS, "tagKeys")?;
            }
            let edit = TagEdit::Remove(keys);
            Ok(Request::EditTags {
                operation,
                owner,
                edit,
            })
        }
        Operation::ListTagsForResource => Ok(Request::ListTags {
            owner,
            selection: TagSelection::All,
        }),
        _ => {
            let after = input.exclusive_start_tag_key;
            if let Some(key) = &after {
                check::length(key, 1, limits::TAG_KEY_CHARS, "exclusiveStartTagKey")?;
            }
            let most = limits::TAGS;
            let limit = input.limit.map_or(Ok(most), |limit| {
                let range = 1..=i64::try_from(most).unwrap_or(i64::MAX);
                check::within(limit, &range, "limit")
                    .map(|limit| usize::try_from(limit).unwrap_or(most))
            })?;
            Ok(Request::ListTags {
                owner,
                selection: TagSelection::Page { after, limit },
            })
        }
    }
}

fn owner_of(arn: String) -> Decoded<TagOwner> {
    if ConsumerArn::parse(&arn).is_some() {
        return Ok(TagOwner::Consumer(ConsumerRef::Arn {
            arn,
            stream: None,
            name: None,
        }));
    }
    if check::arn(arn.clone()).is_ok() {
        return Ok(TagOwner::Stream(StreamRef {
            name: None,
            arn: Some(arn),
        }));
    }
    let message = format!("Resource {arn} not found.");
    Err(ServiceError::new(ErrorCode::ResourceNotFound, message))
}

/// The tags of a stream or a consumer that is created with them.
pub(super) fn new(
    tags: BTreeMap<String, String>,
    owner: &str,
) -> Decoded<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    add(&mut all, &checked(tags)?, owner, "")?;
    Ok(all)
}

fn checked(tags: BTreeMap<String, String>) -> Decoded<BTreeMap<String, String>> {
    check::entries(tags.len(), limits::TAGS_PER_CALL, "tags")?;
    for (key, value) in &tags {
        check::length(key, 1, limits::TAG_KEY_CHARS, "tags")?;
        check::length(value, 0, limits::TAG_VALUE_CHARS, "tags")?;
        if !key.chars().chain(value.chars()).all(is_legal) {
            return Err(ServiceError::invalid(
                "Some tags contain invalid characters. Valid characters: Unicode letters, digits, white space, _ . : / = + - % @.",
            ));
        }
        // Case makes no difference: all spellings of the prefix are the provider's.
        if key
            .get(..4)
            .is_some_and(|prefix| prefix.eq_ignore_ascii_case("aws:"))
        {
            return Err(ServiceError::invalid(format!(
                "Tag key {key} begins with aws:, which is reserved."
            )));
        }
    }
    Ok(tags)
}

fn is_legal(char: char) -> bool {
    char.is_alphanumeric() || char.is_whitespace() || "_.:/=+-%@".contains(char)
}
