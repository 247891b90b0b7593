//! Faults that are armed, and which request each one meets.

use crate::Operation;
use crate::calls::Scope;
use crate::error::ErrorCode;
use std::time::Duration;

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The service sheds load: `ProvisionedThroughputExceededException` from the data operations,
    /// `LimitExceededException` from the others. A `PutRecords` fault with a shard fails the
    /// entries of that shard alone.
    Throttle,
    /// The service answers with HTTP 500 and `InternalFailureException`. A `PutRecords` fault with
    /// a shard fails the entries of that shard alone.
    InternalFailure,
    /// The service answers with this error.
    Refuse(ErrorCode),
    /// The connection is reset before the request arrives; nothing is carried out.
    Reset,
    /// The request is carried out; the answer leaves this much later.
    Delay(Duration),
    /// The request does not arrive, and no answer ever comes.
    Hang,
    /// The request is carried out; the headers come, the body this much later.
    StalledBody(Duration),
    /// The request is carried out; half of the body comes, then the connection is reset. A
    /// subscription breaks off in the middle of its first event.
    TruncatedBody,
    /// The request is carried out; the connection is reset before the answer.
    AnswerLost,
    /// `GetRecords` answers without records although there are some, `MillisBehindLatest` above
    /// zero, and with an iterator for the same place: what the service does on its way to a part of
    /// a shard that holds records. No effect on other operations.
    EmptyPage,
    /// `SubscribeToShard` is answered; this befalls one of the events of its stream. No effect on
    /// other operations.
    Event(EventAt, EventFault),
}

/// Which event of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventAt {
    /// By its place, from 0; those without records count as well.
    Number(u64),
    /// The one that ends a closed shard: it has the `ChildShards` and no continuation.
    Last,
}

/// What goes wrong with an event. It counts as pushed: what it says is not said again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventFault {
    /// The connection is reset before it.
    Reset,
    /// Half of it comes, then the connection is reset.
    Truncated,
    /// It comes this much later, and so does what is behind it.
    Delay(Duration),
    /// Neither it nor anything behind it comes, nor an end.
    Hang,
    /// This error comes instead, and ends the stream.
    Refuse(ErrorCode),
}

/// A fault to come, for the next request that fits.
///
/// It fits requests of one operation, of one stream and shard if named. It strikes once unless told
/// otherwise. Of several that fit, the one armed first strikes.
///
/// ```
/// use kinesis_app_emulator::{Fault, FaultKind, Kinesis, Operation};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let kinesis = Kinesis::new();
/// kinesis.fault(
///     Fault::new(Operation::GetRecords, FaultKind::Throttle)
///         .stream("orders")
///         .shard("shardId-000000000001")
///         .times(3),
/// );
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    operation: Operation,
    kind: FaultKind,
    stream: Option<String>,
    shard: Option<String>,
    link: Option<String>,
    skip: u64,
    /// `None` is for ever.
    left: Option<u64>,
    chance: Chance,
}

/// How likely a fault strikes a request that it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chance {
    Certain,
    /// So many times in 2^53.
    Of(u64),
}

impl Chance {
    const WHOLE: u64 = 1 << 53;

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a float between 0 and 1 has 53 bits, and nothing else gets here"
    )]
    fn of(probability: f64) -> Self {
        assert!(
            (0.0..=1.0).contains(&probability),
            "a probability lies between 0 and 1; this one is `{probability}`"
        );
        Self::Of((probability * Self::WHOLE as f64) as u64)
    }

    fn strikes(self, random: &mut fastrand::Rng) -> bool {
        match self {
            Self::Certain => true,
            Self::Of(parts) => random.u64(..Self::WHOLE) < parts,
        }
    }
}

impl Fault {
    /// A fault that strikes the next request of the operation.
    pub fn new(operation: Operation, kind: FaultKind) -> Self {
        Self {
            operation,
            kind,
            stream: None,
            shard: None,
            link: None,
            skip: 0,
            left: Some(1),
            chance: Chance::Certain,
        }
    }

    /// Only requests about this stream, whether by name, ARN, iterator or token.
    pub fn stream(mut self, name: impl Into<String>) -> Self {
        self.stream = Some(name.into());
        self
    }

