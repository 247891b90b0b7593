//! The rules of the API model, with the service's words for what breaks them.

use super::input::{StreamInput, Time};
use crate::error::ServiceError;
use crate::limits;
use crate::service::Moment;
use crate::service::registry::ConsumerArn;
use crate::service::request::StreamRef;
use kinesis_app_rules as rules;
use kinesis_app_rules::hash_key::HashKeyFault;
use kinesis_app_rules::size::SizeFault;
use std::ops::RangeInclusive;

type Checked<T> = Result<T, ServiceError>;

pub(crate) fn required<T>(member: Option<T>, at: &str) -> Checked<T> {
    member.ok_or_else(|| ServiceError::missing(at))
}

/// A stream name or a shard id: one pattern for both.
pub(crate) fn name(text: String, at: &str) -> Checked<String> {
    if rules::name::stream_name(&text).is_ok() {
        return Ok(text);
    }
    length(&text, 1, limits::NAME_CHARS, at)?;
    let rule = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
    Err(ServiceError::validation(at, Some(&text), rule))
}

pub(crate) fn partition_key(text: &str, at: impl FnOnce() -> String) -> Checked<()> {
    match rules::partition_key::partition_key(text) {
        Ok(_) => Ok(()),
        Err(_) => length(text, 1, limits::PARTITION_KEY_CHARS, &at()),
    }
}

pub(crate) fn shard_count(count: i64) -> Checked<u32> {
    let count_of = rules::count::Count::Shards;
    let checked = u64::try_from(count).ok().map(|count| count_of.check(count));
    if let Some(Ok(count)) = checked {
        return Ok(count);
    }
    let range = 1..=i64::from(limits::SHARD_COUNT);
    within(count, &range, "shardCount").map(|_| limits::SHARD_COUNT)
}

/// How many entries a `PutRecords` has, and how large they are together.
pub(crate) fn put_records(entries: usize, bytes: usize) -> Checked<()> {
    let rule = match rules::size::put_records(entries, bytes) {
        Ok(()) => return Ok(()),
        Err(SizeFault::NoRecords) => "greater than or equal to 1".to_owned(),
        Err(SizeFault::Records { .. }) => {
            format!("less than or equal to {}", limits::PUT_RECORDS_RECORDS)
        }
        Err(fault) => return Err(ServiceError::invalid(fault.to_string())),
    };
    let rule = format!("Member must have length {rule}");
    Err(ServiceError::validation("records", Some("[...]"), &rule))
}

pub(crate) fn length(text: &str, min: usize, max: usize, at: &str) -> Checked<()> {
    let chars = text.chars().count();
    let rule = if chars < min {
        format!("Member must have length greater than or equal to {min}")
    } else if chars > max {
        format!("Member must have length less than or equal to {max}")
    } else {
        return Ok(());
    };
    Err(ServiceError::validation(at, Some(text), &rule))
}

pub(crate) fn within(value: i64, range: &RangeInclusive<i64>, at: &str) -> Checked<i64> {
    let (min, max) = (range.start(), range.end());
    let rule = if value < *min {
        format!("Member must have value greater than or equal to {min}")
    } else if value > *max {
        format!("Member must have value less than or equal to {max}")
    } else {
        return Ok(value);
    };
    Err(ServiceError::validation(
        at,
        Some(&value.to_string()),
        &rule,
    ))
}

/// How many a page may hold: what was asked for (1 to 10,000 in all four operations that have such
/// pages), cut to what the operation gives.
pub(crate) fn page(asked: Option<i64>, most: usize, at: &str) -> Checked<usize> {
    let Some(asked) = asked else {
        return Ok(most);
    };
    let asked = within(asked, &(1..=i64::from(limits::LIST_SHARDS_RESULTS)), at)?;
    Ok(usize::try_from(asked).unwrap_or(most).min(most))
}

pub(crate) fn one_of<T: Copy>(text: &str, known: &[(&str, T)], at: &str) -> Checked<T> {
    let found = known.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let rule = format!("Member must satisfy enum value set: [{}]", names.join(", "));
        ServiceError::validation(at, Some(text), &rule)
    })
}

