//! Names of applications, their instances, streams and fan-out consumers.

use core::fmt;

use crate::limits::NAME_CHARS;
use crate::{Violation, arn, in_value, text};

/// What a name is the name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameOf {
    /// An application: the namespace of its leases, a metric label, the prefix of its consumers.
    App,
    /// An instance of an application, in its lease rows.
    Owner,
    /// A stream.
    Stream,
    /// A fan-out consumer.
    Consumer,
    /// A handler, in logs and dead letters.
    Handler,
}

/// Why a name is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameFault {
    /// What was to be named.
    pub of: NameOf,
    /// What is wrong with the name.
    pub cause: NameCause,
}

/// What is wrong with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameCause {
    /// It has no character.
    Empty,
    /// It is an ARN, which says more than a name.
    Arn,
    /// It has more than [`NAME_CHARS`] characters.
    TooLong {
        /// How many it has.
        chars: usize,
    },
    /// It has a character that names do not use.
    Character {
        /// The character's first byte.
        at: usize,
    },
}

/// Checks an application's name: 1 to 128 letters, digits, `_`, `.` and `-`.
///
/// # Errors
///
/// The first thing that is wrong with the name.
pub const fn app_name(name: &str) -> Result<&str, NameFault> {
    check(NameOf::App, name)
}

/// Checks an owner id: 1 to 128 letters, digits, `_`, `.` and `-`.
///
/// The service has no rule for it. It is written into the lease row of every shard and read there and in logs, so it is short and
/// has no character that separates or needs quoting; names of hosts, pods and instances pass.
///
/// # Errors
///
/// The first thing that is wrong with the id.
pub const fn owner_id(id: &str) -> Result<&str, NameFault> {
    check(NameOf::Owner, id)
}

/// Checks a stream's name: 1 to 128 letters, digits, `_`, `.` and `-`.
///
/// # Errors
///
/// The first thing that is wrong with the name.
pub const fn stream_name(name: &str) -> Result<&str, NameFault> {
    check(NameOf::Stream, name)
}

/// Checks a fan-out consumer's name: 1 to 128 letters, digits, `_`, `.` and `-`.
///
/// # Errors
///
/// The first thing that is wrong with the name.
pub const fn consumer_name(name: &str) -> Result<&str, NameFault> {
    check(NameOf::Consumer, name)
}

/// Checks a handler's label: 1 to 128 letters, digits, `_`, `.` and `-`.
///
/// # Errors
///
/// The first thing that is wrong with the label.
pub const fn handler_label(label: &str) -> Result<&str, NameFault> {
    check(NameOf::Handler, label)
}

const fn check(of: NameOf, name: &str) -> Result<&str, NameFault> {
    match cause(of, name) {
        None => Ok(name),
        Some(cause) => Err(NameFault { of, cause }),
    }
}

const fn cause(of: NameOf, name: &str) -> Option<NameCause> {
    if name.is_empty() {
        return Some(NameCause::Empty);
    }
    if matches!(of, NameOf::Stream | NameOf::Consumer) && text::starts_with(name, "arn:") {
        return Some(NameCause::Arn);
    }
    let chars = text::char_count(name);
    if chars > NAME_CHARS {
        return Some(NameCause::TooLong { chars });
    }
    match foreign_character(name) {
        None => None,
        Some(at) => Some(NameCause::Character { at }),
    }
}

/// Where the first character begins that names do not use.
pub(crate) const fn foreign_character(name: &str) -> Option<usize> {
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !allowed(bytes[at]) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The name with `-` for every character that names do not use.
pub(crate) fn replaced(name: &str) -> String {
    name.trim()
        .chars()
        .map(|c| match u8::try_from(c) {
            Ok(byte) if c.is_ascii() && allowed(byte) => c,
            _ => '-',
        })
        .collect()
}

const fn allowed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// A row of what is named: what its name is called, one and many, and whose names those are.
macro_rules! texts {
    ($($of:ident: $noun:literal, $names:literal, $whose:literal;)*) => {
        impl NameOf {
            const fn words(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$of => ($noun, $names),)*
                }
            }
        }

        impl NameFault {
            /// The rule alone, for const evaluation.
            pub const fn rule(self) -> &'static str {
                match (self.of, self.cause) {
                    (NameOf::Consumer, NameCause::Arn) => {
                        "`fan_out` takes the consumer's name, not its ARN"
                    }
                    (_, NameCause::Arn) => "stream name is an ARN; `arn` takes it",
                    $(
                        (NameOf::$of, NameCause::Empty) => {
                            concat!($noun, " is empty; ", $whose, $names, " have 1 to 128 characters")
                        }
                        (NameOf::$of, NameCause::TooLong { .. }) => {
                            concat!($noun, " has more than 128 characters; the most is 128")
                        }
                        (NameOf::$of, NameCause::Character { .. }) => concat!(
                            $noun,
                            " has a foreign character; ",
                            $names,
                            " use letters, digits, `_`, `.` and `-`"
                        ),
                    )*
                }
            }
        }
    };
}

texts! {
    App: "app name", "names", "";
    Owner: "owner id", "ids", "";
    Stream: "stream name", "names", "Kinesis ";
    Consumer: "consumer name", "names", "Kinesis ";
    Handler: "handler label", "labels", "";
}

in_value!(NameFault);

impl NameFault {
    /// A name near to `value` that passes, if there is one.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let guess = match (self.of, self.cause) {
            (NameOf::Consumer, NameCause::Arn) => arn::consumer_in(value)?.to_owned(),
            (_, NameCause::Character { .. }) => replaced(value),
            _ => return None,
        };
        let says_something = guess.chars().any(|c| c.is_ascii_alphanumeric());
        (says_something && cause(self.of, &guess).is_none()).then_some(guess)
    }
}

impl fmt::Display for Violation<'_, NameFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, value } = self;
        let (noun, names) = fault.of.words();
        match fault.cause {
            NameCause::Empty => f.write_str(fault.rule()),
            NameCause::Arn if fault.of == NameOf::Consumer => f.write_str(fault.rule()),
            NameCause::Arn => write!(f, "{noun} `{value}` is an ARN; `arn` takes it"),
            NameCause::TooLong { chars } => {
                write!(f, "{noun} has {chars} characters; the most is {NAME_CHARS}")
            }
            NameCause::Character { at } => write!(
                f,
                "{noun} `{value}` has {} at byte {at}; {names} use letters, digits, `_`, `.` and `-`",
                text::name_char(value, at),
            ),
        }
    }
}
