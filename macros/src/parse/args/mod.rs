//! Arguments of an attribute: `key = value`, `key(..)`, `flag`.

mod slips;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Lit, Token, token};

use crate::advice::edit;
use crate::errors::Errors;
use crate::keys::{Key, Kind, Table};
use crate::spanned::{Range, Spanned};
use crate::words::plain;

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

/// The arguments that are known, each that is built at most once.
pub(crate) struct Entries {
    table: &'static Table,
    /// In whose parentheses, or in which attribute, they stand.
    of: &'static str,
    given: Vec<(&'static Key, Entry)>,
    /// Keys that were meant by an argument with a mistake: they are not missing as well.
    refused: Vec<&'static str>,
}

/// Reads arguments that are keys of a table.
pub(crate) fn parse(tokens: TokenStream, table: &'static Table, errors: &mut Errors) -> Entries {
    parse_of(table.of, tokens, table, errors)
}

/// The same, of a key that shares its table with others.
pub(crate) fn parse_of(
    of: &'static str,
    tokens: TokenStream,
    table: &'static Table,
    errors: &mut Errors,
) -> Entries {
    let mut entries = Entries::new(table);
    entries.of = of;
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

/// The comma after an argument. What stands in its place is reported and skipped, so that the next argument is read.
pub(super) fn separator(input: ParseStream, errors: &mut Errors) {
    if !input.is_empty() && !input.peek(Token![,]) {
        errors.push(input.span(), "expected `,`");
        skip_to_comma(input);
    }
    // A comma, or the end.
    let _ = input.parse::<Option<Token![,]>>();
}

pub(super) fn skip_to_comma(input: ParseStream) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}

pub(super) fn value(input: ParseStream) -> syn::Result<Value> {
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

/// A key as it was typed, with what people put between its words: `auto.offset.reset`, `batch-size`, `Position::latest`.
fn whole_word(first: &Ident, input: ParseStream) -> (String, Range) {
    let mut word = plain(first);
    let mut at = Range::from(first.span());
    loop {
        let ahead = input.fork();
        let joint = if ahead.parse::<Token![::]>().is_ok() {
            "::"
        } else if ahead.parse::<Token![.]>().is_ok() {
            "."
        } else if ahead.parse::<Token![-]>().is_ok() {
            "-"
        } else {
            return (word, at);
        };
        let Ok(next) = ahead.call(Ident::parse_any) else {
            return (word, at);
        };
        input.advance_to(&ahead);
        word.push_str(joint);
        word.push_str(&plain(&next));
        at.end = next.span();
    }
}

/// `:`, `==`, `=>` or `:=` where `=` or parentheses belong, and what stands behind it; or other brackets than these.
fn another_sign(input: ParseStream) -> Option<(Range, Value)> {
    let ahead = input.fork();
    if !ahead.peek(token::Paren)
        && let Ok(group) = ahead.parse::<Group>()
    {
        let at = brackets(&group);
        let value = group.stream();
        return Some((at, Value::List(Spanned { value, at })));
    }
    let sign = if ahead.peek(Token![==]) {
        Range::of(&ahead.parse::<Token![==]>().ok()?)
    } else if ahead.peek(Token![=>]) {
        Range::of(&ahead.parse::<Token![=>]>().ok()?)
    } else if ahead.peek(Token![:]) && !ahead.peek(Token![::]) {
        let mut sign = Range::of(&ahead.parse::<Token![:]>().ok()?);
        if let Ok(equals) = ahead.parse::<Token![=]>() {
            sign.end = equals.spans[0];
        }
        sign
    } else {
        return None;
    };
    let given = ahead.parse().map(|expr| Value::Equals(Box::new(expr)));
    Some((sign, given.unwrap_or(Value::Flag)))
}

fn brackets(group: &Group) -> Range {
    Range {
        start: group.span_open(),
        end: group.span_close(),
    }
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
    pub(super) fn new(table: &'static Table) -> Self {
        Self {
            table,
            of: table.of,
            given: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Reads one argument and the comma behind it. A mistake in it is reported and skipped, so that the next one is read.
    pub(super) fn read(&mut self, input: ParseStream, errors: &mut Errors) {
        let ahead = input.fork();
        if let Ok(literal) = ahead.parse::<Lit>() {
            match &literal {
                Lit::Str(text) if ahead.peek(Token![=]) || ahead.peek(Token![:]) => {
                    self.quoted(text, &ahead, errors);
                }
                _ => self.bare(&literal, &ahead, errors),
            }
            // What follows the literal is skipped with it.
            input.advance_to(&ahead);
            skip_to_comma(input);
        } else if input.peek(Ident::peek_any)
            && let Ok(key) = input.call(Ident::parse_any)
        {
            self.entry(key, input, errors);
        } else if let Ok(group) = input.fork().parse::<Group>() {
            self.in_brackets(&group, errors);
            skip_to_comma(input);
        } else {
            errors.push(input.span(), format!("expected {}", self.table.a_noun()));
            skip_to_comma(input);
        }
        separator(input, errors);
    }

    fn entry(&mut self, key: Ident, input: ParseStream, errors: &mut Errors) {
        let (word, at) = whole_word(&key, input);
        // On a fork: what a key that cannot be used has for its value is only looked at.
        let given = value(&input.fork()).unwrap_or(Value::Flag);
        let Some(known) = self.table.find(&word) else {
            let rest = input.fork();
            skip_to_comma(&rest);
            let is_alone = self.given.is_empty() && rest.is_empty();
            if is_alone && self.is_a_name(&word, &given) {
                self.name_alone(at, &format!("\"{word}\""), errors);
                return skip_to_comma(input);
            }
            let meant = self.table.refuse(&word, at, &given, errors);
            self.refused.extend(meant.map(|key| key.name));
            return skip_to_comma(input);
        };
        if !known.is_built() {
            // `finish` says so, unless there is more to say.
            self.given.push((known, Entry { key, value: given }));
            return skip_to_comma(input);
        }
        self.table.judge_stage(known, at, errors);
        if self.given.iter().any(|(other, _)| other.name == known.name) {
            let shown = self.shown();
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
        if let Some((sign, given)) = another_sign(input) {
            self.refused.push(known.name);
            let text = format!("`{}` takes {}", known.name, edit::place(known));
            errors
                .push(sign, text)
                .help(format!("`{}`", edit::of(known, &given)));
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

    /// What they belong to, with what belongs around it: `#[stream]`, `start(..)`.
    fn shown(&self) -> String {
        match self.table.kind {
            Kind::Attribute => self.table.shown(),
            Kind::Choice { .. } => format!("{}(..)", self.of),
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
            refused,
            ..Self::new(table)
        }
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<(&'static Key, Entry)> {
        let at = self.given.iter().position(|(key, _)| key.name == name)?;
        Some(self.given.remove(at))
    }

    /// To be called when all keys were taken: one that is left was read by nobody, which must not stay silent.
    pub(crate) fn finish(self, errors: &mut Errors) {
        for (key, entry) in self.given {
            if key.is_built() {
                let text = format!("`{}` was not read; this is a bug in kinesis-app", key.name);
                errors.push(entry.key.span(), text);
            } else {
                let at = entry.key.span().into();
                self.table.judge_stage(key, at, errors);
            }
        }
    }

    /// The arguments of a choice, in the order that they were written.
    pub(crate) fn into_choices(mut self, errors: &mut Errors) -> Vec<(&'static Key, Entry)> {
        let built = self.given.extract_if(.., |(key, _)| key.is_built());
        let choices = built.collect();
        self.finish(errors);
        choices
    }
}
