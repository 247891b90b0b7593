//! Items as they are given back to rustc, our attributes left out.

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt, quote};
use syn::{Fields, FnArg, GenericParam, ItemStruct, Type, parse_quote};

use crate::parse::item::{Function, Item, Struct, mentions};

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attributes().others);
        match self {
            Self::Stream(item) => item.without_lifetimes().to_tokens(tokens),
            Self::Function(function) if function.is_ours_and_impossible() => {
                function.possible().to_tokens(tokens);
            }
            Self::Function(Function { vis, sig, body, .. }) => {
                vis.to_tokens(tokens);
                sig.to_tokens(tokens);
                body.to_tokens(tokens);
            }
            Self::Other(other) => other.tokens.to_tokens(tokens),
        }
    }
}

impl Struct {
    /// A lifetime that is used nowhere would be an error of rustc's, beside ours about it.
    pub(crate) fn without_lifetimes(&self) -> ItemStruct {
        let mut item = self.item.clone();
        let params = std::mem::take(&mut item.generics.params);
        let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
        item.generics.params = params
            .into_iter()
            .filter(|param| !is_lifetime(param) || !matches!(item.fields, Fields::Unit))
            .collect();
        item
    }
}

impl Function {
    fn is_ours_and_impossible(&self) -> bool {
        let impossible = |arg: &FnArg| match arg {
            FnArg::Receiver(_) => true,
            FnArg::Typed(arg) => sized(&arg.ty).is_some(),
        };
        !self.attributes.marks.is_empty() && self.sig.inputs.iter().any(impossible)
    }

    /// A `self` out of place, each use of it and a value without a size would be errors of rustc's, beside ours about it.
    fn possible(&self) -> TokenStream {
        let Self { vis, sig, body, .. } = self;
        let mut sig = sig.clone();
        sig.inputs = sig
            .inputs
            .into_iter()
            .filter(|arg| matches!(arg, FnArg::Typed(_)))
            .collect();
        for arg in &mut sig.inputs {
            if let FnArg::Typed(arg) = arg
                && let Some(ty) = sized(&arg.ty)
            {
                *arg.ty = ty;
            }
        }
        let body = if mentions(&body.to_token_stream(), "self") {
            quote!({ #[cfg(any())] #body ::core::panic!() })
        } else {
            body.to_token_stream()
        };
        quote!(#[allow(unused)] #vis #sig #body)
    }
}

/// What a value of a type without a size is when it is owned.
pub(crate) fn sized(ty: &Type) -> Option<Type> {
    match ty {
        Type::Slice(slice) => {
            let element = &slice.elem;
            Some(parse_quote!(::std::vec::Vec<#element>))
        }
        Type::Path(path) if path.path.is_ident("str") => Some(parse_quote!(::std::string::String)),
        _ => None,
    }
}
