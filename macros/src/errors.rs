//! All errors of one build, in the order of the source.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::spanned::Range;

/// Where errors are collected. A room that finds one pushes it and goes on.
#[derive(Default)]
pub(crate) struct Errors {
    reports: Vec<Report>,
}

/// One mistake: a rule, and perhaps an edit and a reason.
pub(crate) struct Report {
    at: Range,
    text: String,
}

/// A place in the list, to ask later whether anything came after it.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

impl Errors {
    pub(crate) fn push(&mut self, at: impl Into<Range>, text: impl Into<String>) -> &mut Report {
        let next = self.reports.len();
        self.reports.push(Report {
            at: at.into(),
            text: text.into(),
        });
        &mut self.reports[next]
    }

    pub(crate) fn push_syn(&mut self, error: &syn::Error) {
        for error in error.clone() {
            self.push(error.span(), error.to_string());
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.reports.is_empty()
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.reports.len())
    }

    /// Whether an item that was read since `mark` is whole, so that its glue can be written.
    pub(crate) fn none_since(&self, mark: Mark) -> bool {
        self.reports.len() == mark.0
    }

    /// The errors as tokens, or nothing if there is none. rustc prints them in the order of the tokens.
    pub(crate) fn finish(mut self) -> Option<TokenStream> {
        let mut reports = std::mem::take(&mut self.reports);
        reports.sort_by_key(|report| position(report.at.start));
        (!reports.is_empty()).then(|| reports.iter().flat_map(Report::tokens).collect())
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        // An error that nobody prints would turn a broken module into a silent one.
        debug_assert!(
            self.reports.is_empty() || std::thread::panicking(),
            "errors were not read"
        );
    }
}

impl Report {
    /// One edit that the reader can paste.
    pub(crate) fn help(&mut self, help: impl AsRef<str>) -> &mut Self {
        self.line("help", help.as_ref())
    }

    /// One reason.
    pub(crate) fn note(&mut self, note: impl AsRef<str>) -> &mut Self {
        self.line("note", note.as_ref())
    }

    // Real sub-diagnostics are nightly only; rustc aligns further lines of a message under the first.
    fn line(&mut self, kind: &str, text: &str) -> &mut Self {
        self.text.push('\n');
        self.text.push_str(kind);
        self.text.push_str(": ");
        self.text.push_str(text);
        self
    }

    /// `::core::compile_error! { ".." }`, underlined from the first token to the last.
    fn tokens(&self) -> Vec<TokenTree> {
        let Range { start, end } = self.at;
        let colon = |spacing| {
            let mut punct = Punct::new(':', spacing);
            punct.set_span(start);
            TokenTree::Punct(punct)
        };
        let mut bang = Punct::new('!', Spacing::Alone);
        bang.set_span(start);
        let mut text = Literal::string(&self.text);
        text.set_span(end);
        let mut body = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
        body.set_span(end);
        vec![
            colon(Spacing::Joint),
            colon(Spacing::Alone),
            TokenTree::Ident(Ident::new("core", start)),
            colon(Spacing::Joint),
            colon(Spacing::Alone),
            TokenTree::Ident(Ident::new("compile_error", start)),
            TokenTree::Punct(bang),
            TokenTree::Group(body),
        ]
    }
}

#[cfg(test)]
fn position(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column)
}

#[cfg(not(test))]
fn position(span: Span) -> (usize, usize) {
    // Outside the compiler there are no positions, and `unwrap` would panic.
    if !proc_macro::is_available() {
        return (0, 0);
    }
    let start = span.unwrap().start();
    (start.line(), start.column())
}
