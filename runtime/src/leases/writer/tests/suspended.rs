//! The deadline by two clocks: the monotonic one stands still in a suspended machine.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::SystemTime,
};

use aws_smithy_async::time::{SharedTimeSource, TimeSource};

use super::*;

/// A wall clock over tokio's, which can go on by itself.
#[derive(Debug, Clone)]
struct Wall {
    began: Instant,
    more: Arc<AtomicU64>,
}

impl TimeSource for Wall {
    fn now(&self) -> SystemTime {
        let more = Duration::from_secs(self.more.load(Ordering::SeqCst));
        SystemTime::UNIX_EPOCH + Duration::from_hours(500_000) + self.began.elapsed() + more
    }
}

#[tokio::test(start_paused = true)]
async fn a_machine_that_was_suspended_past_its_deadline_wakes_up_without_its_lease() {
    let wall = Wall {
        began: Instant::now(),
        more: Arc::default(),
    };
    let clock = Clock::from(SharedTimeSource::new(wall.clone()));
    let mut held = held_by_clock(Unreliable::default(), clock).await;
    pass(Duration::from_secs(1)).await;
    assert!(!held.tenure.is_over());
    // Six of eight seconds: the monotonic clock stands still meanwhile.
    wall.more.store(6, Ordering::SeqCst);
    assert!(!held.tenure.is_over());
    wall.more.store(7, Ordering::SeqCst);
    assert!(held.tenure.is_over());
    assert!(Instant::now() < held.tenure.deadline());
    let before = held.row();
    pass(Duration::from_secs(3)).await;
    assert_eq!(held.is_lost(), Some(Lost::Deadline));
    assert_eq!(held.row(), before, "it does not beat any more either");
}

#[tokio::test(start_paused = true)]
async fn a_wall_clock_that_is_set_back_lengthens_no_lease() {
    let wall = Wall {
        began: Instant::now(),
        more: Arc::new(AtomicU64::new(3600)),
    };
    let clock = Clock::from(SharedTimeSource::new(wall.clone()));
    let held = held_by_clock(Unreliable::default(), clock).await;
    wall.more.store(0, Ordering::SeqCst);
    held.store.writes(vec![Fate::Lost; 1000]);
    pass(Duration::from_millis(7_900)).await;
    assert!(!held.tenure.is_over());
    pass(Duration::from_millis(200)).await;
    assert!(held.tenure.is_over());
}
