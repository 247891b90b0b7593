//! Arguments of an attribute: `key = value`, `key(..)`, `flag`, and before them perhaps a subject.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Lit, Path, Token, token};

use crate::errors::Errors;
use crate::keys::{Key, Kind, Table};
use crate::spanned::{Range, Spanned};
use crate::words::path_text;

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
    Missing,
    /// Something that was reported already.
    Refused,
    Path(Path),
    /// A literal, where a type should be.
    Literal(Lit),
}

/// The arguments that are known and built, each at most once.
pub(crate) struct Entries {
    table: &'static Table,
    given: Vec<(&'static Key, Entry)>,
    /// Keys that were meant by an argument with a mistake: they are not missing as well.
    refused: Vec<&'static str>,
}

/// Reads arguments that are keys of a table.
pub(crate) fn parse(tokens: TokenStream, table: &'static Table, errors: &mut Errors) -> Entries {
    let mut entries = Entries::new(table);
    let parser = |input: ParseStream| {
        while !input.is_empty() {
            entries.read(input, errors);
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.push_syn(&error);
    }
    entries
}

/// Reads a subject and then arguments that are keys of a table.
pub(crate) fn parse_with_subject(
    tokens: TokenStream,
    table: &'static Table,
    errors: &mut Errors,
) -> (Subject, Entries) {
    let mut entries = Entries::new(table);
    let mut found = Subject::Missing;
    let parser = |input: ParseStream| {
        found = subject(input, errors);
        while !input.is_empty() {
            if matches!(found, Subject::Missing)
                && let Some((at, rule, late)) = misplaced_subject(input, table)
            {
                let shown = format!("#[{}({}, ..)]", table.of, path_text(&late));
                errors.push(at, rule).help(format!("`{shown}`"));
                found = Subject::Refused;
                skip_to_comma(input);
                separator(input, errors);
                continue;
            }
            if let Some(second) = second_subject(input) {
                errors
                    .push(Range::of(&second), "a handler has one stream")
                    .help("write a handler for each, and let both call one function");
                skip_to_comma(input);
                separator(input, errors);
                continue;
            }
            entries.read(input, errors);
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.push_syn(&error);
    }
    (found, entries)
}

/// The subject in the wrong place: behind keys, a path that is no key and has no value; or as the value of a key.
fn misplaced_subject(
    input: ParseStream,
    table: &'static Table,
) -> Option<(Range, &'static str, Path)> {
    let ahead = input.fork();
    let path: Path = ahead.parse().ok()?;
    let word = path.get_ident();
    let ends = |ahead: ParseStream| ahead.is_empty() || ahead.peek(Token![,]);
    if ends(&ahead) {
        let key = word.is_some_and(|word| table.find(word).is_some());
        return (!key).then(|| (Range::of(&path), "the stream comes before the keys", path));
    }
    if word.is_some_and(|word| word == "stream") && ahead.parse::<Token![=]>().is_ok() {
        let subject: Path = ahead.parse().ok()?;
        let rule = "the stream comes first, without a key";
        return ends(&ahead).then(|| (Range::of(&path), rule, subject));
    }
    None
}

/// Another path alone, written as a type is: anything else is rather a key with a slip.
fn second_subject(input: ParseStream) -> Option<Path> {
    let ahead = input.fork();
    let path: Path = ahead.parse().ok()?;
    let name = path.segments.last()?.ident.to_string();
    let alone = ahead.is_empty() || ahead.peek(Token![,]);
    (alone && name.starts_with(char::is_uppercase)).then_some(path)
}

/// The comma after an argument. What stands in its place is reported and skipped, so that the next argument is read.
fn separator(input: ParseStream, errors: &mut Errors) {
    if !input.is_empty() && !input.peek(Token![,]) {
        errors.push(input.span(), "expected `,`");
        skip_to_comma(input);
    }
    // A comma, or the end.
    let _ = input.parse::<Option<Token![,]>>();
}

fn skip_to_comma(input: ParseStream) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
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
            _ => return Subject::Missing,
        }
    };
    // The fork has read it.
    skip_to_comma(input);
    separator(input, errors);
    subject
}

fn value(input: ParseStream) -> syn::Result<Value> {
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        // On a fork: what a failed parse leaves in a delimiter, syn would report as unexpected in the end.
        let ahead = input.fork();
        let expr = ahead.parse()?;
        input.advance_to(&ahead);
        Ok(Value::Equals(Box::new(ungroup(expr))))
    } else if input.peek(token::Paren) {
        Ok(Value::List(list(input)?))
    } else {
        Ok(Value::Flag)
    }
}