pub(crate) fn stream(input: StreamInput) -> Checked<StreamRef> {
    let stream = StreamRef {
        name: input
            .stream_name
            .map(|text| name(text, "streamName"))
            .transpose()?,
        arn: input.stream_arn.map(arn).transpose()?,
    };
    if stream == StreamRef::default() {
        return Err(ServiceError::invalid(
            "Either StreamARN or StreamName should be provided.",
        ));
    }
    Ok(stream)
}

pub(crate) fn arn(text: String) -> Checked<String> {
    if rules::arn::stream_arn(&text).is_ok() {
        return Ok(text);
    }
    let rule =
        r"Member must satisfy regular expression pattern: arn:aws.*:kinesis:.*:\d{12}:stream/\S+";
    Err(ServiceError::validation("streamARN", Some(&text), rule))
}

pub(crate) fn consumer_arn(text: String) -> Checked<String> {
    length(&text, 1, rules::limits::ARN_CHARS, "consumerARN")?;
    if ConsumerArn::parse(&text).is_some() {
        return Ok(text);
    }
    let rule = r"Member must satisfy regular expression pattern: ^(arn):aws.*:kinesis:.*:\d{12}:.*stream\/[a-zA-Z0-9_.-]+\/consumer\/[a-zA-Z0-9_.-]+:[0-9]+";
    Err(ServiceError::validation("consumerARN", Some(&text), rule))
}

/// Any resource of the service may be tagged; those that are not here are not found.
pub(crate) fn resource_arn(text: String) -> Checked<String> {
    let mut parts = text.splitn(6, ':');
    let mut next = || parts.next().unwrap_or_default();
    let start = next() == "arn" && next().starts_with("aws") && next() == "kinesis";
    let (_, account, resource) = (next(), next(), next());
    let account = account.len() == rules::limits::ACCOUNT_DIGITS
        && account.bytes().all(|byte| byte.is_ascii_digit());
    let known = ["stream/", "channel/", "queue/"];
    let resource = known.iter().any(|kind| resource.contains(kind));
    length(&text, 1, rules::limits::ARN_CHARS, "resourceARN")?;
    if start && account && resource {
        return Ok(text);
    }
    let rule = r"Member must satisfy regular expression pattern: arn:aws.*:kinesis:.*:\d{12}:.*(stream|channel|queue)/\S+";
    Err(ServiceError::validation("resourceARN", Some(&text), rule))
}

/// How many entries a list or a map of a request has: at least one.
pub(crate) fn entries(count: usize, most: usize, at: &str) -> Checked<()> {
    let rule = match count {
        0 => "Member must have length greater than or equal to 1".to_owned(),
        count if count > most => format!("Member must have length less than or equal to {most}"),
        _ => return Ok(()),
    };
    Err(ServiceError::validation(at, Some("[...]"), &rule))
}

pub(crate) fn hash_key(text: &str, at: &str) -> Checked<u128> {
    rules::hash_key::hash_key(text).map_err(|fault| match fault {
        HashKeyFault::Form => {
            let rule = r"Member must satisfy regular expression pattern: 0|([1-9]\d{0,38})";
            ServiceError::validation(at, Some(text), rule)
        }
        HashKeyFault::TooLarge => {
            ServiceError::invalid(format!("Invalid {at} {text}: {}.", fault.rule()))
        }
    })
}

/// `0|[1-9]\d{0,128}`; whether it names a record of the shard is for the service to say.
pub(crate) fn sequence_number(text: String, at: &str) -> Checked<String> {
    let canonical = text == "0" || !text.starts_with('0');
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if canonical && digits && text.len() <= limits::SEQUENCE_NUMBER_DIGITS {
        return Ok(text);
    }
    let rule = r"Member must satisfy regular expression pattern: 0|([1-9]\d{0,128})";
    Err(ServiceError::validation(at, Some(&text), rule))
}

pub(crate) fn timestamp(time: Time, at: &str) -> Checked<Moment> {
    time.moment().ok_or_else(|| {
        ServiceError::invalid(format!(
            "Invalid {at} {} ms: it must be a time between the years 1970 and 9999.",
            time.millis()
        ))
    })
}
