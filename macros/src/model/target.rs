//! `key(Stream)`: a stream that is written to, named by its type.

use syn::{Lit, Path};

use crate::errors::Errors;
use crate::keys::Key;
use crate::model::choice;
use crate::parse::args::{Entry, Value};
use crate::spanned::Range;

pub(crate) fn stream((key, entry): (&'static Key, Entry), errors: &mut Errors) -> Option<Path> {
    if let Value::List(list) = &entry.value
        && let Ok(literal) = syn::parse2::<Lit>(list.value.clone())
    {
        let example = key.form.split(['(', ')']).nth(1).unwrap_or_default();
        errors
            .push(Range::of(&literal), "a stream is named by its type")
            .help(format!(
                "`{}`, with `#[stream(name = \"..\")] struct {example};`",
                key.form
            ));
        return None;
    }
    let list = choice::list((key, entry), "its stream", errors)?;
    match syn::parse2::<Path>(list.value) {
        Ok(nobody) if nobody.is_ident("Self") => {
            errors
                .push(Range::of(&nobody), "a stream is named by its type")
                .help(format!("`{}`", key.form));
            None
        }
        Ok(stream) => Some(stream),
        Err(error) => {
            errors
                .push(
                    error.span(),
                    format!("`{}` takes the type of one stream", key.name),
                )
                .help(format!("`{}`", key.form));
            None
        }
    }
}
