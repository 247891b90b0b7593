//! Whole numbers that count something: from 1 to a most, each with its reasons.

use core::fmt;

use crate::{Violation, defaults, in_value, limits};

/// A row a count: its name, its most, why it is not 0 and why it is not more.
macro_rules! counts {
    ($(
        $(#[$doc:meta])*
        $count:ident = $name:literal, 1 to $most:literal ($limit:expr), $zero:literal, $more:literal;
    )*) => {
        /// What a number counts.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Count {
            $($(#[$doc])* $count,)*
        }

        impl Count {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$count),*];

            /// The largest that passes.
            pub const fn most(self) -> u32 {
                match self {
                    $(Self::$count => $most,)*
                }
            }

            const fn name(self) -> &'static str {
                match self {
                    $(Self::$count => $name,)*
                }
            }

            /// Why it is not more.
            const fn more(self) -> &'static str {
                match self {
                    $(Self::$count => $more,)*
                }
            }
        }

        impl CountFault {
            /// The rule alone, for const evaluation.
            pub const fn rule(self) -> &'static str {
                match (self.of, self.number) {
                    $(
                        (Count::$count, 0) => concat!($name, " is 0; ", $zero),
                        (Count::$count, _) => concat!($name, " is above ", $most, "; ", $more),
                    )*
                }
            }
        }

        // A text of const evaluation cannot be made from a constant, so the number stands here as well.
        $(const _: () = assert!($most == $limit);)*
    };
}

counts! {
    /// `batch_size`: the `Limit` of one `GetRecords`.
    BatchSize = "batch size", 1 to 10_000 (limits::GET_RECORDS_RECORDS),
        "a read asks for 1 to 10000 records",
        "one GetRecords call returns at most 10000";
    /// `concurrency`: records of one shard that are handled at the same time.
    Concurrency = "concurrency", 1 to 100_000 (defaults::WINDOW_RECORDS),
        "1 handles one record of a shard at a time",
        "a shard has at most 100000 records at hand";
    /// `concurrency(total = ..)`: those of all shards in a process.
    Total = "total", 1 to 4_294_967_295 (u32::MAX),
        "1 handles one record of all shards at a time",
        "leave it out to set no limit";
    /// `max_records`: what a batch handler is given at most.
    MaxRecords = "max records", 1 to 100_000 (defaults::WINDOW_RECORDS),
        "a batch has at least 1",
        "a shard has at most 100000 records at hand";
    /// `retry(attempts = ..)`: how often a record is tried, the first time among them.
    Attempts = "attempts", 1 to 4_294_967_295 (u32::MAX),
        "the first delivery is one",
        "`forever` has no end";
    /// `create_if_missing(shards = ..)`: shards of a stream that is created.
    Shards = "shard count", 1 to 2_147_483_647 (limits::SHARD_COUNT),
        "a stream has at least 1 shard",
        "the most the service can express is 2147483647";
}

impl Count {
    /// Checks a number: 1 to [`most`](Self::most).
    ///
    /// # Errors
    ///
    /// It is 0 or above.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be at most 32 bits"
    )]
    pub const fn check(self, number: u64) -> Result<u32, CountFault> {
        if number == 0 || number > self.most() as u64 {
            Err(CountFault { of: self, number })
        } else {
            Ok(number as u32)
        }
    }
}

/// Why a number is refused: it is 0, or too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountFault {
    /// What it was to count.
    pub of: Count,
    /// The number asked for.
    pub number: u64,
}

in_value!(CountFault);

impl CountFault {
    fn show(self, number: &dyn fmt::Display, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.number == 0 {
            return f.write_str(self.rule());
        }
        write!(f, "{} is {number}; {}", self.of.name(), self.of.more())
    }
}

impl fmt::Display for CountFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(&self.number, f)
    }
}

/// In the digits that it was written in: a number beyond 64 bits is shown as it is.
impl fmt::Display for Violation<'_, CountFault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.show(&self.value, f)
    }
}

impl core::error::Error for CountFault {}
