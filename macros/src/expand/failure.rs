//! What becomes of a record that fails, as fields of a handler's descriptor.

use kinesis_app_rules::defaults;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Path;

use crate::expand::value::{self, Fields, Value};
use crate::model::failure::{Failure, GiveUp, Retry};
use crate::model::time::Time;

/// The fields `retry`, `exhausted`, `undecodable` and `timeout`.
pub(super) fn fields(failure: &Failure, fields: &mut Fields) {
    let timeout = failure.timeout.as_ref();
    let timeout = timeout.and_then(|time| value::time(time, "timeout"));
    fields.set("retry", retry(&failure.retry));
    fields.set("exhausted", give_up(&failure.exhausted));
    fields.set("undecodable", give_up(&failure.undecodable));
    fields.set("timeout", timeout.map(Value::some));
}

fn retry(retry: &Retry) -> Option<Value> {
    let time = |time: &Option<Time>, judge| value::time(time.as_ref()?, judge);
    let attempts = retry.attempts.as_ref();
    let mut fields = Fields::default();
    fields.set(
        "attempts",
        attempts.map(|attempts| value::non_zero(attempts, "attempts")),
    );
    fields.set("backoff", time(&retry.backoff, "backoff"));
    fields.set("max_backoff", time(&retry.max_backoff, "max_backoff"));
    let mut value = fields.part(&glue!(__spec::Retry), 3)?;
    value.beside.extend(backoffs(retry));
    Some(value)
}

/// Two literals were compared by the macro, a `const` among them is compared by the compiler, and a variable at start.
fn backoffs(retry: &Retry) -> TokenStream {
    let (first, longest) = (retry.backoff.as_ref(), retry.max_backoff.as_ref());
    let ((Some(Time::Const(expr)), other) | (other, Some(Time::Const(expr)))) = (longest, first)
    else {
        return TokenStream::new();
    };
    if let Some(Time::Env { .. }) = other {
        return TokenStream::new();
    }
    let pause = |time: Option<&Time>, judge, default| {
        let given = time.and_then(|time| value::time(time, judge));
        given.map_or_else(|| value::duration(default), |given| given.value)
    };
    let first = pause(first, "backoff", defaults::BACKOFF_FIRST);
    let longest = pause(longest, "max_backoff", defaults::BACKOFF_MAX);
    let verdict = value::verdict(expr, glue!(#first, #longest), "backoffs");
    glue! {
        const _: () = { #verdict; };
    }
}

fn give_up(place: &GiveUp) -> Option<Value> {
    let place = match place {
        GiveUp::Halt => return None,
        GiveUp::Skip => glue!(Skip),
        GiveUp::DeadLetter(stream) => {
            let label = label(stream);
            glue!(dead_letter::<#stream>(#label))
        }
    };
    Some(Value::plain(glue!(__spec::GiveUp::#place)))
}

/// A stream that is written to. Not bound by `Stream`: the wiring asks that once, where one error is enough.
pub(super) fn stream_ref(stream: &Path) -> TokenStream {
    let label = label(stream);
    glue!(__spec::StreamRef::named::<#stream>(#label))
}

fn label(stream: &Path) -> String {
    let last = stream.segments.last();
    last.map_or_else(
        || stream.to_token_stream().to_string(),
        |last| crate::words::plain(&last.ident),
    )
}
