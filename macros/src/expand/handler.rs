//! A handler's glue: decode, extract, call, settle.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};

use crate::expand::value::{self, Fields, Value};
use crate::expand::{cfgs, failure, under};
use crate::model::failure::Failure;
use crate::model::handler::{Concurrency, Handler, Order, Takes};
use crate::model::number::Number;
use crate::model::time::Time;
use crate::model::value::Setting;
use crate::words::plain;

/// The type that stands for a handler. Its name is made from the handler's place, never from a name of the user's.
pub(super) fn glue_type(at: usize) -> Ident {
    format_ident!("__Handler{at}", span = Span::mixed_site())
}

pub(super) fn glue(at: usize, handler: &Handler) -> TokenStream {
    let (glue_type, stream) = (glue_type(at), &handler.stream);
    // Two handlers of one stream collide here. The error underlines both attributes, whole, because the `impl` has
    // the span of the `#` and the braces that of the `]`.
    let start = quote_spanned!(handler.pound=> impl);
    let mut body = Group::new(Delimiter::Brace, TokenStream::new());
    body.set_span(handler.bracket);
    let kind = match handler.takes {
        Takes::Records { .. } => glue!(RecordHandler),
        Takes::Batches { .. } => glue!(BatchHandler),
    };
    let call = call(handler);
    let Value {
        value: spec,
        beside,
    } = spec(handler);
    let items = [
        glue! {
            #start __rt::OneHandlerPerStream<App> for #stream #body
        },
        glue! {
            #[automatically_derived]
            impl __rt::#kind<__Wiring> for #glue_type {
                const SPEC: __spec::HandlerSpec = #spec;
                #call
            }
        },
    ];
    let glue = under(&handler.callee.cfgs, &items, &beside);
    let cfgs = cfgs(&handler.callee.cfgs);
    glue! {
        #cfgs
        pub struct #glue_type;
        #glue
    }
}

