//! `Provides` for each field of a state.

use proc_macro2::TokenStream;

use crate::model::state::State;

pub(crate) fn glue(state: &State) -> TokenStream {
    let State {
        runtime,
        ident,
        fields,
    } = state;
    let impls = fields.iter().map(|field| {
        let (member, ty) = (&field.member, &field.ty);
        glue! {
            #[automatically_derived]
            impl #runtime::Provides<#ty> for #ident {
                fn provide(&self) -> #ty {
                    <#ty as ::core::clone::Clone>::clone(&self.#member)
                }
            }
        }
    });
    glue! {
        const _: () = { #(#impls)* };
    }
}
