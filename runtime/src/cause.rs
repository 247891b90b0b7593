//! Why something failed, boxed, and how its causes are shown.

use std::fmt;

use crate::service_error::ServiceError;

/// Why a handler or a hook failed: any error, `String` or `&str`.
pub type HandlerError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// An error with its causes, in one line: the place where a chain is printed, since our `Display`s leave it out.
pub(crate) struct Chain<'a>(pub(crate) &'a (dyn std::error::Error + 'static));

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_chain(f, self.0)
    }
}

fn write_chain(
    f: &mut fmt::Formatter<'_>,
    error: &(dyn std::error::Error + 'static),
) -> fmt::Result {
    let mut said = error.to_string();
    f.write_str(&said)?;
    let mut source = below(error);
    while let Some(cause) = source {
        let text = cause.to_string();
        // Many errors already quote their source; saying it twice hides the end of the line.
        if !said.contains(&text) {
            write!(f, ": {text}")?;
            said = text;
        }
        source = below(cause);
    }
    Ok(())
}

/// The cause, unless the error is one that tells its own: the service's words come from the end of the SDK's chain.
fn below<'e>(
    error: &'e (dyn std::error::Error + 'static),
) -> Option<&'e (dyn std::error::Error + 'static)> {
    if error.is::<ServiceError>() {
        return None;
    }
    error.source()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Undecodable;

    #[test]
    fn a_chain_says_each_cause_once() {
        let inner = serde_json::from_str::<u8>("x").expect_err("not a number");
        let error = Undecodable::Payload {
            codec: "Json",
            source: inner.into(),
        };
        assert_eq!(
            Chain(&error).to_string(),
            "the `Json` codec does not decode the payload: expected value at line 1 column 1"
        );
    }
}
