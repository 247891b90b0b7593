//! The attribute macros of `kinesis-app`, which re-exports them; depend on that crate.
//!
//! Three rooms: `parse` reads tokens into raw, spanned items; `model` judges them, calling the rules of
//! `kinesis-app-rules`; `expand` writes the glue and cannot fail. Errors are collected on the way and printed together,
//! in the order of the source; a module that has one expands to the user's items and stubs.

mod advice;
mod entry;
mod errors;
mod expand;
mod keys;
mod model;
mod parse;
mod spanned;
#[cfg(test)]
mod tests;
mod words;

use proc_macro::TokenStream;
use proc_macro2::Span;

#[doc = include_str!("../docs/kinesis_app.md")]
#[proc_macro_attribute]
pub fn kinesis_app(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::kinesis_app(Span::call_site().into(), &args.into(), &item.into()).into()
}

#[doc = include_str!("../docs/stream.md")]
#[proc_macro_attribute]
pub fn stream(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::stream(Span::call_site().into(), &args.into(), &item.into()).into()
}

#[doc = include_str!("../docs/on_record.md")]
#[proc_macro_attribute]
pub fn on_record(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "on_record", &item.into()).into()
}

#[doc = include_str!("../docs/on_batch.md")]
#[proc_macro_attribute]
pub fn on_batch(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "on_batch", &item.into()).into()
}

#[doc = include_str!("../docs/on_start.md")]
#[proc_macro_attribute]
pub fn on_start(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "on_start", &item.into()).into()
}

#[doc = include_str!("../docs/on_ready.md")]
#[proc_macro_attribute]
pub fn on_ready(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "on_ready", &item.into()).into()
}

#[doc = include_str!("../docs/on_shard_start.md")]
#[proc_macro_attribute]
pub fn on_shard_start(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "on_shard_start", &item.into()).into()
}

#[doc = include_str!("../docs/on_shard_end.md")]
#[proc_macro_attribute]
pub fn on_shard_end(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "on_shard_end", &item.into()).into()
}

#[doc = include_str!("../docs/on_shutdown.md")]
#[proc_macro_attribute]
pub fn on_shutdown(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "on_shutdown", &item.into()).into()
}

#[doc = include_str!("../docs/configure.md")]
#[proc_macro_attribute]
pub fn configure(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "configure", &item.into()).into()
}

#[doc = include_str!("../docs/aws.md")]
#[proc_macro_attribute]
pub fn aws(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "aws", &item.into()).into()
}

#[doc = include_str!("../docs/leases.md")]
#[proc_macro_attribute]
pub fn leases(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "leases", &item.into()).into()
}

#[doc = include_str!("../docs/observe.md")]
#[proc_macro_attribute]
pub fn observe(_args: TokenStream, item: TokenStream) -> TokenStream {
    entry::outside(Span::call_site().into(), "observe", &item.into()).into()
}

#[doc = include_str!("../docs/app_state.md")]
#[proc_macro_derive(AppState, attributes(app_state))]
pub fn app_state(item: TokenStream) -> TokenStream {
    entry::app_state(item.into()).into()
}
