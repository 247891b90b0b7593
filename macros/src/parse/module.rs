//! The module that `#[kinesis_app]` stands on.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Meta, Token, Visibility, token};

use crate::errors::Errors;
use crate::parse::first;
use crate::parse::foreign::On;
use crate::parse::item::{Item, Sort};
use crate::parse::marks::{Kind, names_ours};
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
        let mut attrs = input.call(Attribute::parse_outer)?;
        refuse_second(&mut attrs, runtime, errors);
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
        // On a fork: what a failed parse leaves in a delimiter, syn would report as unexpected in the end.
        let ahead = input.fork();
        match Item::parse(&ahead, runtime) {
            Ok(item) => {
                input.advance_to(&ahead);
                items.push(item);
            }
            Err(error) => {
                errors.push_syn(&error);
                let unread = input.parse().unwrap_or_default();
                correct(&mut items);
                return (items, unmarked(unread, runtime));
            }
        }
    }
    correct(&mut items);
    (items, TokenStream::new())
}

/// Takes what other libraries write where we have words of our own, to be reported once: rustc only sees what is left.
fn correct(items: &mut [Item]) {
    let names = items.iter().flat_map(Item::names);
    let names: Vec<_> = names.map(ToString::to_string).collect();
    for item in items {
        let on = match item {
            Item::Function(_) => On::Function,
            Item::Stream(_) => On::Struct,
            Item::Other(other) if other.sort == Sort::Struct => On::Struct,
            Item::Other(_) => continue,
        };
        item.attributes_mut().adopt(on, &names);
        if let Item::Function(function) = item
            && function.attributes.marks_a_handler()
        {
            function.first = first::read(&mut function.sig.inputs, &names);
        }
    }
}

/// Without our attributes: rustc would reach them, and they would say that they stand outside of an app.
fn unmarked(tokens: TokenStream, runtime: &str) -> TokenStream {
    let mut kept = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let pound = matches!(&token, TokenTree::Punct(pound) if pound.as_char() == '#');
        if pound
            && tokens
                .next_if(|next| needs_the_module(next, runtime))
                .is_some()
        {
            continue;
        }
        kept.extend([token]);
    }
    kept
}

/// Whether a token is the `[..]` of an attribute of ours. `#[stream]` works by itself.
fn needs_the_module(token: &TokenTree, runtime: &str) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    if group.delimiter() != Delimiter::Bracket {
        return false;
    }
    syn::parse2::<Meta>(group.stream())
        .is_ok_and(|meta| Kind::of(meta.path(), runtime).is_some_and(|kind| kind != Kind::Stream))
}

/// A second `#[kinesis_app]`, which would find nothing but plain functions.
fn refuse_second(attrs: &mut Vec<Attribute>, runtime: &str, errors: &mut Errors) {
    attrs.retain(|attr| {
        let second = names_ours(attr.path(), "kinesis_app", runtime);
        if second {
            errors
                .push(
                    Range::of(attr.path()),
                    "the module is already a `#[kinesis_app]`",
                )
                .help("write a second module for a second application");
        }
        !second
    });
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
