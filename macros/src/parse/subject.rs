//! What stands before the keys of a handler's attribute: its stream.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprLit, Lit, LitStr, Path, PathArguments, PathSegment, Token};

use crate::errors::Errors;
use crate::keys::Table;
use crate::parse::args::{self, Entries, Value};
use crate::spanned::Range;
use crate::words::path_text;

pub(crate) enum Subject {
    /// Nothing.
    Missing,
    /// Something that was reported already.
    Refused,
    Path(Path),
    /// A literal, where a type should be.
    Literal(Lit),
}

/// What people call a stream that they name by a key.
const WORDS: [&str; 6] = ["stream", "topic", "queue", "channel", "source", "subject"];

/// Reads a subject and then arguments that are keys of a table.
pub(crate) fn parse(
    tokens: TokenStream,
    table: &'static Table,
    errors: &mut Errors,
) -> (Subject, Entries) {
    let mut entries = Entries::new(table);
    let mut found = Subject::Missing;
    let parser = |input: ParseStream| {
        found = subject(input, table, errors);
        while !input.is_empty() {
            if matches!(found, Subject::Missing)
                && let Some(late) = late(input, table, errors)
            {
                found = late;
                args::skip_to_comma(input);
                args::separator(input, errors);
            } else if let Some(second) = second(input) {
                errors
                    .push(Range::of(&second), "a handler has one stream")
                    .help("write a handler for each, and let both call one function");
                args::skip_to_comma(input);
                args::separator(input, errors);
            } else {
                entries.read(input, errors);
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.push_syn(&error);
    }
    (found, entries)
}

/// The first argument, if it is no key.
fn subject(input: ParseStream, table: &'static Table, errors: &mut Errors) -> Subject {
    let ahead = input.fork();
    let subject = if let Ok(literal) = ahead.parse::<Lit>() {
        Subject::Literal(literal)
    } else if let Ok(path) = ahead.parse::<Path>() {
        if ends(&ahead) {
            plain(path, table, errors)
        } else if let Some(subject) = keyed(input, table, errors) {
            subject
        } else if is_key(&path, table) {
            return Subject::Missing;
        } else if let Ok(group) = ahead.parse::<Group>() {
            called(&path, &group, table, errors)
        } else {
            errors.push(ahead.span(), "expected `,`");
            plain(path, table, errors)
        }
    } else if ahead.is_empty() {
        return Subject::Missing;
    } else {
        around(input, table, errors)
    };
    // The forks have read it.
    args::skip_to_comma(input);
    args::separator(input, errors);
    subject
}

fn ends(ahead: ParseStream) -> bool {
    ahead.is_empty() || ahead.peek(Token![,])
}

/// A word that is a key, or was meant as one: types are written with a capital.
fn is_key(path: &Path, table: &'static Table) -> bool {
    path.get_ident().is_some_and(|word| {
        let word = word.to_string();
        table.find(&word).is_some() || !word.starts_with(char::is_uppercase)
    })
}

/// `Orders {}`, `Orders::new()`, `KinesisStream::new("orders")`.
fn called(path: &Path, group: &Group, table: &Table, errors: &mut Errors) -> Subject {
    if let Ok(literal) = syn::parse2::<LitStr>(group.stream()) {
        return Subject::Literal(Lit::Str(literal));
    }
    let mut ty = path.clone();
    let is_function = |part: &PathSegment| !part.ident.to_string().starts_with(char::is_uppercase);
    if ty.segments.len() > 1 && ty.segments.last().is_some_and(is_function) {
        ty.segments.pop();
        ty.segments.pop_punct();
    }
    let at = Range {
        start: Range::of(path).start,
        end: group.span_close(),
    };
    errors
        .push(at, "the stream comes first, as the name of its type alone")
        .help(format!("`#[{}({})]`", table.of, path_text(&ty)));
    Subject::Refused
}

fn plain(path: Path, table: &Table, errors: &mut Errors) -> Subject {
    if path.is_ident("Self") {
        errors
            .push(Range::of(&path), "a stream is named by its type")
            .help(format!("`#[{}(Orders)]`", table.of));
        return Subject::Refused;
    }
    let generic = path.segments.iter().find(|part| !part.arguments.is_none());
    let Some(PathArguments::AngleBracketed(generic)) = generic.map(|part| &part.arguments) else {
        return Subject::Path(path);
    };
    let at = Range::of(generic);
    let mut alone = path.clone();
    for part in &mut alone.segments {
        part.arguments = PathArguments::None;
    }
    errors
        .push(at, "a stream takes no type parameters")
        .help(format!("`#[{}({})]`", table.of, path_text(&alone)));
    Subject::Refused
}

/// `stream = Orders`, `topic(Orders)`, `stream = "orders"`, and `name = "orders"` where no stream is named.
fn keyed(input: ParseStream, table: &Table, errors: &mut Errors) -> Option<Subject> {
    let ahead = input.fork();
    let word: Path = ahead.parse().ok()?;
    let name = word.get_ident()?.to_string().to_lowercase();
    if !WORDS.contains(&&*name) && name != "name" {
        return None;
    }
    let stream = match args::value(&ahead).ok()? {
        Value::Equals(expr) => match *expr {
            Expr::Lit(ExprLit {
                lit: literal @ Lit::Str(_),
                ..
            }) => return Some(Subject::Literal(literal)),
            Expr::Path(path) if path.qself.is_none() => path.path,
            _ => return None,
        },
        Value::List(list) => {
            if let Ok(literal) = syn::parse2(list.value.clone()) {
                return Some(Subject::Literal(literal));
            }
            syn::parse2(list.value).ok()?
        }
        Value::Flag => return None,
    };
    errors
        .push(Range::of(&word), "the stream comes first, without a key")
        .help(format!("`#[{}({}, ..)]`", table.of, path_text(&stream)));
    Some(Subject::Refused)
}

/// `&Orders`, `[Orders]`.
fn around(input: ParseStream, table: &Table, errors: &mut Errors) -> Subject {
    let tokens: TokenStream = input.fork().parse().unwrap_or_default();
    let word = first_word(tokens.clone()).unwrap_or_else(|| "Orders".to_owned());
    let first = tokens.into_iter().next();
    errors
        .push(
            Range::of(&first),
            "the stream comes first, as the name of its type alone",
        )
        .help(format!("`#[{}({word})]`", table.of));
    Subject::Refused
}

fn first_word(tokens: TokenStream) -> Option<String> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        TokenTree::Group(group) => first_word(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })
}

/// The subject behind keys: a path that is no key and has no value, or the value of a key.
fn late(input: ParseStream, table: &'static Table, errors: &mut Errors) -> Option<Subject> {
    let ahead = input.fork();
    let path: Path = ahead.parse().ok()?;
    if !ends(&ahead) {
        return keyed(input, table, errors);
    }
    let word = path.get_ident().map(ToString::to_string);
    if word.is_some_and(|word| table.find(&word).is_some()) {
        return None;
    }
    errors
        .push(Range::of(&path), "the stream comes before the keys")
        .help(format!("`#[{}({}, ..)]`", table.of, path_text(&path)));
    Some(Subject::Refused)
}

/// Another path alone, written as a type is: anything else is rather a key with a slip.
fn second(input: ParseStream) -> Option<Path> {
    let ahead = input.fork();
    let path: Path = ahead.parse().ok()?;
    let name = path.segments.last()?.ident.to_string();
    (ends(&ahead) && name.starts_with(char::is_uppercase)).then_some(path)
}
