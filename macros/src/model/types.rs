//! Types of parameters and results: what the glue can write of them.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{GenericArgument, Lifetime, PathArguments, Type, TypeParamBound};

use crate::words::tidy;

/// What an `impl Future` yields.
pub(super) fn future(ty: &Type) -> Option<String> {
    let Type::ImplTrait(hidden) = ty else {
        return None;
    };
    hidden.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return None;
        };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(output) if last.ident == "Future" => Some(tidy(&output.ty)),
            _ => None,
        })
    })
}

pub(super) fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Whether a type can be written in the glue: an `impl Trait` is another one wherever it stands.
pub(crate) fn is_named(ty: &TokenStream) -> bool {
    find_impl(ty.clone()).is_none()
}

/// The first `impl` in a type.
pub(super) fn find_impl(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) if word == "impl" => Some(word.span()),
        TokenTree::Group(group) => find_impl(group.stream()),
        _ => None,
    })
}

/// The type with `'_` for the function's own lifetimes, whose names the glue does not know.
pub(super) fn elide(tokens: TokenStream, lifetimes: &[Lifetime]) -> TokenStream {
    if lifetimes.is_empty() {
        return tokens;
    }
    let mut after_tick = false;
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(word)
                if after_tick && lifetimes.iter().any(|own| own.ident == word) =>
            {
                after_tick = false;
                let elided = Ident::new("_", word.span());
                quote!(#elided)
            }
            TokenTree::Group(group) => {
                after_tick = false;
                let mut inner = Group::new(group.delimiter(), elide(group.stream(), lifetimes));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            other => {
                after_tick = matches!(&other, TokenTree::Punct(punct) if punct.as_char() == '\'');
                other.into()
            }
        })
        .collect()
}
