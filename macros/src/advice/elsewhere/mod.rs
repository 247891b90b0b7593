//! Words of other systems that are no key here: the KCL's, Kafka's, the brokers', the web frameworks'.
//!
//! A word that is a key under another name is a synonym in the key tables; here stands what is done in another way.

mod app;
mod handler;
mod stream;

use quote::ToTokens;
use syn::{Expr, ExprLit};

use super::Advice;
use crate::keys::Table;
use crate::parse::args::Value;

struct Elsewhere {
    /// The tables where somebody may write it.
    of: &'static [&'static str],
    words: &'static [&'static str],
    /// What is done instead; `{}` is what the user gave, or else the example.
    instead: &'static str,
    example: &'static str,
}

const HANDLERS: &[&str] = &["on_record", "on_batch"];
const EVERYWHERE: &[&str] = &["kinesis_app", "stream", "on_record", "on_batch"];

const fn says(
    of: &'static [&'static str],
    words: &'static [&'static str],
    instead: &'static str,
) -> Elsewhere {
    edits(of, words, instead, "")
}

const fn edits(
    of: &'static [&'static str],
    words: &'static [&'static str],
    instead: &'static str,
    example: &'static str,
) -> Elsewhere {
    Elsewhere {
        of,
        words,
        instead,
        example,
    }
}

/// All of them, by where they are written first of all.
fn words() -> impl Iterator<Item = &'static Elsewhere> {
    [app::WORDS, stream::WORDS, handler::WORDS]
        .into_iter()
        .flatten()
}

/// What is done here in place of a word.
pub(super) fn advice(table: &Table, word: &str, given: &Value) -> Option<Advice> {
    let found =
        words().find(|entry| entry.of.contains(&table.of) && entry.words.contains(&word))?;
    let value = filling(given, found.example);
    Some(Advice::of(found.instead.replace("{}", &value), None))
}

#[cfg(test)]
pub(crate) fn texts() -> impl Iterator<Item = &'static str> {
    words().map(|entry| entry.instead)
}

/// What the user gave, if it is of the kind of the example: a text, or a type.
fn filling(given: &Value, example: &str) -> String {
    let written = match given {
        Value::Equals(expr) => match &**expr {
            Expr::Lit(ExprLit { lit, .. }) => lit.to_token_stream().to_string(),
            other => other.to_token_stream().to_string(),
        },
        Value::List(list) => list.value.to_string(),
        Value::Flag => String::new(),
    };
    let is_text = |text: &str| text.starts_with('"');
    let fits = !written.is_empty() && is_text(&written) == is_text(example);
    if fits { written } else { example.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::tables;

    #[test]
    fn a_word_has_one_advice_in_a_table_and_is_no_key_of_it() {
        for table in tables() {
            let here = words().filter(|entry| entry.of.contains(&table.of));
            let words: Vec<_> = here.flat_map(|entry| entry.words).collect();
            for (at, word) in words.iter().enumerate() {
                assert!(
                    !words[..at].contains(word),
                    "`{word}` twice in `{}`",
                    table.of
                );
                let key = table
                    .keys
                    .iter()
                    .find(|key| key.is(word) || key.is_called(word));
                assert!(
                    key.is_none(),
                    "`{word}` is a word of `{}` already",
                    table.of
                );
            }
        }
    }

    #[test]
    fn every_word_has_a_place() {
        for entry in words() {
            for of in entry.of {
                assert!(tables().any(|table| table.of == *of), "`{of}`");
            }
            assert_eq!(entry.instead.contains("{}"), !entry.example.is_empty());
        }
    }
}
