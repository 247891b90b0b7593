//! The module that `#[kinesis_app]` stands on.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Token, Visibility, token};

use crate::errors::Errors;
use crate::parse::item::Item;
use crate::spanned::Range;

pub(crate) struct Module {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) mod_token: Token![mod],
    pub(crate) ident: Ident,
    pub(crate) inner_attrs: Vec<Attribute>,
    pub(crate) items: Vec<Item>,
    /// What could not be read, given back as it is.
    pub(crate) unread: TokenStream,
}

/// Reads the module, or pushes why it is none.
pub(crate) fn parse(tokens: TokenStream, runtime: &str, errors: &mut Errors) -> Option<Module> {
    let parser = |input: ParseStream| -> syn::Result<Option<Module>> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis: Visibility = input.parse()?;
        if !input.peek(Token![mod]) {
            refuse_item(input, errors);
            skip(input);
            return Ok(None);
        }
        let mod_token: Token![mod] = input.parse()?;
        let ident = input.call(Ident::parse_any)?;
        if !input.peek(token::Brace) {
            let end = input.span();
            errors
                .push(
                    Range { start: mod_token.span, end },
                    "a `#[kinesis_app]` module must be written inline",
                )
                .help(format!(
                    "write `mod {ident} {{ .. }}` here; handlers may call functions from other files"
                ));
            skip(input);
            return Ok(None);
        }
        let content;
        syn::braced!(content in input);
        let inner_attrs = content.call(Attribute::parse_inner)?;
        let (items, unread) = items(&content, runtime, errors);
        Ok(Some(Module {
            attrs,
            vis,
            mod_token,
            ident,
            inner_attrs,
            items,
            unread,
        }))
    };
    match parser.parse2(tokens) {
        Ok(module) => module,
        Err(error) => {
            errors.push_syn(&error);
            None
        }
    }
}

fn items(input: ParseStream, runtime: &str, errors: &mut Errors) -> (Vec<Item>, TokenStream) {
    let mut items = Vec::new();
    while !input.is_empty() {
        let rest = input.fork();
        match Item::parse(input, runtime) {
            Ok(item) => items.push(item),
            Err(error) => {
                errors.push_syn(&error);
                skip(input);
                return (items, rest.parse().unwrap_or_default());
            }
        }
    }
    (items, TokenStream::new())
}

fn refuse_item(input: ParseStream, errors: &mut Errors) {
    let at = input.span();
    let word = input
        .call(Ident::parse_any)
        .map(|word| word.to_string())
        .unwrap_or_default();
    let what = match word.as_str() {
        "struct" => "a struct",
        "enum" => "an enum",
        "fn" | "async" | "unsafe" | "extern" => "a function",
        "impl" => "an impl block",
        "trait" => "a trait",
        "use" => "an import",
        "const" | "static" => "a constant",
        "type" => "a type alias",
        _ => "this item",
    };
    errors
        .push(
            at,
            format!("`#[kinesis_app]` goes on a module, not on {what}"),
        )
        .help("`mod billing { .. }` with the streams and handlers inside");
}

fn skip(input: ParseStream) {
    while input.parse::<TokenTree>().is_ok() {}
}
