//! Values in the descriptors.

use std::time::Duration;

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::Expr;

use crate::model::number::Number;
use crate::model::time::Time;
use crate::model::value::{Fallback, Setting};
use crate::spanned::Range;

/// A value of a descriptor, and what must stand beside the descriptor for it.
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

    /// In something: `Some(value)`.
    pub(super) fn within(self, wrapper: &TokenStream) -> Self {
        let Self { value, beside } = self;
        Self {
            value: glue!(#wrapper(#value)),
            beside,
        }
    }

    pub(super) fn some(self) -> Self {
        self.within(&glue!(::core::option::Option::Some))
    }
}

/// The fields of a descriptor that the attribute says something about.
#[derive(Default)]
pub(super) struct Fields {
    count: usize,
    said: TokenStream,
    beside: TokenStream,
}

impl Fields {
    pub(super) fn set(&mut self, name: &str, value: impl Into<Option<Value>>) {
        let Some(Value { value, beside }) = value.into() else {
            return;
        };
        let name = Ident::new(name, Span::mixed_site());
        self.count += 1;
        self.said.extend(glue!(#name: #value,));
        self.beside.extend(beside);
    }

    /// The descriptor: these fields over the one that `new` makes, which says nothing else.
    pub(super) fn over(self, ty: &TokenStream, new: &TokenStream) -> Value {
        let Self { said, beside, .. } = self;
        let value = if said.is_empty() {
            glue!(#ty::#new)
        } else {
            glue!(#ty { #said ..#ty::#new })
        };
        Value { value, beside }
    }

    /// A part of a descriptor, of so many fields in all: `None` if nothing is said about it, and the default under what is not
    /// said, for clippy sees a default that nobody needs.
    pub(super) fn part(self, ty: &TokenStream, all: usize) -> Option<Value> {
        let Self {
            count,
            said,
            beside,
        } = self;
        let default = (count < all).then(|| glue!(..#ty::DEFAULT));
        let value = glue!(#ty { #said #default });
        (count > 0).then_some(Value { value, beside })
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
    fn new(expr: &Expr, judge: &str, ty: &TokenStream) -> Self {
        let name = format_ident!("__{}", judge.to_uppercase(), span = Span::mixed_site());
        let verdict = verdict(expr, name.to_token_stream(), judge);
        let beside = glue! {
            const #name: #ty = #expr;
            const _: () = { #verdict; };
        };
        Self { name, beside }
    }
}

/// A setting; `judge` is the function of the runtime that judges a `const`.
pub(super) fn setting(setting: &Setting, judge: &str) -> Value {
    match setting {
        Setting::Literal(literal) => {
            let value = literal.value();
            Value::plain(glue!(__spec::Setting::Fixed(#value)))
        }
        Setting::Const(expr) => text_const(expr, judge).within(&glue!(__spec::Setting::Fixed)),
        Setting::Env { variable, fallback } => {
            let variable = variable.value();
            Value::plain(match fallback {
                Fallback::Required => glue!(__spec::Setting::env(#variable)),
                Fallback::Absent => glue!(__spec::Setting::env_if_set(#variable)),
                Fallback::Default(default) => {
                    let default = default.value();
                    glue!(__spec::Setting::env_or(#variable, #default))
                }
            })
        }
    }
}

/// A text that is a `const`, judged beside the descriptor.
pub(super) fn text_const(expr: &Expr, judge: &str) -> Value {
    let Constant { name, beside } = Constant::new(expr, judge, &text());
    Value {
        value: glue!(#name),
        beside,
    }
}

/// A number; `judge` is the function of the runtime that judges a `const`.
pub(super) fn number(number: &Number, judge: &str) -> Value {
    match number {
        Number::Literal(value) => {
            let value = Literal::u32_unsuffixed(*value);
            Value::plain(glue!(#value))
        }
        Number::Const(expr) => {
            let ty = glue!(::core::primitive::u32);
            let Constant { name, beside } = Constant::new(expr, judge, &ty);
            Value {
                value: glue!(#name),
                beside,
            }
        }
    }
}

/// A number in `Some(NonZeroU32)`; the rule that judges it refuses 0.
pub(super) fn non_zero(given: &Number, judge: &str) -> Value {
    number(given, judge).within(&glue!(::core::num::NonZeroU32::new))
}

fn text() -> TokenStream {
    glue!(&'static ::core::primitive::str)
}

/// A length of time, unless only the environment tells it; `judge` is the function of the runtime that reads and judges a
/// `const`.
pub(super) fn time(time: &Time, judge: &str) -> Option<Value> {
    match time {
        Time::Literal(length) => Some(Value::plain(duration(*length))),
        Time::Const(expr) => Some(read(expr, judge)),
        Time::Env { default, .. } => default.map(|length| Value::plain(duration(length))),
    }
}

/// The settings that the environment has the last word on, each with its name among the `keys` of the descriptor.
pub(super) fn variables(keys: &str, all: &[(&str, Option<&Setting>)]) -> Option<Value> {
    let keys = Ident::new(keys, Span::mixed_site());
    let variables = all.iter().filter_map(|(key, given)| {
        let given = given.filter(|given| matches!(given, Setting::Env { .. }))?;
        let key = Ident::new(key, Span::mixed_site());
        let setting = setting(given, "").value;
        Some(glue! {
            __spec::Variable {
                key: __spec::#keys::#key,
                setting: #setting,
            }
        })
    });
    let variables: Vec<_> = variables.collect();
    (!variables.is_empty()).then(|| Value::plain(glue!(&[#(#variables),*])))
}

/// A moment, written as a `const`.
pub(super) fn moment(expr: &Expr) -> Value {
    read(expr, "timestamp")
}

/// A text that the runtime reads into something else.
fn read(expr: &Expr, judge: &str) -> Value {
    let Constant { name, beside } = Constant::new(expr, judge, &text());
    let judge = Ident::new(judge, Span::mixed_site());
    Value {
        value: glue!(__rt::__private::#judge(#name)),
        beside,
    }
}

pub(super) fn duration(length: Duration) -> TokenStream {
    // What the rules read is whole milliseconds, of at most a day.
    let millis = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
    let millis = Literal::u64_unsuffixed(millis);
    glue!(::core::time::Duration::from_millis(#millis))
}

/// `judge(arguments)`. A panic of const evaluation underlines the call; with the expression's first span on the path and its
/// last on the parentheses that is the expression, whole. The spans are the user's own, hygiene included: rustc joins no
/// others.
pub(super) fn verdict(expr: &Expr, arguments: TokenStream, judge: &str) -> TokenStream {
    let Range { start, end } = Range::of(expr);
    let judge = Ident::new(judge, start);
    let path = glue!(__rt::__private::#judge).into_iter().map(|mut token| {
        token.set_span(start);
        token
    });
    let path: TokenStream = path.collect();
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(end);
    glue!(#path #arguments)
}
