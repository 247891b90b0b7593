//! What to say to a word that is no key: the key that was meant, and an edit that can be pasted.

pub(crate) mod edit;
pub(crate) mod elsewhere;
mod similar;
pub(crate) use similar::distance;

use crate::keys::{self, Key, Kind, Table};
use crate::parse::args::Value;

/// What an unknown word probably stands for.
#[derive(Default)]
pub(crate) struct Advice {
    pub(crate) help: Option<String>,
    /// The key of the same table that was meant: it is not missing as well.
    pub(crate) meant: Option<&'static Key>,
}

impl Advice {
    fn of(help: String, meant: Option<&'static Key>) -> Self {
        Self {
            help: Some(help),
            meant,
        }
    }
}

/// The best that is known of a word in the place of a key: what other systems mean by it, before what it looks like.
pub(crate) fn unknown(table: &'static Table, word: &str, given: &Value) -> Advice {
    let word = &*snake(word);
    elsewhere::advice(table, word, given)
        .or_else(|| synonym(table, word, given))
        .or_else(|| choice_of(table, word, given, Key::is))
        .or_else(|| beside(table, word))
        .or_else(|| belongs(table, word, given, Key::is))
        .or_else(|| choice_of(table, word, given, Key::is_called))
        .or_else(|| like(table, word))
        .or_else(|| belongs(table, word, given, Key::is_called))
        .unwrap_or_default()
}

fn synonym(table: &'static Table, word: &str, given: &Value) -> Option<Advice> {
    let key = table.keys.iter().find(|key| key.is_called(word))?;
    if !key.is_built() {
        let help = format!(
            "that is `{}`, which is not built yet; {}",
            key.name, key.meaning
        );
        return Some(Advice::of(help, Some(key)));
    }
    // Where the name alone is the edit, it is easier to read than the whole.
    let edit = if key.place() == given.place() {
        key.name.to_owned()
    } else {
        edit::of(key, given)
    };
    let help = format!("{} is `{edit}`{}", key.meaning, key.stage.remark());
    Some(Advice::of(help, Some(key)))
}

/// `earliest` among the keys of a stream: a choice of `start(..)` without what belongs around it.
fn choice_of(
    table: &'static Table,
    word: &str,
    given: &Value,
    matches: fn(&Key, &str) -> bool,
) -> Option<Advice> {
    let (outer, edit) = around_choice(table, word, given, matches)?;
    Some(Advice::of(format!("`{edit}`"), Some(outer)))
}

/// The key that has such a choice, and the two as they are written.
fn around_choice(
    table: &'static Table,
    word: &str,
    given: &Value,
    matches: fn(&Key, &str) -> bool,
) -> Option<(&'static Key, String)> {
    let Kind::Attribute = table.kind else {
        return None;
    };
    let choices = table.built().flat_map(|outer| {
        let choices = keys::choices(outer).into_iter().flat_map(Table::built);
        choices.map(move |choice| (outer, choice))
    });
    let found: Vec<_> = choices
        .filter(|(_, choice)| matches(choice, word))
        .collect();
    // `shard = 8` and `shard` are choices of two keys.
    let (outer, choice) = found
        .iter()
        .find(|(_, choice)| choice.place() == given.place())
        .or(found.first())?;
    let dots = if choice.stands_beside() { ".., " } else { "" };
    Some((
        outer,
        format!("{}({dots}{})", outer.name, edit::of(choice, given)),
    ))
}

/// A key among the choices of another: `retry(attempts = 5, exhausted(skip))`.
fn beside(table: &'static Table, word: &str) -> Option<Advice> {
    let outer = keys::ATTRIBUTES
        .iter()
        .filter(|attribute| attribute.built().any(|key| key.name == table.of));
    let key = outer
        .flat_map(|attribute| attribute.built())
        .find(|key| key.name == word)?;
    let help = format!("`{}` stands beside `{}(..)`, not in it", key.name, table.of);
    Some(Advice::of(help, None))
}

/// A key of another attribute, or a choice of one.
fn belongs(
    table: &'static Table,
    word: &str,
    given: &Value,
    matches: fn(&Key, &str) -> bool,
) -> Option<Advice> {
    let Kind::Attribute = table.kind else {
        return None;
    };
    let others = || keys::ATTRIBUTES.iter().filter(|other| other.of != table.of);
    let key = others().find_map(|other| {
        let key = other.built().find(|key| matches(key, word))?;
        Some((other, edit::of(key, given)))
    });
    let (other, edit) = key.or_else(|| {
        others().find_map(|other| {
            let (_, edit) = around_choice(other, word, given, matches)?;
            Some((other, edit))
        })
    })?;
    Some(Advice::of(
        format!("`{edit}` belongs in `#[{}(..)]`", other.of),
        None,
    ))
}

fn like(table: &'static Table, word: &str) -> Option<Advice> {
    let key = similar::nearest(table, word)?;
    let (noun, remark) = (table.noun_of(key), key.stage.remark());
    let help = format!(
        "{} with a similar name exists: `{}`{remark}",
        keys::with_article(noun),
        key.name
    );
    Some(Advice::of(help, Some(key)))
}

/// `pollInterval`, `poll-interval`, `poll.interval` and `POLL_INTERVAL` in our spelling; of a path, its last word.
pub(crate) fn snake(word: &str) -> String {
    let word = word.rsplit("::").next().unwrap_or(word);
    let word = word.replace(['-', '.'], "_");
    if !word.chars().any(char::is_lowercase) {
        return word.to_lowercase();
    }
    let mut text = String::new();
    for (at, char) in word.char_indices() {
        if char.is_uppercase() && at > 0 && !text.ends_with('_') {
            text.push('_');
        }
        text.extend(char.to_lowercase());
    }
    text
}
