//! Our attributes on items, told from everybody else's.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, Meta, MetaList, Path};

use crate::advice::distance;
use crate::errors::Errors;
use crate::parse::foreign::{self, Foreign, On};
use crate::spanned::Range;
use crate::words::{path_text, tidy};

/// The attributes that `#[kinesis_app]` reads inside its module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Stream,
    OnRecord,
    OnBatch,
    OnStart,
    OnReady,
    OnShardStart,
    OnShardEnd,
    OnShutdown,
    Configure,
    Aws,
    Leases,
    Observe,
    /// None of ours: it means something in another library, and would be unknown to rustc.
    Foreign(&'static Foreign),
}

/// The attributes that make a function a handler.
pub(crate) const HANDLERS: [Kind; 2] = [Kind::OnRecord, Kind::OnBatch];

impl Kind {
    pub(crate) const ALL: [Self; 12] = [
        Self::Stream,
        Self::OnRecord,
        Self::OnBatch,
        Self::OnStart,
        Self::OnReady,
        Self::OnShardStart,
        Self::OnShardEnd,
        Self::OnShutdown,
        Self::Configure,
        Self::Aws,
        Self::Leases,
        Self::Observe,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::OnRecord => "on_record",
            Self::OnBatch => "on_batch",
            Self::OnStart => "on_start",
            Self::OnReady => "on_ready",
            Self::OnShardStart => "on_shard_start",
            Self::OnShardEnd => "on_shard_end",
            Self::OnShutdown => "on_shutdown",
            Self::Configure => "configure",
            Self::Aws => "aws",
            Self::Leases => "leases",
            Self::Observe => "observe",
            Self::Foreign(foreign) => foreign.name,
        }
    }

    fn takes_arguments(self) -> bool {
        matches!(
            self,
            Self::Stream | Self::OnRecord | Self::OnBatch | Self::OnShardStart | Self::OnShardEnd
        )
    }

    pub(crate) fn of(path: &Path, runtime: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| names_ours(path, kind.name(), runtime))
    }
}

/// Whether a path names an attribute of ours: by itself, or through the runtime's path or its prelude.
pub(super) fn names_ours(path: &Path, name: &str, runtime: &str) -> bool {
    let text = path_text(path);
    let text = text.trim_start_matches("::");
    let (prefix, last) = text.rsplit_once("::").unwrap_or(("", text));
    let prefix = prefix.trim_end_matches("prelude").trim_end_matches("::");
    let runtime = runtime.trim_start_matches("::");
    last == name && ["", "kinesis_app", runtime].contains(&prefix)
}

/// One of our attributes.
pub(crate) struct Mark {
    pub(crate) kind: Kind,
    pub(crate) attr: Attribute,
}

impl Mark {
    /// The path, for what is missing.
    pub(crate) fn path(&self) -> Range {
        Range::of(self.attr.path())
    }

    pub(crate) fn pound(&self) -> Span {
        self.attr.pound_token.span
    }

    pub(crate) fn bracket(&self) -> Span {
        self.attr.bracket_token.span.close()
    }

    /// The attribute whole.
    pub(crate) fn whole(&self) -> Range {
        Range::of(&self.attr)
    }

    /// What stands in the parentheses; `None` if that was reported.
    pub(crate) fn args(&self, errors: &mut Errors) -> Option<TokenStream> {
        match &self.attr.meta {
            Meta::Path(_) => Some(TokenStream::new()),
            Meta::List(list) => Some(list.tokens.clone()),
            Meta::NameValue(pair) => {
                let name = self.kind.name();
                let what = if self.kind.takes_arguments() {
                    "its arguments in parentheses"
                } else {
                    "no arguments"
                };
                errors.push(Range::of(&pair.value), format!("`#[{name}]` takes {what}"));
                None
            }
        }
    }

    /// The same for the editor, which was told of no mistake.
    pub(crate) fn words(&self) -> TokenStream {
        self.attr
            .meta
            .require_list()
            .map(|list| list.tokens.clone())
            .unwrap_or_default()
    }
}

/// The attributes of one item, sorted.
#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) marks: Vec<Mark>,
    /// Everybody else's, `#[doc]` and `#[cfg]` included.
    pub(crate) others: Vec<Attribute>,
}

impl Attributes {
    pub(crate) fn sort(attrs: Vec<Attribute>, runtime: &str) -> Self {
        let mut sorted = Self::default();
        for attr in attrs {
            match Kind::of(attr.path(), runtime) {
                Some(kind) => sorted.marks.push(Mark { kind, attr }),
                None => sorted.others.push(attr),
            }
        }
        sorted
    }

