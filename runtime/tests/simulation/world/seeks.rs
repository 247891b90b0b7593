//! Somebody repositions the stream.

use std::time::Duration;

use kinesis_app::Position;

use super::World;

/// So many steps of the weather bring one seek.
const RARE: u32 = 60;

impl World {
    /// To the horizon, or to a time of the last minute.
    pub(super) fn seek_perhaps(&mut self) {
        if self.nature.seeks == 0 || self.machines.is_empty() || self.seeks.u32(0..RARE) > 0 {
            return;
        }
        let to = if self.seeks.u32(0..3) == 0 {
            Position::horizon()
        } else {
            let back = Duration::from_millis(self.seeks.u64(0..60_000));
            Position::timestamp(self.kinesis.now() - back)
        };
        let place = self.seeks.usize(0..self.machines.len());
        self.machines[place].seek(to);
    }
}
