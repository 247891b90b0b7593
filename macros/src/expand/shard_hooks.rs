//! Hooks of shards: a type each, which the wiring names beside the stream's handler.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};

use crate::expand::{cfgs, hooks};
use crate::model::Model;
use crate::model::hook::{Call, Hook, Moment};

/// The type that stands for a hook, named like that of a handler.
fn glue_type(at: usize) -> Ident {
    format_ident!("__KinesisAppShardHook{at}", span = Span::mixed_site())
}

pub(super) fn glue(model: &Model) -> TokenStream {
    let hooks = model.hooks.iter().enumerate();
    hooks
        .filter_map(|(at, hook)| one(at, hook, &model.runtime))
        .collect()
}

/// The statements that register them, behind those of the handlers.
pub(super) fn wiring(model: &Model) -> TokenStream {
    let hooks = model.hooks.iter().enumerate();
    let hooks = hooks.filter_map(|(at, hook)| {
        let Call::Shard { moment, stream, .. } = &hook.call else {
            return None;
        };
        let (glue_type, cfgs) = (glue_type(at), cfgs(&hook.callee.cfgs));
        let method = match moment {
            Moment::Start => glue!(shard_start),
            Moment::End => glue!(shard_end),
        };
        Some(glue! {
            #cfgs
            let __builder = __builder.#method::<#stream, #glue_type>();
        })
    });
    hooks.collect()
}

fn one(at: usize, hook: &Hook, runtime: &TokenStream) -> Option<TokenStream> {
    let Call::Shard {
        moment,
        stream,
        pound,
        bracket,
        asyncness,
        params,
        output,
    } = &hook.call
    else {
        return None;
    };
    let (name, cfgs, glue_type) = (&hook.callee.ident, cfgs(&hook.callee.cfgs), glue_type(at));
    let moment = match moment {
        Moment::Start => glue!(ShardStart),
        Moment::End => glue!(ShardEnd),
    };
    let output = output.clone().unwrap_or_else(|| glue!(()));
    // As with handlers: two of one stream collide here, on both attributes.
    let start = quote_spanned!(*pound=> impl);
    let mut body = Group::new(Delimiter::Brace, TokenStream::new());
    body.set_span(*bracket);
    let future = quote_spanned! {*asyncness=>
        impl ::core::future::Future<
            Output = ::core::result::Result<(), #runtime::HookError>
        > + ::core::marker::Send
    };
    let state = glue!(<__KinesisAppWiring as #runtime::__private::Wire>::State);
    let from = glue!(#runtime::FromShard<#state>>::from_shard);
    let (reads, arguments) = hooks::arguments(params, &from);
    Some(glue! {
        #cfgs
        pub struct #glue_type;

        #cfgs
        const _: () = {
            #[automatically_derived]
            #start #runtime::__private::OneHookPerStream<App, #runtime::__private::#moment>
                for #stream #body

            #[automatically_derived]
            impl #runtime::__private::ShardHook<__KinesisAppWiring> for #glue_type {
                fn call<'__a>(__cx: &'__a #runtime::ShardContext<'__a, #state>) -> #future {
                    async move {
                        #reads
                        let __out = #name(#(#arguments),*).await;
                        <#output as #runtime::HookOutput>::into_result(__out)
                    }
                }
            }
        };
    })
}
