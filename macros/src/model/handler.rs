//! `#[on_record(..)]` and `#[on_batch(..)]`.

use kinesis_app_rules::concurrency::{InWords, below_total, one_at_a_time as rule_one_at_a_time};
use kinesis_app_rules::count::Count;
use kinesis_app_rules::length::Length;
use proc_macro2::{Span, TokenStream};
use syn::{Lit, Path, Signature};

use crate::errors::Errors;
use crate::keys::{self, Key};
use crate::model::failure::{self, Failure};
use crate::model::number::{self, Number};
use crate::model::rule::TextRule;
use crate::model::signature::{self, Checked, Param, Role};
use crate::model::time::{self, Time};
use crate::model::value::{self, Need, Setting};
use crate::model::{Callee, choice, target};
use crate::parse::args::{self, Entries, Entry, Value};
use crate::parse::first::First;
use crate::parse::item::Function;
use crate::parse::marks::{Kind, Mark};
use crate::parse::subject::{self, Subject};
use crate::words::plain;

pub(crate) struct Handler {
    pub(crate) callee: Callee,
    pub(crate) stream: Path,
    /// `None`: the function's name.
    pub(crate) label: Option<Setting>,
    pub(crate) description: String,
    pub(crate) takes: Takes,
    pub(crate) failure: Failure,
    /// Where its replies go.
    pub(crate) publish: Option<Path>,
    pub(crate) asyncness: Span,
    pub(crate) params: Vec<Param>,
    pub(crate) output: TokenStream,
    /// The `#` and the `]` of the attribute, which carry the one-handler-per-stream error.
    pub(crate) pound: Span,
    pub(crate) bracket: Span,
}

/// What a handler is given, and how much of it.
pub(crate) enum Takes {
    Records {
        concurrency: Concurrency,
        order: Order,
    },
    Batches {
        /// `None`: the default of the rules.
        max_records: Option<Number>,
        /// `None`: the default of the rules.
        max_wait: Option<Time>,
    },
}

#[derive(Default)]
pub(crate) struct Concurrency {
    /// `None`: the default of the rules.
    pub(crate) shard: Option<Number>,
    /// `None`: no limit.
    pub(crate) total: Option<Number>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    PartitionKey,
    Shard,
    None,
}

/// A handler, whole or not.
pub(crate) struct Draft {
    pub(crate) callee: Callee,
    pub(crate) stream: Option<Path>,
    /// Where its dead letters and its replies go.
    pub(crate) writes: Vec<Path>,
    pub(crate) handler: Option<Handler>,
}

pub(crate) fn read(function: &Function, mark: &Mark, errors: &mut Errors) -> Draft {
    let before = errors.mark();
    let sig = &function.sig;
    let (table, role) = match mark.kind {
        Kind::OnBatch => (&keys::ON_BATCH, Role::BatchHandler),
        _ => (&keys::ON_RECORD, Role::Handler),
    };
    let (subject, mut args) = match mark.args(errors) {
        Some(tokens) => subject::parse(tokens, table, errors),
        None => (Subject::Refused, Entries::unreadable(table)),
    };
    let stream = stream(subject, mark, errors);
    let takes = match role {
        Role::BatchHandler => Some(batches(&mut args, errors)),
        _ => records(&mut args, errors),
    };
    let failure = failure::read(&mut args, stream.as_ref(), errors);
    let label = args
        .take("label")
        .and_then(|found| value::text(found, TextRule::HandlerLabel, Need::Optional, errors));
    let publish = args
        .take("publish")
        .and_then(|found| target::stream(found, errors));
    args.finish(errors);
    let Checked {
        asyncness,
        params,
        output,
    } = signature::check(role, sig, errors);
    says_enough(role, sig, output.is_some(), errors);
    first(role, function, errors);
    let callee = Callee {
        ident: sig.ident.clone(),
        cfgs: function.attributes.cfgs(),
    };
    let whole = errors.none_since(before);
    let writes = failure.dead_letters().chain(&publish).cloned().collect();
    let handler = match (&stream, takes, asyncness, output) {
        (Some(stream), Some(takes), Some(asyncness), Some(output)) if whole => Some(Handler {
            callee: callee.clone(),
            stream: stream.clone(),
            label,
            description: function.attributes.first_line(),
            takes,
            failure,
            publish,
            asyncness,
            params,
            output,
            pound: mark.pound(),
            bracket: mark.bracket(),
        }),
        _ => None,
    };
    Draft {
        callee,
        stream,
        writes,
        handler,
    }
}

fn first(role: Role, function: &Function, errors: &mut Errors) {
    match function.first.as_deref() {
        Some(First::Wrapped { at, parameter }) => {
            errors
                .push(*at, "the record comes decoded, without a wrapper")
                .help(format!("`{parameter}`"))
                .note("the codec stands at the stream; a `Json` of your own is named by its path");
        }
        Some(First::InFront { at, ty, parameters }) => {
            let given = match role {
                Role::BatchHandler => "batch",
                _ => "record",
            };
            errors
                .push(
                    *at,
                    format!("`{ty}` stands in front of the {given}, which is the first parameter"),
                )
                .help(format!("`async fn {}({parameters})`", function.sig.ident))
                .note(format!(
                    "a {given} of your own that has this name is named by its path"
                ));
        }
        None => {}
    }
}

