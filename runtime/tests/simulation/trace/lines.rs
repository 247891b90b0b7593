//! What happened as lines of text.

use std::fmt;

use kinesis_app::LeaseWrite;

use super::{Event, Handling, HookCall, Letter, Receipt, RowChange, What, shard_of};

/// A line for people, and for the comparison of two runs: no session in it, for those differ from run to run.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.at.as_secs_f64();
        write!(f, "{secs:9.3}  ")?;
        match &self.what {
            What::Put {
                record,
                key,
                shard_id,
                ..
            } => write!(f, "put {record} of {key} into {}", short(shard_id)),
            What::Reshard { parents, children } => {
                write!(f, "reshard {} -> {}", list(parents), list(children))
            }
            What::Created { created_millis } => write!(f, "stream created at {created_millis}"),
            What::Trimmed { shard_id, records } => {
                write!(
                    f,
                    "trimmed {} and {} records",
                    short(shard_id),
                    records.len()
                )
            }
            What::Sent {
                machine,
                call,
                write,
            } => write!(f, "{machine} sends #{call} {}", shown(write)),
            What::Answered {
                machine,
                call,
                answer,
            } => write!(f, "{machine} hears #{call} {answer:?}"),
            What::Row { machine, change } => write!(f, "{machine} wrote {change}"),
            What::StreamRow { machine, row } => write!(f, "{machine} wrote the stream's {row:?}"),
            What::Seeks { machine, to } => write!(f, "{machine} seeks to {to}"),
            What::Sought { machine, told } => write!(f, "{machine} has sought: {told:?}"),
            What::LeftOut {
                machine,
                batch,
                record,
            } => write!(f, "left out {record} of batch {batch} on {machine}"),
            What::Begun(handling) => write!(f, "begun {handling}"),
            What::Settled(handling) => write!(f, "settled {handling}"),
            What::Skipped(handling) => write!(f, "skipped {handling}"),
            What::Held(handling) => write!(f, "held {handling}"),
            What::Failed(handling) => write!(f, "failed {handling}"),
            What::Cut(handling) => write!(f, "cut {handling}"),
            What::Replied { handling, replies } => {
                write!(f, "replied {replies} times {handling}")
            }
            What::GivenUp { handling, cause } => write!(f, "given up {handling}: {cause}"),
            What::Letter(letter) => write!(f, "stored {letter}"),
            What::Receipt(receipt) => write!(f, "stored {receipt}"),
            What::Stray { machine, key } => write!(f, "{machine} stored no receipt under {key}"),
            What::Hook(call, step) => write!(f, "{step:?} {call}"),
            What::Deed(deed) => write!(f, "{deed:?}"),
            What::Works {
                machine,
                shards,
                prefetch,
                ..
            } => write!(
                f,
                "{machine} works on {} with {prefetch} bytes",
                list(shards)
            ),
            What::ToldGone { shard_id } => write!(f, "told of the loss of {}", short(shard_id)),
            What::ToldSkip { sequence } => write!(f, "told of the skip of {}", tail(sequence)),
        }
    }
}

impl fmt::Display for Handling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            machine,
            shard_id,
            record,
            attempt,
            token,
            batch,
        } = self;
        write!(
            f,
            "{record} on {machine} from {} attempt {attempt} token {token}",
            short(shard_id)
        )?;
        match batch {
            Some(batch) => write!(f, " batch {batch}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sequence = self.sequence().map_or("-", tail);
        let cause = self.header("cause").unwrap_or("-");
        write!(f, "letter of {sequence} by {}: {cause}", self.machine)
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            machine,
            record,
            index,
            of,
            key: _,
        } = self;
        write!(f, "receipt {index} of {of} for {record} by {machine}")
    }
}

impl fmt::Display for HookCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            machine,
            shard_id,
            token,
            hook,
        } = self;
        let shard = short(shard_id);
        write!(f, "{hook:?} hook of {shard} on {machine} token {token}")
    }
}

impl fmt::Display for RowChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}", short(&self.shard_id))?;
        match &self.after {
            None => f.write_str(" deleted"),
            Some(row) => {
                let held = if row.session.is_some() {
                    "held"
                } else {
                    "free"
                };
                let at = row.checkpoint.as_deref().map_or("-", tail);
                write!(
                    f,
                    " {held} counter {} at {at} in {}",
                    row.counter, row.generation
                )
            }
        }
    }
}

fn shown(write: &LeaseWrite) -> String {
    let text = match write {
        LeaseWrite::Create(_) => "create".to_owned(),
        LeaseWrite::Take { seen_counter, .. } => format!("take at {seen_counter}"),
        LeaseWrite::Beat { held, .. } => format!("beat at {}", held.counter),
        LeaseWrite::Request { .. } => "request".to_owned(),
        LeaseWrite::Withdraw { .. } => "withdrawal".to_owned(),
        LeaseWrite::Grant { held, .. } => format!("grant at {}", held.counter),
        LeaseWrite::Release { held, .. } => format!("release at {}", held.counter),
        LeaseWrite::End { held, .. } => format!("end at {}", held.counter),
        LeaseWrite::Delete { seen_counter, .. } => format!("delete at {seen_counter}"),
    };
    format!("{text} of {}", short(shard_of(write.key()).unwrap_or("-")))
}

fn short(shard_id: &str) -> String {
    let number = shard_id.trim_start_matches("shardId-");
    format!("s{}", number.trim_start_matches('0'))
}

fn list(shards: &[String]) -> String {
    let shards: Vec<_> = shards.iter().map(|shard| short(shard)).collect();
    shards.join(" ")
}

/// Sequence numbers differ in their last digits.
fn tail(sequence: &str) -> &str {
    &sequence[sequence.len().saturating_sub(12)..]
}
