//! What a run came to, as a value and as text. Pure.

use std::{
    fmt::{self, Display, Formatter},
    time::Duration,
};

use super::verdict::Verdict;

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// What the comparison of streams and journal found.
    pub verdict: Verdict,
    /// What was done to the streams meanwhile.
    pub reshards: Reshards,
    /// `GetRecords` requests of the application.
    pub get_records: u64,
    /// Writes to the lease table that moved a checkpoint.
    pub checkpoints: u64,
    /// Shards that stood before a record that needs a person, and why.
    pub halted: Vec<String>,
    /// From the creation of the streams to the verdict.
    pub elapsed: Duration,
}

/// What was done to the streams.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reshards {
    /// Shards that were split.
    pub splits: u64,
    /// Pairs of shards that were merged.
    pub merges: u64,
    /// Shards of both streams at the end, closed ones among them.
    pub shards: u64,
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Verdict {
            put,
            keys,
            missing,
            stored: _,
            handled,
            redelivered,
            lost,
            out_of_order,
            unknown,
            retried,
        } = self.verdict;
        let Reshards {
            splits,
            merges,
            shards,
        } = self.reshards;
        let mut line = |name: &str, count: u64, note: &str| {
            let count = grouped(count);
            let line = format!("  {name:<18}{count:>9}   {note}");
            writeln!(f, "{}", line.trim_end())
        };
        line("put", put, &format!("under {} keys", grouped(keys)))?;
        line(
            "handled",
            handled,
            &format!("{} after a retry", grouped(retried)),
        )?;
        line("redelivered", redelivered, "")?;
        line("lost", lost, "in the stream, never handled")?;
        line("out of order", out_of_order, "per key")?;
        line("missing", missing, "acknowledged, not in the stream")?;
        line("unknown", unknown, "handled, not in the stream")?;
        line("GetRecords calls", self.get_records, "")?;
        line("checkpoint writes", self.checkpoints, "")?;
        line(
            "shards",
            shards,
            &format!("{splits} splits, {merges} merges"),
        )?;
        for halted in &self.halted {
            writeln!(f, "  halted: {halted}")?;
        }
        let seconds = self.elapsed.as_secs_f64();
        if self.verdict.holds() {
            write!(
                f,
                "every record was handled, in order per key ({seconds:.1} s)"
            )
        } else {
            write!(
                f,
                "FAILED: not every record was handled, in order per key ({seconds:.1} s)"
            )
        }
    }
}

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        Report {
            verdict: Verdict {
                put: 30_000,
                keys: 300,
                stored: 30_000,
                handled: 30_000,
                retried: 45,
                ..Verdict::default()
            },
            reshards: Reshards {
                splits: 3,
                merges: 3,
                shards: 14,
            },
            get_records: 812,
            checkpoints: 57,
            halted: Vec::new(),
            elapsed: Duration::from_millis(20_440),
        }
    }

    #[test]
    fn a_summary_names_every_number() {
        assert_eq!(
            report().to_string(),
            "  put                  30,000   under 300 keys
  handled              30,000   45 after a retry
  redelivered               0
  lost                      0   in the stream, never handled
  out of order              0   per key
  missing                   0   acknowledged, not in the stream
  unknown                   0   handled, not in the stream
  GetRecords calls        812
  checkpoint writes        57
  shards                   14   3 splits, 3 merges
every record was handled, in order per key (20.4 s)"
        );
    }

    #[test]
    fn a_summary_of_a_loss_says_that_it_failed() {
        let mut report = report();
        report.verdict.lost = 1;
        report.halted = vec!["orders/shardId-000000000000: out of paper".into()];
        let text = report.to_string();
        assert!(text.contains("  lost                      1   "), "{text}");
        assert!(
            text.contains("  halted: orders/shardId-000000000000: out of paper\nFAILED: "),
            "{text}"
        );
    }

    #[test]
    fn digits_are_grouped_by_three() {
        let texts = [0, 999, 1000, 12_345, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "12,345", "1,234,567"]);
    }
}
