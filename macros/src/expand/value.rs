//! Values in the specs.

use std::time::Duration;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr;

use crate::model::value::{Fallback, Number, Setting, Time};
use crate::spanned::Range;

/// A setting of a spec.
pub(super) fn setting(setting: &Setting, runtime: &TokenStream) -> TokenStream {
    match setting {
        Setting::Literal(literal) => {
            let value = literal.value();
            glue!(#runtime::spec::Setting::Fixed(#value))
        }
        Setting::Const(expr) => glue!(#runtime::spec::Setting::Fixed(#expr)),
        Setting::Env { variable, fallback } => {
            let variable = variable.value();
            let fallback = match fallback {
                Fallback::Required => glue!(Required),
                Fallback::Absent => glue!(Absent),
                Fallback::Default(default) => {
                    let default = default.value();
                    glue!(Default(#default))
                }
            };
            glue! {
                #runtime::spec::Setting::Env {
                    variable: #variable,
                    fallback: #runtime::spec::Fallback::#fallback,
                }
            }
        }
    }
}

pub(super) fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(
        || glue!(::core::option::Option::None),
        |value| glue!(::core::option::Option::Some(#value)),
    )
}

pub(super) fn number(number: &Number) -> TokenStream {
    match number {
        Number::Literal(value) => glue!(#value),
        Number::Const(expr) => expr.to_token_stream(),
    }
}

/// A length of time; a `const` is read by the function of the runtime that judges it as well.
pub(super) fn time(time: &Time, reader: &str, runtime: &TokenStream) -> TokenStream {
    match time {
        Time::Literal(length) => duration(*length),
        Time::Const(expr) => judged(expr, reader, runtime),
    }
}

pub(super) fn duration(length: Duration) -> TokenStream {
    // What the rules read is whole milliseconds, of at most an hour.
    let millis = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
    glue!(::core::time::Duration::from_millis(#millis))
}

/// The check of a `const` setting, which stands beside the spec: inside it, rustc would add that the spec is erroneous.
pub(super) fn check_text(setting: &Setting, judge: &str, runtime: &TokenStream) -> TokenStream {
    match setting {
        Setting::Const(expr) => {
            let judged = judged(expr, judge, runtime);
            glue!(const _: &str = #judged;)
        }
        Setting::Literal(_) | Setting::Env { .. } => TokenStream::new(),
    }
}

/// The check of a `const` number.
pub(super) fn check_number(
    number: Option<&Number>,
    judge: &str,
    runtime: &TokenStream,
) -> TokenStream {
    match number {
        Some(Number::Const(expr)) => {
            let judged = judged(expr, judge, runtime);
            glue!(const _: u32 = #judged;)
        }
        Some(Number::Literal(_)) | None => TokenStream::new(),
    }
}

/// `judge(expr)`. A panic of const evaluation underlines the call; with the expression's first span on the path and
/// its last on the parentheses that is the expression, whole.
pub(super) fn judged(expr: &Expr, judge: &str, runtime: &TokenStream) -> TokenStream {
    let Range { start, end } = Range::of(expr);
    let judge = proc_macro2::Ident::new(judge, start);
    let path = respan(glue!(#runtime::__private::#judge), start);
    let mut argument = Group::new(Delimiter::Parenthesis, expr.to_token_stream());
    argument.set_span(end);
    glue!(#path #argument)
}

/// The tokens, located at a place of the user's.
pub(super) fn respan(tokens: TokenStream, at: Span) -> TokenStream {
    let span = Span::mixed_site().located_at(at);
    let moved = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            let mut inner = Group::new(group.delimiter(), respan(group.stream(), at));
            inner.set_span(span);
            return TokenTree::Group(inner);
        }
        token.set_span(span);
        token
    });
    moved.collect()
}
