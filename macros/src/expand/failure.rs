//! What becomes of a record that fails, as fields of a handler's descriptor.

use std::time::Duration;

use kinesis_app_rules::defaults;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Path;

use crate::expand::value::{self, Value};
use crate::model::failure::{Failure, GiveUp, Retry};
use crate::model::time::Time;

/// The fields `retry`, `exhausted`, `undecodable` and `timeout`.
pub(super) fn fields(failure: &Failure, runtime: &TokenStream) -> Value {
    let retry = retry(&failure.retry, runtime);
    let exhausted = give_up(&failure.exhausted, runtime);
    let undecodable = give_up(&failure.undecodable, runtime);
    let timeout = failure.timeout.as_ref();
    // A variable that is not set leaves it out.
    let timeout = timeout.filter(|time| !matches!(time, Time::Env { default: None, .. }));
    let timeout = timeout.map(|time| value::time(Some(time), Duration::ZERO, "timeout", runtime));
    let timeout = Value::option(timeout);
    let beside = [retry.beside, timeout.beside].into_iter().collect();
    let (retry, timeout) = (retry.value, timeout.value);
    Value {
        value: glue! {
            retry: #retry,
            exhausted: #exhausted,
            undecodable: #undecodable,
            timeout: #timeout,
        },
        beside,
    }
}

fn retry(retry: &Retry, runtime: &TokenStream) -> Value {
    let attempts = match &retry.attempts {
        None => Value::option(None),
        Some(attempts) => value::non_zero(attempts, "attempts", runtime),
    };
    let (first, longest) = (retry.backoff.as_ref(), retry.max_backoff.as_ref());
    let pair = backoffs(first, longest, runtime);
    let first = first_pause(first, runtime);
    let longest = longest_pause(longest, runtime);
    let beside = [attempts.beside, first.beside, longest.beside, pair];
    let (attempts, first, longest) = (attempts.value, first.value, longest.value);
    Value {
        value: glue! {
            #runtime::spec::Retry {
                attempts: #attempts,
                backoff: #first,
                max_backoff: #longest,
            }
        },
        beside: beside.into_iter().collect(),
    }
}

fn first_pause(time: Option<&Time>, runtime: &TokenStream) -> Value {
    value::time(time, defaults::BACKOFF_FIRST, "backoff", runtime)
}

fn longest_pause(time: Option<&Time>, runtime: &TokenStream) -> Value {
    value::time(time, defaults::BACKOFF_MAX, "max_backoff", runtime)
}

/// Two literals were compared by the macro, a `const` among them is compared by the compiler, and a variable at start.
fn backoffs(first: Option<&Time>, longest: Option<&Time>, runtime: &TokenStream) -> TokenStream {
    let ((Some(Time::Const(expr)), other) | (other, Some(Time::Const(expr)))) = (longest, first)
    else {
        return TokenStream::new();
    };
    if let Some(Time::Env { .. }) = other {
        return TokenStream::new();
    }
    let (first, longest) = (
        first_pause(first, runtime).value,
        longest_pause(longest, runtime).value,
    );
    let verdict = value::verdict(expr, glue!(#first, #longest), "backoffs", runtime);
    glue! {
        const _: () = { #verdict; };
    }
}

fn give_up(place: &GiveUp, runtime: &TokenStream) -> TokenStream {
    let place = match place {
        GiveUp::Halt => glue!(Halt),
        GiveUp::Skip => glue!(Skip),
        GiveUp::DeadLetter(stream) => {
            let stream = stream_ref(stream, runtime);
            glue!(DeadLetter(#stream))
        }
    };
    glue!(#runtime::spec::GiveUp::#place)
}

/// A stream that is written to. Not bound by `Stream`: the wiring asks that once, where one error is enough.
pub(super) fn stream_ref(stream: &Path, runtime: &TokenStream) -> TokenStream {
    let label = label(stream);
    glue! {
        #runtime::spec::StreamRef {
            stream: ::core::any::TypeId::of::<#stream>(),
            label: #label,
        }
    }
}

fn label(stream: &Path) -> String {
    let last = stream.segments.last();
    last.map_or_else(
        || stream.to_token_stream().to_string(),
        |last| crate::words::plain(&last.ident),
    )
}
