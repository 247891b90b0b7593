//! What people write as the first parameter of a handler out of habit: the record in the codec's wrapper, or behind what else the
//! handler takes, as web frameworks have it. rustc would say so in two or three errors, none of which names the mistake.

use syn::punctuated::Punctuated;
use syn::{FnArg, GenericArgument, Pat, PatType, PathArguments, PathSegment, Token, Type};

use crate::spanned::Range;
use crate::words::tidy;

pub(crate) enum First {
    /// `Json(order): Json<Order>`, and the parameter without it. Here `Json` is a codec, without parameters.
    Wrapped { at: Range, parameter: String },
    /// `State(db): State<Db>, order: Order`, and the parameters with the record first.
    InFront {
        at: Range,
        ty: String,
        parameters: String,
    },
}

/// Reads the first of the parameters, and takes a wrapper off it. `taken` are the module's own names, which mean what they say.
pub(super) fn read(
    inputs: &mut Punctuated<FnArg, Token![,]>,
    taken: &[String],
) -> Option<Box<First>> {
    let untaken = |segment: &&PathSegment| !taken.iter().any(|name| segment.ident == name);
    let FnArg::Typed(first) = inputs.first()? else {
        return None;
    };
    let name = bare(&first.ty).filter(untaken)?;
    let first = if let Some(inner) = wrapped(name) {
        let at = Range::of(&first.ty);
        let FnArg::Typed(first) = inputs.first_mut()? else {
            return None;
        };
        unwrap(first, inner);
        let parameter = tidy(first);
        First::Wrapped { at, parameter }
    } else if stands_behind(name) {
        // Without one that can be the record, what stands here is it.
        let record = inputs.iter().position(|arg| match arg {
            FnArg::Typed(arg) => !bare(&arg.ty).filter(untaken).is_some_and(is_extractor),
            FnArg::Receiver(_) => false,
        })?;
        let ty = tidy(&first.ty);
        let at = Range::of(&first.ty);
        if let Some(FnArg::Typed(arg)) = inputs.get_mut(record)
            && let Some(inner) = bare(&arg.ty).filter(untaken).and_then(wrapped)
        {
            unwrap(arg, inner);
        }
        let mut parameters: Vec<_> = inputs.iter().map(tidy).collect();
        parameters[..=record].rotate_right(1);
        First::InFront {
            at,
            ty,
            parameters: parameters.join(", "),
        }
    } else {
        return None;
    };
    Some(Box::new(first))
}

/// The name of a type that is named without a path.
fn bare(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
            path.path.segments.first()
        }
        _ => None,
    }
}

/// The type in `Json<..>`.
fn wrapped(name: &PathSegment) -> Option<Type> {
    match (argument(name)?, name.ident == "Json") {
        (GenericArgument::Type(inner), true) => Some(inner.clone()),
        _ => None,
    }
}

fn argument(name: &PathSegment) -> Option<&GenericArgument> {
    match &name.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.first(),
        PathArguments::None | PathArguments::Parenthesized(_) => None,
    }
}

fn unwrap(parameter: &mut PatType, inner: Type) {
    if let Pat::TupleStruct(pattern) = &*parameter.pat
        && let (Some(pat), 1) = (pattern.elems.first(), pattern.elems.len())
    {
        *parameter.pat = pat.clone();
    }
    *parameter.ty = inner;
}

/// Whether it has the name of an argument of ours, of whatever kind.
fn is_extractor(name: &PathSegment) -> bool {
    const OTHERS: [&str; 6] = ["Position", "Headers", "Lag", "Lease", "Attempt", "Shutdown"];
    stands_behind(name) || OTHERS.iter().any(|known| name.ident == known)
}

/// Whether it is an argument of ours that nobody would name a record after. A `Position` or `Headers` may well be a record.
fn stands_behind(name: &PathSegment) -> bool {
    let names: &[&str] = match argument(name) {
        Some(_) => &["State", "Seeker", "Publisher"],
        None => &["PartitionKey", "ShardId", "ArrivalTime"],
    };
    names.iter().any(|known| name.ident == known)
}
