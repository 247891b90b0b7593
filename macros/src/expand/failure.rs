//! What becomes of a record that fails, as fields of a handler's descriptor.

use kinesis_app_rules::defaults;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Path;

use crate::expand::value::{self, Value};
use crate::model::failure::{Failure, GiveUp, Retry};
use crate::model::value::Time;

/// The fields `retry`, `exhausted`, `undecodable` and `timeout`.
pub(super) fn fields(failure: &Failure, runtime: &TokenStream) -> Value {
    let retry = retry(&failure.retry, runtime);
    let exhausted = give_up(&failure.exhausted, runtime);
    let undecodable = give_up(&failure.undecodable, runtime);
    let timeout = failure.timeout.as_ref();
    let timeout = Value::option(timeout.map(|time| value::time(time, "timeout", runtime)));
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
    let (default_first, default_longest) = (
        Time::Literal(defaults::BACKOFF_FIRST),
        Time::Literal(defaults::BACKOFF_MAX),
    );
    let first = retry.backoff.as_ref().unwrap_or(&default_first);
    let longest = retry.max_backoff.as_ref().unwrap_or(&default_longest);
    let pair = backoffs(first, longest, runtime);
    let first = value::time(first, "backoff", runtime);
    let longest = value::time(longest, "max_backoff", runtime);
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

/// Two literals were compared by the macro; a `const` among them is compared by the compiler.
fn backoffs(first: &Time, longest: &Time, runtime: &TokenStream) -> TokenStream {
    let expr = match (first, longest) {
        (Time::Literal(_), Time::Literal(_)) => return TokenStream::new(),
        (_, Time::Const(expr)) | (Time::Const(expr), Time::Literal(_)) => expr,
    };
    let [first, longest] = [(first, "backoff"), (longest, "max_backoff")]
        .map(|(time, judge)| value::time(time, judge, runtime).value);
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
