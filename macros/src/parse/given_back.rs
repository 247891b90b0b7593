//! Items as they are given back to rustc, our attributes left out.

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt, quote};
use syn::{Fields, ItemStruct};

use crate::parse::item::{Function, Item, Struct, mentions};

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attributes().others);
        match self {
            Self::Stream(item) => item.without_parameters().to_tokens(tokens),
            Self::Function(function) if function.is_ours_with_a_receiver() => {
                function.without_receiver().to_tokens(tokens);
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
    pub(crate) fn without_parameters(&self) -> ItemStruct {
        let mut item = self.item.clone();
        if matches!(item.fields, Fields::Unit) {
            item.generics.lt_token = None;
            item.generics.params.clear();
            item.generics.gt_token = None;
        }
        item
    }
}

impl Function {
    fn is_ours_with_a_receiver(&self) -> bool {
        !self.attributes.marks.is_empty() && self.sig.receiver().is_some()
    }

    /// A `self` out of place would be an error of rustc's, beside ours about it, and so would each use of it.
    fn without_receiver(&self) -> TokenStream {
        let Self { vis, sig, body, .. } = self;
        let mut sig = sig.clone();
        sig.inputs = sig.inputs.into_iter().skip(1).collect();
        let body = if mentions(&body.to_token_stream(), "self") {
            quote!({ ::core::panic!() })
        } else {
            body.to_token_stream()
        };
        quote!(#[allow(unused)] #vis #sig #body)
    }
}