    /// Only requests about this shard: it is named, its iterator is read, or a record goes to it.
    pub fn shard(mut self, shard_id: impl Into<String>) -> Self {
        self.shard = Some(shard_id.into());
        self
    }

    /// Only requests over this [`Link`](crate::Link).
    pub fn link(mut self, name: impl Into<String>) -> Self {
        self.link = Some(name.into());
        self
    }

    /// Let the first `n` requests that fit pass.
    pub fn after(mut self, n: u64) -> Self {
        self.skip = n;
        self
    }

    /// Strike `n` times. 0 is a fault that never strikes.
    pub fn times(mut self, n: u64) -> Self {
        self.left = Some(n);
        self
    }

    /// Strike every request that fits, until [`clear_faults`](crate::Kinesis::clear_faults).
    pub fn always(mut self) -> Self {
        self.left = None;
        self
    }

    /// Strike each request that fits with this probability, under the emulator's
    /// [seed](crate::KinesisBuilder::seed): for ever, unless [`times`](Self::times) is called later.
    ///
    /// ```
    /// use kinesis_app_emulator::{Fault, FaultKind, Operation};
    ///
    /// let rough = Fault::new(Operation::GetRecords, FaultKind::InternalFailure).probability(0.05);
    /// let at_most_ten = rough.clone().times(10);
    /// # drop((rough, at_most_ten));
    /// ```
    ///
    /// # Panics
    ///
    /// Unless the probability lies between 0 and 1.
    pub fn probability(mut self, probability: f64) -> Self {
        self.chance = Chance::of(probability);
        self.left = None;
        self
    }

    fn fits(&self, operation: Operation, scope: &Scope, link: &str) -> bool {
        self.operation == operation
            && self
                .stream
                .as_ref()
                .is_none_or(|stream| scope.stream.as_ref() == Some(stream))
            && self
                .shard
                .as_ref()
                .is_none_or(|shard| scope.shards.contains(shard))
            && self.link.as_ref().is_none_or(|named| named == link)
    }
}

/// A fault that met its request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Struck {
    pub(crate) kind: FaultKind,
    pub(crate) shard: Option<String>,
}

#[derive(Debug)]
pub(crate) struct FaultBook {
    armed: Vec<Fault>,
    random: fastrand::Rng,
}

