//! What was put against what the streams and the books hold. Pure: it knows nothing of the application.

use std::{collections::BTreeMap, fmt};

use super::{
    app::{Order, Receipt, Refund},
    services::{Cards, Entry},
};

/// What was put.
#[derive(Debug, Clone, Default)]
pub struct Put {
    /// Orders that can be booked.
    pub orders: Vec<Order>,
    /// Records that cannot: their keys, with what is to be said of them.
    pub bad: Vec<(String, String)>,
    /// Refunds, with the ids that their headers bear.
    pub refunds: Vec<(Refund, String)>,
    /// Pages, with how often they were looked at.
    pub views: BTreeMap<String, usize>,
}

/// What there is in the end.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Receipts with their keys, in the order of their shards.
    pub receipts: Vec<(String, Receipt)>,
    /// Dead letters with their keys, as they lie in their stream.
    pub letters: Vec<(String, String)>,
    /// The books.
    pub entries: Vec<Entry>,
}

/// What became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Orders with their receipt.
    pub booked: usize,
    /// Bad records with a dead letter that was reviewed.
    pub rejected: usize,
    /// Refunds that were paid back.
    pub paid: usize,
    /// Those among them whose card was busy at first.
    pub retried: usize,
    /// Refunds of closed cards, which were left alone.
    pub left_alone: usize,
    /// Views that were counted.
    pub views: usize,
    /// What should not be.
    pub faults: Vec<String>,
}

