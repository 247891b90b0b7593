//! Whether a stream's row is behind what is read and stored of its shards, which only a hand can bring about. Pure.

use super::{
    row::LeaseRow,
    stream_row::{StreamRow, StreamWrite},
};

/// The write after which the row that stands leaves nothing behind; none if it does not.
///
/// A row of a shard comes into a generation after its stream's row did, and an instance learns of it after that. So if the stream's row was
/// read later than `known` and `rows` were, and says less, then it was deleted and met anew, or comes from a backup.
pub(crate) fn lift(
    stands: &StreamRow,
    known: &StreamRow,
    rows: &[LeaseRow],
) -> Option<StreamWrite> {
    let rows = rows.iter().map(|row| row.generation);
    let latest = rows.chain([known.generation]).max()?;
    if stands.generation >= latest {
        return None;
    }
    let (generation, created_millis, position) = if stands.created_millis > known.created_millis {
        // What is stored in the latest generation is of the stream before it.
        (latest + 1, stands.created_millis, stands.begins_at())
    } else if stands.created_millis < known.created_millis {
        (latest, known.created_millis, known.begins_at())
    } else if stands.generation < known.generation {
        // Read twice is better than not read: both said where a shard without a checkpoint begins.
        let position = stands.begins_at().min(known.begins_at());
        (latest, known.created_millis, position)
    } else {
        (latest, stands.created_millis, stands.begins_at())
    };
    Some(StreamWrite::Lift {
        key: stands.key.clone(),
        seen_generation: stands.generation,
        generation,
        created_millis,
        position,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leases::stream_row::StoredStart;

    fn stream(generation: u64, created_millis: i64, position: StoredStart) -> StreamRow {
        StreamRow {
            key: "billing:orders".into(),
            created_millis,
            start: StoredStart::At { millis: 50 },
            generation,
            position: Some(position),
            bell: 0,
        }
    }

    fn lease(generation: u64) -> LeaseRow {
        LeaseRow {
            key: "billing:orders:s".into(),
            shard_id: "s".into(),
            parents: vec![],
            holder: None,
            wanted_by: None,
            counter: 0,
            checkpoint: None,
            generation,
        }
    }

    fn at(millis: i64) -> StoredStart {
        StoredStart::At { millis }
    }

    /// Generation, creation time and position after the lift.
    fn lifted(
        stands: &StreamRow,
        known: &StreamRow,
        rows: &[LeaseRow],
    ) -> Option<(u64, i64, StoredStart)> {
        let write = lift(stands, known, rows)?;
        let after = write.apply(Some(stands)).expect("as seen");
        Some((after.generation, after.created_millis, after.begins_at()))
    }

    #[test]
    fn a_row_that_nothing_is_ahead_of_stays() {
        let known = stream(2, 1, at(7));
        assert_eq!(lift(&known, &known, &[lease(0), lease(2)]), None);
        assert_eq!(
            lift(&stream(3, 1, at(9)), &known, &[lease(3)]),
            None,
            "a seek"
        );
        assert_eq!(lift(&stream(3, 9, at(9)), &known, &[]), None, "a restart");
    }

    #[test]
    fn a_row_behind_the_rows_of_its_shards_comes_into_their_generation_and_begins_where_it_did() {
        let row = stream(0, 1, at(7));
        assert_eq!(
            lifted(&row, &row, &[lease(0), lease(4), lease(2)]),
            Some((4, 1, at(7)))
        );
    }

    #[test]
    fn a_row_behind_what_an_instance_knows_begins_at_the_earlier_of_both_positions() {
        let stands = stream(1, 1, at(7));
        for (known, position) in [(at(5), at(5)), (at(9), at(7))] {
            assert_eq!(
                lifted(&stands, &stream(3, 1, known), &[]),
                Some((3, 1, position))
            );
        }
        assert_eq!(
            lifted(&stands, &stream(3, 1, StoredStart::TrimHorizon), &[]),
            Some((3, 1, StoredStart::TrimHorizon))
        );
    }

    #[test]
    fn a_row_of_another_stream_leaves_the_generations_of_the_one_before_it() {
        let known = stream(2, 1, at(7));
        assert_eq!(
            lifted(&stream(0, 9, at(8)), &known, &[lease(1)]),
            Some((3, 9, at(8)))
        );
    }

    #[test]
    fn a_row_of_the_stream_before_it_gives_way_to_the_one_that_is_read() {
        let known = stream(2, 9, at(7));
        assert_eq!(
            lifted(&stream(0, 1, at(3)), &known, &[]),
            Some((2, 9, at(7)))
        );
    }
}
