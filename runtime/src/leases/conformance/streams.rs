//! The stream's own row.

use super::Check;
use crate::leases::{
    store::StoreError,
    stream_row::{StoredStart, StreamRow, StreamWrite},
};

impl Check<'_> {
    pub(super) async fn a_stream_is_met_once(&self) {
        let key = format!("{}:orders", self.application);
        assert_eq!(
            self.store.stream(&key).await.expect("an answer"),
            None,
            "the application has no rows yet"
        );
        let first = StreamRow {
            key: key.clone(),
            created_millis: 1_700_000_000_123,
            start: StoredStart::At {
                millis: 1_750_000_000_456,
            },
            generation: 0,
            position: None,
            bell: 0,
        };
        let second = StreamRow {
            start: StoredStart::TrimHorizon,
            ..first.clone()
        };
        assert_eq!(
            self.store.meet_stream(&first).await.expect("an answer"),
            first,
            "who meets it first stores its start"
        );
        assert_eq!(
            self.store.meet_stream(&second).await.expect("an answer"),
            first,
            "who comes later adopts it"
        );
        assert_eq!(
            self.store.stream(&key).await.expect("an answer"),
            Some(first),
            "and it stays"
        );
    }

    pub(super) async fn a_stream_is_moved_by_one_of_two(&self) {
        let row = StreamRow {
            key: format!("{}:sought", self.application),
            created_millis: 1,
            start: StoredStart::TrimHorizon,
            generation: 0,
            position: None,
            bell: 0,
        };
        self.store.meet_stream(&row).await.expect("an answer");
        let seek = |seen_generation, position| StreamWrite::Seek {
            key: row.key.clone(),
            seen_generation,
            position,
        };
        let restart = |seen_generation, start| StreamWrite::Restart {
            key: row.key.clone(),
            seen_generation,
            created_millis: 2,
            start,
        };
        let ring = StreamWrite::Ring {
            key: row.key.clone(),
        };
        for bell in 1..=2 {
            let after = self.store.write_stream(&ring).await.expect("an answer");
            assert_eq!(
                after,
                StreamRow {
                    bell,
                    ..row.clone()
                },
                "a ring moves the bell and nothing else"
            );
        }
        let heard = self.store.rung(&row.key, 0).await.expect("an answer");
        assert!(heard.is_some(), "a bell that rang is heard");
        let lift = |seen_generation, generation, position| StreamWrite::Lift {
            key: row.key.clone(),
            seen_generation,
            generation,
            created_millis: 3,
            position,
        };
        let then = StoredStart::At { millis: 7 };
        for write in [
            seek(0, then),
            seek(1, StoredStart::TrimHorizon),
            seek(2, then),
            restart(3, then),
            restart(4, StoredStart::TrimHorizon),
            lift(5, 9, then),
            lift(9, 10, StoredStart::TrimHorizon),
        ] {
            let before = self.store.stream(&row.key).await.expect("an answer");
            let expected = write.apply(before.as_ref()).expect("as seen");
            let after = self.store.write_stream(&write).await;
            assert_eq!(
                after.expect("as seen"),
                expected,
                "a write of a stream's row answers with the row after it"
            );
            assert_eq!(
                self.store.stream(&row.key).await.expect("an answer"),
                Some(expected),
                "and it stands"
            );
            let second = self.store.write_stream(&write).await;
            assert!(
                matches!(second, Err(StoreError::Refused)),
                "of two who saw the same generation one moves it"
            );
        }
        let key = || format!("{}:unmet", self.application);
        for nowhere in [
            StreamWrite::Ring { key: key() },
            StreamWrite::Seek {
                key: key(),
                seen_generation: 0,
                position: StoredStart::TrimHorizon,
            },
        ] {
            assert!(
                matches!(
                    self.store.write_stream(&nowhere).await,
                    Err(StoreError::Refused)
                ),
                "a stream that nobody met is not sought, and has no bell"
            );
        }
        let unmet = self.store.stream(&key()).await.expect("an answer");
        assert_eq!(unmet, None, "and leaves no row");
    }
}
