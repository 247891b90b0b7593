//! What stands where a key should: a value alone, a key in quotes, brackets.

use proc_macro2::Group;
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{Lit, LitInt, LitStr, Token};

use super::{Entries, Value, another_sign, brackets, value};
use crate::advice::{self, edit};
use crate::errors::Errors;
use crate::keys::{Key, Kind};
use crate::spanned::Range;

/// What stands behind a comma in a number that is written for people.
fn three_digits(literal: &Lit) -> Option<LitInt> {
    let Lit::Int(literal) = literal else {
        return None;
    };
    let digits = literal.to_string();
    let are_digits = digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
    are_digits.then(|| literal.clone())
}

impl Entries {
    /// `"name" = "orders"`, as in JSON.
    pub(super) fn quoted(&mut self, literal: &LitStr, behind: ParseStream, errors: &mut Errors) {
        let word = literal.value();
        let noun = self.table.a_noun();
        let report = errors.push(Range::of(literal), format!("{noun} stands without quotes"));
        let Some(known) = self.table.find(&advice::snake(&word)) else {
            report.note(self.table.known());
            return;
        };
        let given = another_sign(behind).map(|(_, given)| given);
        let given = given.or_else(|| value(behind).ok()).unwrap_or(Value::Flag);
        report.help(format!("`{}`", edit::of(known, &given)));
        self.refused.push(known.name);
    }

    /// `{ name: "orders" }`: whatever was meant is not missing as well.
    pub(super) fn in_brackets(&mut self, group: &Group, errors: &mut Errors) {
        let text = format!("`{}` takes no brackets around what it takes", self.shown());
        errors.push(brackets(group), text).note(self.table.known());
        self.refused
            .extend(self.table.keys.iter().map(|key| key.name));
    }

    /// `1,000,000`: the number in front of the comma, and the digits behind it, those that follow among them.
    fn rest_of_a_number(
        &self,
        literal: &Lit,
        behind: ParseStream,
    ) -> Option<(&Key, Range, String)> {
        let (key, entry) = self.given.last()?;
        let Value::Equals(expr) = &entry.value else {
            return None;
        };
        let mut number = edit::number(&entry.value)?;
        let mut at = Range::of(expr);
        let mut group = three_digits(literal);
        while let Some(digits) = group {
            number = format!("{number}_{digits}");
            at.end = digits.span();
            let ahead = behind.fork();
            let next = ahead
                .parse::<Token![,]>()
                .and_then(|_| ahead.parse::<Lit>());
            group = next.ok().as_ref().and_then(three_digits);
            if group.is_some() {
                behind.advance_to(&ahead);
            }
        }
        number.contains('_').then_some((*key, at, number))
    }

    pub(super) fn bare(&mut self, literal: &Lit, behind: ParseStream, errors: &mut Errors) {
        let shown = self.shown();
        if let Some((key, at, number)) = self.rest_of_a_number(literal, behind) {
            errors
                .push(at, "the digits of a number are grouped by `_`")
                .help(format!("`{} = {number}`", key.name));
            return;
        }
        if let Kind::Choice { .. } = self.table.kind {
            let text = format!("`{shown}` does not take a value alone");
            let report = errors.push(Range::of(literal), text);
            match edit::alone(self.of, self.table, literal) {
                Some(edit) => report.help(format!("`{edit}`")),
                None => report.note(self.table.known()),
            };
            return;
        }
        if let (Lit::Str(_), true) = (literal, self.table.takes_a_name()) {
            self.name_alone(
                Range::of(literal),
                &literal.to_token_stream().to_string(),
                errors,
            );
            return;
        }
        let text = format!("`{shown}` takes `key = value`, not a value alone");
        errors
            .push(Range::of(literal), text)
            .note(self.table.known());
    }

    /// Whether a word that nobody knows stands for the name, without quotes.
    pub(super) fn is_a_name(&self, word: &str, given: &Value) -> bool {
        matches!(given, Value::Flag)
            && self.table.takes_a_name()
            && advice::unknown(self.table, word, given).help.is_none()
    }

    /// `#[stream("orders")]`.
    pub(super) fn name_alone(&mut self, at: Range, name: &str, errors: &mut Errors) {
        let shown = self.shown();
        errors
            .push(
                at,
                format!("`{shown}` takes `key = value`, not a value alone"),
            )
            .help(format!("`name = {name}`"));
        self.refused.push("name");
    }
}
