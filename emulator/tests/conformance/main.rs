//! What Kinesis Data Streams is documented to do, as checks that any endpoint can be put to.
//!
//! Ours must pass them all, in process and in virtual time. `live/conformance` runs the same checks
//! against emulators that others wrote and tabulates where they disagree with the documentation.
//!
//! A check is named after the promise it looks for and carries the rule of the documentation that
//! makes it. It asks through the SDK's client alone, makes streams of its own, and lets the service
//! do what the documentation leaves open.

mod check;
mod endpoint;
mod fanout;
mod listing;
mod ours;
mod positions;
mod rates;
mod reading;
mod resharding;
mod settings;
mod streams;
mod subject;
mod writing;

use check::Check;

fn all() -> impl Iterator<Item = &'static Check> {
    [
        streams::CHECKS,
        settings::CHECKS,
        listing::CHECKS,
        writing::CHECKS,
        positions::CHECKS,
        reading::CHECKS,
        resharding::CHECKS,
        rates::CHECKS,
        fanout::CHECKS,
    ]
    .into_iter()
    .flatten()
}
