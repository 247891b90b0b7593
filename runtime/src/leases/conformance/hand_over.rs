//! A lease that one asks another for.

use std::time::Duration;

use super::{Check, beat, held, take};
use crate::leases::{
    row::{Checkpoint, Progress, Wanted},
    store::StoreError,
    write::{Answer, LeaseWrite},
};

impl Check<'_> {
    pub(super) async fn a_lease_is_requested_by_one_and_granted(&self) {
        let row = self.held(7, "a").await;
        let request = |session: &str| LeaseWrite::Request {
            key: row.key.clone(),
            seen_session: "a".into(),
            wanted: wanted(session),
        };
        let asked = self.applied(request("b")).await;
        assert_eq!(
            (asked.wanted_by.as_ref(), asked.counter),
            (Some(&wanted("b")), row.counter),
            "a request touches no counter: the owner's next write still fits"
        );
        let second = self.write(request("c")).await;
        assert!(
            matches!(second, Err(StoreError::Refused)),
            "one asks at a time"
        );
        let withdraw = |session: &str| LeaseWrite::Withdraw {
            key: row.key.clone(),
            session: session.into(),
        };
        let foreign = self.write(withdraw("c")).await;
        assert!(
            matches!(foreign, Err(StoreError::Refused)),
            "nobody takes another's request back"
        );
        let withdrawn = self.applied(withdraw("b")).await;
        assert_eq!(
            (&withdrawn.wanted_by, withdrawn.counter),
            (&None, row.counter),
            "who asked may take it back, and touches no counter"
        );
        let again = self.write(withdraw("b")).await;
        assert!(matches!(again, Err(StoreError::Refused)), "once");
        self.applied(request("b")).await;
        let beaten = self.applied(beat(&row, None)).await;
        assert_eq!(
            beaten.wanted_by, asked.wanted_by,
            "the owner sees in the answer to his own write who wants it"
        );
        let mut refusing = beat(&beaten, None);
        if let LeaseWrite::Beat { answer, .. } = &mut refusing {
            *answer = Answer::Refused;
        }
        let refused = self.applied(refusing).await;
        assert_eq!(
            (refused.session(), &refused.wanted_by),
            (Some("a"), &None),
            "the owner may refuse: his beat takes the request away"
        );
        self.applied(request("b")).await;
        let granted = self
            .applied(LeaseWrite::Grant {
                held: held(&refused),
                to: wanted("b"),
                progress: Some(Progress {
                    generation: 0,
                    checkpoint: Some(Checkpoint::After("9".into())),
                }),
            })
            .await;
        assert_eq!(
            (granted.session(), &granted.wanted_by),
            (Some("b"), &None),
            "a grant makes the lease the other's"
        );
        let late = self.write(beat(&refused, None)).await;
        assert!(
            matches!(late, Err(StoreError::Refused)),
            "and no longer one's own"
        );
        let mut first = beat(&granted, None);
        if let LeaseWrite::Beat { lease_duration, .. } = &mut first {
            *lease_duration = Duration::from_secs(30);
        }
        let worked = self.applied(first).await;
        let stored = worked.holder.as_ref().map(|holder| holder.lease_duration);
        assert_eq!(
            stored,
            Some(Duration::from_secs(30)),
            "the new owner's first beat stores his lease duration"
        );
        self.applied(LeaseWrite::Request {
            key: row.key.clone(),
            seen_session: "b".into(),
            wanted: wanted("c"),
        })
        .await;
        let taken = self.applied(take(&worked, "d")).await;
        assert_eq!(
            taken.wanted_by, None,
            "who takes a dead lease owes it to nobody"
        );
        let gone = self.write(request("b")).await;
        assert!(
            matches!(gone, Err(StoreError::Refused)),
            "a lease is asked for from the owner that was seen"
        );
    }
}

fn wanted(session: &str) -> Wanted {
    Wanted {
        owner_id: "host-2".into(),
        session: session.into(),
    }
}
