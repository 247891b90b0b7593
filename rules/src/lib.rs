//! One home for every number and every rule about a value in `kinesis-app`.
//!
//! A rule is a `const fn` that takes a value as it was written and gives back the checked value or a small fault.
//! The same function is called by the macro while it expands, by the compiler while it evaluates a `const`, and by
//! the runtime when a value arrives from the environment or a setter; so the three cannot disagree.
//!
//! A fault knows two texts. [`rule`](name::NameFault::rule) is a fixed `&'static str`, all that const evaluation
//! can print; the displayed text names the value as well. Faults of strings borrow the value to be displayed
//! (`fault.with("orders/eu")`, a [`Violation`]), faults of numbers carry it.
//!
//! ```
//! use kinesis_app_rules::name::stream_name;
//!
//! assert_eq!(stream_name("orders"), Ok("orders"));
//! let fault = stream_name("orders/eu").unwrap_err();
//! assert_eq!(
//!     fault.with("orders/eu").to_string(),
//!     "stream name `orders/eu` has `/` at byte 6; names use letters, digits, `_`, `.` and `-`",
//! );
//! assert_eq!(fault.suggestion("orders/eu").as_deref(), Some("orders-eu"));
//! ```

pub mod arn;
pub mod backoffs;
pub mod bytes;
pub mod concurrency;
pub mod count;
pub mod defaults;
pub mod duration;
pub mod endpoint;
pub mod env;
pub mod hash_key;
pub mod header;
pub mod interval;
pub mod lease_file;
pub mod length;
pub mod limits;
pub mod name;
pub mod partition_key;
pub mod prefetch;
pub mod region;
pub mod size;
pub mod table;
mod text;
pub mod timestamp;
mod violation;

pub use violation::Violation;
pub(crate) use violation::in_value;
