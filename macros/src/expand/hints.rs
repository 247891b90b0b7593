//! Names for the editor. Under rust-analyzer the words of an attribute are given back as imports, so that hovering one
//! shows its documentation and completion knows the others; what stands in the place of a type is given back as one.
//!
//! They come before all else that is written from the attributes. To complete a word, an editor expands once more with a
//! mark in it, and looks for its place in what it had before: errors and labels that name the word would move it.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::Type;

use crate::keys::{APP, ON_BATCH, ON_RECORD, STREAM, Table};
use crate::parse::marks::{Kind, Mark, split_at_commas};
use crate::parse::module::Module;
use crate::words::plain;

/// The hints of an application.
pub(crate) fn module(args: &TokenStream, module: &Module, runtime: &TokenStream) -> TokenStream {
    let marks = module
        .items
        .iter()
        .flat_map(|item| &item.attributes().marks);
    let mut hints = vec![words(split_at_commas(args.clone()), &APP, runtime)];
    hints.extend(marks.map(|mark| attribute(mark, runtime)));
    together(&hints)
}

/// The hints of a stream that stands alone.
pub(crate) fn stream(args: &TokenStream, runtime: &TokenStream) -> TokenStream {
    together(&[words(split_at_commas(args.clone()), &STREAM, runtime)])
}

/// rustc leaves them out, and would warn of a `cfg` that it does not know.
fn together(hints: &[TokenStream]) -> TokenStream {
    glue! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            {
                #(#hints)*
            }
        };
    }
}

/// Its name, if it was written without a path, its stream, and its keys.
fn attribute(mark: &Mark, runtime: &TokenStream) -> TokenStream {
    let name = mark.attr.path().get_ident();
    let name = name.map(|name| glue!(use #runtime::#name as _;));
    let args = mark.words();
    let rest = match mark.kind {
        Kind::Foreign(_) => return TokenStream::new(),
        Kind::Stream => words(split_at_commas(args), &STREAM, runtime),
        Kind::OnRecord => handler(args, &ON_RECORD, runtime),
        Kind::OnBatch => handler(args, &ON_BATCH, runtime),
        Kind::OnShardStart | Kind::OnShardEnd => named_type(args),
        _ => TokenStream::new(),
    };
    glue!(#name #rest)
}

/// The stream, and the keys behind it.
fn handler(args: TokenStream, table: &'static Table, runtime: &TokenStream) -> TokenStream {
    let keys = split_at_commas(args.clone()).split_off(1);
    let (stream, words) = (named_type(args), words(keys, table, runtime));
    glue!(#stream #words)
}

/// The first word of each argument, and what stands in the parentheses behind it.
fn words(args: Vec<TokenStream>, table: &'static Table, runtime: &TokenStream) -> TokenStream {
    let mut names = Vec::new();
    let mut inside = Vec::new();
    for arg in args {
        let mut tokens = arg.into_iter();
        let Some(TokenTree::Ident(name)) = tokens.next() else {
            continue;
        };
        if let (Some(key), Some(TokenTree::Group(group))) =
            (table.find(&plain(&name)), tokens.next())
        {
            inside.push(match table.inside(key) {
                Some(table) => words(split_at_commas(group.stream()), table, runtime),
                None => named_type(group.stream()),
            });
        }
        names.push(name);
    }
    // A keyword cannot be imported, and rustc parses what it leaves out; rust-analyzer completes the other words.
    names.retain(|name| name != "gen" && syn::parse_str::<Ident>(&name.to_string()).is_ok());
    let of = Ident::new(table.of, Span::mixed_site());
    glue! {
        {
            mod __words {
                use #runtime::__ide::#of::*;
                use self::{#(#names as _,)*};
            }
        }
        #(#inside)*
    }
}

/// As much of a path as can be parsed, for it may be half typed. Nothing yet has the place of a type as well.
fn named_type(tokens: TokenStream) -> TokenStream {
    let joint =
        |token: &TokenTree| matches!(token, TokenTree::Punct(joint) if joint.as_char() == ':');
    let in_path = |token: &TokenTree| matches!(token, TokenTree::Ident(_)) || joint(token);
    let mut path: Vec<_> = tokens.into_iter().take_while(in_path).collect();
    while path.pop_if(|token| joint(token)).is_some() {}
    let named = syn::parse2::<Type>(path.into_iter().collect()).ok();
    glue!(let _: (#named);)
}