    /// Takes what another library means by an attribute for a mark, so that rustc does not report it as well.
    pub(crate) fn adopt(&mut self, on: On, imported: &[String]) {
        let is_marked = !self.marks.is_empty();
        for attr in std::mem::take(&mut self.others) {
            let found = foreign::find(&attr, on, imported, &self.others);
            match found.filter(|foreign| is_marked || !foreign.only_on_ours()) {
                Some(foreign) => self.marks.push(Mark {
                    kind: Kind::Foreign(foreign),
                    attr,
                }),
                None => self.others.push(attr),
            }
        }
    }

    pub(crate) fn marks_a_handler(&self) -> bool {
        self.marks.iter().any(|mark| HANDLERS.contains(&mark.kind))
    }

    /// Whether an attribute for handlers is hidden in `cfg_attr`, which is reported there, or has a slip in its name, which
    /// rustc reports.
    pub(crate) fn hides_a_handler(&self) -> bool {
        self.others.iter().any(|attr| {
            let hidden = Conditional::of(attr).is_some_and(|conditional| {
                let mut paths = conditional.attributes.iter().filter_map(leading_path);
                paths.any(|path| Kind::of(&path, "").is_some_and(|kind| HANDLERS.contains(&kind)))
            });
            // By a path that is not known for ours.
            let last = attr.path().segments.last().map(|last| &last.ident);
            let elsewhere =
                last.is_some_and(|last| HANDLERS.iter().any(|kind| last == kind.name()));
            let name = attr.path().get_ident().map(ToString::to_string);
            let misspelt = name.is_some_and(|name| {
                HANDLERS.iter().any(|kind| {
                    distance(&name.to_lowercase(), kind.name()) <= kind.name().len() / 3
                })
            });
            hidden || elsewhere || misspelt
        })
    }

    /// The predicates of `#[cfg(..)]`, to be copied to the glue; those inside `cfg_attr` with its own.
    pub(crate) fn cfgs(&self) -> Vec<TokenStream> {
        let mut cfgs = Vec::new();
        for attr in &self.others {
            if let Some(conditional) = Conditional::of(attr) {
                let predicate = conditional.predicate;
                let inner = conditional.attributes.into_iter();
                let inner = inner.filter_map(|inner| syn::parse2::<MetaList>(inner).ok());
                for inner in inner.filter(|inner| inner.path.is_ident("cfg")) {
                    let tokens = inner.tokens;
                    cfgs.push(quote!(any(not(#predicate), #tokens)));
                }
            } else if let Ok(list) = attr.meta.require_list()
                && list.path.is_ident("cfg")
            {
                cfgs.push(list.tokens.clone());
            }
        }
        cfgs
    }

    /// The first line of the doc comment.
    pub(crate) fn first_line(&self) -> String {
        let lines = self.others.iter().filter_map(doc_line);
        lines
            .map(|line| line.trim().to_owned())
            .find(|line| !line.is_empty())
            .unwrap_or_default()
    }

    /// `#[cfg_attr(test, on_record(..))]`: rustc resolves it after us, so that the item would be lost in silence.
    pub(crate) fn refuse_hidden(&self, runtime: &str, item: &str, errors: &mut Errors) {
        for conditional in self.others.iter().filter_map(Conditional::of) {
            for path in conditional.attributes.iter().filter_map(leading_path) {
                let Some(kind) = Kind::of(&path, runtime) else {
                    continue;
                };
                let text = format!(
                    "`#[{}]` inside `cfg_attr` is not seen by `#[kinesis_app]`",
                    kind.name()
                );
                errors.push(Range::of(&path), text).help(format!(
                    "put `#[cfg({})]` on the {item}",
                    tidy(&conditional.predicate)
                ));
            }
        }
    }
}

/// `#[cfg_attr(predicate, attributes)]`.
struct Conditional {
    predicate: TokenStream,
    attributes: Vec<TokenStream>,
}

impl Conditional {
    fn of(attr: &Attribute) -> Option<Self> {
        let list = attr.meta.require_list().ok()?;
        let mut parts = split_at_commas(list.tokens.clone()).into_iter();
        attr.path().is_ident("cfg_attr").then(|| Self {
            predicate: parts.next().unwrap_or_default(),
            attributes: parts.collect(),
        })
    }
}

fn doc_line(attr: &Attribute) -> Option<String> {
    let pair = attr
        .meta
        .require_name_value()
        .ok()
        .filter(|pair| pair.path.is_ident("doc"))?;
    match &pair.value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}

/// Arguments as they were typed; of nothing, one that is empty.
pub(crate) fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match (&token, parts.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => {
                parts.push(TokenStream::new());
            }
            (_, Some(part)) => part.extend([token]),
            (_, None) => {}
        }
    }
    parts
}

fn leading_path(tokens: &TokenStream) -> Option<Path> {
    let is_path = |token: &TokenTree| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    };
    syn::parse2(tokens.clone().into_iter().take_while(is_path).collect()).ok()
}