/// `=` with nothing behind it.
fn no_value(input: ParseStream) -> Option<Token![=]> {
    let ahead = input.fork();
    let equals = ahead.parse().ok()?;
    (ahead.is_empty() || ahead.peek(Token![,])).then_some(equals)
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
    fn new(table: &'static Table) -> Self {
        Self {
            table,
            given: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Reads one argument and the comma behind it. A mistake in it is reported and skipped, so that the next one is read.
    fn read(&mut self, input: ParseStream, errors: &mut Errors) {
        if let Ok(literal) = input.fork().parse::<Lit>() {
            self.bare(&literal, errors);
            // What follows the literal is skipped with it.
            skip_to_comma(input);
        } else if input.peek(Ident::peek_any)
            && let Ok(key) = input.call(Ident::parse_any)
        {
            self.entry(key, input, errors);
        } else {
            errors.push(input.span(), format!("expected a {}", self.table.noun()));
            skip_to_comma(input);
        }
        separator(input, errors);
    }

    fn entry(&mut self, key: Ident, input: ParseStream, errors: &mut Errors) {
        let known = match self.table.resolve(&key, errors) {
            Ok(known) => known,
            Err(meant) => {
                self.refused.extend(meant.map(|key| key.name));
                return skip_to_comma(input);
            }
        };
        if self.given.iter().any(|(other, _)| other.name == known.name) {
            let shown = self.table.shown();
            errors.push(
                key.span(),
                format!("`{}` is set twice in `{shown}`", known.name),
            );
            return skip_to_comma(input);
        }
        if let Some(equals) = no_value(input) {
            self.refused.push(known.name);
            errors
                .push(equals.spans[0], format!("`{}` has no value", known.name))
                .help(format!("`{}`", known.form));
            return skip_to_comma(input);
        }
        if input.peek(Token![:]) && !input.peek(Token![::]) {
            self.refused.push(known.name);
            errors
                .push(
                    input.span(),
                    format!("`{}` takes {}", known.name, known.place()),
                )
                .help(format!("`{}`", known.form));
            return skip_to_comma(input);
        }
        match value(input) {
            Ok(value) => self.given.push((known, Entry { key, value })),
            Err(error) => {
                self.refused.push(known.name);
                errors.push_syn(&error);
                skip_to_comma(input);
            }
        }
    }

    fn bare(&mut self, literal: &Lit, errors: &mut Errors) {
        let shown = self.table.shown();
        if let Kind::Choice { .. } = self.table.kind {
            let text = format!("`{shown}` does not take a value alone");
            let report = errors.push(Range::of(literal), text);
            match self.table.meant_by(literal) {
                Some(choice) => report.help(format!("`{}({choice})`", self.table.of)),
                None => report.note(self.table.known()),
            };
            return;
        }
        let text = format!("`{shown}` takes `key = value`, not a value alone");
        let report = errors.push(Range::of(literal), text);
        if let (Lit::Str(_), Some(key)) = (literal, self.table.keys.first()) {
            report.help(format!("`{} = {}`", key.name, literal.to_token_stream()));
            self.refused.push(key.name);
        }
    }

    /// Whether the key was given, rightly or not.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        let given = self.given.iter().map(|(key, _)| key.name);
        given
            .chain(self.refused.iter().copied())
            .any(|given| given == name)
    }

    /// For an attribute whose arguments cannot be read: no key is missing as well.
    pub(crate) fn unreadable(table: &'static Table) -> Self {
        let refused = table.keys.iter().map(|key| key.name).collect();
        Self {
            table,
            given: Vec::new(),
            refused,
        }
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<(&'static Key, Entry)> {
        let at = self.given.iter().position(|(key, _)| key.name == name)?;
        Some(self.given.remove(at))
    }

    /// To be called when all keys were taken: one that is left was read by nobody, which must not stay silent.
    pub(crate) fn finish(self, errors: &mut Errors) {
        for (key, entry) in self.given {
            let text = format!("`{}` was not read; this is a bug in kinesis-app", key.name);
            errors.push(entry.key.span(), text);
        }
    }

    /// The arguments of a choice, in the order that they were written.
    pub(crate) fn into_choices(self) -> impl Iterator<Item = (&'static Key, Entry)> {
        self.given.into_iter()
    }
}
