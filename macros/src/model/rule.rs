//! The rules as verdicts on literals.

use kinesis_app_rules::arn::{ArnFault, STREAM_ARN_FORM, stream_arn};
use kinesis_app_rules::count::Count;
use kinesis_app_rules::endpoint::endpoint;
use kinesis_app_rules::lease_file::lease_file;
use kinesis_app_rules::length::{Length, LengthFault};
use kinesis_app_rules::limits::GET_RECORDS_PER_SECOND;
use kinesis_app_rules::name::{app_name, consumer_name, handler_label, owner_id, stream_name};
use kinesis_app_rules::partition_key::partition_key;
use kinesis_app_rules::prefetch::prefetch_text;
use kinesis_app_rules::region::region;
use kinesis_app_rules::table::lease_table;

use crate::errors::Errors;
use crate::keys;
use crate::spanned::Range;

/// A rule about a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextRule {
    AppName,
    OwnerId,
    StreamName,
    StreamArn,
    ConsumerName,
    Region,
    Endpoint,
    LeaseTable,
    LeaseFile,
    PartitionKey,
    HandlerLabel,
    Prefetch,
}

/// What is wrong with a literal, in the words of the rule.
pub(crate) struct Refusal {
    text: String,
    /// A value near to it that passes.
    suggestion: Option<String>,
    /// What is said behind it.
    remark: &'static str,
    note: Option<String>,
}

impl TextRule {
    pub(crate) fn check(self, value: &str) -> Result<(), Refusal> {
        /// The faults of all text rules have the same two methods, and no trait.
        macro_rules! verdict {
            ($rule:ident) => {
                $rule(value).map(drop).map_err(|fault| Refusal {
                    text: fault.with(value).to_string(),
                    suggestion: fault.suggestion(value),
                    remark: "",
                    note: None,
                })
            };
        }
        match self {
            Self::AppName => verdict!(app_name),
            Self::OwnerId => verdict!(owner_id),
            Self::StreamName => verdict!(stream_name),
            Self::ConsumerName => verdict!(consumer_name).map_err(|refusal| Refusal {
                remark: "; it is registered at startup if it does not exist",
                ..refusal
            }),
            Self::Region => verdict!(region),
            Self::Endpoint => verdict!(endpoint),
            Self::LeaseTable => verdict!(lease_table),
            Self::LeaseFile => verdict!(lease_file),
            Self::PartitionKey => partition_key(value).map(drop).map_err(|fault| Refusal {
                text: fault.to_string(),
                suggestion: None,
                remark: "",
                note: None,
            }),
            Self::HandlerLabel => verdict!(handler_label),
            Self::Prefetch => verdict!(prefetch_text),
            Self::StreamArn => verdict!(stream_arn).map_err(|refusal| Refusal {
                note: match stream_arn(value) {
                    // The stream's name is wrong, not the form around it.
                    Err(ArnFault::Name(_) | ArnFault::Consumer) => None,
                    _ => Some(format!("the form is `{STREAM_ARN_FORM}`")),
                },
                ..refusal
            }),
        }
    }
}

impl Refusal {
    /// Pushes it, with an edit of the key that the value belongs to.
    pub(crate) fn push(self, at: Range, key: &str, errors: &mut Errors) {
        let report = errors.push(at, self.text);
        if let Some(suggestion) = self.suggestion {
            report.help(format!("`{key} = \"{suggestion}\"`{}", self.remark));
        }
        if let Some(note) = self.note {
            report.note(note);
        }
    }
}

impl From<LengthFault> for Refusal {
    fn from(fault: LengthFault) -> Self {
        let polls_too_often = fault.of == Length::PollInterval && fault.is_short();
        let pushes = keys::STREAM.built().any(|key| key.is("fan_out"));
        let note = || {
            format!(
                "every polling consumer of the stream shares those {GET_RECORDS_PER_SECOND} reads"
            )
        };
        Self {
            text: fault.to_string(),
            suggestion: Some(fault.suggestion().to_owned()),
            remark: if polls_too_often && pushes {
                ", or `fan_out = \"..\"` for lower latency"
            } else {
                ""
            },
            note: polls_too_often.then(note),
        }
    }
}

/// The edit that helps whatever the number is.
pub(crate) fn help_for(count: Count) -> Option<&'static str> {
    match count {
        Count::BatchSize => Some("leave `batch_size` out to read as many as the service returns"),
        Count::Concurrency | Count::Total | Count::MaxRecords | Count::Attempts | Count::Shards => {
            None
        }
    }
}
