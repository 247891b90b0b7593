//! Values that are whole numbers.

use kinesis_app_rules::count::Count;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitInt, UnOp};

use crate::errors::Errors;
use crate::keys::Key;
use crate::model::rule::help_for;
use crate::model::{habit, value};
use crate::parse::args::{Entry, Value};
use crate::spanned::Range;

pub(crate) enum Number {
    Literal(u32),
    Const(Box<Expr>),
}

/// `key = 500` or `key = CONST`.
pub(crate) fn read(
    (key, entry): (&'static Key, Entry),
    count: Count,
    errors: &mut Errors,
) -> Option<Number> {
    at_run_time(key, &entry, errors)?;
    let expr = value::equals(key, &entry, errors)?;
    match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Int(literal),
            ..
        }) => literal_of(key, literal, count, errors).map(Number::Literal),
        Expr::Lit(ExprLit { lit, .. }) => {
            let form = match lit {
                Lit::Str(text) if is_number(&text.value(), count) => {
                    format!("`{} = {}`", key.name, text.value().trim())
                }
                _ => format!("`{}`", key.form),
            };
            errors
                .push(lit.span(), wrong(key, value::kind_of(lit)))
                .help(form);
            None
        }
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr: inner,
            ..
        }) if matches!(**inner, Expr::Lit(_)) => {
            errors
                .push(Range::of(expr), wrong(key, "a negative one"))
                .help(format!("`{}`", key.form));
            None
        }
        other => Some(Number::Const(Box::new(other.clone()))),
    }
}

fn literal_of(key: &Key, literal: &LitInt, count: Count, errors: &mut Errors) -> Option<u32> {
    let digits = literal.base10_digits();
    if !matches!(
        literal.suffix(),
        "" | "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64"
    ) {
        let what = format!("one with the suffix `{}`", literal.suffix());
        errors
            .push(literal.span(), wrong(key, &what))
            .help(format!("`{} = {digits}`", key.name));
        return None;
    }
    // A number beyond 64 bits is as far above every limit as the largest of them.
    let value = digits.parse().unwrap_or(u64::MAX);
    match count.check(value) {
        Ok(value) => Some(value),
        Err(fault) => {
            let report = errors.push(literal.span(), fault.with(digits).to_string());
            if let Some(help) = help_for(count) {
                report.help(help);
            }
            None
        }
    }
}

fn wrong(key: &Key, what: &str) -> String {
    format!("`{}` takes a whole number, not {what}", key.name)
}

/// Whether a text is one that passes.
fn is_number(text: &str, count: Count) -> bool {
    let number = text.trim().parse();
    number.is_ok_and(|number| count.check(number).is_ok())
}

/// A number of a variable, which no number is read from.
fn at_run_time(key: &Key, entry: &Entry, errors: &mut Errors) -> Option<()> {
    let at = match &entry.value {
        Value::Equals(expr) if habit::variable(expr).is_some() => Range::of(expr),
        Value::List(list) if habit::names_a_variable(&list.value) => list.at,
        Value::Equals(_) | Value::List(_) | Value::Flag => return Some(()),
    };
    errors
        .push(
            at,
            format!("`{}` is known while the crate is compiled", key.name),
        )
        .help("what is known only at run time is set in `#[configure]`");
    None
}
