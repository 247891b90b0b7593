//! An item that is neither a function nor a stream: what it is, and the names that it adds to the module.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Path, PathSegment, UseName, UsePath, UseRename, UseTree};

use crate::keys::with_article;
use crate::parse::marks::Attributes;
use crate::spanned::Range;

pub(crate) struct Other {
    pub(crate) attributes: Attributes,
    pub(crate) sort: Sort,
    /// The token that says so.
    pub(crate) keyword: Range,
    /// The names that it adds to the module.
    pub(crate) names: Vec<Ident>,
    /// What it imports by name: the path, and the name that it gets.
    pub(crate) imports: Vec<(Path, Ident)>,
    /// Whether it takes parameters.
    pub(super) generic: bool,
    /// The item without its attributes.
    pub(super) tokens: TokenStream,
}

/// What an item is that is neither a function nor a stream.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Constant,
    Enum,
    Impl,
    Import,
    Macro,
    Module,
    Static,
    Struct,
    Trait,
    TypeAlias,
    Union,
    Unknown,
}

impl Sort {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Enum => "enum",
            Self::Impl => "impl block",
            Self::Import => "import",
            Self::Macro => "macro",
            Self::Module => "module",
            Self::Static => "static",
            Self::Struct => "struct",
            Self::Trait => "trait",
            Self::TypeAlias => "type alias",
            Self::Union => "union",
            Self::Unknown => "item",
        }
    }

    /// To be preceded by "not on".
    pub(crate) fn with_article(self) -> String {
        match self {
            Self::Unknown => "this item".to_owned(),
            known => with_article(known.name()),
        }
    }
}

impl Other {
    pub(super) fn new(attributes: Attributes, item: &syn::Item) -> Self {
        let (sort, keyword): (_, Span) = match item {
            syn::Item::Const(item) => (Sort::Constant, item.const_token.span()),
            syn::Item::Enum(item) => (Sort::Enum, item.enum_token.span()),
            syn::Item::Impl(item) => (Sort::Impl, item.impl_token.span()),
            syn::Item::Macro(item) => (Sort::Macro, item.mac.path.span()),
            syn::Item::Mod(item) => (Sort::Module, item.mod_token.span()),
            syn::Item::Static(item) => (Sort::Static, item.static_token.span()),
            syn::Item::Struct(item) => (Sort::Struct, item.struct_token.span()),
            syn::Item::Trait(item) => (Sort::Trait, item.trait_token.span()),
            syn::Item::Type(item) => (Sort::TypeAlias, item.type_token.span()),
            syn::Item::Union(item) => (Sort::Union, item.union_token.span()),
            syn::Item::Use(item) => (Sort::Import, item.use_token.span()),
            other => (Sort::Unknown, other.span()),
        };
        Self {
            attributes,
            sort,
            keyword: keyword.into(),
            names: names(item),
            imports: imports(item),
            generic: match item {
                syn::Item::Enum(item) => !item.generics.params.is_empty(),
                syn::Item::Struct(item) => !item.generics.params.is_empty(),
                _ => false,
            },
            tokens: item.to_token_stream(),
        }
    }
}

fn names(item: &syn::Item) -> Vec<Ident> {
    match item {
        syn::Item::Const(item) => vec![item.ident.clone()],
        syn::Item::Enum(item) => vec![item.ident.clone()],
        syn::Item::Mod(item) => vec![item.ident.clone()],
        syn::Item::Static(item) => vec![item.ident.clone()],
        syn::Item::Struct(item) => vec![item.ident.clone()],
        syn::Item::Trait(item) => vec![item.ident.clone()],
        syn::Item::Type(item) => vec![item.ident.clone()],
        syn::Item::Union(item) => vec![item.ident.clone()],
        syn::Item::Use(_) => imports(item).into_iter().map(|(_, name)| name).collect(),
        _ => Vec::new(),
    }
}

fn imports(item: &syn::Item) -> Vec<(Path, Ident)> {
    let mut found = Vec::new();
    if let syn::Item::Use(item) = item {
        imported(&item.tree, &[], &mut found);
    }
    found
}

fn imported(tree: &UseTree, above: &[&Ident], found: &mut Vec<(Path, Ident)>) {
    let path = |above: &[&Ident], last: &Ident| {
        let words = above.iter().copied().chain([last]).cloned();
        Path {
            leading_colon: None,
            segments: words.map(PathSegment::from).collect(),
        }
    };
    match tree {
        UseTree::Path(UsePath { ident, tree, .. }) => {
            imported(tree, &[above, &[ident]].concat(), found);
        }
        // `path::{self}` is the path's last word.
        UseTree::Name(UseName { ident }) if ident == "self" => {
            if let Some((last, above)) = above.split_last() {
                found.push((path(above, last), (*last).clone()));
            }
        }
        UseTree::Rename(UseRename { ident, rename, .. }) if ident == "self" => {
            if let Some((last, above)) = above.split_last() {
                found.push((path(above, last), rename.clone()));
            }
        }
        UseTree::Name(UseName { ident }) => found.push((path(above, ident), ident.clone())),
        UseTree::Rename(UseRename { ident, rename, .. }) => {
            found.push((path(above, ident), rename.clone()));
        }
        UseTree::Group(group) => {
            let trees = group.items.iter();
            trees.for_each(|tree| imported(tree, above, found));
        }
        UseTree::Glob(_) => {}
    }
}
