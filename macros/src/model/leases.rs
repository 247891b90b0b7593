//! `leases(..)`.

use kinesis_app_rules::length::Length;
use kinesis_app_rules::table::table_region;
use proc_macro2::Span;
use syn::Ident;

use crate::errors::Errors;
use crate::keys::{self, Key};
use crate::model::choice;
use crate::model::rule::TextRule;
use crate::model::time::{self, Time};
use crate::model::value::{self, Need, Setting};
use crate::parse::args::{self, Entry};

pub(crate) struct Leases {
    pub(crate) store: Store,
    /// `None`: the default of the rules.
    pub(crate) duration: Option<Time>,
}

pub(crate) enum Store {
    Memory,
    File(Setting),
    DynamoDb(Table),
}

pub(crate) struct Table {
    pub(crate) name: Setting,
    /// `None`: where the application's requests go.
    pub(crate) endpoint: Option<Setting>,
    pub(crate) missing: Missing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    Refused,
    Created,
}

impl Leases {
    /// What holds without the key.
    pub(crate) const DEFAULT: Self = Self {
        store: Store::Memory,
        duration: None,
    };

    /// The region of a table that is named by a literal ARN.
    pub(crate) fn region(&self) -> Option<(String, Span)> {
        let Store::DynamoDb(table) = &self.store else {
            return None;
        };
        let literal = table.name.literal()?;
        let region = table_region(&literal.value())?.to_owned();
        Some((region, literal.span()))
    }
}

pub(crate) fn read(found: (&'static Key, Entry), errors: &mut Errors) -> Option<Leases> {
    let list = choice::list(found, "its store", errors)?;
    let mark = errors.mark();
    let mut entries = args::parse(list.value, &keys::LEASES, errors);
    let duration = entries
        .take("duration")
        .and_then(|found| time::judged(found, Length::LeaseDuration, errors));
    let mut of_tables: Vec<Ident> = Vec::new();
    let endpoint = entries.take("endpoint").and_then(|found| {
        of_tables.push(found.1.key.clone());
        value::text(found, TextRule::Endpoint, Need::Optional, errors)
    });
    let missing = match entries.take("create_if_missing") {
        Some((_, entry)) => {
            value::flag(&entry, errors);
            of_tables.push(entry.key);
            Missing::Created
        }
        None => Missing::Refused,
    };
    let store = match choice::first(entries, "an app has one lease store", errors) {
        Some(found) if found.0.name == "dynamodb" => {
            let name = value::text(found, TextRule::LeaseTable, Need::Required, errors);
            name.map(|name| {
                Store::DynamoDb(Table {
                    name,
                    endpoint,
                    missing,
                })
            })
        }
        Some((key, entry)) => {
            refuse(&of_tables, key.name, errors);
            without_table((key, entry), errors)
        }
        None => {
            // A store that is unknown was meant to be one.
            if errors.none_since(mark) {
                errors
                    .push(list.at, "`leases(..)` does not name a store")
                    .note(keys::LEASES.known());
            }
            None
        }
    };
    errors.none_since(mark).then_some(())?;
    Some(Leases {
        store: store?,
        duration: duration.map(|timed| timed.time),
    })
}

/// What only a table has, beside another store.
fn refuse(of_tables: &[Ident], store: &str, errors: &mut Errors) {
    for setting in of_tables {
        let text = format!("`{setting}` has no meaning with `{store}`");
        errors
            .push(setting.span(), text)
            .help("remove it, or name a table: `dynamodb = \"table\"`");
    }
}

fn without_table((key, entry): (&'static Key, Entry), errors: &mut Errors) -> Option<Store> {
    if key.name == "file" {
        let path = value::text((key, entry), TextRule::LeaseFile, Need::Required, errors);
        return path.map(Store::File);
    }
    value::flag(&entry, errors);
    Some(Store::Memory)
}
