//! Conditional writes as update expressions. Pure: what [`LeaseWrite::apply`] says of a row, said to DynamoDB.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

use super::item::{
    CHECKPOINT, COUNTER, DURATION, KEY, OWNER, SESSION, checkpoint, millis, number, text,
};
use crate::leases::row::{Checkpoint, Held, Holder, LeaseWrite};

/// An `UpdateItem`: its expressions and their values.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Update {
    sets: Vec<String>,
    removes: Vec<&'static str>,
    pub(super) condition: String,
    pub(super) values: HashMap<String, AttributeValue>,
}

impl Update {
    /// The update that a write of a standing row is; `None` for a creation or deletion.
    pub(super) fn of(write: &LeaseWrite) -> Option<Self> {
        match write {
            LeaseWrite::Create(_) | LeaseWrite::Delete { .. } => None,
            LeaseWrite::Take {
                seen_session,
                seen_counter,
                holder,
                ..
            } => {
                let mut update = Self::default().counted(*seen_counter);
                update.condition = match seen_session {
                    Some(session) => update.value("seen", text(session), |seen| {
                        format!("{COUNTER} = :counter AND {SESSION} = {seen}")
                    }),
                    // The counter exists in every row: a missing row meets no comparison with it.
                    None => format!("{COUNTER} = :counter AND attribute_not_exists({SESSION})"),
                };
                Some(update.held_by(holder))
            }
            LeaseWrite::Beat { held, checkpoint } => {
                Some(Self::of_owner(held).reaching(checkpoint.as_ref()))
            }
            LeaseWrite::Release { held, checkpoint } => {
                Some(Self::of_owner(held).reaching(checkpoint.as_ref()).free())
            }
            LeaseWrite::End { held } => Some(
                Self::of_owner(held)
                    .reaching(Some(&Checkpoint::ShardEnd))
                    .free(),
            ),
        }
    }

    fn of_owner(held: &Held) -> Self {
        let mut update = Self::default().counted(held.counter);
        update.condition = update.value("session", text(&held.session), |session| {
            format!("{COUNTER} = :counter AND {SESSION} = {session}")
        });
        update
    }

    /// The counter as it must stand, and the next one.
    fn counted(mut self, counter: u64) -> Self {
        self.values.insert(":counter".into(), number(counter));
        self.set(COUNTER, number(counter + 1));
        self
    }

    fn held_by(mut self, holder: &Holder) -> Self {
        self.set(OWNER, text(&holder.owner_id));
        self.set(SESSION, text(&holder.session));
        self.set(DURATION, millis(holder.lease_duration));
        self
    }

    fn free(mut self) -> Self {
        self.removes.extend([OWNER, SESSION, DURATION]);
        self
    }

    fn reaching(mut self, reached: Option<&Checkpoint>) -> Self {
        if let Some(reached) = reached {
            self.set(CHECKPOINT, checkpoint(reached));
        }
        self
    }

    fn set(&mut self, attribute: &'static str, value: AttributeValue) {
        let set = self.value(&format!("new_{attribute}"), value, |name| {
            format!("{attribute} = {name}")
        });
        self.sets.push(set);
    }

    fn value(
        &mut self,
        name: &str,
        value: AttributeValue,
        write: impl FnOnce(&str) -> String,
    ) -> String {
        let name = format!(":{name}");
        let text = write(&name);
        self.values.insert(name, value);
        text
    }

    pub(super) fn expression(&self) -> String {
        let mut expression = format!("SET {}", self.sets.join(", "));
        if !self.removes.is_empty() {
            expression.push_str(" REMOVE ");
            expression.push_str(&self.removes.join(", "));
        }
        expression
    }
}

/// For a row that must not be there yet.
pub(super) fn absent() -> String {
    format!("attribute_not_exists({KEY})")
}

/// For a finished row that nobody touched since it was seen.
pub(super) fn finished(seen_counter: u64) -> (String, HashMap<String, AttributeValue>) {
    let condition = format!("{COUNTER} = :counter AND {CHECKPOINT} = :end");
    let values = [
        (":counter".into(), number(seen_counter)),
        (":end".into(), checkpoint(&Checkpoint::ShardEnd)),
    ];
    (condition, values.into())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn held() -> Held {
        Held {
            key: "k".into(),
            session: "s".into(),
            counter: 4,
        }
    }

    #[test]
    fn a_beat_sets_the_counter_and_the_checkpoint_and_needs_session_and_counter() {
        let update = Update::of(&LeaseWrite::Beat {
            held: held(),
            checkpoint: Some(Checkpoint::After("7".into())),
        })
        .expect("an update");
        assert_eq!(
            update.expression(),
            "SET lease_counter = :new_lease_counter, checkpoint = :new_checkpoint"
        );
        assert_eq!(
            update.condition,
            "lease_counter = :counter AND lease_session = :session"
        );
        assert_eq!(update.values[":counter"], number(4));
        assert_eq!(update.values[":new_lease_counter"], number(5));
        assert_eq!(update.values[":new_checkpoint"], text("7"));
    }

    #[test]
    fn an_end_frees_the_row() {
        let update = Update::of(&LeaseWrite::End { held: held() }).expect("an update");
        assert_eq!(
            update.expression(),
            "SET lease_counter = :new_lease_counter, checkpoint = :new_checkpoint REMOVE lease_owner, lease_session, lease_duration_ms"
        );
        assert_eq!(update.values[":new_checkpoint"], text("SHARD_END"));
    }

    #[test]
    fn a_take_of_a_free_lease_needs_that_nobody_holds_it() {
        let holder = Holder {
            owner_id: "o".into(),
            session: "s".into(),
            lease_duration: Duration::from_secs(10),
        };
        let take = |seen_session: Option<&str>| LeaseWrite::Take {
            key: "k".into(),
            seen_session: seen_session.map(Into::into),
            seen_counter: 0,
            holder: holder.clone(),
        };
        let free = Update::of(&take(None)).expect("an update");
        assert_eq!(
            free.condition,
            "lease_counter = :counter AND attribute_not_exists(lease_session)"
        );
        let dead = Update::of(&take(Some("old"))).expect("an update");
        assert_eq!(
            dead.condition,
            "lease_counter = :counter AND lease_session = :seen"
        );
    }
}
