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

/// A path as a name of the module that it stands in: without `self::` and `r#`. Two paths that are equal so are the same
/// item; two that are not may be.
pub(crate) fn local(path: &Path) -> String {
    let text = path_text(path).replace("r#", "");
    text.strip_prefix("self::")
        .map(str::to_owned)
        .unwrap_or(text)
}

/// Whether a path names an item of its own module, as far as the text tells.
pub(crate) fn names(path: &Path, ident: &Ident) -> bool {
    local(path) == plain(ident)
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
        (" : ", ": "),
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
