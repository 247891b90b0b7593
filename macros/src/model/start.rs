//! `start(..)`: where a stream is read from.

use kinesis_app_rules::timestamp::timestamp;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, ExprLit, Lit};

use crate::advice::edit;
use crate::errors::Errors;
use crate::keys::{self, Key};
use crate::model::choice;
use crate::model::value::{self, Need, Setting};
use crate::parse::args::{self, Entry, Value};

pub(crate) enum Start {
    Latest,
    TrimHorizon,
    Timestamp(i64),
    TimestampConst(Box<Expr>),
    /// With the default's moment.
    TimestampEnv(Setting, Option<i64>),
}

impl Start {
    /// The variable that it is read from.
    pub(crate) fn variable(&self) -> Option<&Setting> {
        match self {
            Self::TimestampEnv(setting, _) => Some(setting),
            Self::Latest | Self::TrimHorizon | Self::Timestamp(_) | Self::TimestampConst(_) => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checkpoints {
    Use,
    Ignore,
}

pub(super) fn read(
    found: (&'static Key, Entry),
    errors: &mut Errors,
) -> Option<(Start, Checkpoints)> {
    let list = choice::list(found, "its position", errors)?;
    if let Some(sequence) = names_a_sequence(&list.value) {
        errors
            .push(
                sequence.span(),
                "a sequence number names one place in one shard, a start names every shard",
            )
            .help("take a `Seeker` of the stream in its `#[on_shard_start]` hook, and seek there")
            .note(keys::START.known());
        return None;
    }
    let mark = errors.mark();
    let mut entries = args::parse(list.value, &keys::START, errors);
    let checkpoints = match entries.take("ignore_checkpoint") {
        Some((_, entry)) => {
            value::flag(&entry, errors);
            Checkpoints::Ignore
        }
        None => Checkpoints::Use,
    };
    let position = choice::first(entries, "a shard starts in one place", errors);
    errors.none_since(mark).then_some(())?;
    let Some((key, entry)) = position else {
        errors
            .push(list.at, "`start(..)` does not name a position")
            .help("`start(trim_horizon, ignore_checkpoint)`");
        return None;
    };
    let start = match key.name {
        "timestamp" => time_of_start(key, &entry, errors)?,
        word => {
            value::flag(&entry, errors)?;
            match word {
                "trim_horizon" => Start::TrimHorizon,
                _ => Start::Latest,
            }
        }
    };
    Some((start, checkpoints))
}

fn names_a_sequence(tokens: &TokenStream) -> Option<Ident> {
    match tokens.clone().into_iter().next()? {
        proc_macro2::TokenTree::Ident(ident) => {
            let word = ident.to_string().to_lowercase();
            word.contains("sequence").then_some(ident)
        }
        _ => None,
    }
}

fn time_of_start(key: &'static Key, entry: &Entry, errors: &mut Errors) -> Option<Start> {
    if let Value::List(list) = &entry.value
        && !edit::is_one_literal(&entry.value)
    {
        let mut moment = None;
        let setting = value::variable(
            key,
            list.clone(),
            Need::Required,
            errors,
            &mut |literal, errors| {
                moment = moment_of(literal.span(), &literal.value(), errors);
                moment.map(drop)
            },
        )?;
        return Some(Start::TimestampEnv(setting, moment));
    }
    let expr = value::equals(key, entry, errors)?;
    let Expr::Lit(ExprLit { lit, .. }) = expr else {
        return Some(Start::TimestampConst(Box::new(expr.clone())));
    };
    let written = match lit {
        Lit::Str(text) => text.value(),
        // `timestamp = 1767225600` is the same mistake as `"1767225600"`.
        Lit::Int(number) => number.base10_digits().to_owned(),
        other => other.to_token_stream().to_string(),
    };
    moment_of(lit.span(), &written, errors).map(Start::Timestamp)
}

fn moment_of(at: Span, written: &str, errors: &mut Errors) -> Option<i64> {
    match timestamp(written) {
        Ok(millis) => Some(millis),
        Err(fault) => {
            let report = errors.push(at, fault.with(written).to_string());
            if let Some(guess) = fault.suggestion(written) {
                report.help(format!("`\"{guess}\"`"));
            }
            None
        }
    }
}
