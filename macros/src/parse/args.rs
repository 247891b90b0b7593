//! Arguments of an attribute: `key = value`, `key(..)`, `flag`, and before them perhaps a subject.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Lit, Path, Token, token};

use crate::errors::Errors;
use crate::keys::{Key, Table};
use crate::spanned::{Range, Spanned};

/// One argument.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    /// `key`
    Flag,
    /// `key = expression`
    Equals(Box<Expr>),
    /// `key(tokens)`
    List(Spanned<TokenStream>),
}

/// What stands before the keys of a handler's attribute.
pub(crate) enum Subject {
    /// Nothing.
    None,
    Path(Path),
    /// A literal, where a type should be.
    Literal(Lit),
}

/// The arguments that are known and built, each at most once.
pub(crate) struct Entries {
    table: &'static Table,
    entries: Vec<(&'static Key, Entry)>,
}

/// Reads arguments that are keys of a table.
pub(crate) fn parse(tokens: TokenStream, table: &'static Table, errors: &mut Errors) -> Entries {
    read(tokens, table, errors, |_, _| {})
}

/// Reads a subject and then arguments that are keys of a table.
pub(crate) fn parse_with_subject(
    tokens: TokenStream,
    table: &'static Table,
    errors: &mut Errors,
) -> (Subject, Entries) {
    let mut found = Subject::None;
    let entries = read(tokens, table, errors, |input, errors| {
        found = subject(input, errors);
    });
    (found, entries)
}

fn read(
    tokens: TokenStream,
    table: &'static Table,
    errors: &mut Errors,
    first: impl FnOnce(ParseStream, &mut Errors),
) -> Entries {
    let mut entries = Entries {
        table,
        entries: Vec::new(),
    };
    let parser = |input: ParseStream| -> syn::Result<()> {
        first(input, errors);
        while !input.is_empty() {
            match entry(input, table) {
                Ok(entry) => entries.add(entry, errors),
                Err(Refused::Syntax(error)) => errors.push_syn(&error),
                Err(Refused::Bare(literal)) => {
                    let report = errors.push(
                        Range::of(&literal),
                        format!("`{}` takes `key = value`, not a value alone", table.shown()),
                    );
                    if let (Lit::Str(_), Some(key)) = (&literal, table.keys.first()) {
                        report.help(format!("`{} = {}`", key.name, quote::quote!(#literal)));
                    }
                }
                Err(Refused::NoValue(equals, key)) => {
                    let form = table.form_of(&key);
                    let report = errors.push(equals.spans[0], format!("`{key}` has no value"));
                    if let Some(form) = form {
                        report.help(format!("`{form}`"));
                    }
                }
            }
            separator(input, errors);
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.push_syn(&error);
    }
    entries
}

/// The comma after an argument. What stands in its place is reported and skipped, so that the next argument is read.
fn separator(input: ParseStream, errors: &mut Errors) {
    if !input.is_empty() && !input.peek(Token![,]) {
        errors.push(input.span(), "expected `,`");
    }
    while !input.is_empty() {
        if let Ok(Some(_)) = input.parse::<Option<Token![,]>>() {
            return;
        }
        if input.parse::<proc_macro2::TokenTree>().is_err() {
            return;
        }
    }
}

fn subject(input: ParseStream, errors: &mut Errors) -> Subject {
    let ahead = input.fork();
    let subject = if let Ok(literal) = ahead.parse::<Lit>() {
        Subject::Literal(literal)
    } else {
        match ahead.parse::<Path>() {
            // A path with `=` or `(` behind it is the first key: the subject is missing.
            Ok(path) if ahead.is_empty() || ahead.peek(Token![,]) => Subject::Path(path),
            _ => return Subject::None,
        }
    };
    while !input.is_empty() && !input.peek(Token![,]) {
        // Cannot fail on a stream that is not empty; skips what the fork has read.
        if input.parse::<proc_macro2::TokenTree>().is_err() {
            break;
        }
    }
    separator(input, errors);
    subject
}

enum Refused {
    Syntax(syn::Error),
    Bare(Lit),
    NoValue(Token![=], Ident),
}

impl From<syn::Error> for Refused {
    fn from(error: syn::Error) -> Self {
        Self::Syntax(error)
    }
}

fn entry(input: ParseStream, table: &Table) -> Result<Entry, Refused> {
    if let Ok(literal) = input.fork().parse::<Lit>() {
        input.parse::<Lit>()?;
        return Err(Refused::Bare(literal));
    }
    if !input.peek(syn::Ident::peek_any) {
        let noun = table.noun();
        return Err(syn::Error::new(input.span(), format!("expected a {noun}")).into());
    }
    let key = input.call(Ident::parse_any)?;
    let value = if input.peek(Token![=]) {
        let equals: Token![=] = input.parse()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Err(Refused::NoValue(equals, key));
        }
        Value::Equals(Box::new(ungroup(input.parse()?)))
    } else if input.peek(token::Paren) {
        Value::List(list(input)?)
    } else {
        Value::Flag
    };
    Ok(Entry { key, value })
}

fn list(input: ParseStream) -> syn::Result<Spanned<TokenStream>> {
    let tokens;
    let paren = syn::parenthesized!(tokens in input);
    let at = Range {
        start: paren.span.open(),
        end: paren.span.close(),
    };
    Ok(Spanned {
        value: tokens.parse()?,
        at,
    })
}

/// A value that came through a `macro_rules!` fragment has invisible parentheses around it.
fn ungroup(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungroup(*group.expr),
        other => other,
    }
}

impl Entry {
    /// From the key to the end of its value.
    pub(crate) fn range(&self) -> Range {
        let end = match &self.value {
            Value::Flag => self.key.span(),
            Value::Equals(expr) => Range::of(expr).end,
            Value::List(list) => list.at.end,
        };
        Range {
            start: self.key.span(),
            end,
        }
    }
}

impl Entries {
    fn add(&mut self, entry: Entry, errors: &mut Errors) {
        if let Some(key) = self.table.resolve(&entry.key, errors) {
            if self.entries.iter().any(|(other, _)| other.name == key.name) {
                let shown = self.table.shown();
                errors.push(
                    entry.key.span(),
                    format!("`{}` is set twice in `{shown}`", key.name),
                );
            } else {
                self.entries.push((key, entry));
            }
        }
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<(&'static Key, Entry)> {
        let at = self.entries.iter().position(|(key, _)| key.name == name)?;
        Some(self.entries.remove(at))
    }

    /// To be called when all keys were taken: one that is left was read by nobody, which must not stay silent.
    pub(crate) fn finish(self, errors: &mut Errors) {
        for (key, entry) in self.entries {
            let text = format!("`{}` was not read; this is a bug in kinesis-app", key.name);
            errors.push(entry.key.span(), text);
        }
    }

    /// The arguments of a choice, in the order that they were written.
    pub(crate) fn into_choices(self) -> impl Iterator<Item = (&'static Key, Entry)> {
        self.entries.into_iter()
    }
}
