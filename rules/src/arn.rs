//! ARNs of streams: `arn:aws:kinesis:eu-west-1:123456789012:stream/orders`.

use core::fmt;

use crate::limits::{ACCOUNT_DIGITS, ARN_CHARS};
use crate::name::{NameFault, stream_name};
use crate::{Violation, in_value, region, text};

/// The form of a stream's ARN, for a note.
pub const STREAM_ARN_FORM: &str = "arn:aws:kinesis:<region>:<account>:stream/<name>";

/// The parts of a stream's ARN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamArn<'a> {
    /// The whole ARN.
    pub text: &'a str,
    /// `aws`, `aws-cn`, `aws-us-gov`, ..
    pub partition: &'a str,
    /// The region that the stream is in.
    pub region: &'a str,
    /// The twelve digits of the account.
    pub account: &'a str,
    /// The stream's name.
    pub name: &'a str,
}

/// Why a text is not a stream's ARN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArnFault {
    /// It has no character.
    Empty,
    /// It has more than [`ARN_CHARS`] characters.
    TooLong {
        /// How many it has.
        chars: usize,
    },
    /// It does not start with `arn:aws`.
    NotArn,
    /// It has fewer than six parts.
    Parts,
    /// It is an ARN of another service.
    Service,
    /// Its region is empty.
    NoRegion,
    /// Its region does not look like one.
    Region,
    /// Its account is not [`ACCOUNT_DIGITS`] digits.
    Account,
    /// It names something else than a stream.
    NotStream,
    /// It names a fan-out consumer of a stream.
    Consumer,
    /// The stream's name in it is not a stream name.
    Name(NameFault),
}

/// The six parts of any ARN, unchecked.
pub(crate) struct Parts<'a> {
    partition: &'a str,
    pub(crate) service: &'a str,
    pub(crate) region: &'a str,
    pub(crate) account: &'a str,
    pub(crate) resource: &'a str,
}

/// Reads the ARN of a stream.
///
/// # Errors
///
/// The text is not of the form [`STREAM_ARN_FORM`].
pub const fn stream_arn(arn: &str) -> Result<StreamArn<'_>, ArnFault> {
    if arn.is_empty() {
        return Err(ArnFault::Empty);
    }
    let chars = text::char_count(arn);
    if chars > ARN_CHARS {
        return Err(ArnFault::TooLong { chars });
    }
    if !text::starts_with(arn, "arn:aws") {
        return Err(ArnFault::NotArn);
    }
    let Some(parts) = split(arn) else {
        return Err(ArnFault::Parts);
    };
    if !text::eq(parts.service, "kinesis") {
        return Err(ArnFault::Service);
    }
    match region::region(parts.region) {
        Ok(_) => {}
        Err(region::RegionFault::Empty) => return Err(ArnFault::NoRegion),
        Err(region::RegionFault::Form) => return Err(ArnFault::Region),
    }
    if parts.account.len() != ACCOUNT_DIGITS || !text::all_digits(parts.account) {
        return Err(ArnFault::Account);
    }
    let Some(name) = stream_of(parts.resource) else {
        return Err(ArnFault::NotStream);
    };
    if consumer_at(name).is_some() {
        return Err(ArnFault::Consumer);
    }
    match stream_name(name) {
        Err(fault) => Err(ArnFault::Name(fault)),
        Ok(name) => Ok(StreamArn {
            text: arn,
            partition: parts.partition,
            region: parts.region,
            account: parts.account,
            name,
        }),
    }
}

pub(crate) const fn split(arn: &str) -> Option<Parts<'_>> {
    let mut colons = [0; 5];
    let mut found = 0;
    let mut from = 0;
    while found < colons.len() {
        let Some(at) = text::find(arn, b':', from) else {
            return None;
        };
        colons[found] = at;
        found += 1;
        from = at + 1;
    }
    Some(Parts {
        partition: text::slice(arn, colons[0] + 1, colons[1]),
        service: text::slice(arn, colons[1] + 1, colons[2]),
        region: text::slice(arn, colons[2] + 1, colons[3]),
        account: text::slice(arn, colons[3] + 1, colons[4]),
        resource: text::slice(arn, colons[4] + 1, arn.len()),
    })
}

