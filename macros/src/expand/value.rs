//! Values in the specs.

use std::time::Duration;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::Expr;

use crate::model::time::Time;
use crate::model::value::{Fallback, Number, Setting};
use crate::spanned::Range;

/// A value of a spec, and what must stand beside the spec for it.
pub(super) struct Value {
    pub(super) value: TokenStream,
    pub(super) beside: TokenStream,
}

impl Value {
    pub(super) fn plain(value: TokenStream) -> Self {
        Self {
            value,
            beside: TokenStream::new(),
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

/// A `const` of the user's, which the macro cannot read. It is given a name and a type, so that a wrong type is one error,
/// and judged beside the spec: inside it, rustc would add that the spec is erroneous as well.
struct Constant {
    name: Ident,
    /// Its definition, and its verdict by a function of the runtime.
    beside: TokenStream,
}

impl Constant {
    fn new(expr: &Expr, judge: &str, ty: &TokenStream, runtime: &TokenStream) -> Self {
        let name = format_ident!("__{}", judge.to_uppercase(), span = Span::mixed_site());
        let verdict = verdict(expr, name.to_token_stream(), judge, runtime);
        let beside = glue! {
            const #name: #ty = #expr;
            const _: () = { #verdict; };
        };
        Self { name, beside }
    }
}

/// A setting; `judge` is the function of the runtime that judges a `const`.
pub(super) fn setting(setting: &Setting, judge: &str, runtime: &TokenStream) -> Value {
    match setting {
        Setting::Literal(literal) => {
            let value = literal.value();
            Value::plain(glue!(#runtime::spec::Setting::Fixed(#value)))
        }
        Setting::Const(expr) => {
            let Value { value, beside } = text_const(expr, judge, runtime);
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

/// A text that is a `const`, judged beside the spec.
pub(super) fn text_const(expr: &Expr, judge: &str, runtime: &TokenStream) -> Value {
    let Constant { name, beside } = Constant::new(expr, judge, &text(), runtime);
    Value {
        value: glue!(#name),
        beside,
    }
}

/// A number; `judge` is the function of the runtime that judges a `const`.
pub(super) fn number(number: &Number, judge: &str, runtime: &TokenStream) -> Value {
    match number {
        Number::Literal(value) => Value::plain(glue!(#value)),
        Number::Const(expr) => {
            let ty = glue!(::core::primitive::u32);
            let Constant { name, beside } = Constant::new(expr, judge, &ty, runtime);
            Value {
                value: glue!(#name),
                beside,
            }
        }
    }
}

/// A number in `Some(NonZeroU32)`; the rule that judges it refuses 0.
pub(super) fn non_zero(given: &Number, judge: &str, runtime: &TokenStream) -> Value {
    let Value { value, beside } = number(given, judge, runtime);
    Value {
        value: glue!(::core::num::NonZeroU32::new(#value)),
        beside,
    }
}

fn text() -> TokenStream {
    glue!(&'static ::core::primitive::str)
}

/// A length of time, or what holds without one; `judge` is the function of the runtime that reads and judges a `const`.
pub(super) fn time(time: Option<&Time>, or: Duration, judge: &str, runtime: &TokenStream) -> Value {
    match time {
        None => Value::plain(duration(or)),
        Some(Time::Literal(length)) => Value::plain(duration(*length)),
        Some(Time::Const(expr)) => read(expr, judge, runtime),
        Some(Time::Env { default, .. }) => Value::plain(duration(default.unwrap_or(or))),
    }
}

/// The settings that the environment has the last word on, each with the name of its key in the specs.
pub(super) fn variables(all: &[(&str, Option<&Setting>)], runtime: &TokenStream) -> TokenStream {
    let variables = all.iter().filter_map(|(key, given)| {
        let given = given.filter(|given| matches!(given, Setting::Env { .. }))?;
        let key = Ident::new(key, Span::mixed_site());
        let setting = setting(given, "", runtime).value;
        Some(glue! {
            #runtime::spec::Variable {
                key: #runtime::spec::Key::#key,
                setting: #setting,
            }
        })
    });
    glue!(&[#(#variables),*])
}

/// A moment, written as a `const`.
pub(super) fn moment(expr: &Expr, runtime: &TokenStream) -> Value {
    read(expr, "timestamp", runtime)
}

/// A text that the runtime reads into something else.
fn read(expr: &Expr, judge: &str, runtime: &TokenStream) -> Value {
    let Constant { name, beside } = Constant::new(expr, judge, &text(), runtime);
    let judge = Ident::new(judge, Span::mixed_site());
    Value {
        value: glue!(#runtime::__private::#judge(#name)),
        beside,
    }
}

pub(super) fn duration(length: Duration) -> TokenStream {
    // What the rules read is whole milliseconds, of at most an hour.
    let millis = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
    glue!(::core::time::Duration::from_millis(#millis))
}

/// `judge(arguments)`. A panic of const evaluation underlines the call; with the expression's first span on the path and its
/// last on the parentheses that is the expression, whole. The spans are the user's own, hygiene included: rustc joins no
/// others.
pub(super) fn verdict(
    expr: &Expr,
    arguments: TokenStream,
    judge: &str,
    runtime: &TokenStream,
) -> TokenStream {
    let Range { start, end } = Range::of(expr);
    let judge = Ident::new(judge, start);
    let path = glue!(#runtime::__private::#judge)
        .into_iter()
        .map(|mut token| {
            token.set_span(start);
            token
        });
    let path: TokenStream = path.collect();
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(end);
    glue!(#path #arguments)
}
