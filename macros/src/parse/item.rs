//! One item of the module, as far as we read it.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{
    AttrStyle, Attribute, ItemStruct, LitStr, Meta, Path, PathSegment, Signature, Token, UsePath,
    UseTree, Visibility, token,
};

use crate::keys::with_article;
use crate::parse::first::First;
use crate::parse::marks::{Attributes, HANDLERS, Kind};
use crate::spanned::Range;

pub(crate) enum Item {
    /// A struct marked `#[stream]`.
    Stream(Struct),
    /// Any function; a marked one is a handler or a hook.
    Function(Function),
    /// Anything else.
    Other(Other),
}

pub(crate) struct Struct {
    pub(crate) attributes: Attributes,
    /// The struct, its attributes moved to `attributes`.
    pub(crate) item: ItemStruct,
}

/// A function whose body stays tokens: it is given back as it was typed, and may hold any syntax.
pub(crate) struct Function {
    pub(crate) attributes: Attributes,
    pub(super) vis: Visibility,
    pub(crate) sig: Signature,
    pub(super) body: TokenTree,
    /// What is wrong with the first parameter, if it is a habit. rustc does not meet it.
    pub(crate) first: Option<Box<First>>,
}

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
    generic: bool,
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

impl Item {
    pub(crate) fn parse(input: ParseStream, runtime: &str) -> syn::Result<Self> {
        let ahead = input.fork();
        ahead.call(Attribute::parse_outer)?;
        ahead.parse::<Visibility>()?;
        if starts_function(&ahead) {
            return Ok(Self::Function(Function {
                attributes: Attributes::sort(input.call(Attribute::parse_outer)?, runtime),
                vis: input.parse()?,
                sig: input.parse()?,
                body: body(input)?,
                first: None,
            }));
        }
        let mut item: syn::Item = input.parse()?;
        let attributes = match attrs_mut(&mut item) {
            Some(attrs) => {
                // Inner ones, of a module or an `impl`, stay where they are.
                let outer = |attr: &mut Attribute| matches!(attr.style, AttrStyle::Outer);
                Attributes::sort(attrs.extract_if(.., outer).collect(), runtime)
            }
            None => Attributes::default(),
        };
        Ok(match item {
            syn::Item::Struct(item) if !attributes.marks.is_empty() => {
                Self::Stream(Struct { attributes, item })
            }
            item => Self::Other(Other::new(attributes, &item)),
        })
    }

    pub(crate) fn attributes(&self) -> &Attributes {
        match self {
            Self::Stream(item) => &item.attributes,
            Self::Function(function) => &function.attributes,
            Self::Other(other) => &other.attributes,
        }
    }

    pub(crate) fn attributes_mut(&mut self) -> &mut Attributes {
        match self {
            Self::Stream(item) => &mut item.attributes,
            Self::Function(function) => &mut function.attributes,
            Self::Other(other) => &mut other.attributes,
        }
    }

    /// Whether it is a type of this name that takes no parameters, and is always there.
    pub(crate) fn is_plain_type(&self, name: &str) -> bool {
        match self {
            Self::Stream(item) => item.item.ident == name && item.item.generics.params.is_empty(),
            Self::Other(other) => {
                !other.generic
                    && self.own_type().is_some_and(|own| own == name)
                    && other.attributes.cfgs().is_empty()
            }
            Self::Function(_) => false,
        }
    }

    /// The name of a struct or enum that is none of ours.
    pub(crate) fn own_type(&self) -> Option<&Ident> {
        match self {
            Self::Other(other) if matches!(other.sort, Sort::Struct | Sort::Enum) => {
                other.names.first()
            }
            _ => None,
        }
    }

    /// What could not be read, to be given back as it is.
    pub(crate) fn unread(tokens: TokenStream) -> Self {
        let item = syn::Item::Verbatim(tokens);
        Self::Other(Other::new(Attributes::default(), &item))
    }

