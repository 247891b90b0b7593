//! The streams that are written to: what they take in is told, and their weather is bad as well.

use std::time::Duration;

use bytes::Bytes;
use kinesis_app_emulator::{Arrival, ErrorCode, Fault, FaultKind, Kinesis, Operation};

use super::World;
use crate::trace::{Letter, MachineId, Receipt, Trace, What};

const REJECTED: &str = "rejected";
const RECEIPTS: &str = "receipts";

/// One step of the weather in so many troubles a sink.
const TROUBLED: u32 = 7;

/// What the headers of a dead letter have in common.
const OF_LETTERS: &str = "dead-letter-";

pub(super) fn create(kinesis: &Kinesis, trace: &Trace) {
    for sink in [REJECTED, RECEIPTS] {
        kinesis.create_stream(sink, 2).expect("a new stream");
    }
    let trace = trace.clone();
    kinesis.watch(move |arrival| {
        if let Some(what) = told(&arrival) {
            trace.write(what);
        }
    });
}

fn told(arrival: &Arrival) -> Option<What> {
    let machine = MachineId(arrival.link.parse().ok()?);
    let data = &arrival.record.data;
    let key = arrival.record.partition_key.as_deref().unwrap_or_default();
    let key = key.to_owned();
    match &*arrival.stream {
        REJECTED => {
            let (headers, payload) = opened(data);
            let headers = headers.into_iter().filter_map(|(name, value)| {
                let name = name.strip_prefix(OF_LETTERS)?;
                Some((name.to_owned(), value))
            });
            Some(What::Letter(Letter {
                machine,
                key,
                headers: headers.collect(),
                payload,
            }))
        }
        RECEIPTS => {
            let receipt = receipt(machine, &key, data);
            Some(receipt.map_or(What::Stray { machine, key }, What::Receipt))
        }
        _ => None,
    }
}

/// Three numbers, and nothing else.
fn receipt(machine: MachineId, key: &str, data: &Bytes) -> Option<Receipt> {
    let numbers = str::from_utf8(data).ok()?.split(' ');
    let numbers = numbers.map(|number| number.parse().ok());
    let numbers: Option<Vec<u64>> = numbers.collect();
    let [record, index, of] = *numbers?.as_slice() else {
        return None;
    };
    Some(Receipt {
        machine,
        key: key.to_owned(),
        record,
        index: u32::try_from(index).ok()?,
        of: u32::try_from(of).ok()?,
    })
}

/// Headers and payload, told apart as the README says that `RSK1` is written. What is no envelope has no headers.
fn opened(data: &Bytes) -> (Vec<(String, String)>, Bytes) {
    let split = || {
        let rest = data.strip_prefix(b"RSK1")?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let lines = str::from_utf8(rest.get(..length)?).ok()?;
        let header = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_owned(), value.to_owned()))
        };
        Some((lines.lines().filter_map(header).collect(), length + 8))
    };
    split().map_or_else(
        || (Vec::new(), data.clone()),
        |(headers, at)| (headers, data.slice(at..)),
    )
}

impl World {
    pub(super) fn trouble_sinks(&mut self) {
        if !self.nature.shape.has_sinks() || self.sinks.u32(0..TROUBLED) > 0 {
            return;
        }
        let sink = if self.sinks.bool() {
            REJECTED
        } else {
            RECEIPTS
        };
        match self.sinks.u32(0..10) {
            0 | 1 => self.reshard_sink(sink),
            _ => {
                let fault = self.sink_fault(sink);
                self.counts.faults += 1;
                self.deed(format!("{fault:?}"));
                self.kinesis.fault(fault);
            }
        }
    }

    fn sink_fault(&mut self, sink: &str) -> Fault {
        let rng = &mut self.sinks;
        let kind = match rng.u32(0..9) {
            0 | 1 => FaultKind::Throttle,
            2 => FaultKind::InternalFailure,
            3 => FaultKind::Refuse(ErrorCode::AccessDenied),
            4 => FaultKind::Reset,
            5 => FaultKind::Delay(Duration::from_millis(rng.u64(0..12_000))),
            6 => FaultKind::Hang,
            7 => FaultKind::TruncatedBody,
            _ => FaultKind::AnswerLost,
        };
        let fault = Fault::new(Operation::PutRecords, kind).stream(sink);
        // Whatever it is lasts until somebody mends it, or not.
        match rng.u32(0..150) {
            0 => fault.always(),
            1..30 => fault.times(rng.u64(10..40)),
            _ => fault.times(rng.u64(1..5)),
        }
    }

    fn reshard_sink(&mut self, sink: &str) {
        let shards = self.kinesis.shards(sink).expect("the stream is there");
        let mut open: Vec<_> = shards.into_iter().filter(|shard| shard.open).collect();
        open.sort_by_key(|shard| shard.hash_range.start);
        let at = self.sinks.usize(0..open.len() - 1);
        // Ranges may have become too narrow for it.
        let _ = if open.len() > 3 {
            let [lower, higher] = [at, at + 1].map(|at| &open[at].shard_id);
            self.kinesis.merge(sink, lower, higher).map(drop)
        } else {
            self.kinesis.split(sink, &open[at].shard_id).map(drop)
        };
        self.deed(format!("{sink} is resharded"));
    }
}
