//! `key(choice)`: one of several variants.

use proc_macro2::TokenStream;

use crate::advice::edit;
use crate::errors::Errors;
use crate::keys::{Key, Table};
use crate::model::value;
use crate::parse::args::{self, Entries, Entry, Value};
use crate::spanned::{Range, Spanned};

/// The tokens in the parentheses. `what` is what stands there: "its position".
pub(crate) fn list(
    (key, entry): (&'static Key, Entry),
    what: &str,
    errors: &mut Errors,
) -> Option<Spanned<TokenStream>> {
    let text = format!("`{}` takes {what} in parentheses", key.name);
    let help = format!("`{}`", edit::of(key, &entry.value));
    let at = match entry.value {
        Value::List(list) if list.value.is_empty() => list.at,
        Value::List(list) => return Some(list),
        Value::Flag => entry.key.span().into(),
        Value::Equals(expr) => Range::of(&expr),
    };
    errors.push(at, text).help(help);
    None
}

/// The one variant that is named. `second` words why there is no other: "a shard starts in one place".
pub(crate) fn one(
    list: Spanned<TokenStream>,
    table: &'static Table,
    second: &str,
    errors: &mut Errors,
) -> Option<(&'static Key, Entry)> {
    let mark = errors.mark();
    let entries = args::parse(list.value, table, errors);
    let first = first(entries, second, errors);
    errors.none_since(mark).then_some(first).flatten()
}

/// The one of the arguments that are left when settings beside it were taken.
pub(crate) fn first(
    entries: Entries,
    second: &str,
    errors: &mut Errors,
) -> Option<(&'static Key, Entry)> {
    let mut choices = entries.into_choices(errors).into_iter();
    let first = choices.next();
    if let Some((first, _)) = &first {
        for (_, entry) in choices {
            errors.push(
                entry.key.span(),
                format!("{second}; `{}` is already given", first.name),
            );
        }
    }
    first
}

/// The word in `key(word)`, of a table whose choices are all words.
pub(crate) fn word(
    found: (&'static Key, Entry),
    table: &'static Table,
    second: &str,
    errors: &mut Errors,
) -> Option<&'static str> {
    let list = list(found, "its choice", errors)?;
    let (key, entry) = one(list, table, second, errors)?;
    value::flag(&entry, errors)?;
    Some(key.name)
}
