//! What is shown while the job runs: a panel that is drawn again and again on a terminal, lines elsewhere.

use std::{fmt, io::Write, time::Duration};

use super::{
    shop::{PerTopic, Topic},
    summary::grouped,
};

const BAR: usize = 40;
/// A terminal has at least so many columns; a line that wraps would break the panel.
const COLUMNS: usize = 79;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A panel in place, four times a second.
    Live,
    /// A line a second.
    Plain,
}

/// The shards of one stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) open: usize,
    pub(crate) closed: usize,
}

/// The run at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub(crate) at: Duration,
    pub(crate) total: u64,
    pub(crate) put: u64,
    pub(crate) handled: u64,
    pub(crate) shards: PerTopic<Shape>,
}

impl Snapshot {
    fn lag(&self) -> u64 {
        self.put.saturating_sub(self.handled)
    }

    /// Records put and handled a second, since `before`.
    fn rates(&self, before: &Self) -> (u64, u64) {
        let millis = self.at.saturating_sub(before.at).as_millis().max(1);
        let rate = |now: u64, then: u64| {
            let rate = u128::from(now.saturating_sub(then)) * 1000 / millis;
            u64::try_from(rate).unwrap_or(u64::MAX)
        };
        (
            rate(self.put, before.put),
            rate(self.handled, before.handled),
        )
    }
}

/// Shows events and progress. What cannot be written is not shown: the run and its verdict do not depend on it.
pub struct Display {
    out: Box<dyn Write + Send>,
    mode: Mode,
    /// What was shown last, and the moment that its rates count from.
    last: Option<(Snapshot, Snapshot)>,
    /// Lines of the panel that stand above the cursor.
    drawn: usize,
}

impl fmt::Debug for Display {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Display")
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}

impl Display {
    /// Shows on `out`.
    pub fn new(out: impl Write + Send + 'static, mode: Mode) -> Self {
        Self {
            out: Box::new(out),
            mode,
            last: None,
            drawn: 0,
        }
    }

    /// Shows nothing, for tests.
    pub fn nowhere() -> Self {
        Self::new(std::io::sink(), Mode::Plain)
    }

    pub(crate) const fn interval(&self) -> Duration {
        match self.mode {
            Mode::Live => Duration::from_millis(250),
            Mode::Plain => Duration::from_secs(1),
        }
    }

    pub(crate) fn event(&mut self, at: Duration, text: &str) {
        self.clear();
        let _ = writeln!(self.out, "{} {text}", clock(at));
        if let (Mode::Live, Some((now, before))) = (self.mode, self.last) {
            self.draw(&now, &before);
        }
        let _ = self.out.flush();
    }

    pub(crate) fn progress(&mut self, now: &Snapshot) {
        let before = self.last.map_or(
            Snapshot {
                at: Duration::ZERO,
                put: 0,
                handled: 0,
                ..*now
            },
            |(last, _)| last,
        );
        self.last = Some((*now, before));
        match self.mode {
            Mode::Live => {
                self.clear();
                self.draw(now, &before);
            }
            Mode::Plain => {
                let _ = writeln!(self.out, "{}", line(now, &before));
            }
        }
        let _ = self.out.flush();
    }

    /// Takes the panel away: what is printed next stands in its place.
    pub(crate) fn close(&mut self) {
        self.clear();
        let _ = self.out.flush();
    }

    fn draw(&mut self, now: &Snapshot, before: &Snapshot) {
        for line in panel(now, before) {
            let _ = writeln!(self.out, "{line:.COLUMNS$}");
            self.drawn += 1;
        }
    }

    fn clear(&mut self) {
        if self.drawn > 0 {
            // Up to the panel's first line, then erase to the end of the screen.
            let _ = write!(self.out, "\x1b[{}F\x1b[J", self.drawn);
            self.drawn = 0;
        }
    }
}

fn clock(at: Duration) -> String {
    format!("{:>6.1} s ", at.as_secs_f64())
}

