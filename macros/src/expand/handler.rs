//! A handler's glue: decode, extract, call, settle.

use kinesis_app_rules::defaults;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};

use crate::expand::value::{self, Value};
use crate::expand::{cfgs, failure};
use crate::model::failure::Failure;
use crate::model::handler::{Concurrency, Handler, Order, Takes};
use crate::model::time::Time;
use crate::model::value::{Number, Setting};
use crate::words::plain;

/// The type that stands for a handler. Its name is made from the handler's place, never from a name of the user's.
pub(super) fn glue_type(at: usize) -> Ident {
    format_ident!("__KinesisAppHandler{at}", span = Span::mixed_site())
}

pub(super) fn glue(at: usize, handler: &Handler, runtime: &TokenStream) -> TokenStream {
    let glue_type = glue_type(at);
    let (stream, cfgs) = (&handler.stream, cfgs(&handler.callee.cfgs));
    let Value {
        value: spec,
        beside,
    } = spec(handler, runtime);

    // Two handlers of one stream collide here. The error underlines both attributes, whole, because the `impl` has
    // the span of the `#` and the braces that of the `]`.
    let start = quote_spanned!(handler.pound=> impl);
    let mut body = Group::new(
        Delimiter::Brace,
        glue!(
            type Handler = #glue_type;
        ),
    );
    body.set_span(handler.bracket);

    let settled = match handler.takes {
        Takes::Records { .. } => glue!(Settled),
        Takes::Batches { .. } => glue!(BatchSettled),
    };
    // A future that is not `Send` is reported at the `async` keyword.
    let future = quote_spanned! {handler.asyncness=>
        impl ::core::future::Future<Output = #runtime::#settled> + ::core::marker::Send
    };
    let call = call(handler, &future, runtime);
    let kind = match handler.takes {
        Takes::Records { .. } => glue!(RecordHandler),
        Takes::Batches { .. } => glue!(BatchHandler),
    };
    glue! {
        #cfgs
        pub struct #glue_type;

        #cfgs
        const _: () = {
            #[automatically_derived]
            #start #runtime::OneHandlerPerStream<App> for #stream #body

            // What the wiring names: never in conflict, so that a second handler is one error, the one above.
            #[automatically_derived]
            impl #runtime::OneHandlerPerStream<#glue_type> for #stream {
                type Handler = #glue_type;
            }

            #[automatically_derived]
            impl #runtime::#kind<__KinesisAppWiring> for #glue_type {
                type Stream = #stream;
                const SPEC: #runtime::spec::HandlerSpec = #spec;
                #call
            }
            #beside
        };
    }
}

