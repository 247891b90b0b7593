//! Source text through the macro and back.

use std::str::FromStr;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use crate::entry;
use crate::spanned::Range;

/// An error as rustc would print it: its text, and the source that it underlines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reported {
    pub(super) text: String,
    pub(super) underlined: String,
}

/// `#[name(args)] item`, taken apart.
#[derive(Clone)]
pub(super) struct Source {
    at: Range,
    name: String,
    pub(super) args: TokenStream,
    pub(super) item: TokenStream,
}

impl Source {
    pub(super) fn new(source: &str) -> Self {
        let tokens = TokenStream::from_str(source).expect("the source is made of tokens");
        let mut tokens = tokens.into_iter();
        let (Some(pound), Some(TokenTree::Group(attribute))) = (tokens.next(), tokens.next())
        else {
            panic!("the source starts with an attribute");
        };
        let mut inside = attribute.stream().into_iter();
        let name = inside.next().expect("the attribute has a name");
        Self {
            at: Range {
                start: pound.span(),
                end: attribute.span(),
            },
            name: name.to_string(),
            args: match inside.next() {
                Some(TokenTree::Group(args)) if args.delimiter() == Delimiter::Parenthesis => {
                    args.stream()
                }
                Some(other) => panic!("`{other}` after the name of the attribute"),
                None => TokenStream::new(),
            },
            item: tokens.collect(),
        }
    }
}

/// Expands `#[kinesis_app(..)] item`, `#[stream(..)] item`, .. or `#[derive(AppState)] item`.
pub(super) fn expand(source: &str) -> TokenStream {
    let Source {
        at,
        name,
        args,
        item,
    } = Source::new(source);
    match name.as_str() {
        "kinesis_app" => entry::kinesis_app(at, &args, &item),
        "stream" => entry::stream(at, &args, &item),
        "derive" => entry::app_state(item),
        name => entry::outside(at, name, &item),
    }
}

/// The errors that a source expands to, in the order of the tokens.
pub(super) fn errors(source: &str) -> Vec<Reported> {
    let mut found = Vec::new();
    collect(expand(source), &mut found);
    found
}

/// The texts of the errors in tokens that are no part of a source.
pub(super) fn texts(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found.into_iter().map(|error| error.text).collect()
}

/// Finds `::core::compile_error! { ".." }` at any depth.
fn collect(tokens: TokenStream, found: &mut Vec<Reported>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let is_error =
            at >= 7 && matches!(&tokens[at - 2], TokenTree::Ident(name) if name == "compile_error");
        if is_error {
            let text: syn::LitStr = syn::parse2(group.stream()).expect("one literal");
            let underlined = underlined(tokens[at - 7].span(), group.span());
            found.push(Reported {
                text: text.value(),
                underlined,
            });
        } else {
            collect(group.stream(), found);
        }
    }
}

fn underlined(start: Span, end: Span) -> String {
    let span = start.join(end).expect("one source");
    span.source_text().unwrap_or_default()
}
