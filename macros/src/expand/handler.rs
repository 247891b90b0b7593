//! A handler's glue: decode, extract, call, settle.

use kinesis_app_rules::defaults;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};

use crate::expand::value::{self, Value};
use crate::expand::{cfgs, failure};
use crate::model::handler::{Handler, Order};
use crate::model::value::Number;
use crate::words::plain;

/// The type that stands for a handler. Its name is made from the handler's place, never from a name of the user's.
pub(super) fn glue_type(at: usize) -> Ident {
    format_ident!("__KinesisAppHandler{at}", span = Span::mixed_site())
}

pub(super) fn glue(at: usize, handler: &Handler, runtime: &TokenStream) -> TokenStream {
    let glue_type = glue_type(at);
    let Handler { stream, output, .. } = handler;
    let (name, cfgs) = (&handler.callee.ident, cfgs(&handler.callee.cfgs));
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

    // A future that is not `Send` is reported at the `async` keyword.
    let future = quote_spanned! {handler.asyncness=>
        impl ::core::future::Future<Output = #runtime::Settled> + ::core::marker::Send
    };
    let arguments: Vec<_> = (0..handler.params.len())
        .map(|at| format_ident!("__arg{at}", span = Span::mixed_site()))
        .collect();
    let reads = handler.params.iter().enumerate().map(|(at, param)| {
        let (ty, argument) = (&param.ty, &arguments[at]);
        // The user's type is `Self`, so that what is missing is reported on it.
        let read = if at == 0 {
            glue! {
                <#ty as #runtime::Payload<'_, <#stream as #runtime::Stream>::Codec>>::decode(
                    __cx.record(),
                )
            }
        } else {
            glue! {
                <#ty as #runtime::FromRecord<
                    <__KinesisAppWiring as #runtime::__private::Wire>::State,
                >>::from_record(__cx)
            }
        };
        glue! {
            let #argument = match #read {
                ::core::result::Result::Ok(__value) => __value,
                ::core::result::Result::Err(__error) => {
                    return #runtime::Settled::undecodable(__error);
                }
            };
        }
    });
    let settled = match &handler.publish {
        None => glue!(<#output as #runtime::IntoOutcome>::into_outcome(__out)),
        Some(target) => glue!(<#output as #runtime::IntoReply<#target>>::into_reply(__out)),
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
            impl #runtime::RecordHandler<__KinesisAppWiring> for #glue_type {
                type Stream = #stream;
                const SPEC: #runtime::spec::HandlerSpec = #spec;
                fn call<'__r>(
                    __cx: &'__r #runtime::RecordContext<
                        '__r,
                        <__KinesisAppWiring as #runtime::__private::Wire>::State,
                    >,
                ) -> #future {
                    async move {
                        #(#reads)*
                        let __out = #name(#(#arguments),*).await;
                        #settled
                    }
                }
            }
            #beside
        };
    }
}

/// What the attribute says.
fn spec(handler: &Handler, runtime: &TokenStream) -> Value {
    let label = handler.label.clone();
    let label = label.unwrap_or_else(|| plain(&handler.callee.ident));
    let description = &handler.description;
    let shard = handler.concurrency.shard.as_ref();
    let shard = shard.unwrap_or(&Number::Literal(defaults::CONCURRENCY));
    let shard = value::number(shard, "concurrency", runtime);
    let total = match &handler.concurrency.total {
        None => Value::option(None),
        Some(total) => value::non_zero(total, "total", runtime),
    };
    let failure = failure::fields(&handler.failure, runtime);
    let order = match handler.order {
        Order::PartitionKey => glue!(PartitionKey),
        Order::Shard => glue!(Shard),
    };
    let beside = [shard.beside, total.beside, failure.beside];
    let (shard, total, failure) = (shard.value, total.value, failure.value);
    Value {
        value: glue! {
            #runtime::spec::HandlerSpec {
                label: #label,
                description: #description,
                concurrency: #runtime::spec::Concurrency {
                    shard: #shard,
                    total: #total,
                },
                order: #runtime::spec::Order::#order,
                #failure
            }
        },
        beside: beside.into_iter().collect(),
    }
}
