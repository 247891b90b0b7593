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
    in_our_spelling(table, word)
        .or_else(|| elsewhere::advice(table, word, given))
        .or_else(|| synonym(table, word, given))
        .or_else(|| in_a_unit(table, word, given))
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

/// `NAME` and `batchSize`: the key itself, which no other meaning of the word goes before.
fn in_our_spelling(table: &'static Table, word: &str) -> Option<Advice> {
    table.find(word).map(|key| similar(table, key))
}

fn like(table: &'static Table, word: &str) -> Option<Advice> {
    similar::nearest(table, word).map(|key| similar(table, key))
}

/// `timeout_ms = 500`: a key with the unit of its value, which stands in the value here.
fn in_a_unit(table: &'static Table, word: &str, given: &Value) -> Option<Advice> {
    const UNITS: [(&str, &[&str]); 3] = [
        ("ms", &["_ms", "_in_millis", "_millis", "_milliseconds"]),
        ("s", &["_s", "_sec", "_secs", "_in_seconds", "_seconds"]),
        ("m", &["_mins", "_minutes"]),
    ];
    let (stem, unit) = UNITS.iter().find_map(|(unit, endings)| {
        let stem = endings
            .iter()
            .find_map(|ending| word.strip_suffix(ending))?;
        Some((stem, unit))
    })?;
    let key = table
        .built()
        .find(|key| key.takes_a_time() && (key.is(stem) || key.is_called(stem)))?;
    let edit = match edit::number(given) {
        Some(number) => format!("{} = \"{number}{unit}\"", key.name),
        None => edit::of(key, given),
    };
    Some(Advice::of(format!("`{edit}`"), Some(key)))
}

fn similar(table: &'static Table, key: &'static Key) -> Advice {
    let (noun, remark) = (table.noun_of(key), key.stage.remark());
    let help = format!(
        "{} with a similar name exists: `{}`{remark}",
        keys::with_article(noun),
        key.name
    );
    Advice::of(help, Some(key))
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
