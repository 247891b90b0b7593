use super::witness::Tally;

/// What became of the records of one stream, over all instances and starts of the application.
///
/// A record that is delivered twice, after a crash for one, counts twice. Every assertion that does not hold panics with all the counts
/// and the last error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    pub(super) stream: &'static str,
    pub(super) tally: Tally,
}

macro_rules! counts {
    ($($(#[doc = $doc:literal])* $count:ident, $assert:ident;)*) => {$(
        $(#[doc = $doc])*
        pub fn $count(&self) -> u64 {
            self.tally.$count
        }

        #[doc = concat!("Asserts how many [`", stringify!($count), "`](Self::", stringify!($count), ") there are.")]
        ///
        /// # Panics
        ///
        /// There are more or less.
        #[track_caller]
        pub fn $assert(&self, expected: u64) -> &Self {
            self.assert(stringify!($count), self.tally.$count, expected)
        }
    )*};
}

impl Handler {
    counts! {
        /// Records that the handler has done.
        done, assert_done;
        /// Attempts that ended in an `Err`, a panic, a timeout, `Outcome::Retry` or `Outcome::RetryAfter`, and were or will be repeated.
        retried, assert_retried;
        /// Records that were stored in a dead-letter stream.
        dead_lettered, assert_dead_lettered;
        /// Records that were passed over: by `Outcome::Skip`, or by `exhausted(skip)` or `undecodable(skip)`.
        skipped, assert_skipped;
        /// Records that it left unhandled with `Outcome::Hold`, as often as it did.
        held, assert_held;
        /// Records before which their shard halted: by `Outcome::Halt`, or because they do not decode.
        halted, assert_halted;
    }

    /// Why the last attempt failed, the last record was given up on, or the last shard halted.
    pub fn last_error(&self) -> Option<&str> {
        self.tally.last_error.as_deref()
    }

    #[track_caller]
    fn assert(&self, what: &str, counted: u64, expected: u64) -> &Self {
        let Tally {
            done,
            retried,
            dead_lettered,
            skipped,
            held,
            halted,
            last_error,
        } = &self.tally;
        assert!(
            counted == expected,
            "`{}`: {counted} {what} and not {expected} (done {done}, retried {retried}, dead-lettered {dead_lettered}, skipped {skipped}, held {held}, halted {halted}){}",
            self.stream,
            last_error
                .as_ref()
                .map(|error| format!("; last error: {error}"))
                .unwrap_or_default(),
        );
        self
    }
}
