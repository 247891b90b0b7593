//! Names for the editor. Under rust-analyzer the words of an attribute are given back as imports, so that hovering one
//! shows its documentation and completion knows the others.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::Attribute;

use crate::keys::Table;

/// All hints of a module. rustc leaves them out, and would warn of a `cfg` that it does not know.
pub(crate) fn together(hints: &[TokenStream]) -> TokenStream {
    glue! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            {
                #({ #hints })*
            }
        };
    }
}

/// The hints of one attribute: its name, if it was written without a path, and its keys.
pub(crate) fn keys(
    name: Option<&Ident>,
    tokens: &TokenStream,
    table: &'static Table,
    runtime: &TokenStream,
) -> TokenStream {
    let name = name.map(|name| glue!(use #runtime::#name as _;));
    // A keyword cannot be imported, and rustc parses what it leaves out; rust-analyzer completes the other words.
    let words = first_words(tokens);
    let words = words
        .iter()
        .filter(|word| syn::parse_str::<Ident>(&word.to_string()).is_ok());
    let of = Ident::new(table.of, proc_macro2::Span::mixed_site());
    glue! {
        #name
        mod __keys {
            use #runtime::__ide::#of::*;
            use self::{#(#words as _,)*};
        }
    }
}

/// The hint of a hook, which takes no keys.
pub(crate) fn name(attr: &Attribute, runtime: &TokenStream) -> TokenStream {
    match attr.path().get_ident() {
        Some(name) => glue!(use #runtime::#name as _;),
        None => TokenStream::new(),
    }
}

/// The first word of each argument, whatever follows it, for the argument may be half typed.
fn first_words(tokens: &TokenStream) -> Vec<Ident> {
    let mut words = Vec::new();
    let mut first = true;
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(word) if first => {
                words.push(word);
                first = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => first = true,
            _ => first = false,
        }
    }
    words
}
