//! Model to tokens. Nothing here can fail.
//!
//! All glue stands in a scope of its own that imports the runtime as `__rt` and its descriptors as `__spec`; everything
//! else is named by its absolute path. Locals are hygienic, and the names of glue types are fixed, so that no item of the
//! user's can be caught by them. Spans of the user's are borrowed one token at a time, and only from tokens that nobody
//! hovers.

/// `quote!`, hygienic: locals of the glue are none of the user's.
macro_rules! glue {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}

mod app;
mod docs;
mod failure;
pub(crate) mod fallback;
mod handler;
pub(crate) mod hints;
mod hooks;
mod shard_hooks;
pub(crate) mod state;
pub(crate) mod stream;
mod used;
mod value;

use proc_macro2::TokenStream;

use crate::model::Model;
use crate::parse::module::Module;

/// The module with its glue.
pub(crate) fn module(module: &Module, model: &Model, hints: &TokenStream) -> TokenStream {
    let docs = docs::app(module, model);
    let streams = model.streams.iter().map(stream::glue);
    let app = app::glue(model);
    let handlers = model.handlers.iter().enumerate();
    let handlers = handlers.map(|(at, handler)| handler::glue(at, handler));
    let shard_hooks = shard_hooks::glue(model);
    let used = used::glue(module, &model.runtime);
    let glue = scope(
        &model.runtime,
        &glue! {
            #(#streams)*
            #app
            #(#handlers)*
            #shard_hooks
            #used
        },
    );
    let behind = glue! {
        #hints
        #docs
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
        pub struct App;

        #glue
    };
    around(module, &behind)
}

/// Where glue stands: out of the way of the user's names, and with short ones for the runtime's.
pub(crate) fn scope(runtime: &TokenStream, glue: &TokenStream) -> TokenStream {
    glue! {
        const _: () = {
            use #runtime as __rt;
            use #runtime::spec as __spec;

            #glue
        };
    }
}

/// Items of one thing of the user's, each under its `#[cfg]`s; in a scope of their own if constants stand beside them, whose
/// names are the same for every thing.
fn under(cfgs: &[TokenStream], items: &[TokenStream], beside: &TokenStream) -> TokenStream {
    let cfgs = self::cfgs(cfgs);
    if beside.is_empty() {
        return glue!(#(#cfgs #items)*);
    }
    glue! {
        #cfgs
        const _: () = {
            #(#items)*
            #beside
        };
    }
}

/// The user's module, its items as they were typed, with something behind them.
pub(crate) fn around(module: &Module, behind: &TokenStream) -> TokenStream {
    let Module {
        attrs,
        vis,
        mod_token,
        ident,
        inner_attrs,
        items,
        lacks_an_item: _,
    } = module;
    quote::quote! {
        #(#attrs)*
        #vis #mod_token #ident {
            #(#inner_attrs)*
            #(#items)*
            #behind
        }
    }
}

/// `#[cfg(..)]`s of a user's item, for its glue.
fn cfgs(predicates: &[TokenStream]) -> TokenStream {
    predicates
        .iter()
        .map(|predicate| glue!(#[cfg(#predicate)]))
        .collect()
}

/// `#[cfg]` for what stands in for items that are all left out; `None` if one of them is always there.
fn unless<'a>(items: impl Iterator<Item = &'a [TokenStream]>) -> Option<TokenStream> {
    let mut any = Vec::new();
    for cfgs in items {
        if cfgs.is_empty() {
            return None;
        }
        any.push(glue!(all(#(#cfgs),*)));
    }
    Some(if any.is_empty() {
        TokenStream::new()
    } else {
        glue!(#[cfg(not(any(#(#any),*)))])
    })
}
