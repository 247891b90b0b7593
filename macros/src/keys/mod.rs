//! Every key of every attribute, once: the tables drive the parser, the "known keys" texts, did-you-mean and the editor
//! hints.

mod app;
mod failure;
mod handler;
mod row;
mod stream;
mod text;

use crate::advice;
use crate::errors::Errors;
use crate::parse::args::Value;
use crate::spanned::Range;

pub(crate) use app::{APP, CREDENTIALS, LEASES};
pub(crate) use failure::{EXHAUSTED, RETRY, UNDECODABLE};
pub(crate) use handler::{CONCURRENCY, ON_BATCH, ON_RECORD, ORDERED};
use row::{beside, key, later};
pub(crate) use stream::{CREATE, ON_FATAL, ON_RECREATED, START, STREAM};
pub(crate) use text::TEXT;

/// The keys of an attribute, or the choices of a key.
pub(crate) struct Table {
    /// The attribute or key, as it is called in messages and hints: `stream`, `start`.
    pub(crate) of: &'static str,
    pub(crate) kind: Kind,
    /// In the order of the documentation.
    pub(crate) keys: &'static [Key],
}

pub(crate) enum Kind {
    /// Keys of `#[of(..)]`.
    Attribute,
    /// Choices in `of(..)`, with what one of them is called, and several.
    Choice {
        one: &'static str,
        many: &'static str,
    },
}

#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// How it is written.
    pub(crate) form: &'static str,
    /// What it sets, to be followed by "is `name`".
    pub(crate) meaning: &'static str,
    /// One line for the editor and the reference: what it says, values, limits.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "what is written from it is compared with it")
    )]
    pub(crate) doc: &'static str,
    /// What holds without it; empty for a choice, which is taken or not.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "what is written from it is compared with it")
    )]
    pub(crate) left_out: &'static str,
    /// Other words for it, from other libraries.
    pub(crate) synonyms: &'static [&'static str],
    pub(crate) stage: Stage,
    pub(crate) role: Role,
}

/// What a word in a key's parentheses is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// One of those that exclude each other, and every key of an attribute.
    Choice,
    /// A setting beside the choice.
    Beside,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Built,
    /// Its machinery is left out of this build: a cargo feature of the runtime that is off.
    Off {
        feature: &'static str,
    },
    /// Known and designed, without machinery: an error that says so, never a silent no-op.
    Later,
}

/// Where the value of a key stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    AfterEquals,
    InParentheses,
    /// It takes none.
    Nowhere,
}

impl Table {
    pub(crate) fn find(&'static self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.is(name))
    }

    /// The keys that can be used, in this build or in another.
    pub(crate) fn built(&'static self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().filter(|key| key.is_built())
    }

    /// Whether what it describes is called by its name first of all.
    pub(crate) fn takes_a_name(&'static self) -> bool {
        self.keys.first().is_some_and(|key| key.is("name"))
    }

    /// Pushes what keeps a key from being used, if anything does. Its value is judged all the same.
    pub(crate) fn judge_stage(&self, key: &Key, at: Range, errors: &mut Errors) {
        let mention = self.mention(key);
        match key.stage {
            Stage::Built => {}
            Stage::Off { feature } => {
                let text = format!("{mention} needs the feature `{feature}` of `kinesis-app`");
                errors.push(at, text).help(feature_line(feature));
            }
            Stage::Later => {
                let text = format!("{mention} is not built yet");
                errors.push(at, text).help(key.meaning);
            }
        }
    }

