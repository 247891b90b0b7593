//! What the application's log says, where a rule asks for it.

use std::fmt;

use tracing::{
    Event, Id, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Record},
};

use crate::trace::{Trace, What};

/// A subscriber that hears of skipped records and of nothing else.
pub(crate) struct Log(pub(crate) Trace);

#[derive(Default)]
struct Skip {
    is_one: bool,
    sequence: String,
}

impl Visit for Skip {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.is_one = format!("{value:?}") == "record skipped by its handler";
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "sequence" {
            value.clone_into(&mut self.sequence);
        }
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target().starts_with("kinesis_app::dispatch")
    }

    fn event(&self, event: &Event<'_>) {
        let mut skip = Skip::default();
        event.record(&mut skip);
        if skip.is_one {
            let sequence = skip.sequence;
            self.0.write(What::ToldSkip { sequence });
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
