//! The form of the file: JSON that says what it is, and in which version.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::leases::{
    row::{Checkpoint, Holder, LeaseRow, Wanted},
    rows::Rows,
    stream_row::{StoredStart, StreamRow},
};

const FORMAT: &str = "kinesis-app leases";
const VERSION: u32 = 1;

/// Why a file holds no rows.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    #[error("is no file of leases; it is left as it is, name another")]
    Another,
    #[error("has version {version}, and this build knows {VERSION}; it is left as it is")]
    Newer { version: u32 },
    #[error("is damaged: {0}; it is left as it is")]
    Damaged(#[source] serde_json::Error),
}

/// What every version has.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    streams: Vec<Stream>,
    leases: Vec<Lease>,
}

#[derive(Serialize, Deserialize)]
struct Stream {
    key: String,
    created_millis: i64,
    start: Start,
    generation: u64,
    position: Option<Start>,
    bell: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Start {
    TrimHorizon,
    AtMillis(i64),
}

#[derive(Serialize, Deserialize)]
struct Lease {
    key: String,
    shard_id: String,
    parents: Vec<String>,
    holder: Option<Held>,
    wanted_by: Option<Wants>,
    counter: u64,
    checkpoint: Option<Reached>,
    generation: u64,
}

#[derive(Serialize, Deserialize)]
struct Held {
    owner_id: String,
    session: String,
    lease_millis: u64,
}

#[derive(Serialize, Deserialize)]
struct Wants {
    owner_id: String,
    session: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reached {
    After(String),
    At(String),
    ShardEnd,
}

pub(super) fn read(text: &[u8]) -> Result<Rows, Unreadable> {
    let head: Head = serde_json::from_slice(text).map_err(|error| {
        // Nobody is to leave his checkpoints behind because half of the file is gone.
        let is_ours = text
            .windows(FORMAT.len())
            .any(|words| words == FORMAT.as_bytes());
        if is_ours {
            Unreadable::Damaged(error)
        } else {
            Unreadable::Another
        }
    })?;
    if head.format != FORMAT {
        return Err(Unreadable::Another);
    }
    if head.version > VERSION {
        let version = head.version;
        return Err(Unreadable::Newer { version });
    }
    let document: Document = serde_json::from_slice(text).map_err(Unreadable::Damaged)?;
    let streams = document.streams.into_iter().map(StreamRow::from);
    let leases = document.leases.into_iter().map(LeaseRow::from);
    Ok(Rows {
        streams: streams.map(|row| (row.key.clone(), row)).collect(),
        leases: leases.map(|row| (row.key.clone(), row)).collect(),
    })
}

pub(super) fn write(rows: &Rows) -> Vec<u8> {
    let document = Document {
        head: Head {
            format: FORMAT.to_owned(),
            version: VERSION,
        },
        streams: rows.streams.values().map(Stream::from).collect(),
        leases: rows.leases.values().map(Lease::from).collect(),
    };
    serde_json::to_vec_pretty(&document).expect("texts and numbers are JSON")
}

impl From<StoredStart> for Start {
    fn from(start: StoredStart) -> Self {
        match start {
            StoredStart::TrimHorizon => Self::TrimHorizon,
            StoredStart::At { millis } => Self::AtMillis(millis),
        }
    }
}

impl From<Start> for StoredStart {
    fn from(start: Start) -> Self {
        match start {
            Start::TrimHorizon => Self::TrimHorizon,
            Start::AtMillis(millis) => Self::At { millis },
        }
    }
}

impl From<&StreamRow> for Stream {
    fn from(row: &StreamRow) -> Self {
        Self {
            key: row.key.clone(),
            created_millis: row.created_millis,
            start: row.start.into(),
            generation: row.generation,
            position: row.position.map(Start::from),
            bell: row.bell,
        }
    }
}

impl From<Stream> for StreamRow {
    fn from(row: Stream) -> Self {
        Self {
            key: row.key,
            created_millis: row.created_millis,
            start: row.start.into(),
            generation: row.generation,
            position: row.position.map(StoredStart::from),
            bell: row.bell,
        }
    }
}

impl From<&LeaseRow> for Lease {
    fn from(row: &LeaseRow) -> Self {
        Self {
            key: row.key.clone(),
            shard_id: row.shard_id.clone(),
            parents: row.parents.clone(),
            holder: row.holder.as_ref().map(|holder| Held {
                owner_id: holder.owner_id.clone(),
                session: holder.session.clone(),
                lease_millis: u64::try_from(holder.lease_duration.as_millis()).unwrap_or(u64::MAX),
            }),
            wanted_by: row.wanted_by.as_ref().map(|wanted| Wants {
                owner_id: wanted.owner_id.clone(),
                session: wanted.session.clone(),
            }),
            counter: row.counter,
            checkpoint: row.checkpoint.as_ref().map(|checkpoint| match checkpoint {
                Checkpoint::After(sequence) => Reached::After(sequence.clone()),
                Checkpoint::At(sequence) => Reached::At(sequence.clone()),
                Checkpoint::ShardEnd => Reached::ShardEnd,
            }),
            generation: row.generation,
        }
    }
}

impl From<Lease> for LeaseRow {
    fn from(row: Lease) -> Self {
        Self {
            key: row.key,
            shard_id: row.shard_id,
            parents: row.parents,
            holder: row.holder.map(|holder| Holder {
                owner_id: holder.owner_id,
                session: holder.session,
                lease_duration: Duration::from_millis(holder.lease_millis),
            }),
            wanted_by: row.wanted_by.map(|wanted| Wanted {
                owner_id: wanted.owner_id,
                session: wanted.session,
            }),
            counter: row.counter,
            checkpoint: row.checkpoint.map(|checkpoint| match checkpoint {
                Reached::After(sequence) => Checkpoint::After(sequence),
                Reached::At(sequence) => Checkpoint::At(sequence),
                Reached::ShardEnd => Checkpoint::ShardEnd,
            }),
            generation: row.generation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Rows {
        let stream = StreamRow {
            key: "billing:orders".into(),
            created_millis: -1,
            start: StoredStart::TrimHorizon,
            generation: 2,
            position: Some(StoredStart::At { millis: 5 }),
            bell: 9,
        };
        let lease = |shard: &str, checkpoint| LeaseRow {
            key: format!("billing:orders:{shard}"),
            shard_id: shard.into(),
            parents: vec!["a".into(), "b".into()],
            holder: Some(Holder {
                owner_id: "host".into(),
                session: "s".into(),
                lease_duration: Duration::from_millis(10_001),
            }),
            wanted_by: Some(Wanted {
                owner_id: "other".into(),
                session: "t".into(),
            }),
            counter: u64::MAX,
            checkpoint,
            generation: 2,
        };
        let leases = [
            lease("1", Some(Checkpoint::After("49".into()))),
            lease("2", Some(Checkpoint::At("50".into()))),
            lease("3", Some(Checkpoint::ShardEnd)),
            lease("4", None),
        ];
        Rows {
            streams: [(stream.key.clone(), stream)].into(),
            leases: leases.map(|row| (row.key.clone(), row)).into(),
        }
    }

    #[test]
    fn rows_come_back_as_they_were_written() {
        let text = write(&rows());
        assert_eq!(read(&text).expect("our own"), rows());
        assert_eq!(
            read(&write(&Rows::default())).expect("our own"),
            Rows::default()
        );
    }

    #[test]
    fn what_is_not_ours_or_newer_or_damaged_is_refused_by_name() {
        let error = |text: &str| read(text.as_bytes()).expect_err("no rows").to_string();
        let another = "is no file of leases; it is left as it is, name another";
        assert_eq!(error(""), another);
        assert_eq!(error("{}"), another);
        assert_eq!(error(r#"{"format":"x","version":1}"#), another);
        assert_eq!(
            error(r#"{"format":"kinesis-app leases","version":2,"rows":[]}"#),
            "has version 2, and this build knows 1; it is left as it is"
        );
        let text = String::from_utf8(write(&rows())).expect("text");
        let cut = error(&text[..text.len() / 2]);
        assert!(cut.starts_with("is damaged: EOF while parsing"), "{cut}");
        let half = error(&text.replace("\"counter\"", "\"count\""));
        assert!(
            half.starts_with("is damaged: missing field `counter`"),
            "{half}"
        );
    }
}
