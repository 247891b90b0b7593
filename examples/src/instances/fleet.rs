//! The processes of the application, and what they say.

use std::{
    io::{self, BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use super::{
    app::variables::{ENDPOINT, NAME},
    journal::Said,
};

/// The argument that makes this program an instance.
pub(super) const INSTANCE: &str = "instance";

/// What all of them said so far, each word with who said it.
#[derive(Debug, Clone, Default)]
pub(super) struct Words(Arc<Mutex<Vec<(String, Said)>>>);

impl Words {
    pub(super) fn all(&self) -> Vec<(String, Said)> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn hear(&self, who: &str, word: Said) {
        let mut words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        words.push((who.to_owned(), word));
    }
}

/// A process of the application. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) name: &'static str,
    child: Child,
    listening: Option<thread::JoinHandle<()>>,
}

impl Instance {
    pub(super) fn start(name: &'static str, endpoint: &str, words: &Words) -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg(INSTANCE)
            .env(NAME, name)
            .env(ENDPOINT, endpoint)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let said = child.stdout.take();
        let words = words.clone();
        let listening = thread::spawn(move || {
            // What a killed process had written before is read to its end.
            let lines = said
                .into_iter()
                .flat_map(|said| BufReader::new(said).lines());
            for line in lines.map_while(Result::ok) {
                if let Ok(word) = serde_json::from_str(&line) {
                    words.hear(name, word);
                }
            }
        });
        Ok(Self {
            name,
            child,
            listening: Some(listening),
        })
    }

    /// `kill -9`: it has no last word.
    pub(super) fn kill(mut self) -> io::Result<()> {
        self.child.kill()?;
        self.end().map(drop)
    }

    /// `kill`, as a deployment does, and waits for its end: whether it ended well.
    pub(super) fn stop(mut self) -> io::Result<bool> {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status()?;
        self.end()
    }

    fn end(&mut self) -> io::Result<bool> {
        let status = self.child.wait()?;
        if let Some(listening) = self.listening.take() {
            // It reads to the end of what was said; there is nothing in it that could panic.
            let _ = listening.join();
        }
        Ok(status.success())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // It may be over.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