fn line(now: &Snapshot, before: &Snapshot) -> String {
    let (put, handled) = now.rates(before);
    let open: usize = Topic::ALL
        .map(|topic| now.shards.get(topic).open)
        .iter()
        .sum();
    let closed: usize = Topic::ALL
        .map(|topic| now.shards.get(topic).closed)
        .iter()
        .sum();
    format!(
        "{} put {} ({}/s), handled {} ({}/s), lag {}, shards {open} open {closed} closed",
        clock(now.at),
        grouped(now.put),
        grouped(put),
        grouped(now.handled),
        grouped(handled),
        grouped(now.lag()),
    )
}

fn panel(now: &Snapshot, before: &Snapshot) -> [String; 4] {
    let (put, handled) = now.rates(before);
    let part = |whole: u64| now.handled.min(now.total) * whole / now.total.max(1);
    let full = usize::try_from(part(BAR as u64)).unwrap_or(BAR);
    let shards = |topic: Topic| {
        let Shape { open, closed } = now.shards.get(topic);
        format!("{topic} {open} open {closed} closed")
    };
    [
        format!(
            "{} [{:.<BAR$}] {:>3} %",
            clock(now.at),
            "#".repeat(full),
            part(100)
        ),
        format!("   put     {:>10}  {:>7}/s", grouped(now.put), grouped(put)),
        format!(
            "   handled {:>10}  {:>7}/s   lag {}",
            grouped(now.handled),
            grouped(handled),
            grouped(now.lag())
        ),
        format!(
            "   shards  {},  {}",
            shards(Topic::Orders),
            shards(Topic::Payments)
        ),
    ]
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use super::*;

    #[derive(Debug, Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Screen {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().expect("no panic").clone()).expect("text")
        }
    }

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn snapshot(seconds: u64, put: u64, handled: u64) -> Snapshot {
        Snapshot {
            at: Duration::from_secs(seconds),
            total: 30_000,
            put,
            handled,
            shards: PerTopic {
                orders: Shape { open: 4, closed: 2 },
                payments: Shape { open: 1, closed: 0 },
            },
        }
    }

    #[test]
    fn lines_tell_rates_since_the_line_before() {
        let screen = Screen::default();
        let mut display = Display::new(screen.clone(), Mode::Plain);
        display.progress(&snapshot(1, 2000, 1500));
        display.event(Duration::from_millis(1500), "split something");
        display.progress(&snapshot(3, 6000, 5900));
        display.close();
        assert_eq!(
            screen.text(),
            "   1.0 s  put 2,000 (2,000/s), handled 1,500 (1,500/s), lag 500, shards 5 open 2 closed
   1.5 s  split something
   3.0 s  put 6,000 (2,000/s), handled 5,900 (2,200/s), lag 100, shards 5 open 2 closed
"
        );
    }

    #[test]
    fn a_panel_is_drawn_over_the_one_before_and_events_stay_above_it() {
        let screen = Screen::default();
        let mut display = Display::new(screen.clone(), Mode::Live);
        display.progress(&snapshot(1, 2000, 1500));
        display.event(Duration::from_secs(1), "split something");
        display.progress(&snapshot(2, 4000, 15_000));
        display.close();
        let text = screen.text();
        let frames: Vec<&str> = text.split("\x1b[4F\x1b[J").collect();
        let [first, event, last, closed] = frames[..] else {
            panic!("{frames:?}");
        };
        assert_eq!(
            first,
            "   1.0 s  [##......................................]   5 %
   put          2,000    2,000/s
   handled      1,500    1,500/s   lag 500
   shards  orders 4 open 2 closed,  payments 1 open 0 closed
"
        );
        assert_eq!(event, format!("   1.0 s  split something\n{first}"));
        assert!(last.contains("[####################....................]  50 %"));
        assert_eq!(closed, "");
        assert!(text.lines().all(|line| line.len() <= COLUMNS + 8));
    }
}