    /// The words in the parentheses of one of its keys: choices, or where a text is taken from.
    pub(crate) fn inside(&self, key: &Key) -> Option<&'static Table> {
        let takes_a_variable = key.takes_text() && !std::ptr::eq(self, &raw const TEXT);
        choices(key).or_else(|| takes_a_variable.then_some(&TEXT))
    }

    /// Pushes that a word is no key, and gives the key that was meant.
    pub(crate) fn refuse(
        &'static self,
        word: &str,
        at: Range,
        given: &Value,
        errors: &mut Errors,
    ) -> Option<&'static Key> {
        let advice = advice::unknown(self, word, given);
        let report = errors.push(at, self.unknown(word));
        if let Some(help) = advice.help {
            report.help(help);
        }
        report.note(self.known());
        advice.meant
    }

    fn unknown(&self, name: &str) -> String {
        match self.kind {
            Kind::Attribute => format!("unknown key `{name}` in `#[{}]`", self.of),
            Kind::Choice { one, .. } => format!("unknown {one} `{name}`"),
        }
    }

    /// The attribute or key with what belongs around it: `#[stream]`, `start(..)`.
    pub(crate) fn shown(&self) -> String {
        match self.kind {
            Kind::Attribute => format!("#[{}]", self.of),
            Kind::Choice { .. } => format!("{}(..)", self.of),
        }
    }

    /// The last word of what a choice is called: `store` of `lease store`.
    pub(crate) fn noun(&self) -> &'static str {
        match self.kind {
            Kind::Attribute => "key",
            Kind::Choice { one, .. } => one.rsplit(' ').next().unwrap_or(one),
        }
    }

    /// With its article.
    pub(crate) fn a_noun(&self) -> String {
        with_article(self.noun())
    }

    pub(crate) fn noun_of(&self, key: &Key) -> &'static str {
        match key.role {
            Role::Choice => self.noun(),
            Role::Beside => "setting",
        }
    }

    pub(crate) fn known(&self) -> String {
        let list = |role| {
            let built = self
                .keys
                .iter()
                .filter(|key| key.is_built() && key.role == role);
            let list: Vec<_> = match self.kind {
                Kind::Attribute => built.map(|key| format!("`{}`", key.name)).collect(),
                Kind::Choice { .. } => built.map(|key| format!("`{}`", key.form)).collect(),
            };
            list.join(", ")
        };
        let many = match self.kind {
            Kind::Attribute => "keys",
            Kind::Choice { many, .. } => many,
        };
        let known = format!("known {many}: {}", list(Role::Choice));
        let known = match self.of {
            "leases" => format!("{known}, any other by a `#[leases]` function"),
            _ => known,
        };
        match &*list(Role::Beside) {
            "" => known,
            beside => format!("{known}; beside it: {beside}"),
        }
    }

    fn mention(&self, key: &Key) -> String {
        match self.kind {
            Kind::Choice { .. } if key.form == key.name => format!("`{}({})`", self.of, key.name),
            Kind::Choice { .. } => format!("`{}({} = ..)`", self.of, key.name),
            Kind::Attribute => format!("`{}`", key.name),
        }
    }
}

impl Key {
    /// Whether it can be used, in this build or in another.
    pub(crate) fn is_built(&self) -> bool {
        self.stage != Stage::Later
    }

    pub(crate) fn is(&self, word: &str) -> bool {
        self.name == word
    }

    /// Whether other libraries call it so.
    pub(crate) fn is_called(&self, word: &str) -> bool {
        self.synonyms.contains(&word)
    }

    pub(crate) fn stands_beside(&self) -> bool {
        self.role == Role::Beside
    }

    /// Where its value stands.
    pub(crate) fn place(&self) -> Place {
        let behind = self.form.strip_prefix(self.name).unwrap_or_default();
        match behind.trim_start().chars().next() {
            Some('=') => Place::AfterEquals,
            Some(_) => Place::InParentheses,
            None => Place::Nowhere,
        }
    }

    /// Whether its value is written in quotes.
    pub(crate) fn takes_text(&self) -> bool {
        self.place() == Place::AfterEquals && self.example().is_some()
    }

    /// Whether it is a length of time.
    pub(crate) fn takes_a_time(&self) -> bool {
        self.example().is_some_and(|example| {
            example.starts_with(|c: char| c.is_ascii_digit()) && example.ends_with(['s', 'm', 'h'])
        })
    }

    /// What stands in the quotes of its form.
    pub(crate) fn example(&self) -> Option<&'static str> {
        self.form.split('"').nth(1)
    }
}

impl Stage {
    pub(crate) fn remark(self) -> String {
        match self {
            Self::Built => String::new(),
            Self::Off { feature } => format!(", which needs the feature `{feature}`"),
            Self::Later => ", which is not built yet".to_owned(),
        }
    }
}

/// The attributes that have keys.
pub(crate) static ATTRIBUTES: [&Table; 4] = [&APP, &STREAM, &ON_RECORD, &ON_BATCH];

/// The choices in the parentheses of keys, each table of the key of its name.
static CHOICES: [&Table; 11] = [
    &ON_FATAL,
    &ON_RECREATED,
    &START,
    &LEASES,
    &CREDENTIALS,
    &CONCURRENCY,
    &ORDERED,
    &RETRY,
    &EXHAUSTED,
    &UNDECODABLE,
    &CREATE,
];

/// All tables.
#[cfg(test)]
pub(crate) fn tables() -> impl Iterator<Item = &'static Table> {
    ATTRIBUTES.into_iter().chain(CHOICES).chain([&TEXT])
}

/// The choices in the parentheses of a key.
pub(crate) fn choices(key: &Key) -> Option<&'static Table> {
    // A word alone may be called as such a key of another attribute is.
    let takes_some = key.place() != Place::Nowhere;
    CHOICES
        .into_iter()
        .find(|table| takes_some && key.is(table.of))
}

/// The runtime in the user's manifest, with a feature. The runtime's version is this crate's.
fn feature_line(feature: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("`kinesis-app = {{ version = \"{version}\", features = [\"{feature}\"] }}`")
}

/// A word of a table, behind `a` or `an`.
pub(crate) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}
