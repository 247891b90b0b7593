//! Names for the editor. Under rust-analyzer the words of an attribute are given back as imports, so that hovering one
//! shows its documentation and completion knows the others.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::Attribute;
use syn::ext::IdentExt;

use crate::keys::Table;

/// The hints of one attribute: its name, if it was written without a path, and its keys.
pub(crate) fn attribute(
    name: Option<&Ident>,
    tokens: &TokenStream,
    table: &'static Table,
    runtime: &TokenStream,
) -> TokenStream {
    let name = name.map(|name| glue!(use #runtime::#name as _;));
    // `crate` and `r#..` cannot be imported; rust-analyzer completes what is left.
    let words = first_words(tokens);
    let words = words
        .iter()
        .filter(|word| *word != "crate" && **word == word.unraw());
    let of = Ident::new(table.of, proc_macro2::Span::mixed_site());
    glue! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            {
                #name
                mod __keys {
                    use #runtime::__ide::#of::*;
                    use self::{#(#words as _,)*};
                }
            }
        };
    }
}

/// The hint of a hook, which takes no keys.
pub(crate) fn bare(attr: &Attribute, runtime: &TokenStream) -> TokenStream {
    let Some(name) = attr.path().get_ident() else {
        return TokenStream::new();
    };
    glue! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            { use #runtime::#name as _; }
        };
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
