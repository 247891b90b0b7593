//! Names and tokens as they are shown in messages.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::Path;
use syn::ext::IdentExt;

/// A name without `r#`, for texts and labels.
pub(crate) fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// A path as it was typed, without spaces.
pub(crate) fn path_text(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// Tokens as a person would type them.
pub(crate) fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        (" < ", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" :: ", "::"),
        (":: ", "::"),
        (" ,", ","),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
    ] {
        text = text.replace(from, to);
    }
    text
}
