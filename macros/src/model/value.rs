//! Values of keys, texts above all: a literal that the macro judges, a `const` that the compiler judges, or a variable that
//! the start judges.

use kinesis_app_rules::env::env_name;
use kinesis_app_rules::name::{NameCause, stream_name};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitStr, UnOp};

use crate::advice::edit;
use crate::errors::Errors;
use crate::keys::{self, Key};
use crate::model::habit;
use crate::model::rule::TextRule;
use crate::parse::args::{self, Entry, Value};
use crate::spanned::{Range, Spanned};
use crate::words::path_text;

/// A text.
pub(crate) enum Setting {
    Literal(LitStr),
    Const(Box<Expr>),
    Env {
        variable: LitStr,
        fallback: Fallback,
    },
}

/// What holds when the variable is not set.
pub(crate) enum Fallback {
    Required,
    Default(LitStr),
    Absent,
}

/// Whether a setting may be absent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Required,
    Optional,
}

impl Setting {
    pub(crate) fn literal(&self) -> Option<&LitStr> {
        match self {
            Self::Literal(literal) => Some(literal),
            Self::Const(_) | Self::Env { .. } => None,
        }
    }
}

/// `key = ".."`, `key = CONST` or `key(env = "..", ..)`.
pub(crate) fn text(
    (key, entry): (&'static Key, Entry),
    rule: TextRule,
    need: Need,
    errors: &mut Errors,
) -> Option<Setting> {
    if edit::is_one_literal(&entry.value) {
        equals(key, &entry, errors);
        return None;
    }
    if let Value::List(list) = entry.value {
        return variable(key, list, need, errors, &mut |literal, errors| {
            judge("default", literal, rule, errors)
        });
    }
    let expr = equals(key, &entry, errors)?;
    let Expr::Lit(ExprLit { lit, .. }) = expr else {
        no_text(key, expr, errors)?;
        return Some(Setting::Const(Box::new(expr.clone())));
    };
    let literal = string(key, lit, errors)?;
    placeholder(key, &literal, rule, errors)?;
    if rule == TextRule::StreamArn && stream_name(&literal.value()).is_ok() {
        errors
            .push(entry.key.span(), format!("`{}` holds a name", key.name))
            .help(format!("`name = {}`", literal.to_token_stream()));
        return None;
    }
    if rule == TextRule::StreamName && holds_arn(&literal) {
        errors
            .push(entry.key.span(), format!("`{}` holds an ARN", key.name))
            .help("`arn = \"..\"` takes it as it is");
        return None;
    }
    judge(key.name, &literal, rule, errors)?;
    Some(Setting::Literal(literal))
}

/// `${VARIABLE}`, which nobody fills in.
fn placeholder(key: &Key, literal: &LitStr, rule: TextRule, errors: &mut Errors) -> Option<()> {
    let value = literal.value();
    let Some(found) = habit::placeholder(&value).filter(|_| rule.check(&value).is_err()) else {
        return Some(());
    };
    let default = found
        .default
        .map_or_else(String::new, |default| format!(", default = \"{default}\""));
    errors
        .push(
            literal.span(),
            format!("`{}` takes a variable in parentheses", key.name),
        )
        .help(format!(
            "`{}(env = \"{}\"{default})`",
            key.name, found.variable
        ));
    None
}

fn holds_arn(literal: &LitStr) -> bool {
    stream_name(&literal.value()).is_err_and(|fault| fault.cause == NameCause::Arn)
}

/// `key(env = "..", ..)`; `judge` pushes what is wrong with the default.
pub(crate) fn variable(
    key: &'static Key,
    list: Spanned<TokenStream>,
    need: Need,
    errors: &mut Errors,
    judge: &mut dyn FnMut(&LitStr, &mut Errors) -> Option<()>,
) -> Option<Setting> {
    let at = list.at;
    let mark = errors.mark();
    let mut entries = args::parse_of(key.name, list.value, &keys::TEXT, errors);
    let variable = entries.take("env").and_then(|(key, entry)| {
        let literal = literal(key, &entry, errors)?;
        let name = literal.value();
        if let Err(fault) = env_name(&name) {
            let report = errors.push(literal.span(), fault.with(&name).to_string());
            if let Some(guess) = fault.suggestion(&name) {
                report.help(format!("`env = \"{guess}\"`"));
            }
        }
        Some(literal)
    });
    let has_default = entries.mentions("default");
    let default = entries.take("default").and_then(|(key, entry)| {
        let literal = literal(key, &entry, errors)?;
        judge(&literal, errors)?;
        Some(literal)
    });
    let optional = entries.take("optional").map(|(_, entry)| entry);
    entries.finish(errors);
    if let Some(entry) = &optional {
        flag(entry, errors);
        if need == Need::Required {
            let text = format!("`{}` is required and cannot be `optional`", key.name);
            errors
                .push(entry.key.span(), text)
                .help("`default = \"..\"`, or nothing: the start fails without the variable");
        } else if has_default {
            let text = "`default` and `optional` both say what holds without the variable";
            errors
                .push(entry.key.span(), text)
                .help("remove one of the two");
        }
    }
    if variable.is_none() && errors.none_since(mark) {
        errors
            .push(at, format!("`{}(..)` does not name a variable", key.name))
            .help(format!("`{}(env = \"VARIABLE\")`", key.name));
    }
    let fallback = match (default, optional) {
        (Some(default), _) => Fallback::Default(default),
        (None, Some(_)) => Fallback::Absent,
        (None, None) => Fallback::Required,
    };
    errors.none_since(mark).then_some(())?;
    Some(Setting::Env {
        variable: variable?,
        fallback,
    })
}

/// Asks the rule, and pushes what it says.
pub(crate) fn judge(
    key: &str,
    literal: &LitStr,
    rule: TextRule,
    errors: &mut Errors,
) -> Option<()> {
    let verdict = rule.check(&literal.value());
    verdict
        .map_err(|refusal| refusal.push(Range::of(literal), key, errors))
        .ok()
}

/// The expression after `=`.
pub(crate) fn equals<'e>(
    key: &'static Key,
    entry: &'e Entry,
    errors: &mut Errors,
) -> Option<&'e Expr> {
    let (at, text) = match &entry.value {
        Value::Equals(expr) => return Some(expr),
        Value::Flag => (
            entry.key.span().into(),
            format!("`{}` has no value", key.name),
        ),
        Value::List(list) => (list.at, format!("`{}` takes its value after `=`", key.name)),
    };
    let help = format!("`{}`", edit::of(key, &entry.value));
    errors.push(at, text).help(help);
    None
}

