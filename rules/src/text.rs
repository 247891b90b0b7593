//! What `str` cannot do in a `const fn` yet.

/// Unicode characters, not bytes.
pub(crate) const fn char_count(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut count = 0;
    let mut at = 0;
    while at < bytes.len() {
        // Continuation bytes of UTF-8 are `10xxxxxx`.
        if bytes[at] & 0xC0 != 0x80 {
            count += 1;
        }
        at += 1;
    }
    count
}

pub(crate) const fn eq(left: &str, right: &str) -> bool {
    left.len() == right.len() && starts_with(left, right)
}

pub(crate) const fn starts_with(text: &str, prefix: &str) -> bool {
    let (text, prefix) = (text.as_bytes(), prefix.as_bytes());
    if text.len() < prefix.len() {
        return false;
    }
    let mut at = 0;
    while at < prefix.len() {
        if text[at] != prefix[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The first `byte` at or after `from`.
pub(crate) const fn find(text: &str, byte: u8, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if bytes[at] == byte {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// `text[from..to]`; both must be character boundaries.
pub(crate) const fn slice(text: &str, from: usize, to: usize) -> &str {
    text.split_at(to).0.split_at(from).1
}

/// How many digits the text begins with.
pub(crate) const fn leading_digits(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() && bytes[at].is_ascii_digit() {
        at += 1;
    }
    at
}

pub(crate) const fn all_digits(text: &str) -> bool {
    leading_digits(text) == text.len()
}

/// The character at `at` in words that survive a terminal: a space, a tab, or itself in backticks.
pub(crate) fn name_char(text: &str, at: usize) -> String {
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        None => "nothing".to_owned(),
        Some(' ') => "a space".to_owned(),
        Some('\t') => "a tab".to_owned(),
        Some('\n' | '\r') => "a line break".to_owned(),
        Some('`') => "a backtick".to_owned(),
        Some(other) if other.is_control() || other.is_whitespace() => {
            format!("the character U+{:04X}", u32::from(other))
        }
        Some(other) => format!("`{other}`"),
    }
}
