//! A key as it is written, with what the user gave for its value where that fits.

use quote::ToTokens;
use syn::{Expr, ExprLit, Lit, LitStr, Path};

use crate::advice::snake;
use crate::keys::{self, Key, Place, Table};
use crate::parse::args::Value;
use crate::words::{path_text, plain};

/// One word or literal, in whatever form it was given.
enum Given {
    Literal(Lit),
    Word(Path),
}

impl Given {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Flag => None,
            Value::Equals(expr) => match &**expr {
                Expr::Lit(ExprLit { lit, .. }) => Some(Self::Literal(lit.clone())),
                Expr::Path(path) if path.qself.is_none() => Some(Self::Word(path.path.clone())),
                _ => None,
            },
            Value::List(list) => {
                let tokens = &list.value;
                let literal = syn::parse2(tokens.clone()).map(Self::Literal);
                literal
                    .or_else(|_| syn::parse2(tokens.clone()).map(Self::Word))
                    .ok()
            }
        }
    }
}

/// The digits of a number that was given as the value.
pub(crate) fn number(value: &Value) -> Option<String> {
    match Given::of(value)? {
        Given::Literal(Lit::Int(number)) if number.suffix().is_empty() => {
            Some(number.base10_digits().to_owned())
        }
        Given::Literal(_) | Given::Word(_) => None,
    }
}

/// `batch_size = 100`, `start(latest)`; the form of the documentation if the value fits nowhere.
pub(crate) fn of(key: &'static Key, given: &Value) -> String {
    let fitting = Given::of(given).and_then(|given| fitting(key, &given));
    fitting.unwrap_or_else(|| key.form.to_owned())
}

/// The whole edit for a value that stands alone in the parentheses of a key: `start("latest")`, `concurrency(8)`.
pub(crate) fn alone(of: &str, table: &'static Table, literal: &Lit) -> Option<String> {
    let given = Given::Literal(literal.clone());
    let outer = keys::ATTRIBUTES
        .iter()
        .flat_map(|attribute| attribute.built())
        .find(|key| key.name == of);
    match outer {
        Some(key) => fitting(key, &given),
        None => choice(table, &given).map(|choice| format!("{of}({choice})")),
    }
}

fn fitting(key: &'static Key, given: &Given) -> Option<String> {
    match key.place() {
        Place::AfterEquals => literal(key, given),
        Place::InParentheses => {
            let inside = match (keys::choices(key), given) {
                (Some(table), given) => choice(table, given)?,
                (None, Given::Word(path)) => path_text(path),
                (None, Given::Literal(_)) => return None,
            };
            Some(format!("{}({inside})", key.name))
        }
        Place::Nowhere => None,
    }
}

/// `key = literal`, if the key takes literals of that kind; a number in quotes is meant as one.
fn literal(key: &Key, given: &Given) -> Option<String> {
    let Given::Literal(lit) = given else {
        return None;
    };
    let value = match lit {
        Lit::Str(_) if key.takes_text() => lit.to_token_stream().to_string(),
        Lit::Str(text) => text.value().trim().parse::<u32>().ok()?.to_string(),
        Lit::Int(number) if !key.takes_text() && number.suffix().is_empty() => number.to_string(),
        _ => return None,
    };
    Some(format!("{} = {value}", key.name))
}

/// What stands in the parentheses of a key with choices.
fn choice(table: &'static Table, given: &Given) -> Option<String> {
    let word = match given {
        Given::Word(path) => Some(plain(&path.segments.last()?.ident)),
        Given::Literal(Lit::Str(text)) => Some(text.value()),
        Given::Literal(_) => None,
    };
    let named = word.and_then(|word| {
        let word = snake(&word);
        let mut keys = table.built();
        keys.find(|key| key.is(&word) || key.is_called(&word))
    });
    if let Some(key) = named {
        return Some(key.form.to_owned());
    }
    let Given::Literal(lit) = given else {
        return None;
    };
    let valued = table
        .built()
        .filter(|key| !key.stands_beside() && key.place() == Place::AfterEquals);
    match lit {
        Lit::Str(text) if text.value().trim().parse::<u32>().is_err() => {
            let alike: Vec<_> = valued.filter(|key| begins_alike(key, text)).collect();
            let key = alike.iter().find(|key| is_path_alike(key, text));
            literal(key.or(alike.first())?, given)
        }
        // A number in quotes is meant as one.
        Lit::Int(_) | Lit::Str(_) => {
            let mut counts = valued.filter(|key| !key.takes_text());
            let key = counts.next()?;
            // Which of two is meant, nobody knows.
            counts.next().is_none().then(|| literal(key, given))?
        }
        _ => None,
    }
}

/// Whether a text looks like those that the key takes: a date begins with a digit, a name does not.
fn begins_alike(key: &Key, text: &LitStr) -> bool {
    let is_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    key.example()
        .is_some_and(|example| is_digit(example) == is_digit(&text.value()))
}

/// Whether both are paths, or neither: the name of a file has a dot, that of a table seldom.
fn is_path_alike(key: &Key, text: &LitStr) -> bool {
    let is_path = |text: &str| text.contains(['.', '/']);
    key.example()
        .is_some_and(|example| is_path(example) == is_path(&text.value()))
}

/// Whether the parentheses of a key hold nothing but one literal: it stands there in place of `= literal`.
pub(crate) fn is_one_literal(value: &Value) -> bool {
    matches!(value, Value::List(list) if syn::parse2::<Lit>(list.value.clone()).is_ok())
}

/// What the value of a key is: to be preceded by "takes".
pub(crate) fn place(key: &Key) -> &'static str {
    match key.place() {
        Place::AfterEquals => "its value after `=`",
        Place::InParentheses => "its value in parentheses",
        Place::Nowhere => "no value",
    }
}

impl Value {
    pub(crate) fn place(&self) -> Place {
        match self {
            Self::Flag => Place::Nowhere,
            Self::Equals(_) => Place::AfterEquals,
            Self::List(_) => Place::InParentheses,
        }
    }
}
