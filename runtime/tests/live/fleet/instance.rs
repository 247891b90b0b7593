//! One process of the application.

use std::{
    process::{Child, Command},
    str::FromStr,
    time::Duration,
};

use super::app;
use crate::gate::{self, eventually};

/// Set in a process that is an instance: how many threads it has.
pub(super) const ROLE: &str = "LIVE_INSTANCE_THREADS";

/// What runs the instance's tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Threads {
    /// A runtime of the current thread.
    One,
    /// A multi-thread runtime of two.
    Two,
}

impl FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "1" => Ok(Self::One),
            "2" => Ok(Self::Two),
            other => Err(format!("`{other}` is neither `1` nor `2`")),
        }
    }
}

/// In what an instance differs from its siblings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Role<'a> {
    pub(crate) threads: Threads,
    /// How long a record that blocks does so here.
    pub(crate) block: Duration,
    /// Where it reaches its lease table, if not where the others do.
    pub(crate) tables: Option<&'a str>,
}

impl Role<'_> {
    pub(crate) const PLAIN: Self = Self {
        threads: Threads::Two,
        block: Duration::ZERO,
        tables: None,
    };
}

/// What all instances of a test share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) kinesis: String,
    pub(super) tables: String,
    pub(super) stream: String,
    pub(super) journal: String,
    pub(super) lease: Duration,
}

/// A running process. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Instance(Child);

impl Instance {
    pub(super) fn start(shared: &Shared, role: &Role<'_>) -> Self {
        let this = std::env::current_exe().expect("the test binary");
        let threads = match role.threads {
            Threads::One => "1",
            Threads::Two => "2",
        };
        let mut command = Command::new(this);
        command
            .args(["--exact", "fleet::app::the_instance", "--ignored"])
            .args(["--nocapture", "--quiet"])
            .env(ROLE, threads)
            .env(gate::KINESIS, &shared.kinesis)
            .env(gate::DYNAMODB, role.tables.unwrap_or(&shared.tables))
            .env(app::STREAM, &shared.stream)
            .env(app::JOURNAL, &shared.journal)
            .env(app::LEASE, shared.lease.as_millis().to_string())
            .env(app::BLOCK, role.block.as_millis().to_string())
            .stdout(std::process::Stdio::null());
        Self(command.spawn().expect("the test binary starts"))
    }

    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let mut kill = Command::new("kill");
        let sent = kill.args([signal, &self.pid().to_string()]).status();
        assert!(sent.expect("`kill` is there").success());
    }

    /// Stops it as a supervisor does; it must end well.
    pub(crate) async fn terminate(mut self) {
        self.signal("-TERM");
        let child = std::cell::RefCell::new(&mut self.0);
        eventually("a process ends after SIGTERM", || async {
            child
                .borrow_mut()
                .try_wait()
                .expect("it is a child")
                .is_some()
        })
        .await;
        let status = self.0.wait().expect("it is a child");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // It may have ended already, as it should.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
