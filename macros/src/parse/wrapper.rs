//! `Json(order): Json<Order>`, as web frameworks have it. Here `Json` is a codec, without parameters: rustc would say so in
//! three errors, none of which names the mistake.

use syn::punctuated::Punctuated;
use syn::{FnArg, GenericArgument, Pat, PathArguments, Token, Type};

use crate::spanned::Range;
use crate::words::tidy;

pub(crate) struct Wrapper {
    /// The type, as it stands in the source.
    pub(crate) at: Range,
    /// The parameter without it.
    pub(crate) parameter: String,
}

/// Takes the wrapper off the first of the parameters.
pub(super) fn take(inputs: &mut Punctuated<FnArg, Token![,]>) -> Option<Box<Wrapper>> {
    let Some(FnArg::Typed(first)) = inputs.first_mut() else {
        return None;
    };
    let inner = wrapped(&first.ty)?;
    let at = Range::of(&first.ty);
    if let Pat::TupleStruct(pattern) = &*first.pat
        && let (Some(pat), 1) = (pattern.elems.first(), pattern.elems.len())
    {
        *first.pat = pat.clone();
    }
    *first.ty = inner;
    let parameter = format!("{}: {}", tidy(&first.pat), tidy(&first.ty));
    Some(Box::new(Wrapper { at, parameter }))
}

/// The type in `Json<..>`, named so without a path.
fn wrapped(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    let mut segments = path.path.segments.iter();
    let (Some(only), None) = (segments.next(), segments.next()) else {
        return None;
    };
    let PathArguments::AngleBracketed(arguments) = &only.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) if only.ident == "Json" && path.qself.is_none() => {
            Some(inner.clone())
        }
        _ => None,
    }
}
