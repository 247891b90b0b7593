//! The lease table, as the plain SDK sees it now and then.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aws_sdk_dynamodb::{Client, types::AttributeValue};
use tokio::{task::JoinSet, time::sleep};

use crate::gate::{now, sdk_config};

const PAUSE: Duration = Duration::from_millis(100);

/// One reading of the table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample {
    /// Microseconds since 1970, as those below.
    pub(crate) sent: u64,
    pub(crate) answered: u64,
    /// By shard.
    pub(crate) rows: BTreeMap<String, Row>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Row {
    /// The process that holds the lease.
    pub(crate) holder: Option<u32>,
    pub(crate) counter: u64,
    pub(crate) checkpoint: Option<String>,
}

/// Reads the table again and again until it is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    samples: Arc<Mutex<Vec<Sample>>>,
    _reading: JoinSet<()>,
}

impl Watch {
    pub(super) fn begin(endpoint: &str, table: &str) -> Self {
        let samples = Arc::default();
        let mut reading = JoinSet::new();
        let client = Client::new(&sdk_config(endpoint));
        reading.spawn(read(client, table.to_owned(), Arc::clone(&samples)));
        Self {
            samples,
            _reading: reading,
        }
    }

    pub(super) fn samples(&self) -> Vec<Sample> {
        let samples = self.samples.lock();
        samples.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The rows as they were read last.
    pub(super) fn rows(&self) -> BTreeMap<String, Row> {
        let samples = self.samples.lock();
        let samples = samples.unwrap_or_else(PoisonError::into_inner);
        let last = samples.last();
        last.map(|sample| sample.rows.clone()).unwrap_or_default()
    }
}

async fn read(client: Client, table: String, samples: Arc<Mutex<Vec<Sample>>>) {
    loop {
        let sent = now();
        let scan = client.scan().table_name(&table).consistent_read(true);
        // The table is created by the first instance, and a failed reading says nothing.
        if let Ok(page) = scan.send().await {
            assert!(
                page.last_evaluated_key().is_none(),
                "a few rows are one page"
            );
            let rows = page.items().iter().filter_map(row).collect();
            let sample = Sample {
                sent,
                answered: now(),
                rows,
            };
            let mut samples = samples.lock().unwrap_or_else(PoisonError::into_inner);
            samples.push(sample);
        }
        sleep(PAUSE).await;
    }
}

/// None for the stream's own row.
fn row(item: &HashMap<String, AttributeValue>) -> Option<(String, Row)> {
    let text = |name: &str| item.get(name)?.as_s().ok().cloned();
    let counter = item.get("lease_counter")?.as_n().ok()?;
    // An owner's id begins with the id of its process.
    let pid = |owner: String| owner.split('-').next()?.parse().ok();
    Some((
        text("shard_id")?,
        Row {
            holder: text("lease_owner").and_then(pid),
            counter: counter.parse().ok()?,
            checkpoint: text("checkpoint"),
        },
    ))
}