/// Nothing after the word.
pub(crate) fn flag(entry: &Entry, errors: &mut Errors) -> Option<()> {
    let at = match &entry.value {
        Value::Flag => return Some(()),
        Value::Equals(expr) => Range::of(expr),
        Value::List(list) => list.at,
    };
    errors
        .push(at, format!("`{}` takes no value", entry.key))
        .help(format!("`{}` alone", entry.key));
    None
}

/// `key = ".."`, and nothing else.
pub(crate) fn literal(key: &'static Key, entry: &Entry, errors: &mut Errors) -> Option<LitStr> {
    match equals(key, entry, errors)? {
        Expr::Lit(ExprLit { lit, .. }) => string(key, lit, errors),
        other => {
            let text = format!("`{}` takes a string literal", key.name);
            let report = errors.push(Range::of(other), text);
            if let Expr::Path(path) = other {
                report.help(format!("`{} = \"{}\"`", key.name, path_text(&path.path)));
            }
            None
        }
    }
}

/// An expression that can be no text, in words that help; anything else is a `const`, or rustc's to refuse.
fn no_text(key: &Key, expr: &Expr, errors: &mut Errors) -> Option<()> {
    let (text, help) = if let Some(variable) = habit::variable(expr) {
        (
            format!(
                "`{}` is read by the runtime, not while the crate is compiled",
                key.name
            ),
            format!("`{}(env = \"{variable}\")`", key.name),
        )
    } else if let Expr::Binary(_)
    | Expr::Unary(ExprUnary {
        op: UnOp::Neg(_) | UnOp::Not(_),
        ..
    })
    | Expr::Range(_) = expr
    {
        let written = expr.to_token_stream().to_string().replace(' ', "");
        let edit = match habit::joined(expr) {
            Some(text) => format!("`{} = \"{text}\"`", key.name),
            None if written.contains('"') => format!("`{}`", key.form),
            None => format!("`{} = \"{written}\"`", key.name),
        };
        (format!("`{}` takes a string", key.name), edit)
    } else {
        return Some(());
    };
    errors.push(Range::of(expr), text).help(help);
    None
}

fn string(key: &Key, lit: &Lit, errors: &mut Errors) -> Option<LitStr> {
    if let Lit::Str(text) = lit {
        return Some(text.clone());
    }
    errors
        .push(
            lit.span(),
            format!("`{}` takes a string, not {}", key.name, kind_of(lit)),
        )
        .help(format!("`{}`", key.form));
    None
}

pub(super) fn kind_of(lit: &Lit) -> &'static str {
    match lit {
        Lit::Str(_) => "a string",
        Lit::ByteStr(_) => "a byte string",
        Lit::CStr(_) => "a C string",
        Lit::Byte(_) => "a byte",
        Lit::Char(_) => "a character",
        Lit::Int(_) => "a whole number",
        Lit::Float(_) => "a decimal number",
        Lit::Bool(_) => "a boolean",
        _ => "this",
    }
}