    /// Whether a handler's attribute stands where it is not read, and reports itself: on a method, in another module, in a
    /// macro, in `cfg_attr`, under another name, or with a slip in its own.
    pub(crate) fn hides_a_handler(&self) -> bool {
        let attributes = self.attributes();
        attributes.hides_a_handler()
            || match self {
                Self::Other(other) if other.sort == Sort::Macro => HANDLERS
                    .iter()
                    .any(|kind| mentions(&other.tokens, kind.name())),
                Self::Other(other) if other.imports.is_empty() => HANDLERS
                    .iter()
                    .any(|kind| marks(&other.tokens, kind.name())),
                Self::Function(function) => {
                    let body = TokenStream::from(function.body.clone());
                    HANDLERS.iter().any(|kind| marks(&body, kind.name()))
                }
                Self::Other(other) => other.imports.iter().any(|(path, name)| {
                    let kind = Kind::of(path, "").filter(|kind| HANDLERS.contains(kind));
                    kind.is_some_and(|kind| name != kind.name() && name != "_")
                }),
                Self::Stream(_) => false,
            }
    }

    /// The names that the item adds to the module.
    pub(crate) fn names(&self) -> Vec<&Ident> {
        match self {
            Self::Stream(item) => vec![&item.item.ident],
            Self::Function(function) => vec![&function.sig.ident],
            Self::Other(other) => other.names.iter().collect(),
        }
    }

    /// What it is.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Stream(_) => Sort::Struct.name(),
            Self::Function(_) => "function",
            Self::Other(other) => other.sort.name(),
        }
    }
}

/// What stands behind a signature, as one token.
fn body(input: ParseStream) -> syn::Result<TokenTree> {
    if !input.peek(token::Brace) && !input.peek(Token![;]) {
        return Err(input.error("expected `{`"));
    }
    input.parse()
}

pub(super) fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Whether an attribute of this name, by whatever path, stands in the tokens.
fn marks(tokens: &TokenStream, name: &str) -> bool {
    let mut after_pound = false;
    tokens.clone().into_iter().any(|token| {
        let pounded = std::mem::replace(&mut after_pound, false);
        match token {
            TokenTree::Group(group) if pounded && group.delimiter() == Delimiter::Bracket => {
                let meta = syn::parse2::<Meta>(group.stream());
                let last = meta
                    .ok()
                    .and_then(|meta| meta.path().segments.last().cloned());
                last.is_some_and(|last| last.ident == name)
            }
            TokenTree::Group(group) => marks(&group.stream(), name),
            TokenTree::Punct(pound) => {
                after_pound = pound.as_char() == '#';
                false
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        }
    })
}

/// Whether `[const] [async] [unsafe] [extern ".."] fn` comes next.
fn starts_function(input: ParseStream) -> bool {
    let input = input.fork();
    loop {
        if input.peek(Token![fn]) {
            return true;
        }
        let qualifier = input.peek(Token![const])
            || input.peek(Token![async])
            || input.peek(Token![unsafe])
            || input.peek(Token![extern])
            || input.peek(LitStr);
        if !qualifier || input.parse::<TokenTree>().is_err() {
            return false;
        }
    }
}

impl Other {
    fn new(attributes: Attributes, item: &syn::Item) -> Self {
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
    let path = |last| {
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
        UseTree::Name(name) => found.push((path(&name.ident), name.ident.clone())),
        UseTree::Rename(rename) => found.push((path(&rename.ident), rename.rename.clone())),
        UseTree::Group(group) => {
            let trees = group.items.iter();
            trees.for_each(|tree| imported(tree, above, found));
        }
        UseTree::Glob(_) => {}
    }
}

pub(crate) fn attrs_mut(item: &mut syn::Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        syn::Item::Const(item) => &mut item.attrs,
        syn::Item::Enum(item) => &mut item.attrs,
        syn::Item::ExternCrate(item) => &mut item.attrs,
        syn::Item::Fn(item) => &mut item.attrs,
        syn::Item::ForeignMod(item) => &mut item.attrs,
        syn::Item::Impl(item) => &mut item.attrs,
        syn::Item::Macro(item) => &mut item.attrs,
        syn::Item::Mod(item) => &mut item.attrs,
        syn::Item::Static(item) => &mut item.attrs,
        syn::Item::Struct(item) => &mut item.attrs,
        syn::Item::Trait(item) => &mut item.attrs,
        syn::Item::TraitAlias(item) => &mut item.attrs,
        syn::Item::Type(item) => &mut item.attrs,
        syn::Item::Union(item) => &mut item.attrs,
        syn::Item::Use(item) => &mut item.attrs,
        // Syntax newer than syn: given back as it is. An attribute of ours in it reports itself.
        _ => return None,
    })
}

impl Parse for Struct {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut item: ItemStruct = input.parse()?;
        let attributes = Attributes::sort(std::mem::take(&mut item.attrs), "");
        Ok(Self { attributes, item })
    }
}
