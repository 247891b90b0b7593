//! `#[stream(..)]`.

use kinesis_app_rules::arn::stream_arn;
use kinesis_app_rules::count::Count;
use kinesis_app_rules::interval::{POLL_INTERVAL_SPENDS_BUDGET, poll_interval_spends_budget};
use kinesis_app_rules::length::Length;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, ExprLit, Fields, Lit, LitStr, Type};

use crate::errors::Errors;
use crate::keys::{self, Key};
use crate::model::choice;
use crate::model::number::{self, Number};
use crate::model::rule::TextRule;
use crate::model::start::{self, Checkpoints, Start};
use crate::model::time::{self, Time};
use crate::model::value::{self, Need, Setting};
use crate::parse::args::{self, Entries, Entry, Value};
use crate::parse::item::Struct;
use crate::parse::marks::Mark;
use crate::spanned::Range;
use crate::words::tidy;

pub(crate) struct Stream {
    pub(crate) ident: Ident,
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) id: Id,
    pub(crate) start: Start,
    pub(crate) checkpoints: Checkpoints,
    /// `None`: as many as the service returns.
    pub(crate) batch_size: Option<Number>,
    /// `None`: the default of the rules.
    pub(crate) poll_interval: Option<Time>,
    pub(crate) create: Option<Number>,
    pub(crate) fatal: OnFatal,
    pub(crate) recreated: OnRecreated,
    /// `None`: a key of its own for each record that is published without one.
    pub(crate) partition_key: Option<Setting>,
    /// `None`: `Json`.
    pub(crate) codec: Option<Codec>,
    pub(crate) warnings: Vec<Warning>,
}

#[derive(Clone)]
pub(crate) struct Codec {
    pub(crate) ty: Type,
    /// The parentheses around it.
    pub(crate) at: Range,
}

