//! An error that no repetition heals.

use std::{error::Error, fmt};

use crate::cause::HandlerError;

/// An error that no repetition heals; see [`permanent`].
#[derive(Debug)]
pub struct Permanent(Mark);

/// What tells a permanent error. It stands below [`Permanent`], since wrappers that hide the error itself still show its source.
#[derive(Debug)]
struct Mark(HandlerError);

/// Says that no repetition heals this error: a record that fails with it goes the way of the key `exhausted` at once, whatever
/// `retry` says.
///
/// It is found inside of other errors as well, as their source: below `anyhow`'s and `eyre`'s contexts, in a variant of an enum.
///
/// ```
/// use kinesis_app::{Permanent, permanent};
///
/// fn account(id: &str) -> Result<u64, Permanent> {
///     // It will not be a number the next time.
///     id.parse().map_err(permanent)
/// }
/// # assert!(account("x").is_err());
/// ```
pub fn permanent(error: impl Into<HandlerError>) -> Permanent {
    Permanent(Mark(error.into()))
}

/// Whether an error, or one that it comes from, is permanent.
pub(crate) fn is_permanent(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        if error.is::<Mark>() || error.is::<Permanent>() {
            return true;
        }
        next = error.source();
    }
    false
}

impl fmt::Display for Permanent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Permanent {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Mark {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::cause::Chain;

    #[derive(Debug, thiserror::Error)]
    enum Booking {
        #[error("the account is closed")]
        Closed(#[source] Permanent),
        #[error(transparent)]
        Other(Permanent),
        #[error("the ledger is busy")]
        Busy,
    }

    #[test]
    fn a_permanent_error_is_found_below_whatever_wraps_it() {
        let wrapped: [HandlerError; 5] = [
            permanent("closed").into(),
            Booking::Closed(permanent("closed")).into(),
            Booking::Other(permanent("closed")).into(),
            // These show the source of what they hold, and not the thing itself.
            io::Error::other(permanent("closed")).into(),
            Box::<dyn Error + Send + Sync>::from(io::Error::other(Booking::Closed(permanent("x")))),
        ];
        for error in wrapped {
            assert!(is_permanent(&*error), "{error:?}");
        }
        for error in [HandlerError::from("closed"), Booking::Busy.into()] {
            assert!(!is_permanent(&*error), "{error:?}");
        }
    }

    #[test]
    fn a_permanent_error_says_what_its_error_says_and_no_more() {
        let cause = io::Error::other(Booking::Closed(permanent("no such account")));
        let error = permanent(cause);
        assert_eq!(
            Chain(&error).to_string(),
            "the account is closed: no such account"
        );
    }
}
