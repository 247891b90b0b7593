//! `#[on_record(..)]`.

use proc_macro2::{Span, TokenStream};
use syn::{Lit, Path};

use crate::errors::Errors;
use crate::keys::{self, Key};
use crate::model::failure::{self, Failure};
use crate::model::rule::{NumberRule, TextRule};
use crate::model::signature::{self, Checked, Param, Role};
use crate::model::value::{self, Number};
use crate::model::{Callee, choice, target};
use crate::parse::args::{self, Entries, Entry, Subject, Value};
use crate::parse::item::Function;
use crate::parse::marks::Mark;
use crate::words::plain;

pub(crate) struct Handler {
    pub(crate) callee: Callee,
    pub(crate) stream: Path,
    /// `None`: the function's name.
    pub(crate) label: Option<String>,
    pub(crate) description: String,
    pub(crate) concurrency: Concurrency,
    pub(crate) order: Order,
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
    let (subject, mut args) = match mark.args(errors) {
        Some(tokens) => args::parse_with_subject(tokens, &keys::ON_RECORD, errors),
        None => (Subject::Refused, Entries::unreadable(&keys::ON_RECORD)),
    };
    let stream = stream(subject, mark, errors);
    let order = args
        .take("ordered")
        .map_or(Some(Order::PartitionKey), |found| order(found, errors));
    let concurrency = args.take("concurrency").map(|found| {
        let at = found.1.key.span();
        (concurrency(found, errors), at)
    });
    let failure = failure::read(&mut args, stream.as_ref(), errors);
    let label = args.take("label").and_then(|(key, entry)| {
        let literal = value::literal(key, &entry, errors)?;
        value::judge(key.name, &literal, TextRule::HandlerLabel, errors)?;
        Some(literal.value())
    });
    let publish = args
        .take("publish")
        .and_then(|found| target::stream(found, errors));
    args.finish(errors);
    if let (Some(Order::Shard), Some((concurrency, at))) = (order, &concurrency) {
        one_at_a_time(concurrency, *at, errors);
    }
    let Checked {
        asyncness,
        params,
        output,
    } = signature::check(Role::Handler, sig, errors);
    let name = plain(&sig.ident);
    if sig.inputs.is_empty() {
        errors
            .push(signature::parentheses(sig), format!("handler `{name}` takes no record"))
            .help("the first parameter is the decoded record, e.g. `order: Order`; `RawRecord` takes any");
    }
    if output.is_none() {
        errors
            .push(
                signature::after_parameters(sig),
                format!("handler `{name}` does not say what became of the record"),
            )
            .help("`-> Outcome`, or `-> Result<(), E>` to retry on `Err`");
    }
    let callee = Callee {
        ident: sig.ident.clone(),
        cfgs: function.attributes.cfgs(),
    };
    let whole = errors.none_since(before);
    let writes = failure.dead_letters().chain(&publish).cloned().collect();
    let handler = match (&stream, order, asyncness, output) {
        (Some(stream), Some(order), Some(asyncness), Some(output)) if whole => Some(Handler {
            callee: callee.clone(),
            stream: stream.clone(),
            label,
            description: function.attributes.first_line(),
            concurrency: concurrency.map(|(given, _)| given).unwrap_or_default(),
            order,
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

/// `concurrency = 8` or `concurrency(shard = 8, total = 64)`.
fn concurrency(found: (&'static Key, Entry), errors: &mut Errors) -> Concurrency {
    let (key, entry) = found;
    if !matches!(entry.value, Value::List(_)) {
        return Concurrency {
            shard: value::number((key, entry), NumberRule::Concurrency, errors),
            total: None,
        };
    }
    let Some(list) = choice::list((key, entry), "its settings", errors) else {
        return Concurrency::default();
    };
    let mut entries = args::parse(list.value, &keys::CONCURRENCY, errors);
    let shard = entries
        .take("shard")
        .and_then(|found| value::number(found, NumberRule::Concurrency, errors));
    let total = entries.take("total").and_then(|found| {
        let at = found.1.range();
        Some((value::number(found, NumberRule::Total, errors)?, at))
    });
    entries.finish(errors);
    if let (Some(Number::Literal(shard)), Some((Number::Literal(total), at))) = (&shard, &total)
        && shard > total
    {
        errors
            .push(
                *at,
                format!("the {shard} records of one shard are more than the {total} of all shards"),
            )
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
    if n > 1 {
        let word = in_words(n);
        let text =
            format!("`ordered(shard)` handles one record at a time, `concurrency = {n}` {word}");
        errors.push(at, text).help(format!(
            "`ordered(partition_key)` keeps each key in order and runs {word} keys at once"
        ));
    }
}

fn stream(subject: Subject, mark: &Mark, errors: &mut Errors) -> Option<Path> {
    match subject {
        Subject::Path(path) => Some(path),
        Subject::Literal(literal) => {
            let text = match literal {
                Lit::Str(_) => "a stream is named by its type, not by a string",
                _ => "a stream is named by its type",
            };
            errors
                .push(literal.span(), text)
                .help("`#[on_record(Orders)]`, with `#[stream(name = \"..\")] struct Orders;`");
            None
        }
        Subject::Refused => None,
        Subject::Missing => {
            errors
                .push(
                    mark.path(),
                    "`#[on_record]` does not say which stream it handles",
                )
                .help("the stream comes first: `#[on_record(Orders)]`");
            None
        }
    }
}

fn order(found: (&'static Key, Entry), errors: &mut Errors) -> Option<Order> {
    let list = choice::list(found, "its order", errors)?;
    let (key, entry) = choice::one(list, &keys::ORDERED, "a handler has one order", errors)?;
    value::flag(&entry, errors)?;
    Some(if key.name == "shard" {
        Order::Shard
    } else {
        Order::PartitionKey
    })
}

fn in_words(number: u32) -> String {
    const WORDS: [&str; 11] = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    ];
    let at = usize::try_from(number)
        .unwrap_or(usize::MAX)
        .wrapping_sub(2);
    WORDS
        .get(at)
        .map_or_else(|| number.to_string(), |word| (*word).to_owned())
}
