//! Values in the specs.

use std::time::Duration;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::Expr;

use crate::model::value::{Fallback, Number, Setting, Time};
use crate::spanned::Range;

/// A value of a spec, and what must stand beside the spec for it.
///
/// A `const` of the user's is judged in a constant of its own. Inside the spec, rustc would add that the spec is
/// erroneous as well; written twice, a wrong type would be two errors.
pub(super) struct Value {
    pub(super) value: TokenStream,
    pub(super) beside: TokenStream,
}

impl Value {
    fn plain(value: TokenStream) -> Self {
        Self {
            value,
            beside: TokenStream::new(),
        }
    }

    /// The user's expression, judged by a function of the runtime. The constant is called after that function.
    fn judged(expr: &Expr, judge: &str, ty: &TokenStream, runtime: &TokenStream) -> Self {
        let name = format_ident!("__{}", judge.to_uppercase(), span = Span::mixed_site());
        let value = judged(expr, judge, runtime);
        Self {
            value: glue!(#name),
            beside: glue!(const #name: #ty = #value;),
        }
    }

    /// In `Some`, or `None` and nothing beside it.
    pub(super) fn option(value: Option<Self>) -> Self {
        match value {
            Some(Self { value, beside }) => Self {
                value: glue!(::core::option::Option::Some(#value)),
                beside,
            },
            None => Self::plain(glue!(::core::option::Option::None)),
        }
    }
}

/// A setting; `judge` is the function of the runtime that reads a `const`.
pub(super) fn setting(setting: &Setting, judge: &str, runtime: &TokenStream) -> Value {
    match setting {
        Setting::Literal(literal) => {
            let value = literal.value();
            Value::plain(glue!(#runtime::spec::Setting::Fixed(#value)))
        }
        Setting::Const(expr) => {
            let Value { value, beside } = Value::judged(
                expr,
                judge,
                &glue!(&'static ::core::primitive::str),
                runtime,
            );
            Value {
                value: glue!(#runtime::spec::Setting::Fixed(#value)),
                beside,
            }
        }
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
            Value::plain(glue! {
                #runtime::spec::Setting::Env {
                    variable: #variable,
                    fallback: #runtime::spec::Fallback::#fallback,
                }
            })
        }
    }
}

/// A number; `judge` is the function of the runtime that reads a `const`.
pub(super) fn number(number: &Number, judge: &str, runtime: &TokenStream) -> Value {
    match number {
        Number::Literal(value) => Value::plain(glue!(#value)),
        Number::Const(expr) => Value::judged(expr, judge, &glue!(::core::primitive::u32), runtime),
    }
}

/// A length of time; `judge` is the function of the runtime that reads a `const`.
pub(super) fn time(time: &Time, judge: &str, runtime: &TokenStream) -> Value {
    match time {
        Time::Literal(length) => Value::plain(duration(*length)),
        Time::Const(expr) => Value::judged(expr, judge, &glue!(::core::time::Duration), runtime),
    }
}

/// A moment, written as a `const`.
pub(super) fn moment(expr: &Expr, runtime: &TokenStream) -> Value {
    Value::judged(expr, "timestamp", &glue!(::core::primitive::i64), runtime)
}

pub(super) fn duration(length: Duration) -> TokenStream {
    // What the rules read is whole milliseconds, of at most an hour.
    let millis = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
    glue!(::core::time::Duration::from_millis(#millis))
}

/// `judge(expr)`. A panic of const evaluation underlines the call; with the expression's first span on the path and
/// its last on the parentheses that is the expression, whole. The spans are the user's own, hygiene included: rustc joins
/// no others.
fn judged(expr: &Expr, judge: &str, runtime: &TokenStream) -> TokenStream {
    let Range { start, end } = Range::of(expr);
    let judge = Ident::new(judge, start);
    let path = respan(glue!(#runtime::__private::#judge), start);
    let mut argument = Group::new(Delimiter::Parenthesis, expr.to_token_stream());
    argument.set_span(end);
    glue!(#path #argument)
}

/// The tokens, each at a place of the user's. A path has no groups to descend into.
fn respan(tokens: TokenStream, at: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        token.set_span(at);
        token
    });
    moved.collect()
}
