//! Expressions that people write out of habit where the language has a form of its own.

use proc_macro2::{TokenStream, TokenTree};
use syn::{BinOp, Expr, ExprBinary, ExprLit, ExprPath, Lit};

/// `${NAME}`, `${NAME:default}` and `$NAME`.
pub(super) struct Placeholder {
    pub(super) variable: String,
    pub(super) default: Option<String>,
}

pub(super) fn placeholder(text: &str) -> Option<Placeholder> {
    let inside = text.strip_prefix('$')?;
    let inside = match inside.strip_prefix('{') {
        Some(braced) => braced.strip_suffix('}')?,
        None => inside,
    };
    let (name, default) = match inside.split_once(':') {
        Some((name, default)) => (name, Some(default.trim_start_matches('-').to_owned())),
        None => (inside, None),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    // `orders.stream` is the property that Spring reads from `ORDERS_STREAM`.
    let variable = if name.contains(['.', '-']) {
        name.replace(['.', '-'], "_").to_uppercase()
    } else {
        name.to_owned()
    };
    (!name.is_empty() && name.chars().all(is_name)).then_some(Placeholder { variable, default })
}

/// `env = ".."`, in the parentheses of a key that takes no variable.
pub(super) fn names_a_variable(tokens: &TokenStream) -> bool {
    let first = tokens.clone().into_iter().next();
    matches!(first, Some(TokenTree::Ident(word)) if word == "env")
}

/// `"a" + "b"`, as one text.
pub(super) fn joined(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        Expr::Binary(ExprBinary {
            left,
            op: BinOp::Add(_),
            right,
            ..
        }) => Some(joined(left)? + &joined(right)?),
        _ => None,
    }
}

/// `std::env::var("NAME")` and `env("NAME")`, with whatever is done to its result. A function of another module is the user's own.
pub(super) fn variable(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Call(call) if reads_the_environment(&call.func) => match call.args.first()? {
            Expr::Lit(ExprLit {
                lit: Lit::Str(name),
                ..
            }) => Some(name.value()),
            _ => None,
        },
        Expr::MethodCall(call) => variable(&call.receiver),
        Expr::Reference(reference) => variable(&reference.expr),
        Expr::Try(tried) => variable(&tried.expr),
        Expr::Paren(inner) => variable(&inner.expr),
        _ => None,
    }
}

/// `Duration::from_secs(30)` and a negative number, as text.
pub(super) fn length(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Call(call) => {
            let unit = [
                ("from_millis", "ms"),
                ("from_secs", "s"),
                ("from_mins", "m"),
                ("from_hours", "h"),
            ];
            let (_, unit) = unit
                .into_iter()
                .find(|(name, _)| ends_with(&call.func, &[name]))?;
            match call.args.first()? {
                Expr::Lit(ExprLit {
                    lit: Lit::Int(number),
                    ..
                }) => Some(format!("{}{unit}", number.base10_digits())),
                _ => None,
            }
        }
        Expr::Unary(unary) if matches!(*unary.expr, Expr::Lit(_)) => Some(String::new()),
        _ => None,
    }
}

fn reads_the_environment(function: &Expr) -> bool {
    let Expr::Path(ExprPath { path, .. }) = function else {
        return false;
    };
    let mut from_the_end = path.segments.iter().rev().map(|segment| &segment.ident);
    match (from_the_end.next(), from_the_end.next()) {
        (Some(name), Some(module)) => module == "env" && (name == "var" || name == "var_os"),
        (Some(name), None) => name == "env",
        (None, _) => false,
    }
}

fn ends_with(function: &Expr, names: &[&str]) -> bool {
    let Expr::Path(ExprPath { path, .. }) = function else {
        return false;
    };
    let last = path.segments.last();
    last.is_some_and(|last| names.iter().any(|name| last.ident == name))
}
