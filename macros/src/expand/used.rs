//! Our attributes go no further than `#[kinesis_app]`, so that rustc would take the imports that name them for unused.

use proc_macro2::{Ident, Span, TokenStream};

use crate::parse::item::Item;
use crate::parse::marks::Kind;
use crate::parse::module::Module;

/// Imports that use the user's, for each attribute that was written without a path.
pub(super) fn glue(module: &Module, runtime: &TokenStream) -> TokenStream {
    // A path from `self` or `super` leads elsewhere inside of another module.
    let first = runtime
        .clone()
        .into_iter()
        .next()
        .map(|word| word.to_string());
    if matches!(first.as_deref(), Some("self" | "super")) {
        return TokenStream::new();
    }
    let mut by_name = Vec::new();
    let mut by_glob = Vec::new();
    let marks = module
        .items
        .iter()
        .flat_map(|item| &item.attributes().marks);
    let marks = marks.filter(|mark| !matches!(mark.kind, Kind::Foreign(_)));
    for mark in marks.filter(|mark| mark.attr.path().get_ident().is_some()) {
        let name = Ident::new(mark.kind.name(), Span::mixed_site());
        match imported(module, mark.kind, runtime) {
            Imported::Ours => by_name.push(name),
            Imported::Perhaps => by_glob.push(name),
            Imported::Another => {}
        }
    }
    for names in [&mut by_name, &mut by_glob] {
        names.sort();
        names.dedup();
    }
    if by_name.is_empty() && by_glob.is_empty() {
        return TokenStream::new();
    }
    glue! {
        #[allow(unused_imports, reason = "each of them may come from either place, or from nowhere")]
        mod __used {
            use super::*;
            use #runtime::prelude::*;
            #(use super::#by_name as _;)*
            #(use self::#by_glob as _;)*
        }
    }
}

/// What a module imports under the name of an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Imported {
    /// The attribute.
    Ours,
    /// Another macro, or nobody knows: to name it may be ambiguous, and its import is none of ours to use.
    Another,
    /// Nothing by name; a glob may bring it in.
    Perhaps,
}

fn imported(module: &Module, kind: Kind, runtime: &TokenStream) -> Imported {
    let runtime = runtime.to_string().replace(' ', "");
    let others = module.items.iter().filter_map(|item| match item {
        Item::Other(other) => Some(other),
        Item::Stream(_) | Item::Function(_) => None,
    });
    let mut found = Imported::Perhaps;
    for other in others {
        for (path, name) in &other.imports {
            if name != kind.name() {
                continue;
            }
            if Kind::of(path, &runtime) != Some(kind) {
                return Imported::Another;
            }
            // Under a condition it may not be there, and the glob brings it in if it is.
            if other.attributes.cfgs().is_empty() {
                found = Imported::Ours;
            }
        }
    }
    found
}
