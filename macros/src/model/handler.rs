//! `#[on_record(..)]`.

use proc_macro2::{Span, TokenStream};
use syn::{Lit, Path};

use crate::errors::Errors;
use crate::keys::{self, Key};
use crate::model::rule::NumberRule;
use crate::model::signature::{self, Checked, Param, Role};
use crate::model::value::{self, Number};
use crate::model::{Callee, choice};
use crate::parse::args::{self, Entries, Entry, Subject};
use crate::parse::item::Function;
use crate::parse::marks::Mark;
use crate::words::plain;

pub(crate) struct Handler {
    pub(crate) callee: Callee,
    pub(crate) stream: Path,
    pub(crate) description: String,
    /// `None`: the default of the rules.
    pub(crate) concurrency: Option<Number>,
    pub(crate) order: Order,
    pub(crate) asyncness: Span,
    pub(crate) params: Vec<Param>,
    pub(crate) output: TokenStream,
    /// The `#` and the `]` of the attribute, which carry the one-handler-per-stream error.
    pub(crate) pound: Span,
    pub(crate) bracket: Span,
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
        (value::number(found, NumberRule::Concurrency, errors), at)
    });
    args.finish(errors);
    if let (Some(Order::Shard), Some((Some(Number::Literal(n)), at))) = (order, &concurrency)
        && *n > 1
    {
        let word = in_words(*n);
        errors
            .push(
                *at,
                format!(
                    "`ordered(shard)` handles one record at a time, `concurrency = {n}` {word}"
                ),
            )
            .help(format!(
                "`ordered(partition_key)` keeps each key in order and runs {word} keys at once"
            ));
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
    let handler = match (&stream, order, asyncness, output) {
        (Some(stream), Some(order), Some(asyncness), Some(output)) if whole => Some(Handler {
            callee: callee.clone(),
            stream: stream.clone(),
            description: function.attributes.first_line(),
            concurrency: concurrency.and_then(|(number, _)| number),
            order,
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
        handler,
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