impl Verdict {
    /// Whether everything is as it should be.
    pub fn holds(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Goes through everything that was put.
pub fn judge(put: &Put, found: &Found) -> Verdict {
    let mut verdict = Verdict::default();
    verdict.receipts(put, found);
    verdict.dead_letters(put, found);
    verdict.refunds(put, found);
    verdict.views(put, found);
    verdict
}

impl Verdict {
    /// Each customer's receipts are those of his orders, in their order, each once.
    fn receipts(&mut self, put: &Put, found: &Found) {
        let mut orders: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for order in &put.orders {
            orders.entry(&order.customer).or_default().push(order.id);
        }
        let mut filed: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (customer, receipt) in &found.receipts {
            filed.entry(customer).or_default().push(receipt.order);
        }
        for customer in filed.keys().filter(|key| !orders.contains_key(*key)) {
            self.fault(format!("`{customer}` has receipts and no orders"));
        }
        for (customer, orders) in orders {
            let filed = filed.remove(customer).unwrap_or_default();
            if filed == orders {
                self.booked += orders.len();
            } else {
                self.fault(format!("`{customer}` has {orders:?} and {filed:?}"));
            }
        }
        for order in &put.orders {
            let booked = |entry: &&Entry| matches!(entry, Entry::Booked { order: id, .. } if *id == order.id);
            let times = found.entries.iter().filter(booked).count();
            if times != 1 {
                self.fault(format!("order {} was booked {times} times", order.id));
            }
        }
    }

    /// Each bad record has a dead letter that says why, and was reviewed.
    fn dead_letters(&mut self, put: &Put, found: &Found) {
        for (key, why) in &put.bad {
            let letter = |(by, text): &&(String, String)| by == key && text.contains(why);
            let letters = found.letters.iter().filter(letter).count();
            let review = |entry: &&Entry| matches!(entry, Entry::SetAside { key: by, cause } if by == key && cause.contains(why));
            let reviews = found.entries.iter().filter(review).count();
            if (letters, reviews) == (1, 1) {
                self.rejected += 1;
            } else {
                self.fault(format!(
                    "`{key}`, {why}: {letters} dead letters, {reviews} reviews"
                ));
            }
        }
        let (letters, bad) = (found.letters.len(), put.bad.len());
        if letters != bad {
            self.fault(format!("{letters} dead letters of {bad} bad records"));
        }
    }

    /// Each refund is paid back once, under the id of its header and in its turn, unless its card is closed.
    fn refunds(&mut self, put: &Put, found: &Found) {
        let mut due = Vec::new();
        for (refund, trace_id) in &put.refunds {
            let busy = Entry::Busy { refund: refund.id };
            let tries = found.entries.iter().filter(|entry| **entry == busy).count();
            let expected = if refund.card == Cards::BUSY_TWICE {
                2
            } else {
                0
            };
            if tries != expected {
                self.fault(format!(
                    "refund {} found a busy card {tries} times",
                    refund.id
                ));
            }
            if refund.card == Cards::CLOSED {
                self.left_alone += 1;
                continue;
            }
            self.retried += usize::from(tries > 0);
            due.push(Entry::Paid {
                refund: refund.id,
                amount_cents: refund.amount_cents,
                trace_id: Some(trace_id.clone()),
            });
        }
        let is_payment = |entry: &&Entry| matches!(entry, Entry::Paid { .. });
        let paid: Vec<_> = found.entries.iter().filter(is_payment).collect();
        self.paid = paid.len();
        if paid.len() != due.len() {
            self.fault(format!("{} payments of {} refunds", paid.len(), due.len()));
        }
        for (paid, due) in paid.into_iter().zip(&due) {
            if paid != due {
                self.fault(format!("{paid:?} and not {due:?}"));
            }
        }
    }

    /// Each page was counted as often as it was looked at.
    fn views(&mut self, put: &Put, found: &Found) {
        let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in &found.entries {
            if let Entry::Viewed { path, times } = entry {
                *counted.entry(path).or_default() += times;
            }
        }
        self.views = counted.values().sum();
        let put: BTreeMap<&str, usize> = put
            .views
            .iter()
            .map(|(path, times)| (&**path, *times))
            .collect();
        if counted != put {
            self.fault(format!("views: {counted:?} and not {put:?}"));
        }
    }

    fn fault(&mut self, text: String) {
        self.faults.push(text);
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            booked,
            rejected,
            paid,
            retried,
            left_alone,
            views,
            faults,
        } = self;
        writeln!(f, "orders   {booked:>6} booked, each with its receipt")?;
        writeln!(f, "rejected {rejected:>6} dead letters, each reviewed")?;
        writeln!(
            f,
            "refunds  {paid:>6} paid back, {retried} after a busy card, and {left_alone} left alone"
        )?;
        write!(f, "views    {views:>6} counted")?;
        for fault in faults {
            write!(f, "\nfault    {fault}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(id: u64) -> Order {
        Order {
            id,
            customer: "ada".into(),
            amount_cents: 100,
        }
    }

    fn refund(id: u64, card: &str) -> (Refund, String) {
        let refund = Refund {
            id,
            card: card.into(),
            amount_cents: 100,
        };
        (refund, format!("trace-{id}"))
    }

    fn paid(refund: u64) -> Entry {
        Entry::Paid {
            refund,
            amount_cents: 100,
            trace_id: Some(format!("trace-{refund}")),
        }
    }

    fn booked(order: u64) -> Entry {
        Entry::Booked {
            order,
            at: String::new(),
        }
    }

    /// A day on which all went well.
    fn day() -> (Put, Found) {
        let put = Put {
            orders: vec![order(1), order(2)],
            bad: vec![("bob".into(), "costs nothing".into())],
            refunds: vec![
                refund(1, "4242"),
                refund(2, Cards::CLOSED),
                refund(3, Cards::BUSY_TWICE),
            ],
            views: [("/".into(), 3)].into(),
        };
        let receipt = |order| ("ada".into(), Receipt { order });
        let found = Found {
            receipts: vec![receipt(1), receipt(2)],
            letters: vec![("bob".into(), "order 3 costs nothing".into())],
            entries: vec![
                booked(1),
                paid(1),
                Entry::Busy { refund: 3 },
                Entry::Busy { refund: 3 },
                paid(3),
                booked(2),
                Entry::Viewed {
                    path: "/".into(),
                    times: 3,
                },
                Entry::SetAside {
                    key: "bob".into(),
                    cause: "order 3 costs nothing".into(),
                },
            ],
        };
        (put, found)
    }

    #[test]
    fn a_good_day_has_no_faults() {
        let (put, found) = day();
        let verdict = judge(&put, &found);
        assert!(verdict.holds(), "{verdict}");
        let counts = (verdict.booked, verdict.rejected, verdict.paid);
        assert_eq!(counts, (2, 1, 2));
        let counts = (verdict.retried, verdict.left_alone, verdict.views);
        assert_eq!(counts, (1, 1, 3));
    }

    /// Every fault that can be made of a good day, by one change of what is found.
    #[test]
    fn whatever_is_missing_doubled_or_out_of_order_is_a_fault() {
        type Change = fn(&mut Found);
        let changes: [(&str, Change); 10] = [
            ("a receipt is missing", |found| {
                found.receipts.pop();
            }),
            ("receipts are out of order", |found| {
                found.receipts.reverse();
            }),
            ("an order is booked twice", |found| {
                found.entries.push(booked(1));
            }),
            ("a dead letter is missing", |found| found.letters.clear()),
            ("a dead letter is filed twice", |found| {
                found.letters.extend(found.letters.clone());
            }),
            ("a refund is paid twice", |found| {
                found.entries.push(paid(1));
            }),
            ("refunds change places", |found| found.entries.swap(1, 4)),
            ("a refund loses its trace id", |found| {
                found.entries[1] = Entry::Paid {
                    refund: 1,
                    amount_cents: 100,
                    trace_id: None,
                };
            }),
            ("a busy card is asked once", |found| {
                found.entries.remove(2);
            }),
            ("views are counted twice", |found| {
                found.entries.push(found.entries[6].clone());
            }),
        ];
        for (what, change) in changes {
            let (put, mut found) = day();
            change(&mut found);
            assert!(!judge(&put, &found).holds(), "{what}");
        }
    }
}
