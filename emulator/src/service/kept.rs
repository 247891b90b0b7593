//! The service as lines of a file, and back.

use super::record::Record;
use super::shard::Shard;
use super::stream::Stream;
use super::{Encryption, HashRange, Moment, Service, Settings};
use crate::data::DataError;
use crate::data::file::{Reader, Writer};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::SystemTime;

/// In this order: the service; each stream, before its shards; each shard, before its records.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line<'a> {
    Service(Head<'a>),
    Stream {
        name: Cow<'a, str>,
        settings: Box<Cow<'a, Stream>>,
    },
    Shard(Box<Cow<'a, Shard>>),
    Record {
        ordinal: u64,
        arrival_millis: u64,
        partition_key: Option<Cow<'a, str>>,
        /// Base64.
        data: Cow<'a, str>,
        encryption: Encryption,
    },
}

#[derive(Serialize, Deserialize)]
struct Head<'a> {
    saved: Moment,
    account: Cow<'a, str>,
    region: Cow<'a, str>,
    epoch: u64,
    /// The state of the generator.
    random: u64,
    secret: u64,
}

impl Service {
    pub(crate) fn write(&self, writer: &mut Writer, now: Moment) -> Result<(), DataError> {
        writer.line(&Line::Service(Head {
            saved: now,
            account: Cow::Borrowed(&self.settings.account),
            region: Cow::Borrowed(&self.settings.region),
            epoch: self.epoch,
            random: self.random.get_seed(),
            secret: self.secret,
        }))?;
        for (name, stream) in &self.streams {
            writer.line(&Line::Stream {
                name: Cow::Borrowed(name),
                settings: Box::new(Cow::Borrowed(stream)),
            })?;
            for shard in stream.shards() {
                writer.line(&Line::Shard(Box::new(Cow::Borrowed(shard))))?;
                for record in &shard.records {
                    writer.line(&Line::Record {
                        ordinal: record.ordinal,
                        arrival_millis: record.arrival().millis(),
                        partition_key: record.partition_key.as_deref().map(Cow::Borrowed),
                        data: base64_simd::STANDARD.encode_to_string(&record.data).into(),
                        encryption: record.encryption,
                    })?;
                }
            }
        }
        Ok(())
    }

    /// With the time at which it was written.
    pub(crate) fn read(
        settings: Settings,
        reader: &mut Reader,
    ) -> Result<(Self, SystemTime), DataError> {
        let Some(Line::Service(head)) = reader.next()? else {
            return Err(reader.bad("the service is missing"));
        };
        if (&*head.account, &*head.region) != (&settings.account, &settings.region) {
            let problem = format!(
                "its streams are of account `{}` in `{}`, and these are `{}` and `{}`",
                head.account, head.region, settings.account, settings.region
            );
            let help = format!("--account {} --region {}", head.account, head.region);
            return Err(reader.refused(problem, help));
        }
        let mut service = Self {
            epoch: head.epoch,
            random: fastrand::Rng::with_seed(head.random),
            secret: head.secret,
            ..Self::new(settings)
        };
        let mut current: Option<(String, Stream)> = None;
        let mut shard: Option<u32> = None;
        while let Some(line) = reader.next()? {
            match line {
                Line::Service(_) => return Err(reader.bad("the service is there twice")),
                Line::Stream { name, settings } => {
                    service.put_back(current.take(), reader)?;
                    current = Some((name.into_owned(), settings.into_owned()));
                    shard = None;
                }
                Line::Shard(read) => {
                    let read = read.into_owned();
                    shard = Some(read.index);
                    let stream = current.as_mut().map(|(_, stream)| stream);
                    if stream.and_then(|stream| stream.put_back(read)).is_none() {
                        return Err(reader.bad("no stream can have this shard"));
                    }
                }
                Line::Record {
                    ordinal,
                    arrival_millis,
                    partition_key,
                    data,
                    encryption,
                } => {
                    let data = base64_simd::STANDARD.decode_to_vec(data.as_bytes());
                    let data = data.map_err(|_| reader.bad("`data` is no base64"))?;
                    let stream = current.as_mut().map(|(_, stream)| stream);
                    let shard = stream
                        .zip(shard)
                        .and_then(|(stream, shard)| stream.kept(shard));
                    let put_back = shard.is_some_and(|shard| {
                        let arrival = Moment::from_millis(arrival_millis);
                        let number = shard.sequence(ordinal, arrival).decimal();
                        let key = partition_key.map(Into::into);
                        let data = Bytes::from(data);
                        shard.put_back(Record::new(ordinal, number, arrival, key, data, encryption))
                    });
                    if !put_back {
                        return Err(reader.bad("no shard can have this record"));
                    }
                }
            }
        }
        service.put_back(current, reader)?;
        Ok((service, head.saved.into()))
    }

    /// Takes a stream whose shards are all there.
    fn put_back(
        &mut self,
        stream: Option<(String, Stream)>,
        reader: &Reader,
    ) -> Result<(), DataError> {
        let Some((name, stream)) = stream else {
            return Ok(());
        };
        if !covers_all(stream.open_shards().map(|(_, range)| range)) {
            return Err(reader.bad(format!(
                "the open shards of stream `{name}` before it do not cover each hash key once"
            )));
        }
        if self.streams.insert(name, stream).is_some() {
            return Err(reader.bad("the stream before it is there twice"));
        }
        Ok(())
    }
}

/// Whether the ranges, in the order of their hash keys, follow each other from end to end.
fn covers_all(ranges: impl Iterator<Item = HashRange>) -> bool {
    let mut next = Some(0);
    for range in ranges {
        if next != Some(range.start) || range.end < range.start {
            return false;
        }
        next = range.end.checked_add(1);
    }
    next.is_none()
}
