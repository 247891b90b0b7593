//! Every key of every attribute, once: the tables drive the parser, the "known keys" texts, did-you-mean and the editor
//! hints.

mod tables;

use syn::ext::IdentExt;
use syn::{Ident, Lit};

use crate::errors::Errors;
use crate::suggest::{Suggestion, suggest};

#[cfg(test)]
pub(crate) use tables::TABLES;
pub(crate) use tables::{
    APP, CONCURRENCY, CREATE, CREDENTIALS, EXHAUSTED, LEASES, ON_BATCH, ON_FATAL, ON_RECORD,
    ON_RECREATED, ORDERED, RETRY, START, STREAM, TEXT, UNDECODABLE,
};

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
    /// One line for the editor: values, limits, default.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the runtime's `__ide` module is compared with it")
    )]
    pub(crate) doc: &'static str,
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

impl Table {
    pub(crate) fn find(&'static self, name: &Ident) -> Option<&'static Key> {
        let text = name.unraw().to_string();
        self.keys.iter().find(|key| key.name == text)
    }

    /// The key of that name, if it can be used; otherwise pushes what is wrong, and gives the key that was meant.
    pub(crate) fn resolve(
        &'static self,
        name: &Ident,
        errors: &mut Errors,
    ) -> Result<&'static Key, Option<&'static Key>> {
        let text = name.unraw().to_string();
        if let Some(key) = self.find(name) {
            let mention = self.mention(key);
            match key.stage {
                Stage::Built => {}
                // Its value is judged all the same.
                Stage::Off { feature } => {
                    let text = format!("{mention} needs the feature `{feature}` of `kinesis-app`");
                    errors.push(name.span(), text).help(feature_line(feature));
                }
                Stage::Later => {
                    errors.push(name.span(), format!("{mention} is not built yet"));
                    return Err(Some(key));
                }
            }
            return Ok(key);
        }
        let report = errors.push(name.span(), self.unknown(&text));
        if let Some(help) = no_meaning(self.of, &text) {
            report.help(help).note(self.known());
            return Err(None);
        }
        let suggestion = suggest(self, &text);
        let meant = suggestion.as_ref().map(|suggestion| match suggestion {
            Suggestion::Synonym(key) => {
                report.help(format!(
                    "{} is `{}`{}",
                    key.meaning,
                    key.name,
                    key.stage.remark()
                ));
                *key
            }
            Suggestion::Similar(key) => {
                let (noun, remark) = (self.noun_of(key), key.stage.remark());
                report.help(format!(
                    "a {noun} with a similar name exists: `{}`{remark}",
                    key.name
                ));
                *key
            }
        });
        report.note(self.known());
        Err(meant)
    }

    /// The choice that a literal alone stands for: a word in quotes, or the number of the one setting there is.
    pub(crate) fn meant_by(&self, literal: &Lit) -> Option<String> {
        let mut built = self.keys.iter().filter(|key| key.is_built());
        match (literal, self.keys) {
            (Lit::Str(text), _) => built
                .find(|key| key.name == text.value() && key.form == key.name)
                .map(|key| key.name.to_owned()),
            (Lit::Int(number), [only]) if only.place() == Key::AFTER_EQUALS => {
                Some(format!("{} = {number}", only.name))
            }
            _ => None,
        }
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

    fn noun_of(&self, key: &Key) -> &'static str {
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
    const AFTER_EQUALS: &str = "its value after `=`";

    /// Whether it can be used, in this build or in another.
    pub(crate) fn is_built(&self) -> bool {
        self.stage != Stage::Later
    }

    /// Where its value stands, to be preceded by "takes".
    pub(crate) fn place(&self) -> &'static str {
        let behind = self.form.strip_prefix(self.name).unwrap_or_default();
        match behind.trim_start().chars().next() {
            Some('=') => Self::AFTER_EQUALS,
            Some(_) => "its value in parentheses",
            None => "no value",
        }
    }
}

impl Stage {
    fn remark(self) -> String {
        match self {
            Self::Built => String::new(),
            Self::Off { feature } => format!(", which needs the feature `{feature}`"),
            Self::Later => ", which is not built yet".to_owned(),
        }
    }
}

/// What to do in place of a key that the other kind of handler has.
fn no_meaning(of: &str, name: &str) -> Option<&'static str> {
    match (of, name) {
        ("on_batch", "concurrency" | "ordered") => Some(
            "batches of a shard are handled one after the other, each in the order of the shard; `max_records` bounds them",
        ),
        ("on_batch", "publish") => Some("take a `Publisher<S>` and publish in the handler"),
        ("on_record", "max_records" | "max_wait") => {
            Some("a handler of whole batches is marked `#[on_batch(..)]`")
        }
        _ => None,
    }
}

/// The runtime in the user's manifest, with a feature. The runtime's version is this crate's.
fn feature_line(feature: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("`kinesis-app = {{ version = \"{version}\", features = [\"{feature}\"] }}`")
}