impl FaultBook {
    /// Its chance is its own: a fault that draws does not move the service's sequence numbers.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            armed: Vec::new(),
            random: fastrand::Rng::with_seed(seed ^ u64::from_be_bytes(*b"faults..")),
        }
    }

    pub(crate) fn arm(&mut self, fault: Fault) {
        self.armed.push(fault);
    }

    pub(crate) fn clear(&mut self) {
        self.armed.clear();
    }

    /// The fault that strikes this request, used up by one.
    pub(crate) fn strike(
        &mut self,
        operation: Operation,
        scope: &Scope,
        link: &str,
    ) -> Option<Struck> {
        let mut struck = None;
        for fault in &mut self.armed {
            if !fault.fits(operation, scope, link) || fault.left == Some(0) {
                continue;
            }
            // Requests that one fault strikes still count for the skips of those behind it.
            if fault.skip > 0 {
                fault.skip -= 1;
                continue;
            }
            // Drawn also behind one that strikes: what one fault does changes no other's chance.
            let strikes = fault.chance.strikes(&mut self.random);
            if strikes && struck.is_none() {
                fault.left = fault.left.map(|left| left - 1);
                struck = Some(Struck {
                    kind: fault.kind.clone(),
                    shard: fault.shard.clone(),
                });
            }
        }
        self.armed.retain(|fault| fault.left != Some(0));
        struck
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(stream: &str, shard: &str) -> Scope {
        Scope {
            stream: Some(stream.into()),
            shards: vec![shard.into()],
        }
    }

    fn strikes(book: &mut FaultBook, scope: &Scope, n: usize) -> Vec<bool> {
        (0..n)
            .map(|_| book.strike(Operation::GetRecords, scope, "").is_some())
            .collect()
    }

    #[test]
    fn a_fault_strikes_once_unless_told_otherwise() {
        let mut book = FaultBook::new(0);
        book.arm(Fault::new(Operation::GetRecords, FaultKind::Reset));
        assert_eq!(
            strikes(&mut book, &scope("s", "a"), 3),
            [true, false, false]
        );
        book.arm(
            Fault::new(Operation::GetRecords, FaultKind::Reset)
                .after(1)
                .times(2),
        );
        assert_eq!(
            strikes(&mut book, &scope("s", "a"), 4),
            [false, true, true, false]
        );
        book.arm(Fault::new(Operation::GetRecords, FaultKind::Reset).always());
        assert_eq!(strikes(&mut book, &scope("s", "a"), 3), [true; 3]);
        book.clear();
        assert_eq!(strikes(&mut book, &scope("s", "a"), 1), [false]);
    }

    #[test]
    fn a_fault_fits_its_operation_stream_shard_and_link_alone() {
        let mut book = FaultBook::new(0);
        let fault = Fault::new(Operation::GetRecords, FaultKind::Hang);
        book.arm(fault.stream("s").shard("a").link("w1").always());
        let mut hit = |operation, stream: &str, shard: &str, link: &str| {
            book.strike(operation, &scope(stream, shard), link)
                .is_some()
        };
        assert!(hit(Operation::GetRecords, "s", "a", "w1"));
        assert!(!hit(Operation::PutRecord, "s", "a", "w1"));
        assert!(!hit(Operation::GetRecords, "t", "a", "w1"));
        assert!(!hit(Operation::GetRecords, "s", "b", "w1"));
        assert!(!hit(Operation::GetRecords, "s", "a", "w2"));
    }

    #[test]
    fn queued_faults_strike_one_request_each_in_order() {
        let mut book = FaultBook::new(0);
        book.arm(Fault::new(Operation::GetRecords, FaultKind::Reset));
        book.arm(Fault::new(Operation::GetRecords, FaultKind::Hang));
        let mut next = || {
            let struck = book.strike(Operation::GetRecords, &scope("s", "a"), "");
            struck.map(|struck| struck.kind)
        };
        assert_eq!(next(), Some(FaultKind::Reset));
        assert_eq!(next(), Some(FaultKind::Hang));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_probability_strikes_its_share_and_the_same_requests_under_one_seed() {
        let run = |seed, probability| {
            let mut book = FaultBook::new(seed);
            let fault = Fault::new(Operation::GetRecords, FaultKind::Reset);
            book.arm(fault.probability(probability));
            strikes(&mut book, &scope("s", "a"), 4_000)
        };
        let share = |run: &[bool]| run.iter().filter(|struck| **struck).count();
        assert_eq!(share(&run(1, 0.0)), 0);
        assert_eq!(share(&run(1, 1.0)), 4_000);
        let rough = run(1, 0.05);
        assert!((120..280).contains(&share(&rough)), "{}", share(&rough));
        assert_eq!(rough, run(1, 0.05));
        assert_ne!(rough, run(2, 0.05));
    }

    #[test]
    fn a_probable_fault_ends_after_its_times_and_leaves_others_their_chance() {
        let probable = || Fault::new(Operation::GetRecords, FaultKind::Reset).probability(0.5);
        let mut book = FaultBook::new(0);
        book.arm(probable().times(3).after(10));
        let struck = strikes(&mut book, &scope("s", "a"), 200);
        assert!(struck[..10].iter().all(|struck| !struck));
        assert_eq!(struck.iter().filter(|struck| **struck).count(), 3);

        let mut alone = FaultBook::new(0);
        alone.arm(Fault::new(Operation::GetRecords, FaultKind::Hang).always());
        alone.arm(probable());
        let first = strikes(&mut alone, &scope("s", "a"), 20);
        assert_eq!(first, [true; 20]);
    }

    #[test]
    #[should_panic(expected = "a probability lies between 0 and 1; this one is `1.5`")]
    fn a_probability_above_one_is_a_mistake() {
        drop(Fault::new(Operation::GetRecords, FaultKind::Reset).probability(1.5));
    }
}