const fn stream_of(resource: &str) -> Option<&str> {
    if text::starts_with(resource, "stream/") {
        Some(text::slice(resource, "stream/".len(), resource.len()))
    } else {
        None
    }
}

/// Where `/consumer/` begins.
const fn consumer_at(name: &str) -> Option<usize> {
    match text::find(name, b'/', 0) {
        Some(at) if text::starts_with(text::slice(name, at, name.len()), "/consumer/") => Some(at),
        _ => None,
    }
}

/// The fan-out consumer that an ARN names, unchecked.
pub(crate) fn consumer_in(arn: &str) -> Option<&str> {
    let (_, consumer) = arn.rsplit_once("consumer/")?;
    consumer.split(':').next().filter(|name| !name.is_empty())
}

in_value!(ArnFault);

impl ArnFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "stream ARN is empty",
            Self::TooLong { .. } => "stream ARN has more than 2048 characters; the most is 2048",
            Self::NotArn => "stream ARN does not start with `arn:aws`",
            Self::Parts => "stream ARN has fewer than six parts",
            Self::Service => "stream ARN is an ARN of another service than `kinesis`",
            Self::NoRegion => "stream ARN has no region",
            Self::Region => "region in the stream ARN does not look like an AWS region",
            Self::Account => "account id in the stream ARN is not of 12 digits",
            Self::NotStream => "stream ARN names something else than a stream",
            Self::Consumer => "stream ARN names a fan-out consumer; use its stream's ARN",
            Self::Name(fault) => fault.rule(),
        }
    }

    /// The ARN that `value` probably means, if it can be told.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let guess = match self {
            Self::Consumer => value.split("/consumer/").next()?,
            _ => return None,
        };
        stream_arn(guess).is_ok().then(|| guess.to_owned())
    }
}

impl fmt::Display for Violation<'_, ArnFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, value } = *self;
        let part = |pick: fn(Parts<'_>) -> &str| split(value).map_or("", pick);
        match fault {
            ArnFault::Empty | ArnFault::NoRegion => f.write_str(fault.rule()),
            ArnFault::TooLong { chars } => {
                write!(
                    f,
                    "stream ARN has {chars} characters; the most is {ARN_CHARS}"
                )
            }
            ArnFault::NotArn => write!(f, "stream ARN `{value}` does not start with `arn:aws`"),
            ArnFault::Parts => write!(f, "stream ARN `{value}` has fewer than six parts"),
            ArnFault::Service => {
                let service = part(|parts| parts.service);
                write!(f, "stream ARN is an ARN of `{service}`, not of `kinesis`")
            }
            ArnFault::Region => {
                let region = part(|parts| parts.region);
                write!(
                    f,
                    "region `{region}` in the stream ARN does not look like an AWS region"
                )
            }
            ArnFault::Account => {
                let account = part(|parts| parts.account);
                if text::all_digits(account) {
                    let (len, s) = (account.len(), if account.len() == 1 { "" } else { "s" });
                    write!(
                        f,
                        "account id `{account}` in the stream ARN has {len} digit{s}; it has {ACCOUNT_DIGITS}"
                    )
                } else {
                    write!(
                        f,
                        "account id `{account}` in the stream ARN is not a number; it has {ACCOUNT_DIGITS} digits"
                    )
                }
            }
            ArnFault::NotStream => {
                let resource = part(|parts| parts.resource);
                write!(f, "stream ARN names `{resource}`, not a `stream/<name>`")
            }
            ArnFault::Consumer => {
                let consumer = consumer_in(value).unwrap_or("<consumer>");
                write!(
                    f,
                    "stream ARN names a fan-out consumer; use its stream's ARN and `fan_out = \"{consumer}\"`"
                )
            }
            ArnFault::Name(name) => {
                let resource = part(|parts| parts.resource);
                name.with(stream_of(resource).unwrap_or(resource)).fmt(f)
            }
        }
    }
}
