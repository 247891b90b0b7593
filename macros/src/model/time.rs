//! Values that are lengths of time.

use std::time::Duration;

use kinesis_app_rules::duration::duration;
use kinesis_app_rules::length::Length;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprLit, Lit, LitStr};

use crate::advice::edit;
use crate::errors::Errors;
use crate::keys::Key;
use crate::model::habit;
use crate::model::rule::Refusal;
use crate::model::value::{self, Need, Setting};
use crate::parse::args::{Entry, Value};
use crate::spanned::{Range, Spanned};

pub(crate) enum Time {
    Literal(Duration),
    Const(Box<Expr>),
    Env {
        /// The variable, with a default that is a duration.
        setting: Setting,
        default: Option<Duration>,
    },
}

impl Time {
    /// The variable that it is read from.
    pub(crate) fn variable(&self) -> Option<&Setting> {
        match self {
            Self::Env { setting, .. } => Some(setting),
            Self::Literal(_) | Self::Const(_) => None,
        }
    }
}

/// A time with what messages about it need.
pub(crate) struct Timed {
    pub(crate) time: Time,
    /// The text that was read.
    pub(crate) at: Range,
    /// The key in front of that text.
    key: &'static str,
}

impl Timed {
    /// The length, as far as the source tells.
    pub(crate) fn known(&self) -> Option<Duration> {
        match self.time {
            Time::Literal(length) => Some(length),
            Time::Env { default, .. } => default,
            Time::Const(_) => None,
        }
    }
}

/// `key = "500ms"`, `key = CONST` or `key(env = "..", ..)`, as far as the source tells within the bounds of what it is.
pub(crate) fn judged(
    found: (&'static Key, Entry),
    of: Length,
    errors: &mut Errors,
) -> Option<Timed> {
    let timed = read(found, errors)?;
    if let Some(length) = timed.known()
        && let Err(fault) = of.check(length)
    {
        Refusal::from(fault).push(timed.at, timed.key, errors);
        return None;
    }
    Some(timed)
}

fn read((key, entry): (&'static Key, Entry), errors: &mut Errors) -> Option<Timed> {
    if let Value::List(list) = &entry.value
        && !edit::is_one_literal(&entry.value)
    {
        return time_of_variable(key, list, errors);
    }
    let timed = |time, at| Timed {
        time,
        at,
        key: key.name,
    };
    let expr = value::equals(key, &entry, errors)?;
    let at = Range::of(expr);
    let written = match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Str(literal),
            ..
        }) => {
            let length = length(key, key.name, literal, errors)?;
            return Some(timed(Time::Literal(length), at));
        }
        Expr::Lit(ExprLit { lit, .. }) => lit.to_token_stream().to_string(),
        other => match habit::length(other) {
            Some(written) => written,
            None => return Some(timed(Time::Const(Box::new(expr.clone())), at)),
        },
    };
    errors
        .push(at, format!("`{}` takes a duration in quotes", key.name))
        .help(guess(key, &written).map_or_else(
            || format!("`{}`", key.form),
            |guess| format!("`{} = \"{guess}\"`", key.name),
        ))
        .note("units: `ms`, `s`, `m`, `h`");
    None
}

fn time_of_variable(
    key: &'static Key,
    list: &Spanned<TokenStream>,
    errors: &mut Errors,
) -> Option<Timed> {
    let mut read_default = None;
    let setting = value::variable(
        key,
        list.clone(),
        Need::Optional,
        errors,
        &mut |literal, errors| {
            let length = length(key, "default", literal, errors)?;
            read_default = Some((length, Range::of(literal)));
            Some(())
        },
    )?;
    let at = read_default.map_or(list.at, |(_, at)| at);
    Some(Timed {
        time: Time::Env {
            setting,
            default: read_default.map(|(length, _)| length),
        },
        at,
        key: "default",
    })
}

/// Reads a duration in the place of `shown`, which is the key or the default of its variable.
fn length(key: &Key, shown: &str, literal: &LitStr, errors: &mut Errors) -> Option<Duration> {
    let value = literal.value();
    match duration(&value) {
        Ok(time) => Some(time),
        Err(fault) => {
            let report = errors.push(literal.span(), fault.with(&value).to_string());
            if let Some(guess) = guess(key, &value) {
                report.help(format!("`{shown} = \"{guess}\"`"));
            }
            None
        }
    }
}

/// The duration that a text probably means. A number alone has the unit that the key is usually written in.
fn guess(key: &Key, written: &str) -> Option<String> {
    let mut written = written.trim().to_owned();
    if written.parse::<f64>().is_ok() {
        written.push_str(unit(key));
    }
    match duration(&written) {
        Ok(_) => Some(written),
        Err(fault) => fault.suggestion(&written),
    }
}

/// The unit that the key is usually written in.
fn unit(key: &Key) -> &'static str {
    let quoted = key.form.split('"').nth(1).unwrap_or_default();
    quoted.trim_start_matches(|c: char| c.is_ascii_digit())
}