/// A first parameter, and a result.
fn says_enough(role: Role, sig: &Signature, has_output: bool, errors: &mut Errors) {
    let name = plain(&sig.ident);
    let (what, first, output) = match role {
        Role::BatchHandler => (
            "batch",
            "the first parameter is the batch, e.g. `orders: Batch<Order>`",
            "`-> BatchOutcome`, or `-> Result<(), E>` to retry on `Err`",
        ),
        _ => (
            "record",
            "the first parameter is the decoded record, e.g. `order: Order`; `RawRecord` takes any",
            "`-> Outcome`, or `-> Result<(), E>` to retry on `Err`",
        ),
    };
    if sig.inputs.is_empty() {
        let text = format!("handler `{name}` takes no {what}");
        errors.push(signature::parentheses(sig), text).help(first);
    }
    if !has_output {
        let text = format!("handler `{name}` does not say what became of the {what}");
        errors
            .push(signature::after_parameters(sig), text)
            .help(output);
    }
}

fn records(args: &mut Entries, errors: &mut Errors) -> Option<Takes> {
    let order = args
        .take("ordered")
        .map_or(Some(Order::PartitionKey), |found| order(found, errors));
    let concurrency = args.take("concurrency").map(|found| {
        let at = found.1.key.span();
        (concurrency(found, errors), at)
    });
    if let (Some(Order::Shard), Some((concurrency, at))) = (order, &concurrency) {
        one_at_a_time(concurrency, *at, errors);
    }
    Some(Takes::Records {
        concurrency: concurrency.map(|(given, _)| given).unwrap_or_default(),
        order: order?,
    })
}

fn batches(args: &mut Entries, errors: &mut Errors) -> Takes {
    let max_records = args
        .take("max_records")
        .and_then(|found| number::read(found, Count::MaxRecords, errors));
    let max_wait = args
        .take("max_wait")
        .and_then(|found| time::judged(found, Length::MaxWait, errors));
    Takes::Batches {
        max_records,
        max_wait: max_wait.map(|timed| timed.time),
    }
}

/// `concurrency = 8` or `concurrency(shard = 8, total = 64)`.
fn concurrency(found: (&'static Key, Entry), errors: &mut Errors) -> Concurrency {
    let (key, entry) = found;
    if !matches!(entry.value, Value::List(_)) {
        return Concurrency {
            shard: number::read((key, entry), Count::Concurrency, errors),
            total: None,
        };
    }
    let Some(list) = choice::list((key, entry), "its settings", errors) else {
        return Concurrency::default();
    };
    let mut entries = args::parse(list.value, &keys::CONCURRENCY, errors);
    let shard = entries
        .take("shard")
        .and_then(|found| number::read(found, Count::Concurrency, errors));
    let total = entries.take("total").and_then(|found| {
        let at = found.1.range();
        Some((number::read(found, Count::Total, errors)?, at))
    });
    entries.finish(errors);
    if let (Some(Number::Literal(shard)), Some((Number::Literal(total), at))) = (&shard, &total)
        && let Err(fault) = below_total(*shard, *total)
    {
        errors
            .push(*at, fault.to_string())
            .help(format!("`concurrency(shard = {total}, total = {total})`"));
    }
    Concurrency {
        shard,
        total: total.map(|(total, _)| total),
    }
}

fn one_at_a_time(concurrency: &Concurrency, at: Span, errors: &mut Errors) {
    let Some(Number::Literal(n)) = concurrency.shard else {
        return;
    };
    if let Err(fault) = rule_one_at_a_time(n) {
        errors.push(at, fault.to_string()).help(format!(
            "`ordered(partition_key)` keeps each key in order and runs {} keys at once",
            InWords(n)
        ));
    }
}

fn stream(subject: Subject, mark: &Mark, errors: &mut Errors) -> Option<Path> {
    let attribute = mark.kind.name();
    match subject {
        Subject::Path(path) => Some(path),
        Subject::Literal(literal) => {
            let text = match literal {
                Lit::Str(_) => "a stream is named by its type, not by a string",
                _ => "a stream is named by its type",
            };
            errors.push(literal.span(), text).help(format!(
                "`#[{attribute}(Orders)]`, with `#[stream(name = \"..\")] struct Orders;`"
            ));
            None
        }
        Subject::Refused => None,
        Subject::Missing => {
            errors
                .push(
                    mark.path(),
                    format!("`#[{attribute}]` does not say which stream it handles"),
                )
                .help(format!("the stream comes first: `#[{attribute}(Orders)]`"));
            None
        }
    }
}

fn order(found: (&'static Key, Entry), errors: &mut Errors) -> Option<Order> {
    let list = choice::list(found, "its order", errors)?;
    let (key, entry) = choice::one(list, &keys::ORDERED, "a handler has one order", errors)?;
    value::flag(&entry, errors)?;
    Some(match key.name {
        "shard" => Order::Shard,
        "none" => Order::None,
        _ => Order::PartitionKey,
    })
}
