//! What becomes of a record that fails: keys that every kind of handler has.

use kinesis_app_rules::backoffs::backoffs;
use kinesis_app_rules::count::Count;
use kinesis_app_rules::defaults;
use kinesis_app_rules::length::Length;
use syn::Path;

use crate::errors::Errors;
use crate::keys::{self, Key, Table};
use crate::model::number::{self, Number};
use crate::model::time::{self, Time, Timed};
use crate::model::value;
use crate::model::{choice, target};
use crate::parse::args::{self, Entries, Entry};
use crate::spanned::Range;
use crate::words::{local, path_text};

/// `retry(..)`, `exhausted(..)`, `undecodable(..)` and `timeout`.
pub(crate) struct Failure {
    pub(crate) retry: Retry,
    pub(crate) exhausted: GiveUp,
    pub(crate) undecodable: GiveUp,
    pub(crate) timeout: Option<Time>,
}

/// `None`: the default of the rules.
#[derive(Default)]
pub(crate) struct Retry {
    pub(crate) attempts: Option<Number>,
    pub(crate) backoff: Option<Time>,
    pub(crate) max_backoff: Option<Time>,
}

/// Where a record ends that is given up on.
#[derive(Default)]
pub(crate) enum GiveUp {
    #[default]
    Halt,
    Skip,
    DeadLetter(Path),
}

impl Failure {
    /// The streams that its dead letters go to.
    pub(crate) fn dead_letters(&self) -> impl Iterator<Item = &Path> {
        [&self.exhausted, &self.undecodable]
            .into_iter()
            .filter_map(|place| match place {
                GiveUp::DeadLetter(stream) => Some(stream),
                GiveUp::Halt | GiveUp::Skip => None,
            })
    }
}

/// Takes the keys. What is wrong with them is pushed, and stands as if it had been left out.
pub(crate) fn read(args: &mut Entries, stream: Option<&Path>, errors: &mut Errors) -> Failure {
    // Whether a record may be given up on at all: also by a key that could not be read.
    let was_mentioned = args.mentions("retry");
    let (retry, ends) = match args.take("retry") {
        Some(found) => retry(found, errors),
        None => (Retry::default(), was_mentioned),
    };
    let exhausted = args.take("exhausted").map(|(key, entry)| {
        let at = entry.key.clone();
        let place = place((key, entry), &keys::EXHAUSTED, stream, errors);
        if !ends && let Some(place) = &place {
            endless(&at, place, errors);
        }
        place
    });
    let undecodable = args
        .take("undecodable")
        .map(|found| place(found, &keys::UNDECODABLE, stream, errors));
    let timeout = args
        .take("timeout")
        .and_then(|found| time::judged(found, Length::Timeout, errors));
    Failure {
        retry,
        exhausted: exhausted.flatten().unwrap_or_default(),
        undecodable: undecodable.flatten().unwrap_or_default(),
        timeout: timeout.map(|timed| timed.time),
    }
}

fn endless(exhausted: &syn::Ident, place: &GiveUp, errors: &mut Errors) {
    let place = match place {
        GiveUp::Halt => "halt".to_owned(),
        GiveUp::Skip => "skip".to_owned(),
        GiveUp::DeadLetter(stream) => format!("dead_letter({})", path_text(stream)),
    };
    errors
        .push(
            exhausted.span(),
            "without `retry(attempts = ..)` a record is retried until it passes",
        )
        .help(format!("`retry(attempts = 5), exhausted({place})`"))
        .note("with `retry(forever)` only errors made by `permanent(..)` and `Outcome::DeadLetter` go there");
}

/// The settings, and whether they say when a record is given up on.
fn retry(found: (&'static Key, Entry), errors: &mut Errors) -> (Retry, bool) {
    let Some(list) = choice::list(found, "its settings", errors) else {
        return (Retry::default(), true);
    };
    let mut entries = args::parse(list.value, &keys::RETRY, errors);
    let ends = entries.mentions("attempts") || entries.mentions("forever");
    let forever = entries.take("forever").map(|(_, entry)| {
        value::flag(&entry, errors);
        entry.key
    });
    let attempts = entries.take("attempts").map(|found| {
        if let Some(forever) = &forever {
            errors.push(
                forever.span(),
                "`attempts` and `forever` both say when a record is given up on",
            );
        }
        number::read(found, Count::Attempts, errors)
    });
    let first = entries
        .take("backoff")
        .map(|found| time::judged(found, Length::Backoff, errors));
    let longest = entries
        .take("max_backoff")
        .map(|found| time::judged(found, Length::MaxBackoff, errors));
    entries.finish(errors);
    shrinking(first.as_ref(), longest.as_ref(), errors);
    let retry = Retry {
        attempts: attempts.flatten(),
        backoff: first.flatten().map(|timed| timed.time),
        max_backoff: longest.flatten().map(|timed| timed.time),
    };
    (retry, ends)
}

/// Pauses that shrink, as far as literals tell.
fn shrinking(first: Option<&Option<Timed>>, longest: Option<&Option<Timed>>, errors: &mut Errors) {
    let literal = |given: Option<&Option<Timed>>, default| match given {
        None => Some((default, None)),
        Some(Some(timed)) => match timed.time {
            Time::Literal(length) => Some((length, Some(timed.at))),
            Time::Const(_) | Time::Env { .. } => None,
        },
        Some(None) => None,
    };
    let first = literal(first, defaults::BACKOFF_FIRST);
    let longest = literal(longest, defaults::BACKOFF_MAX);
    let (Some((first, first_at)), Some((longest, longest_at))) = (first, longest) else {
        return;
    };
    let Some(at) = longest_at.or(first_at) else {
        return;
    };
    if let Err(fault) = backoffs(first, longest) {
        let report = errors.push(at, fault.to_string());
        if longest_at.is_none() {
            report.help(format!(
                "`max_backoff = \"{}\"`",
                kinesis_app_rules::duration::Short(first)
            ));
        }
    }
}

/// `dead_letter(Stream)`, `skip` or `halt`.
fn place(
    found: (&'static Key, Entry),
    table: &'static Table,
    own: Option<&Path>,
    errors: &mut Errors,
) -> Option<GiveUp> {
    let list = choice::list(found, "its place", errors)?;
    let (key, entry) = choice::one(list, table, "a record ends in one place", errors)?;
    if key.name == "dead_letter" {
        return dead_letter((key, entry), own, errors).map(GiveUp::DeadLetter);
    }
    value::flag(&entry, errors)?;
    Some(if key.name == "skip" {
        GiveUp::Skip
    } else {
        GiveUp::Halt
    })
}

fn dead_letter(
    found: (&'static Key, Entry),
    own: Option<&Path>,
    errors: &mut Errors,
) -> Option<Path> {
    let stream = target::stream(found, errors)?;
    if own.is_some_and(|own| local(own) == local(&stream)) {
        let name = path_text(&stream);
        errors.push(
            Range::of(&stream),
            format!("a dead letter to `{name}` comes straight back to this handler"),
        );
        return None;
    }
    Some(stream)
}
