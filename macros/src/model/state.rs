//! `#[derive(AppState)]`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Member, Path, Type};

use crate::errors::Errors;
use crate::spanned::Range;
use crate::words::tidy;

/// A struct whose fields are the state of an app.
pub(crate) struct State {
    pub(crate) runtime: TokenStream,
    pub(crate) ident: Ident,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
}

pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<State> {
    let before = errors.mark();
    let runtime = runtime(input, errors);
    if input.generics.lt_token.is_some() {
        errors.push(
            Range::of(&input.generics),
            "`AppState` is for one type; a generic struct is many",
        );
    }
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(data) => {
            refuse("an enum", data.enum_token.span.into(), errors);
            return None;
        }
        Data::Union(data) => {
            refuse("a union", data.union_token.span.into(), errors);
            return None;
        }
    };
    let mut fields: Vec<Field> = Vec::new();
    for (member, field) in data.fields.members().zip(&data.fields) {
        let ty = tidy(&field.ty);
        if fields.iter().any(|other| tidy(&other.ty) == ty) {
            errors
                .push(
                    Range::of(&field.ty),
                    format!("two fields of `{}` have the type `{ty}`", input.ident),
                )
                .help(format!(
                    "wrap one in a type of its own; `State<{ty}>` could be either"
                ));
        }
        fields.push(Field {
            member,
            ty: field.ty.clone(),
        });
    }
    errors.none_since(before).then(|| State {
        runtime,
        ident: input.ident.clone(),
        fields,
    })
}

fn refuse(what: &str, at: Range, errors: &mut Errors) {
    errors.push(at, format!("`AppState` goes on a struct, not on {what}"));
}

/// `#[app_state(crate = path)]`, or the usual path.
fn runtime(input: &DeriveInput, errors: &mut Errors) -> TokenStream {
    let mut runtime = quote!(::kinesis_app);
    for attr in input
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("app_state"))
    {
        let read = attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("`#[app_state]` takes `crate = path`"));
            }
            let path: Path = meta.value()?.parse()?;
            // A name in 2015, and to syn still.
            if let Some(keyword) = path.segments.iter().find(|word| word.ident == "try") {
                let text = "expected identifier, found keyword `try`";
                return Err(syn::Error::new_spanned(keyword, text));
            }
            runtime = path.to_token_stream();
            Ok(())
        });
        if let Err(error) = read {
            errors.push_syn(&error);
        }
    }
    runtime
}
