//! What the environment does next: chosen by the seed.

use std::time::Duration;

use kinesis_app_emulator::{
    ErrorCode, Fault, FaultKind, Operation,
    dynamodb::{Fault as TableFault, FaultKind as TableFaultKind, Operation as TableOperation},
};

/// One thing that happens.
#[derive(Debug)]
pub(crate) enum Weather {
    Put(u32),
    Split,
    Merge,
    Trim,
    /// The stream is deleted, and another created under its name.
    Recreate,
    Kinesis(Fault),
    Table(Vec<TableFault>),
    /// A machine stands still for so long.
    Freeze(Duration),
    /// A machine stands still for so long, and its monotonic clock too.
    Suspend(Duration),
    /// A machine reaches nothing for so long.
    Outage(Duration),
    Kill,
    /// All machines are lost at once.
    Blackout,
    Stop,
    /// Another machine joins, or one leaves for good.
    Resize,
    /// A machine's wall clock is set.
    Clock(i64),
    Nothing,
}

pub(crate) fn next(rng: &mut fastrand::Rng, links: &[String]) -> Weather {
    match rng.u32(0..104) {
        0..46 => Weather::Put(rng.u32(10..60)),
        46..50 => Weather::Split,
        50..54 => Weather::Merge,
        54..64 => Weather::Kinesis(kinesis(rng)),
        64..78 => Weather::Table(table(rng, links)),
        78..82 => Weather::Freeze(millis(rng, 1_000..22_000)),
        82..85 => Weather::Suspend(millis(rng, 1_000..30_000)),
        85..87 => Weather::Outage(millis(rng, 1_000..16_000)),
        87..91 => Weather::Kill,
        91..94 => Weather::Stop,
        94..96 => Weather::Clock(rng.i64(-3_600_000..3_600_000)),
        96..98 => Weather::Trim,
        98 => Weather::Recreate,
        99 => Weather::Blackout,
        100..103 => Weather::Resize,
        _ => Weather::Nothing,
    }
}

fn millis(rng: &mut fastrand::Rng, range: std::ops::Range<u64>) -> Duration {
    Duration::from_millis(rng.u64(range))
}

fn kinesis(rng: &mut fastrand::Rng) -> Fault {
    let operations = [
        Operation::GetRecords,
        Operation::GetRecords,
        Operation::GetRecords,
        Operation::GetShardIterator,
        Operation::ListShards,
    ];
    let operation = operations[rng.usize(0..operations.len())];
    let kind = match rng.u32(0..9) {
        0 => FaultKind::Throttle,
        1 => FaultKind::InternalFailure,
        2 => FaultKind::Reset,
        3 => FaultKind::Delay(millis(rng, 0..12_000)),
        4 => FaultKind::Hang,
        5 => FaultKind::TruncatedBody,
        6 => FaultKind::AnswerLost,
        7 => FaultKind::EmptyPage,
        _ => FaultKind::Refuse(ErrorCode::ExpiredIterator),
    };
    Fault::new(operation, kind).times(rng.u64(1..5))
}

fn table(rng: &mut fastrand::Rng, links: &[String]) -> Vec<TableFault> {
    let link = (!links.is_empty()).then(|| links[rng.usize(0..links.len())].clone());
    if let Some(link) = link
        && rng.u32(0..4) == 0
    {
        return brownout(rng, &link);
    }
    let operations = [
        TableOperation::UpdateItem,
        TableOperation::UpdateItem,
        TableOperation::UpdateItem,
        TableOperation::PutItem,
        TableOperation::GetItem,
        TableOperation::Scan,
    ];
    let kind = match rng.u32(0..11) {
        0 => TableFaultKind::Throttle,
        1 => TableFaultKind::InternalFailure,
        2 => TableFaultKind::Reset,
        3 | 4 => TableFaultKind::Delay(millis(rng, 0..4_000)),
        5 => TableFaultKind::Hang,
        6 => TableFaultKind::TruncatedBody,
        7 => TableFaultKind::AnswerLost,
        8 | 9 => TableFaultKind::Late(millis(rng, 100..15_000)),
        _ => TableFaultKind::Stale(millis(rng, 0..5_000)),
    };
    let operation = operations[rng.usize(0..operations.len())];
    vec![TableFault::new(operation, kind).times(rng.u64(1..8))]
}

/// A machine's writes are answered late, and then not at all: its deadline comes near while its handlers run.
fn brownout(rng: &mut fastrand::Rng, link: &str) -> Vec<TableFault> {
    let fault = |kind| TableFault::new(TableOperation::UpdateItem, kind).link(link);
    let slow = fault(TableFaultKind::Delay(millis(rng, 1_000..1_900))).times(rng.u64(4..16));
    let gone = match rng.u32(0..3) {
        0 => TableFaultKind::Reset,
        1 => TableFaultKind::AnswerLost,
        _ => TableFaultKind::Late(millis(rng, 100..15_000)),
    };
    vec![slow, fault(gone).times(rng.u64(20..150))]
}
