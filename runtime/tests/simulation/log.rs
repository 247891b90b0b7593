//! What the application's log says, where a rule asks for it.

use std::fmt;

use tracing::{
    Event, Id, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Record},
};

use crate::trace::{Trace, What};

/// A subscriber that hears of skipped records and lost shards, and of nothing else.
pub(crate) struct Log(pub(crate) Trace);

#[derive(Default)]
struct Word {
    message: String,
    shard_id: String,
    sequence: String,
}

impl Visit for Word {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            "shard" => self.shard_id = format!("{value:?}"),
            _ => {}
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
        let speaks_of_records = ["kinesis_app::dispatch", "kinesis_app::reader"];
        metadata.is_event()
            && *metadata.level() <= Level::WARN
            && speaks_of_records
                .iter()
                .any(|room| metadata.target().starts_with(room))
    }

    fn event(&self, event: &Event<'_>) {
        let mut word = Word::default();
        event.record(&mut word);
        let Word {
            message,
            shard_id,
            sequence,
        } = word;
        match &*message {
            "record skipped" => self.0.write(What::ToldSkip { sequence }),
            "shard is gone before it was read to its end" => {
                self.0.write(What::ToldGone { shard_id });
            }
            _ => {}
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