/// One attempt: what the parameters are taken from, and the call.
fn call(handler: &Handler) -> TokenStream {
    let Handler {
        stream,
        output,
        params,
        ..
    } = handler;
    let name = &handler.callee.ident;
    let codec = glue!(<#stream as __rt::Stream>::Codec);
    // The user's type is `Self`, so that what is missing is reported on it.
    let arguments = params.iter().enumerate().map(|(at, param)| {
        let (ty, cfgs) = (&param.ty, cfgs(&param.cfgs));
        let argument = match (&handler.takes, at) {
            (Takes::Records { .. }, 0) => {
                glue!(<#ty as __rt::Payload<#codec>>::decode(__cx.record()))
            }
            (Takes::Records { .. }, _) => {
                glue!(<#ty as __rt::FromRecord<__State>>::from_record(__cx))
            }
            (Takes::Batches { .. }, 0) => {
                glue!(<#ty as __rt::FromRecords<#codec>>::from_records(__cx))
            }
            (Takes::Batches { .. }, _) => {
                glue!(<#ty as __rt::FromBatch<__State>>::from_batch(__cx))
            }
        };
        glue!(#cfgs #argument?)
    });
    let (context, future, settle) = match (&handler.takes, &handler.publish) {
        (Takes::Records { .. }, None) => (
            glue!(RecordContext),
            "RecordFuture",
            glue!(<#output as __rt::IntoOutcome>::into_outcome(__future.await)),
        ),
        (Takes::Records { .. }, Some(target)) => {
            let to = failure::stream_ref(target);
            let codec = glue!(<#target as __rt::Stream>::Codec);
            (
                glue!(RecordContext),
                "RecordFuture",
                glue!(<#output as __rt::IntoReply<#codec>>::into_reply(__future.await, #to)),
            )
        }
        (Takes::Batches { .. }, _) => (
            glue!(BatchContext),
            "BatchFuture",
            glue!(<#output as __rt::IntoBatchOutcome>::into_batch_outcome(__future.await)),
        ),
    };
    // A future that is not `Send` is reported at the `async` keyword.
    let future = Ident::new(future, handler.asyncness);
    let future = quote_spanned!(handler.asyncness=> impl __rt::#future);
    glue! {
        fn call(__cx: &__rt::#context<'_, __State>) -> #future {
            async move {
                let __future = #name(#(#arguments),*);
                ::core::result::Result::Ok(#settle)
            }
        }
    }
}

/// What the attribute says.
fn spec(handler: &Handler) -> Value {
    let name = plain(&handler.callee.ident);
    let label = match &handler.label {
        None | Some(Setting::Env { .. }) => Value::plain(glue!(#name)),
        Some(Setting::Literal(label)) => Value::plain(glue!(#label)),
        Some(Setting::Const(expr)) => value::text_const(expr, "handler_label"),
    };
    let Value {
        value: label,
        mut beside,
    } = label;
    let description = &handler.description;
    let mut fields = Fields::default();
    let new = match &handler.takes {
        Takes::Records {
            concurrency,
            order: order_of,
        } => {
            let order = match order_of {
                Order::PartitionKey => None,
                Order::Shard => Some(Value::plain(glue!(__spec::Order::Shard))),
                Order::None => Some(Value::plain(glue!(__spec::Order::None))),
            };
            fields.set("concurrency", self::concurrency(concurrency));
            fields.set("order", order);
            beside.extend(pairs(concurrency, *order_of));
            glue!(records)
        }
        Takes::Batches {
            max_records,
            max_wait,
        } => {
            fields.set("batch", batch(max_records.as_ref(), max_wait.as_ref()));
            glue!(batches)
        }
    };
    failure::fields(&handler.failure, &mut fields);
    let publish = handler.publish.as_ref().map(failure::stream_ref);
    fields.set("publish", publish.map(|to| Value::plain(to).some()));
    fields.set("variables", variables(handler));
    let mut spec = fields.over(
        &glue!(__spec::HandlerSpec),
        &glue!(#new(#label, #description)),
    );
    spec.beside.extend(beside);
    spec
}

fn variables(handler: &Handler) -> Option<Value> {
    let max_wait = match &handler.takes {
        Takes::Batches { max_wait, .. } => max_wait.as_ref(),
        Takes::Records { .. } => None,
    };
    let Failure { retry, timeout, .. } = &handler.failure;
    let (first, longest) = (retry.backoff.as_ref(), retry.max_backoff.as_ref());
    value::variables(
        "HandlerKey",
        &[
            ("Label", handler.label.as_ref()),
            ("MaxWait", max_wait.and_then(Time::variable)),
            ("Backoff", first.and_then(Time::variable)),
            ("MaxBackoff", longest.and_then(Time::variable)),
            ("Timeout", timeout.as_ref().and_then(Time::variable)),
        ],
    )
}

/// Two literals were compared by the macro; a `const` among them is compared by the compiler.
fn pairs(concurrency: &Concurrency, order: Order) -> TokenStream {
    let value = |number: &Number, judge| value::number(number, judge).value;
    let mut all = TokenStream::new();
    let Concurrency { shard, total } = concurrency;
    if let (Some(shard), Some(total)) = (shard, total)
        && let (_, Number::Const(expr)) | (Number::Const(expr), _) = (shard, total)
    {
        let (shard, total) = (value(shard, "concurrency"), value(total, "total"));
        let verdict = value::verdict(expr, glue!(#shard, #total), "below_total");
        all.extend(glue!(const _: () = { #verdict; };));
    }
    if let (Some(shard @ Number::Const(expr)), Order::Shard) = (shard, order) {
        let verdict = value::verdict(expr, value(shard, "concurrency"), "one_at_a_time");
        all.extend(glue!(const _: () = { #verdict; };));
    }
    all
}

fn concurrency(concurrency: &Concurrency) -> Option<Value> {
    let (shard, total) = (concurrency.shard.as_ref(), concurrency.total.as_ref());
    let mut fields = Fields::default();
    fields.set(
        "shard",
        shard.map(|number| value::number(number, "concurrency")),
    );
    fields.set(
        "total",
        total.map(|number| value::non_zero(number, "total")),
    );
    fields.part(&glue!(__spec::Concurrency), 2)
}

fn batch(max_records: Option<&Number>, max_wait: Option<&Time>) -> Option<Value> {
    let mut fields = Fields::default();
    fields.set(
        "max_records",
        max_records.map(|number| value::number(number, "max_records")),
    );
    fields.set(
        "max_wait",
        max_wait.and_then(|time| value::time(time, "max_wait")),
    );
    fields.part(&glue!(__spec::BatchSpec), 2).map(Value::some)
}
