//! Faults that are armed, and which request each one meets.

use super::calls::Scope;
use super::{ErrorCode, Operation};
use std::time::Duration;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The service sheds load: `ProvisionedThroughputExceededException` from operations on items,
    /// `ThrottlingException` from the others. [`Refuse`](Self::Refuse) answers with any code.
    Throttle,
    /// The service answers with HTTP 500 and `InternalServerError`; nothing is carried out.
    InternalFailure,
    /// The service answers with this error; nothing is carried out.
    Refuse(ErrorCode),
    /// The connection is reset before the request arrives; nothing is carried out.
    Reset,
    /// The request is carried out; the answer leaves this much later.
    Delay(Duration),
    /// The request does not arrive, and no answer ever comes.
    Hang,
    /// The request is carried out; the headers come, the body this much later.
    StalledBody(Duration),
    /// The request is carried out; half of the body comes, then the connection is reset.
    TruncatedBody,
    /// The request is carried out; the connection is reset before the answer.
    AnswerLost,
    /// The connection is reset, and the request is carried out this much later all the same: what
    /// became of a write whose sender gave up on it is known only then.
    Late(Duration),
    /// A read that may be eventual answers with what stood there this long ago; see
    /// [`StaleReads`](super::StaleReads) for which reads may be. No effect on others.
    Stale(Duration),
}

/// A fault to come, for the next request that fits.
///
/// It fits requests of one operation; of one table, key and link if named. It strikes once unless
/// told otherwise. Of several that fit, the one armed first strikes.
///
/// ```
/// use kinesis_app_emulator::Kinesis;
/// use kinesis_app_emulator::dynamodb::{Fault, FaultKind, Operation};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let kinesis = Kinesis::new();
/// kinesis.dynamodb().fault(
///     Fault::new(Operation::UpdateItem, FaultKind::AnswerLost)
///         .table("leases")
///         .key("shardId-000000000001")
///         .times(3),
/// );
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    operation: Operation,
    kind: FaultKind,
    table: Option<String>,
    key: Option<String>,
    link: Option<String>,
    probability: f64,
    skip: u64,
    /// `None` is for ever.
    left: Option<u64>,
}

impl Fault {
    /// A fault that strikes the next request of the operation.
    pub fn new(operation: Operation, kind: FaultKind) -> Self {
        Self {
            operation,
            kind,
            table: None,
            key: None,
            link: None,
            probability: 1.0,
            skip: 0,
            left: Some(1),
        }
    }

    /// Only requests about this table.
    pub fn table(mut self, name: impl Into<String>) -> Self {
        self.table = Some(name.into());
        self
    }

    /// Only requests about the one item with this partition key, a string's or number's text.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Only requests over this [`Link`](crate::Link).
    pub fn link(mut self, name: impl Into<String>) -> Self {
        self.link = Some(name.into());
        self
    }

    /// Strike a request that fits with this probability, 0 to 1, drawn under the emulator's seed
    /// (default 1). One that is spared counts neither for [`after`](Self::after) nor for
    /// [`times`](Self::times).
    pub fn probability(mut self, probability: f64) -> Self {
        self.probability = probability;
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

    /// Strike every request that fits, until
    /// [`clear_faults`](super::DynamoDb::clear_faults).
    pub fn always(mut self) -> Self {
        self.left = None;
        self
    }

    fn fits(&self, operation: Operation, scope: &Scope, link: &str) -> bool {
        let table = |name: &String| scope.tables.contains(name);
        self.operation == operation
            && self.table.as_ref().is_none_or(table)
            && (self.key.is_none() || self.key == scope.key)
            && self.link.as_ref().is_none_or(|named| named == link)
    }
}

#[derive(Debug)]
pub(crate) struct FaultBook {
    armed: Vec<Fault>,
    chance: fastrand::Rng,
}

impl FaultBook {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            armed: Vec::new(),
            chance: fastrand::Rng::with_seed(seed),
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
    ) -> Option<FaultKind> {
        let mut struck = None;
        for fault in &mut self.armed {
            if !fault.fits(operation, scope, link) || fault.left == Some(0) {
                continue;
            }
            // Certain faults draw nothing: arming one leaves the chance of the others alone.
            if fault.probability < 1.0 && self.chance.f64() >= fault.probability {
                continue;
            }
            // Requests that one fault strikes still count for the skips of those behind it.
            if fault.skip > 0 {
                fault.skip -= 1;
            } else if struck.is_none() {
                fault.left = fault.left.map(|left| left - 1);
                struck = Some(fault.kind);
            }
        }
        self.armed.retain(|fault| fault.left != Some(0));
        struck
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(table: &str, key: &str) -> Scope {
        Scope {
            tables: vec![table.into()],
            key: Some(key.into()),
        }
    }

    #[test]
    fn a_fault_fits_its_operation_table_key_and_link_alone() {
        let mut book = FaultBook::new(0);
        let fault = Fault::new(Operation::UpdateItem, FaultKind::Hang);
        book.arm(fault.table("leases").key("a").link("w1").always());
        let mut hit = |operation, table: &str, key: &str, link: &str| {
            let struck = book.strike(operation, &scope(table, key), link);
            struck.is_some()
        };
        assert!(hit(Operation::UpdateItem, "leases", "a", "w1"));
        assert!(!hit(Operation::PutItem, "leases", "a", "w1"));
        assert!(!hit(Operation::UpdateItem, "other", "a", "w1"));
        assert!(!hit(Operation::UpdateItem, "leases", "b", "w1"));
        assert!(!hit(Operation::UpdateItem, "leases", "a", "w2"));
    }

    #[test]
    fn faults_skip_strike_as_often_as_told_and_in_the_order_they_were_armed() {
        let mut book = FaultBook::new(0);
        let fault = |kind| Fault::new(Operation::Scan, kind);
        book.arm(fault(FaultKind::Reset).after(1).times(2));
        book.arm(fault(FaultKind::Hang));
        let mut next = || book.strike(Operation::Scan, &scope("t", "k"), "");
        assert_eq!(next(), Some(FaultKind::Hang));
        assert_eq!(next(), Some(FaultKind::Reset));
        assert_eq!(next(), Some(FaultKind::Reset));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_probable_fault_strikes_its_share_and_the_same_requests_under_one_seed() {
        let strikes = |seed| {
            let mut book = FaultBook::new(seed);
            book.arm(
                Fault::new(Operation::Scan, FaultKind::Reset)
                    .probability(0.3)
                    .always(),
            );
            let mut hit = || book.strike(Operation::Scan, &scope("t", "k"), "").is_some();
            (0..1_000).map(|_| hit()).collect::<Vec<_>>()
        };
        let share = strikes(7).iter().filter(|hit| **hit).count();
        assert!((250..350).contains(&share), "{share} of 1,000 at 30 %");
        assert_eq!(strikes(7), strikes(7));
        assert_ne!(strikes(7), strikes(8));
    }
}
