//! What stands where a key should: a value alone, a key in quotes, brackets.

use proc_macro2::Group;
use quote::ToTokens;
use syn::Lit;
use syn::parse::ParseStream;

use super::{Entries, Value, another_sign, brackets, value};
use crate::advice::{self, edit};
use crate::errors::Errors;
use crate::keys::{Key, Kind};
use crate::spanned::Range;

impl Entries {
    /// `"name" = "orders"`, as in JSON.
    pub(super) fn quoted(&mut self, literal: &Lit, behind: ParseStream, errors: &mut Errors) {
        let word = match literal {
            Lit::Str(text) => text.value(),
            _ => String::new(),
        };
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

    /// `1,000`: the digits behind a comma, and the number in front of it.
    fn rest_of_a_number(&self, literal: &Lit) -> Option<(&Key, Range, String)> {
        let (Lit::Int(rest), Some((key, entry))) = (literal, self.given.last()) else {
            return None;
        };
        let Value::Equals(expr) = &entry.value else {
            return None;
        };
        let start = edit::number(&entry.value)?;
        let at = Range {
            start: Range::of(expr).start,
            end: rest.span(),
        };
        let digits = rest.to_string();
        (digits.len() == 3).then(|| (*key, at, format!("{start}_{digits}")))
    }

    pub(super) fn bare(&mut self, literal: &Lit, errors: &mut Errors) {
        let shown = self.shown();
        if let Some((key, at, number)) = self.rest_of_a_number(literal) {
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
