//! What happens to the fleet, one thing after the other, each when the one before has settled.

use std::{
    collections::BTreeSet,
    fmt,
    io::{self, Write},
    time::Duration,
};

use tokio::time::{Instant, interval, sleep};

use super::{
    fleet::{Instance, Words},
    stage::{Owners, Stage},
    verdict::{self, Verdict},
};
use crate::orders::{StreamError, TargetError, Topic, read_all};

const SHARDS: i32 = 8;
const CUSTOMERS: u64 = 24;
/// Pause between two records.
const PACE: Duration = Duration::from_millis(10);
/// What has settled is watched for so long before the next thing happens.
const WATCHED: Duration = Duration::from_secs(3);
/// A dead process is noticed within two lease durations of five seconds; the rest is for a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why a show was not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// A process or the port.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The stream.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The port's services cannot be reached.
    #[error(transparent)]
    Target(#[from] TargetError),
}

/// How it went.
#[derive(Debug)]
pub struct Report {
    /// What happened, and after how long every shard had an owner and everybody his share; none if that never came.
    pub settled: Vec<(String, Option<Duration>)>,
    /// Whether everybody who was asked to stop ended well.
    pub clean: bool,
    /// What an independent reader says.
    pub verdict: Verdict,
}

impl Report {
    /// Whether everything that was promised held.
    pub fn holds(&self) -> bool {
        self.clean && self.verdict.holds() && self.settled.iter().all(|(_, after)| after.is_some())
    }
}

struct Show<W> {
    stage: Stage,
    words: Words,
    fleet: Vec<Instance>,
    killed: BTreeSet<String>,
    /// Numbers of the records that were put, one after the other.
    put: u64,
    producing: bool,
    begun: Instant,
    settled: Vec<(String, Option<Duration>)>,
    clean: bool,
    out: W,
}

/// Plays it, and writes what is to be seen.
///
/// # Errors
///
/// [`ShowError`], if it cannot be played to its end.
pub async fn run(out: impl Write) -> Result<Report, ShowError> {
    let mut show = Show {
        stage: Stage::open(SHARDS).await?,
        words: Words::default(),
        fleet: Vec::new(),
        killed: BTreeSet::new(),
        put: 0,
        producing: true,
        begun: Instant::now(),
        settled: Vec::new(),
        clean: true,
        out,
    };
    show.play().await?;
    show.judge().await
}

impl<W: Write> Show<W> {
    async fn play(&mut self) -> Result<(), ShowError> {
        self.join(&["ada", "bob", "cyd"])?;
        self.settle("ada, bob and cyd start").await?;
        let bob = self.take("bob");
        self.killed.insert("bob".into());
        for instance in bob {
            instance.kill()?;
        }
        self.settle("bob is killed with -9").await?;
        for instance in self.take("cyd") {
            self.stop(instance).await?;
        }
        self.settle("cyd is stopped").await?;
        self.join(&["dan", "eve"])?;
        self.settle("dan and eve join").await?;
        let parent = self.stage.stream.split().await?;
        self.settle(&format!("{parent} is split")).await?;
        self.producing = false;
        self.tell("no more records are put")?;
        let until = Instant::now() + PATIENCE;
        // A begin and an end of each; what came again makes it more.
        while (self.words.count() as u64) < 2 * self.put && Instant::now() < until {
            self.second().await?;
        }
        self.second().await?;
        self.tell("everybody is stopped")?;
        while let Some(instance) = self.fleet.pop() {
            self.stop(instance).await?;
        }
        Ok(())
    }

    async fn judge(self) -> Result<Report, ShowError> {
        let stored = read_all(Topic::Orders, &self.stage.stream).await?;
        let put = usize::try_from(self.put).unwrap_or(usize::MAX);
        Ok(Report {
            settled: self.settled,
            clean: self.clean,
            verdict: verdict::judge(put, &stored, &self.words.all(), &self.killed),
        })
    }

    fn join(&mut self, names: &[&'static str]) -> Result<(), ShowError> {
        for name in names {
            let instance = Instance::start(name, &self.stage.endpoint, &self.words)?;
            self.fleet.push(instance);
        }
        Ok(())
    }

    fn take(&mut self, name: &str) -> Vec<Instance> {
        let (taken, left) = std::mem::take(&mut self.fleet)
            .into_iter()
            .partition(|instance| instance.name == name);
        self.fleet = left;
        taken
    }

    /// The others, and the producer, go on meanwhile.
    async fn stop(&mut self, instance: Instance) -> Result<(), ShowError> {
        let stopping = tokio::task::spawn_blocking(|| instance.stop());
        // A record that is on its way is waited for: one that is given up may be in the stream all the same.
        while !stopping.is_finished() {
            self.second().await?;
        }
        let clean = stopping.await;
        self.clean &= clean.map_err(io::Error::other)??;
        Ok(())
    }

    /// Waits until every shard has a living owner and everybody his share, and a little longer.
    async fn settle(&mut self, what: &str) -> Result<(), ShowError> {
        self.tell(what)?;
        let since = Instant::now();
        let after = loop {
            self.second().await?;
            if self.is_even(&self.stage.owners().await) {
                break Some(since.elapsed());
            }
            if since.elapsed() >= PATIENCE {
                break None;
            }
        };
        self.settled.push((what.to_owned(), after));
        let until = Instant::now() + WATCHED;
        while Instant::now() < until {
            self.second().await?;
        }
        Ok(())
    }

    fn is_even(&self, owners: &Owners) -> bool {
        let names: BTreeSet<&str> = self.fleet.iter().map(|instance| instance.name).collect();
        let owning: BTreeSet<&str> = owners.keys().map(String::as_str).collect();
        let counts = owners.values().map(Vec::len);
        let (least, most) = (counts.clone().min(), counts.max());
        names == owning
            && most
                .zip(least)
                .is_some_and(|(most, least)| most - least <= 1)
    }

    /// One second: records are put, and at its end it is shown who owns what.
    async fn second(&mut self) -> Result<(), ShowError> {
        let mut pace = interval(PACE);
        let until = Instant::now() + Duration::from_secs(1);
        while Instant::now() < until {
            if self.producing {
                pace.tick().await;
                let customer = format!("customer-{}", self.put % CUSTOMERS);
                self.stage.put(&customer, self.put / CUSTOMERS).await?;
                self.put += 1;
            } else {
                sleep(PACE).await;
            }
        }
        let owners = self.stage.owners().await;
        let line: Vec<_> = owners
            .iter()
            .map(|(owner, shards)| {
                let owner = if owner.is_empty() { "nobody" } else { owner };
                format!("{owner}: {:<12}", shards.join(" "))
            })
            .collect();
        let at = self.begun.elapsed().as_secs();
        writeln!(self.out, "{at:>4} s  {}", line.join("  ").trim_end())?;
        Ok(())
    }

    fn tell(&mut self, what: &str) -> Result<(), ShowError> {
        let at = self.begun.elapsed().as_secs();
        writeln!(self.out, "{at:>4} s  * {what}")?;
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, after) in &self.settled {
            match after {
                Some(after) => writeln!(f, "{what}: settled after {:.0} s", after.as_secs_f64())?,
                None => writeln!(f, "{what}: NOT settled after {} s", PATIENCE.as_secs())?,
            }
        }
        if !self.clean {
            writeln!(f, "an instance that was asked to stop did not end well")?;
        }
        self.verdict.fmt(f)
    }
}
