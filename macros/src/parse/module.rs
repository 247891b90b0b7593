//! The module that `#[kinesis_app]` stands on.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Meta, Token, Visibility, token};

use crate::errors::Errors;
use crate::parse::first;
use crate::parse::foreign::On;
use crate::parse::item::Item;
use crate::parse::marks::{Kind, names_ours};
use crate::parse::other::Sort;
use crate::spanned::Range;

pub(crate) struct Module {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) mod_token: Token![mod],
    pub(crate) ident: Ident,
    pub(crate) inner_attrs: Vec<Attribute>,
    pub(crate) items: Vec<Item>,
    /// Whether an item with an attribute of ours could not be read, which was reported.
    pub(crate) lacks_an_item: bool,
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
        let (items, lacks_an_item) = items(&content, runtime, errors);
        Ok(Some(Module {
            attrs,
            vis,
            mod_token,
            ident,
            inner_attrs,
            items,
            lacks_an_item,
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

fn items(input: ParseStream, runtime: &str, errors: &mut Errors) -> (Vec<Item>, bool) {
    let mut items = Vec::new();
    let mut lacks_an_item = false;
    while !input.is_empty() {
        if misplaced_inner_attribute(input) {
            continue;
        }
        // On a fork: what a failed parse leaves in a delimiter, syn would report as unexpected in the end.
        let ahead = input.fork();
        match Item::parse(&ahead, runtime) {
            Ok(item) => {
                input.advance_to(&ahead);
                items.push(item);
            }
            // Else it is rustc's to refuse, or to know: it may be newer than syn.
            Err(error) => {
                let (kept, had_marks) = unmarked(to_the_end_of_an_item(input), runtime);
                if had_marks || declares_a_type(&kept) {
                    errors.push_syn(&error);
                }
                lacks_an_item |= had_marks;
                items.push(Item::unread(kept));
            }
        }
    }
    correct(&mut items);
    (items, lacks_an_item)
}

/// `#![..]` or `//!` behind an item: rustc has read it before us, and reported it.
fn misplaced_inner_attribute(input: ParseStream) -> bool {
    let ahead = input.fork();
    let found = ahead.parse::<Token![#]>().is_ok()
        && ahead.parse::<Token![!]>().is_ok()
        && ahead.parse::<TokenTree>().is_ok();
    if found {
        input.advance_to(&ahead);
    }
    found
}

/// A type that rustc refuses is no record and no state either, as the glue would have rustc say as well.
fn declares_a_type(tokens: &TokenStream) -> bool {
    let tokens: Vec<_> = tokens.clone().into_iter().collect();
    tokens.windows(2).any(|pair| match pair {
        [TokenTree::Ident(word), TokenTree::Ident(_)] => {
            word == "struct" || word == "enum" || word == "union"
        }
        _ => false,
    })
}

/// The tokens to the next semicolon or braces.
fn to_the_end_of_an_item(input: ParseStream) -> TokenStream {
    let mut item = TokenStream::new();
    while let Ok(token) = input.parse::<TokenTree>() {
        let ends = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        item.extend([token]);
        if ends {
            break;
        }
    }
    item
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

/// Without our attributes, and whether there were any: rustc would reach them, and they would say that they stand outside
/// of an app. `#[stream]` works by itself.
fn unmarked(tokens: TokenStream, runtime: &str) -> (TokenStream, bool) {
    let mut kept = TokenStream::new();
    let mut had_marks = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let pound = matches!(&token, TokenTree::Punct(pound) if pound.as_char() == '#');
        let kind = tokens.peek().filter(|_| pound);
        let kind = kind.and_then(|group| kind_of(group, runtime));
        had_marks |= kind.is_some();
        if kind.is_some_and(|kind| kind != Kind::Stream) {
            tokens.next();
            continue;
        }
        kept.extend([token]);
    }
    (kept, had_marks)
}

/// What the `[..]` of an attribute of ours stands for.
fn kind_of(token: &TokenTree, runtime: &str) -> Option<Kind> {
    let TokenTree::Group(group) = token else {
        return None;
    };
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let meta = syn::parse2::<Meta>(group.stream()).ok()?;
    Kind::of(meta.path(), runtime)
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
