//! What an application logs as errors, where a rule asks for it.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use tracing::{
    Dispatch, Event, Id, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Record},
    subscriber::DefaultGuard,
};

/// The errors that this crate logs on this thread, from now on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Errors(Arc<Mutex<Vec<Fields>>>);

/// As long as one subscriber is alone, `tracing` asks the thread that comes by a callsite first, and if that thread has none, the
/// callsite is off for all of them.
static ANOTHER: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(Errors::default()));

/// The fields of one, its message among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Fields(BTreeMap<&'static str, String>);

impl Errors {
    pub(crate) fn capture() -> (Self, DefaultGuard) {
        LazyLock::force(&ANOTHER);
        let errors = Self::default();
        let guard = tracing::subscriber::set_default(errors.clone());
        (errors, guard)
    }

    pub(crate) fn all(&self) -> Vec<Fields> {
        let errors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        errors.clone()
    }
}

impl Fields {
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |value| value)
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.into());
    }
}

impl Subscriber for Errors {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::ERROR && metadata.target().starts_with("kinesis_app::")
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut errors = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        errors.push(fields);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
