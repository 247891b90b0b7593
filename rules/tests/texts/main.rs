//! The words of every fault: with the value, without it, and the edit that helps.

mod arns;
mod counts;
mod lengths;
mod memory;
mod names;
mod numbers;
mod records;
mod service;
mod timestamps;

/// `rule(value)` fails; its displayed text, fixed text and suggestion.
macro_rules! refused {
    ($rule:ident($value:expr), $text:expr, $fixed:expr, $suggestion:expr) => {{
        let value = $value;
        let fault = $rule(value).unwrap_err();
        assert_eq!(fault.with(value).to_string(), $text);
        assert_eq!(fault.rule(), $fixed);
        let suggestion: Option<&str> = $suggestion;
        assert_eq!(fault.suggestion(value).as_deref(), suggestion);
        if let Some(suggestion) = suggestion {
            assert!(
                $rule(suggestion).is_ok(),
                "a suggestion passes its own rule"
            );
        }
    }};
}

use refused;
