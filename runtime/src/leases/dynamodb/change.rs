//! Conditional writes as update expressions. Pure: what [`LeaseWrite::apply`] and [`StreamWrite::apply`] say of a row, said to DynamoDB.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;

use super::item::{
    BELL, CHECKPOINT, COUNTER, CREATED, DURATION, GENERATION, KEY, OWNER, POSITION, POSITION_TIME,
    SESSION, START, START_TIME, WANTED_BY, WANTED_SESSION, checkpoint, millis, number, of_place,
    text,
};
use crate::{
    leases::{
        row::{Checkpoint, Holder, Progress, Wanted},
        stream_row::{StoredStart, StreamWrite},
        write::{Answer, Held, LeaseWrite},
    },
    planted::{Bug, planted},
};

/// An `UpdateItem`: its expressions, their values, and the names that are words of DynamoDB's language.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Update {
    sets: Vec<String>,
    removes: Vec<String>,
    pub(super) condition: String,
    pub(super) values: HashMap<String, AttributeValue>,
    pub(super) names: HashMap<String, String>,
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
                Some(update.held_by(holder).unwanted())
            }
            LeaseWrite::Beat {
                held,
                lease_duration,
                progress,
                answer,
            } => {
                let mut update = Self::of_owner(held).reaching(progress.as_ref());
                if *answer == Answer::Refused {
                    update = update.unwanted();
                }
                update.set(DURATION, millis(*lease_duration));
                if planted(Bug::CheckpointWithoutCounter) && progress.is_some() {
                    update.values.remove(":counter");
                    update.condition = format!("{SESSION} = :session");
                }
                Some(update)
            }
            LeaseWrite::Request {
                seen_session,
                wanted,
                ..
            } => {
                let mut update = Self::default();
                update.set(WANTED_BY, text(&wanted.owner_id));
                update.set(WANTED_SESSION, text(&wanted.session));
                update.condition = update.value("seen", text(seen_session), |seen| {
                    format!("{SESSION} = {seen} AND attribute_not_exists({WANTED_SESSION})")
                });
                Some(update)
            }
            LeaseWrite::Withdraw { session, .. } => {
                let mut update = Self::default().unwanted();
                update.condition = update.value("seen", text(session), |seen| {
                    format!("{WANTED_SESSION} = {seen}")
                });
                Some(update)
            }
            LeaseWrite::Grant { held, to, progress } => Some(
                Self::of_owner(held)
                    .reaching(progress.as_ref())
                    .granted_to(to)
                    .unwanted(),
            ),
            LeaseWrite::Release { held, progress } => {
                Some(Self::of_owner(held).reaching(progress.as_ref()).free())
            }
            LeaseWrite::End { held, generation } => {
                let end = Progress {
                    generation: *generation,
                    checkpoint: Some(Checkpoint::ShardEnd),
                };
                Some(Self::of_owner(held).reaching(Some(&end)).free())
            }
        }
    }

    /// The update that a write of a stream's row is.
    pub(super) fn of_stream(write: &StreamWrite) -> Self {
        let mut update = Self::default();
        match write.seen_generation().zip(write.generation()) {
            Some((seen, after)) => {
                update.condition = update.value("seen", number(seen), |seen| {
                    format!("{GENERATION} = {seen}")
                });
                update.set(GENERATION, number(after));
            }
            // Without it the ring would make a row of its own, which nobody could read.
            None => update.condition = format!("attribute_exists({KEY})"),
        }
        let ring = update.value("one", number(1), |one| format!("{BELL} = {BELL} + {one}"));
        update.sets.push(ring);
        match write {
            StreamWrite::Ring { .. } => {}
            StreamWrite::Seek { position, .. } => {
                update.place(POSITION, POSITION_TIME, Some(*position));
            }
            StreamWrite::Restart {
                created_millis,
                start,
                ..
            } => {
                update.set(CREATED, number(created_millis));
                update.place(START, START_TIME, Some(*start));
                update.place(POSITION, POSITION_TIME, None);
            }
            StreamWrite::Lift {
                created_millis,
                position,
                ..
            } => {
                update.set(CREATED, number(created_millis));
                update.place(POSITION, POSITION_TIME, Some(*position));
            }
        }
        update
    }

    /// The kinds of places are words of DynamoDB's language, and need another name in an expression.
    fn place(&mut self, kind: &'static str, time: &'static str, place: Option<StoredStart>) {
        let name = format!("#{kind}");
        self.names.insert(name.clone(), kind.into());
        let (word, millis) = place.map(of_place).unzip();
        match word {
            Some(word) => {
                let set = self.value(&format!("new_{kind}"), word, |word| {
                    format!("{name} = {word}")
                });
                self.sets.push(set);
            }
            None if planted(Bug::AdoptionKeepsCheckpoint) => {}
            None => self.removes.push(name),
        }
        match millis.flatten() {
            Some(millis) => self.set(time, millis),
            None if planted(Bug::AdoptionKeepsCheckpoint) => {}
            None => self.removes.push(time.into()),
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

    /// The lease duration stays the granter's until the new owner's first beat.
    fn granted_to(mut self, to: &Wanted) -> Self {
        self.set(OWNER, text(&to.owner_id));
        self.set(SESSION, text(&to.session));
        self
    }

    fn unwanted(mut self) -> Self {
        self.removes
            .extend([WANTED_BY, WANTED_SESSION].map(String::from));
        self
    }

    fn free(mut self) -> Self {
        self.removes
            .extend([OWNER, SESSION, DURATION].map(String::from));
        self
    }

    fn reaching(mut self, progress: Option<&Progress>) -> Self {
        let Some(progress) = progress else {
            return self;
        };
        self.set(GENERATION, number(progress.generation));
        match &progress.checkpoint {
            Some(reached) => self.set(CHECKPOINT, checkpoint(reached)),
            None if planted(Bug::AdoptionKeepsCheckpoint) => {}
            None => self.removes.push(CHECKPOINT.into()),
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
        let clauses = [("SET", &self.sets), ("REMOVE", &self.removes)].into_iter();
        let clauses = clauses.filter(|(_, parts)| !parts.is_empty());
        let clauses: Vec<_> = clauses
            .map(|(word, parts)| format!("{word} {}", parts.join(", ")))
            .collect();
        clauses.join(" ")
    }
}

/// For a row that must not be there yet.
pub(super) fn absent() -> String {
    format!("attribute_not_exists({KEY})")
}

/// For a finished row that nobody touched since it was seen, and nobody reads again after a seek.
pub(super) fn finished(seen_counter: u64) -> (String, HashMap<String, AttributeValue>) {
    let condition =
        format!("{COUNTER} = :counter AND {CHECKPOINT} = :end AND attribute_not_exists({SESSION})");
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
    fn a_beat_sets_counter_and_duration_and_progress_and_needs_session_and_counter() {
        let beat = |progress| {
            Update::of(&LeaseWrite::Beat {
                held: held(),
                lease_duration: Duration::from_secs(10),
                progress,
                answer: Answer::Open,
            })
            .expect("an update")
        };
        let update = beat(Some(Progress {
            generation: 2,
            checkpoint: Some(Checkpoint::After("7".into())),
        }));
        assert_eq!(
            update.expression(),
            "SET lease_counter = :new_lease_counter, generation = :new_generation, checkpoint = :new_checkpoint, \
             lease_duration_ms = :new_lease_duration_ms"
        );
        assert_eq!(
            update.condition,
            "lease_counter = :counter AND lease_session = :session"
        );
        assert_eq!(update.values[":counter"], number(4));
        assert_eq!(update.values[":new_lease_counter"], number(5));
        assert_eq!(update.values[":new_checkpoint"], text("7"));
        let adopting = beat(Some(Progress {
            generation: 3,
            checkpoint: None,
        }));
        assert_eq!(
            adopting.expression(),
            "SET lease_counter = :new_lease_counter, generation = :new_generation, \
             lease_duration_ms = :new_lease_duration_ms REMOVE checkpoint"
        );
    }

    #[test]
    fn an_end_frees_the_row() {
        let update = Update::of(&LeaseWrite::End {
            held: held(),
            generation: 1,
        })
        .expect("an update");
        assert_eq!(
            update.expression(),
            "SET lease_counter = :new_lease_counter, generation = :new_generation, checkpoint = :new_checkpoint \
             REMOVE lease_owner, lease_session, lease_duration_ms"
        );
        assert_eq!(update.values[":new_checkpoint"], text("SHARD_END"));
    }

    #[test]
    fn a_withdrawal_takes_ones_own_request_away_and_nothing_else() {
        let update = Update::of(&LeaseWrite::Withdraw {
            key: "k".into(),
            session: "s".into(),
        })
        .expect("an update");
        assert_eq!(update.condition, "wanted_session = :seen");
        assert_eq!(update.expression(), "REMOVE wanted_by, wanted_session");
    }

    #[test]
    fn a_seek_moves_the_generation_as_it_was_seen_and_rings() {
        let update = Update::of_stream(&StreamWrite::Seek {
            key: "k".into(),
            seen_generation: 4,
            position: StoredStart::TrimHorizon,
        });
        assert_eq!(update.condition, "generation = :seen");
        assert_eq!(
            update.expression(),
            "SET generation = :new_generation, bell = bell + :one, #position = :new_position REMOVE position_ms"
        );
    }

    #[test]
    fn a_ring_adds_to_the_bell_of_a_row_that_stands() {
        let update = Update::of_stream(&StreamWrite::Ring { key: "k".into() });
        assert_eq!(update.condition, "attribute_exists(lease_key)");
        assert_eq!(update.expression(), "SET bell = bell + :one");
    }

    #[test]
    fn a_restart_makes_the_row_another_streams() {
        let update = Update::of_stream(&StreamWrite::Restart {
            key: "k".into(),
            seen_generation: 4,
            created_millis: 70,
            start: StoredStart::At { millis: 7 },
        });
        assert_eq!(update.condition, "generation = :seen");
        assert_eq!(
            update.expression(),
            "SET generation = :new_generation, bell = bell + :one, stream_created_ms = :new_stream_created_ms, \
             #start = :new_start, start_ms = :new_start_ms REMOVE #position, position_ms"
        );
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
