//! Endpoints: `http://localhost:4566`, `https://kinesis.eu-west-1.amazonaws.com`.

use core::fmt;

use crate::{Violation, in_value, text};

/// Why a text is not an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointFault {
    /// It has no character.
    Empty,
    /// It does not start with `http://` or `https://`, nor with another scheme.
    NoScheme,
    /// It starts with another scheme than `http` and `https`.
    Scheme {
        /// Where the scheme ends.
        end: usize,
    },
    /// Nothing stands between the scheme and the path.
    NoHost,
    /// What follows the host's colon is not a port, 1 to 65535.
    Port {
        /// Where the port starts.
        at: usize,
    },
    /// It has a character that an endpoint does not use: a space, a control or non-ASCII character, `?`, `#`, `@`.
    Character {
        /// The character's first byte.
        at: usize,
    },
}

/// Checks the form of an endpoint: `http` or `https`, a host, perhaps a port and a path.
///
/// # Errors
///
/// The text is not such a URL.
pub const fn endpoint(endpoint: &str) -> Result<&str, EndpointFault> {
    let bytes = endpoint.as_bytes();
    if bytes.is_empty() {
        return Err(EndpointFault::Empty);
    }
    if let Some(at) = foreign_character(bytes) {
        return Err(EndpointFault::Character { at });
    }
    let host = match scheme_end(bytes) {
        None => return Err(EndpointFault::NoScheme),
        Some(end) => {
            let scheme = text::slice(endpoint, 0, end);
            if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
                return Err(EndpointFault::Scheme { end });
            }
            end + "://".len()
        }
    };
    let end = match text::find(endpoint, b'/', host) {
        None => bytes.len(),
        Some(end) => end,
    };
    authority(endpoint, host, end)
}

const fn authority(endpoint: &str, host: usize, end: usize) -> Result<&str, EndpointFault> {
    let bytes = endpoint.as_bytes();
    let mut at = host;
    if at < end && bytes[at] == b'[' {
        // The colons of an IPv6 address are not the one before the port.
        at = match text::find(endpoint, b']', at) {
            Some(close) if close < end && close > host + 1 => close + 1,
            _ => return Err(EndpointFault::NoHost),
        };
        if at < end && bytes[at] != b':' {
            return Err(EndpointFault::Character { at });
        }
    } else {
        while at < end && bytes[at] != b':' {
            at += 1;
        }
    }
    if at == host {
        return Err(EndpointFault::NoHost);
    }
    if at == end || is_port(bytes, at + 1, end) {
        Ok(endpoint)
    } else {
        Err(EndpointFault::Port { at: at + 1 })
    }
}

const fn foreign_character(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_graphic() || matches!(bytes[at], b'?' | b'#' | b'@') {
            return Some(at);
        }
        at += 1;
    }
    None
}

const fn scheme_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at + 2 < bytes.len() {
        match bytes[at] {
            b':' if at > 0 && bytes[at + 1] == b'/' && bytes[at + 2] == b'/' => return Some(at),
            byte if byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.') => at += 1,
            _ => return None,
        }
    }
    None
}

const fn is_port(bytes: &[u8], from: usize, to: usize) -> bool {
    let mut port: u32 = 0;
    let mut at = from;
    while at < to {
        if !bytes[at].is_ascii_digit() || port > 65535 {
            return false;
        }
        port = port * 10 + (bytes[at] - b'0') as u32;
        at += 1;
    }
    port > 0 && port <= 65535
}

in_value!(EndpointFault);

impl EndpointFault {
    /// The rule alone, for const evaluation.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Empty => "endpoint is empty; it looks like `http://localhost:4566`",
            Self::NoScheme => "endpoint has no scheme",
            Self::Scheme { .. } => "endpoint has another scheme than `http` and `https`",
            Self::NoHost => "endpoint has no host",
            Self::Port { .. } => "endpoint has a port that is not 1 to 65535",
            Self::Character { .. } => {
                "endpoint has a character that is not part of a scheme, a host, a port or a path"
            }
        }
    }

    /// An endpoint near to `value` that passes, if there is one.
    pub fn suggestion(self, value: &str) -> Option<String> {
        let guess = match self {
            Self::NoScheme => format!("http://{}", value.trim_start_matches(['/', ':'])),
            Self::Character { .. } => value.trim().to_owned(),
            Self::Empty | Self::Scheme { .. } | Self::NoHost | Self::Port { .. } => return None,
        };
        endpoint(&guess).is_ok().then_some(guess)
    }
}

impl fmt::Display for Violation<'_, EndpointFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, value } = self;
        match fault {
            EndpointFault::Empty => f.write_str(fault.rule()),
            EndpointFault::NoScheme => write!(f, "endpoint `{value}` has no scheme"),
            EndpointFault::Scheme { end } => write!(
                f,
                "endpoint `{value}` has the scheme `{}`; it is `http` or `https`",
                value.get(..*end).unwrap_or(value),
            ),
            EndpointFault::NoHost => write!(f, "endpoint `{value}` has no host"),
            EndpointFault::Port { .. } => {
                write!(f, "endpoint `{value}` has a port that is not 1 to 65535")
            }
            EndpointFault::Character { at } => write!(
                f,
                "endpoint `{value}` has {} at byte {at}; it has a scheme, a host, and perhaps a port and a path",
                text::name_char(value, *at),
            ),
        }
    }
}
