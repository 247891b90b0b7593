//! Hooks of shards: a type each, which the wiring names beside the stream's handler.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};

use crate::expand::{cfgs, hooks, under};
use crate::model::Model;
use crate::model::hook::{Call, Hook, Moment};

/// The type that stands for a hook, named like that of a handler.
fn glue_type(at: usize) -> Ident {
    format_ident!("__ShardHook{at}", span = Span::mixed_site())
}

pub(super) fn glue(model: &Model) -> TokenStream {
    let hooks = model.hooks.iter().enumerate();
    hooks.filter_map(|(at, hook)| one(at, hook)).collect()
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

fn one(at: usize, hook: &Hook) -> Option<TokenStream> {
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
    let (name, glue_type) = (&hook.callee.ident, glue_type(at));
    let moment = match moment {
        Moment::Start => glue!(ShardStart),
        Moment::End => glue!(ShardEnd),
    };
    let output = output.clone().unwrap_or_else(|| glue!(()));
    // As with handlers: two of one stream collide here, on both attributes.
    let start = quote_spanned!(*pound=> impl);
    let mut body = Group::new(Delimiter::Brace, TokenStream::new());
    body.set_span(*bracket);
    let future = quote_spanned!(*asyncness=> impl __rt::HookFuture<()>);
    let arguments = hooks::arguments(params, &glue!(__rt::FromShard < __State >> ::from_shard));
    let items = [
        glue!(pub struct #glue_type;),
        glue! {
            #[automatically_derived]
            #start __rt::__private::OneHookPerStream<App, __rt::__private::#moment>
                for #stream #body
        },
        glue! {
            #[automatically_derived]
            impl __rt::__private::ShardHook<__Wiring> for #glue_type {
                fn call(__cx: &__rt::ShardContext<'_, __State>) -> #future {
                    async move {
                        let __future = #name(#arguments);
                        <#output as __rt::HookOutput>::into_result(__future.await)
                    }
                }
            }
        },
    ];
    Some(under(&hook.callee.cfgs, &items, &TokenStream::new()))
}
