//! One item of the module, as far as we read it.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::{AttrStyle, Attribute, ItemStruct, LitStr, Meta, Signature, Token, Visibility, token};

use crate::parse::first::First;
use crate::parse::marks::{Attributes, HANDLERS, Kind};
use crate::parse::other::{Other, Sort};

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