pub(crate) enum Id {
    Name(Setting),
    Arn(Setting),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnFatal {
    Stop,
    Mark,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnRecreated {
    Refuse,
    Restart,
}

/// Something kept that deserves a second thought.
pub(crate) struct Warning {
    pub(crate) at: Span,
    pub(crate) key: &'static str,
    pub(crate) text: &'static str,
}

/// A stream, whole or not.
pub(crate) struct Draft {
    pub(crate) outline: Outline,
    /// Which stream it is, if that was written as a literal.
    pub(crate) identity: Option<LitStr>,
    pub(crate) stream: Option<Stream>,
}

/// What the fallback needs of a stream.
#[derive(Clone)]
pub(crate) struct Outline {
    pub(crate) ident: Ident,
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) codec: Option<Codec>,
    /// A generic struct cannot be given a stub.
    pub(crate) plain: bool,
}

impl Draft {
    /// The region of a literal ARN.
    pub(crate) fn region(&self) -> Option<(String, Span)> {
        let literal = self.identity.as_ref()?;
        let region = stream_arn(&literal.value()).ok()?.region.to_owned();
        Some((region, literal.span()))
    }
}

/// Reads a marked struct.
pub(crate) fn read(
    item: &Struct,
    mark: &Mark,
    runtime: &TokenStream,
    errors: &mut Errors,
) -> Draft {
    let args = match mark.args(errors) {
        Some(tokens) => args::parse(tokens, &keys::STREAM, errors),
        None => Entries::unreadable(&keys::STREAM),
    };
    read_args(item, mark.path(), args, Some(runtime), errors)
}

/// Reads a struct whose attribute's arguments were parsed. `runtime` is the app's, if there is an app around.
pub(crate) fn read_args(
    item: &Struct,
    attribute: Range,
    mut args: Entries,
    runtime: Option<&TokenStream>,
    errors: &mut Errors,
) -> Draft {
    let before = errors.mark();
    shape(item, errors);
    if let Some(app) = runtime {
        own_runtime(app, &mut args, errors);
    }
    let id = id(attribute, &mut args, errors);
    let start = args
        .take("start")
        .map_or(Some((Start::Latest, Checkpoints::Use)), |found| {
            start::read(found, errors)
        });
    fan_out(&mut args, errors);
    let batch_size = args
        .take("batch_size")
        .map(|found| number::read(found, Count::BatchSize, errors));
    let mut warnings = Vec::new();
    let poll_interval = args
        .take("poll_interval")
        .map(|found| interval(found, &mut warnings, errors));
    let create = args
        .take("create_if_missing")
        .map(|found| create(found, id.as_ref(), errors));
    let fatal = fatal(&mut args, errors);
    let recreated = recreated(&mut args, errors);
    let codec = args.take("codec").map(|found| codec(found, errors));
    let partition_key = args
        .take("partition_key")
        .and_then(|found| value::text(found, TextRule::PartitionKey, Need::Optional, errors));
    args.finish(errors);

    let ident = item.item.ident.clone();
    let cfgs = item.attributes.cfgs();
    let outline = Outline {
        ident: ident.clone(),
        cfgs: cfgs.clone(),
        codec: codec.clone().flatten(),
        plain: item.without_lifetimes().generics.params.is_empty(),
    };
    let identity = match &id {
        Some(Id::Name(setting) | Id::Arn(setting)) => setting.literal().cloned(),
        None => None,
    };
    let whole = errors.none_since(before);
    let stream = id
        .zip(start)
        .filter(|_| whole)
        .map(|(id, (start, checkpoints))| Stream {
            ident,
            cfgs,
            id,
            start,
            checkpoints,
            batch_size: batch_size.flatten(),
            poll_interval: poll_interval.flatten(),
            create: create.flatten(),
            fatal,
            recreated,
            partition_key,
            codec: codec.flatten(),
            warnings,
        });
    Draft {
        outline,
        identity,
        stream,
    }
}

/// Inside an app, `crate` is said once.
fn own_runtime(app: &TokenStream, args: &mut Entries, errors: &mut Errors) {
    if let Some((_, entry)) = args.take("crate") {
        let app = app.to_string().replace(' ', "");
        errors
            .push(entry.key.span(), format!("`crate` is the app's: `{app}`"))
            .help("set it in `#[kinesis_app]`; it is for streams that stand alone");
    }
}

fn shape(item: &Struct, errors: &mut Errors) {
    let (vis, name) = (item.item.vis.to_token_stream(), &item.item.ident);
    let unit = if vis.is_empty() {
        format!("struct {name};")
    } else {
        format!("{} struct {name};", tidy(&item.item.vis))
    };
    if !matches!(item.item.fields, Fields::Unit) {
        errors
            .push(Range::of(&item.item.fields), "a stream is a unit struct")
            .help(format!(
                "`{unit}`; the record type is the first parameter of its handler"
            ));
    }
    if item.item.generics.lt_token.is_some() {
        errors
            .push(
                Range::of(&item.item.generics),
                "a stream takes no type parameters",
            )
            .help(format!("`{unit}`"));
    }
}

fn id(attribute: Range, args: &mut Entries, errors: &mut Errors) -> Option<Id> {
    match (args.take("name"), args.take("arn")) {
        (Some(name), None) => {
            value::text(name, TextRule::StreamName, Need::Required, errors).map(Id::Name)
        }
        (None, Some(arn)) => {
            value::text(arn, TextRule::StreamArn, Need::Required, errors).map(Id::Arn)
        }
        (Some(_), Some((_, arn))) => {
            errors.push(
                arn.key.span(),
                "`name` and `arn` both say which stream this is",
            );
            None
        }
        (None, None) if args.mentions("name") || args.mentions("arn") => None,
        (None, None) => {
            errors.push(
                attribute,
                "`#[stream]` needs `name = \"..\"` or `arn = \"..\"`",
            );
            None
        }
    }
}

/// What is wrong with `fan_out`, or with what stands beside it, is said in place of that it is not built yet.
fn fan_out(args: &mut Entries, errors: &mut Errors) {
    let Some((key, entry)) = args.take("fan_out") else {
        return;
    };
    let mark = errors.mark();
    for polling in ["batch_size", "poll_interval"] {
        if let Some((_, entry)) = args.take(polling) {
            let text =
                format!("`{polling}` has no meaning with `fan_out`: shards push their records");
            errors
                .push(entry.key.span(), text)
                .help("remove one of the two");
        }
    }
    if let Value::Equals(expr) = &entry.value
        && let Expr::Lit(ExprLit {
            lit: Lit::Str(name),
            ..
        }) = &**expr
    {
        value::judge(key.name, name, TextRule::ConsumerName, errors);
    }
    if errors.none_since(mark) {
        keys::STREAM.judge_stage(key, entry.key.span().into(), errors);
    }
}

fn interval(
    found: (&'static Key, Entry),
    warnings: &mut Vec<Warning>,
    errors: &mut Errors,
) -> Option<Time> {
    let timed = time::judged(found, Length::PollInterval, errors)?;
    if timed.known().is_some_and(poll_interval_spends_budget) {
        warnings.push(Warning {
            at: timed.at.start,
            key: "poll_interval",
            text: POLL_INTERVAL_SPENDS_BUDGET,
        });
    }
    Some(timed.time)
}

fn create(found: (&'static Key, Entry), id: Option<&Id>, errors: &mut Errors) -> Option<Number> {
    if let Some(Id::Arn(_)) = id {
        errors
            .push(
                found.1.range(),
                "`create_if_missing` needs `name`: a new stream has no ARN yet",
            )
            .help("remove the key, or use `name = \"..\"`");
        return None;
    }
    let list = choice::list(found, "the number of shards", errors)?;
    let found = choice::one(list, &keys::CREATE, "one number is enough", errors)?;
    number::read(found, Count::Shards, errors)
}

fn fatal(args: &mut Entries, errors: &mut Errors) -> OnFatal {
    let second = "a stream has one answer to a refusal";
    let answer = args
        .take("on_fatal")
        .and_then(|found| choice::word(found, &keys::ON_FATAL, second, errors));
    match answer {
        Some("mark") => OnFatal::Mark,
        _ => OnFatal::Stop,
    }
}

fn recreated(args: &mut Entries, errors: &mut Errors) -> OnRecreated {
    let second = "a stream has one answer to a new stream of its name";
    let answer = args
        .take("on_recreated")
        .and_then(|found| choice::word(found, &keys::ON_RECREATED, second, errors));
    match answer {
        Some("restart") => OnRecreated::Restart,
        _ => OnRecreated::Refuse,
    }
}

fn codec(found: (&'static Key, Entry), errors: &mut Errors) -> Option<Codec> {
    let list = choice::list(found, "its type", errors)?;
    let at = list.at;
    let Ok(ty) = syn::parse2(list.value) else {
        errors
            .push(at, "`codec` takes a type")
            .help("`codec(Json)`");
        return None;
    };
    Some(Codec { ty, at })
}