/// One attempt: what the parameters are taken from, and the call.
fn call(handler: &Handler, future: &TokenStream, runtime: &TokenStream) -> TokenStream {
    let Handler { stream, output, .. } = handler;
    let name = &handler.callee.ident;
    let state = glue!(<__KinesisAppWiring as #runtime::__private::Wire>::State);
    let arguments: Vec<_> = (0..handler.params.len())
        .map(|at| format_ident!("__arg{at}", span = Span::mixed_site()))
        .collect();
    let reads = handler.params.iter().enumerate().map(|(at, param)| {
        let (ty, argument) = (&param.ty, &arguments[at]);
        // The user's type is `Self`, so that what is missing is reported on it.
        let (read, refused) = match (&handler.takes, at) {
            (Takes::Records { .. }, 0) => (
                glue! {
                    <#ty as #runtime::Payload<'_, <#stream as #runtime::Stream>::Codec>>::decode(
                        __cx.record(),
                    )
                },
                glue!(Settled::undecodable),
            ),
            (Takes::Records { .. }, _) => (
                glue!(<#ty as #runtime::FromRecord<#state>>::from_record(__cx)),
                glue!(Settled::undecodable),
            ),
            (Takes::Batches { .. }, 0) => {
                return glue! {
                    let ::core::option::Option::Some(#argument) =
                        <#ty as #runtime::FromRecords<
                            '_,
                            <#stream as #runtime::Stream>::Codec,
                        >>::from_records(__cx)
                    else {
                        return #runtime::BatchSettled::nothing_given();
                    };
                };
            }
            (Takes::Batches { .. }, _) => (
                glue!(<#ty as #runtime::FromBatch<#state>>::from_batch(__cx)),
                glue!(BatchSettled::failed),
            ),
        };
        glue! {
            let #argument = match #read {
                ::core::result::Result::Ok(__value) => __value,
                ::core::result::Result::Err(__error) => {
                    return #runtime::#refused(__error);
                }
            };
        }
    });
    let (context, settle) = match handler.takes {
        Takes::Records { .. } => (
            glue!(RecordContext),
            match &handler.publish {
                None => glue!(<#output as #runtime::IntoOutcome>::into_outcome(__out)),
                Some(target) => {
                    let to = failure::stream_ref(target, runtime);
                    glue! {
                        <#output as #runtime::IntoReply<
                            <#target as #runtime::Stream>::Codec,
                        >>::into_reply(__out, #to)
                    }
                }
            },
        ),
        Takes::Batches { .. } => (
            glue!(BatchContext),
            glue!(<#output as #runtime::IntoBatchOutcome>::into_batch_outcome(__out)),
        ),
    };
    glue! {
        fn call<'__r>(__cx: &'__r #runtime::#context<'__r, #state>) -> #future {
            async move {
                #(#reads)*
                let __out = #name(#(#arguments),*).await;
                #settle
            }
        }
    }
}

/// What the attribute says.
fn spec(handler: &Handler, runtime: &TokenStream) -> Value {
    let variables = variables(handler, runtime);
    let name = plain(&handler.callee.ident);
    let label = match &handler.label {
        None | Some(Setting::Env { .. }) => Value::plain(glue!(#name)),
        Some(Setting::Literal(label)) => Value::plain(glue!(#label)),
        Some(Setting::Const(expr)) => value::text_const(expr, "handler_label", runtime),
    };
    let description = &handler.description;
    let takes = takes(&handler.takes, runtime);
    let failure = failure::fields(&handler.failure, runtime);
    let beside = [label.beside, takes.beside, failure.beside];
    let label = label.value;
    let (takes, failure) = (takes.value, failure.value);
    Value {
        value: glue! {
            #runtime::spec::HandlerSpec {
                label: #label,
                description: #description,
                #takes
                #failure
                variables: #variables,
            }
        },
        beside: beside.into_iter().collect(),
    }
}

fn variables(handler: &Handler, runtime: &TokenStream) -> TokenStream {
    let max_wait = match &handler.takes {
        Takes::Batches { max_wait, .. } => max_wait.as_ref(),
        Takes::Records { .. } => None,
    };
    let Failure { retry, timeout, .. } = &handler.failure;
    value::variables(
        &[
            ("Label", handler.label.as_ref()),
            ("MaxWait", max_wait.and_then(Time::variable)),
            ("Backoff", retry.backoff.as_ref().and_then(Time::variable)),
            (
                "MaxBackoff",
                retry.max_backoff.as_ref().and_then(Time::variable),
            ),
            ("Timeout", timeout.as_ref().and_then(Time::variable)),
        ],
        runtime,
    )
}

/// The fields `concurrency`, `order` and `batch`.
fn takes(takes: &Takes, runtime: &TokenStream) -> Value {
    let number = |given: &Option<Number>, default, judge| {
        let default = Number::Literal(default);
        value::number(given.as_ref().unwrap_or(&default), judge, runtime)
    };
    let (shard, total, order, batch) = match takes {
        Takes::Records { concurrency, order } => (
            number(&concurrency.shard, defaults::CONCURRENCY, "concurrency"),
            concurrency.total.as_ref().map_or_else(
                || Value::option(None),
                |total| value::non_zero(total, "total", runtime),
            ),
            match order {
                Order::PartitionKey => glue!(PartitionKey),
                Order::Shard => glue!(Shard),
            },
            Value::option(None),
        ),
        Takes::Batches {
            max_records,
            max_wait,
        } => {
            let max_records = number(max_records, defaults::MAX_RECORDS, "max_records");
            let max_wait = max_wait.as_ref();
            let max_wait = value::time(max_wait, defaults::MAX_WAIT, "max_wait", runtime);
            let beside = [max_records.beside, max_wait.beside];
            let (max_records, max_wait) = (max_records.value, max_wait.value);
            let batch = Value {
                value: glue! {
                    #runtime::spec::BatchSpec {
                        max_records: #max_records,
                        max_wait: #max_wait,
                    }
                },
                beside: beside.into_iter().collect(),
            };
            (
                number(&None, defaults::CONCURRENCY, "concurrency"),
                Value::option(None),
                glue!(PartitionKey),
                Value::option(Some(batch)),
            )
        }
    };
    let pairs = match takes {
        Takes::Records { concurrency, order } => pairs(concurrency, *order, runtime),
        Takes::Batches { .. } => TokenStream::new(),
    };
    let beside = [shard.beside, total.beside, batch.beside, pairs];
    let (shard, total, batch) = (shard.value, total.value, batch.value);
    Value {
        value: glue! {
            concurrency: #runtime::spec::Concurrency {
                shard: #shard,
                total: #total,
            },
            order: #runtime::spec::Order::#order,
            batch: #batch,
        },
        beside: beside.into_iter().collect(),
    }
}

/// Two literals were compared by the macro; a `const` among them is compared by the compiler.
fn pairs(concurrency: &Concurrency, order: Order, runtime: &TokenStream) -> TokenStream {
    let value = |number: &Number, judge| value::number(number, judge, runtime).value;
    let mut all = TokenStream::new();
    let Concurrency { shard, total } = concurrency;
    if let (Some(shard), Some(total)) = (shard, total)
        && let (_, Number::Const(expr)) | (Number::Const(expr), _) = (shard, total)
    {
        let numbers = (value(shard, "concurrency"), value(total, "total"));
        let (shard, total) = numbers;
        let verdict = value::verdict(expr, glue!(#shard, #total), "below_total", runtime);
        all.extend(glue!(const _: () = { #verdict; };));
    }
    if let (Some(shard @ Number::Const(expr)), Order::Shard) = (shard, order) {
        let shard = value(shard, "concurrency");
        let verdict = value::verdict(expr, shard, "one_at_a_time", runtime);
        all.extend(glue!(const _: () = { #verdict; };));
    }
    all
}
