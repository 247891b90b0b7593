//! Places in the user's source.

use proc_macro2::Span;
use quote::ToTokens;

/// From a first token to a last one. Stable Rust cannot join two spans into one, but an error whose first token carries
/// the one and whose last the other is underlined from end to end.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    pub(crate) start: Span,
    pub(crate) end: Span,
}

impl Range {
    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        let mut tokens = tokens
            .to_token_stream()
            .into_iter()
            .map(|token| token.span());
        let start = tokens.next().unwrap_or_else(Span::call_site);
        Self {
            start,
            end: tokens.last().unwrap_or(start),
        }
    }
}

impl From<Span> for Range {
    fn from(span: Span) -> Self {
        Self {
            start: span,
            end: span,
        }
    }
}

/// A value and where it stands.
#[derive(Clone)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) at: Range,
}
