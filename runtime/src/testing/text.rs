//! How records look in the texts of failed tests.

const PREVIEW: usize = 60;

/// A payload, as far as it fits a line.
pub(super) fn preview(payload: &[u8]) -> String {
    let text = String::from_utf8_lossy(payload);
    let mut chars = text.chars();
    let shown = chars.by_ref().take(PREVIEW);
    let mut preview: String = shown
        .map(|shown| if shown.is_control() { ' ' } else { shown })
        .collect();
    if chars.next().is_some() {
        preview.push_str("..");
    }
    format!("`{preview}`")
}

pub(super) fn key(key: Option<&str>) -> String {
    key.map_or_else(|| "(no key)".into(), |key| format!("`{key}`"))
}

pub(super) fn keys(keys: &[Option<String>]) -> String {
    let keys: Vec<_> = keys.iter().map(|one| key(one.as_deref())).collect();
    format!("[{}]", keys.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_or_binary_payload_fits_a_line() {
        assert_eq!(preview(b"{\"id\":1}"), "`{\"id\":1}`");
        let long = preview(&[b'x'; 100]);
        assert_eq!(long, format!("`{}..`", "x".repeat(PREVIEW)));
        assert_eq!(preview(b"a\nb\xff"), "`a b\u{fffd}`");
    }
}
