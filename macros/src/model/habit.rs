//! Expressions that people write out of habit where the language has a form of its own.

use syn::{Expr, ExprLit, ExprPath, Lit};

/// `std::env::var("NAME")`, with whatever is done to its result.
pub(super) fn variable(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Call(call) if ends_with(&call.func, &["var", "var_os"]) => match call.args.first()? {
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

fn ends_with(function: &Expr, names: &[&str]) -> bool {
    let Expr::Path(ExprPath { path, .. }) = function else {
        return false;
    };
    let last = path.segments.last();
    last.is_some_and(|last| names.iter().any(|name| last.ident == name))
}
