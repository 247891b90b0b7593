//! Applications that run until a signal, or the end of one of them.

use std::{fmt, pin::Pin};

use futures_util::future::join_all;
use tokio::{select, sync::watch};

use super::{
    error::Error,
    launch::{Launch, launch},
    signals::Signals,
    wire::Application,
};

/// Runs an application, or several of them, until SIGINT or SIGTERM asks it to stop, or a stream cannot be read any more.
///
/// ```no_run
/// # use kinesis_app::{Application, Error};
/// # async fn example(billing: impl Application, audit: impl Application) -> Result<(), Error> {
/// kinesis_app::run((billing, audit)).await
/// # }
/// ```
///
/// Several run beside each other, each with its own name, leases and checkpoints; when one has ended, whyever, the others stop as at a
/// signal. A [`Launch`] stands for an application that is given something from outside of its module.
///
/// # Errors
///
/// [`Error`], from the start, from a stream, or from a hook. Of several applications the first one's, in their order; those of others are
/// logged.
pub fn run(apps: impl Applications) -> Run {
    let (end, ended) = watch::channel(false);
    let runs = apps.runs(&ended);
    Box::pin(together(runs, end))
}

/// A run, for whoever awaits it. It is the same type for every application, so that what is none gets one error and not three.
pub type Run = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

async fn together(runs: Vec<Run>, end: watch::Sender<bool>) -> Result<(), Error> {
    let runs = runs.into_iter().map(|run| async {
        let answer = run.await;
        end.send_replace(true);
        answer
    });
    let mut errors = join_all(runs).await.into_iter().filter_map(Result::err);
    let Some(first) = errors.next() else {
        return Ok(());
    };
    for error in errors {
        tracing::error!(%error, "another application failed as well");
    }
    Err(first)
}

/// An [`Application`], a [`Launch`] of one, or a tuple of up to eight of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an application",
    label = "cannot be run",
    note = "`kinesis_app::run` takes the `App` of a module marked `#[kinesis_app]`, or several of them: `run((billing::App, audit::App))`"
)]
pub trait Applications: sealed::Runs {}

#[diagnostic::do_not_recommend]
impl<A: sealed::Runs> Applications for A {}

mod sealed {
    use super::{Run, watch};

    pub trait Runs {
        fn runs(self, ended: &watch::Receiver<bool>) -> Vec<Run>;
    }
}

#[diagnostic::do_not_recommend]
impl<A: Application> sealed::Runs for A {
    fn runs(self, ended: &watch::Receiver<bool>) -> Vec<Run> {
        launch(self).runs(ended)
    }
}

impl<A: Application> sealed::Runs for Launch<A> {
    fn runs(self, ended: &watch::Receiver<bool>) -> Vec<Run> {
        vec![Box::pin(self.run_beside(ended.clone()))]
    }
}

macro_rules! tuples {
    ($(($($app:ident),+))+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($app: Applications),+> sealed::Runs for ($($app,)+) {
            #[allow(non_snake_case, reason = "a value is named as its type is")]
            fn runs(self, ended: &watch::Receiver<bool>) -> Vec<Run> {
                let ($($app,)+) = self;
                let mut runs = Vec::new();
                $(runs.extend($app.runs(ended));)+
                runs
            }
        }
    )+};
}

tuples! {
    (A)
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, F)
    (A, B, C, D, E, F, G)
    (A, B, C, D, E, F, G, H)
}

impl<A: Application> Launch<A> {
    /// See [`run`].
    ///
    /// # Errors
    ///
    /// [`Error`], from the start, from a stream, or from a hook.
    pub async fn run(self) -> Result<(), Error> {
        run(self).await
    }

    async fn run_beside(self, mut ended: watch::Receiver<bool>) -> Result<(), Error> {
        // Before anything is started: a signal during a long start stops it all the same.
        let mut signals = Signals::listen().map_err(Error::Signals)?;
        let mut running = select! {
            biased;
            cause = asked(&mut signals, &mut ended) => {
                tracing::info!(%cause, "stopped before anything was read");
                return Ok(());
            }
            prepared = self.prepare() => prepared?,
        };
        let mut cause = None;
        let started = select! {
            biased;
            asked = asked(&mut signals, &mut ended) => {
                tracing::info!(cause = %asked, "stopping during the start");
                cause = Some(asked);
                Ok(())
            }
            started = running.become_ready() => match started {
                Ok(()) => select! {
                    biased;
                    asked = asked(&mut signals, &mut ended) => {
                        tracing::info!(cause = %asked, "stopping");
                        cause = Some(asked);
                        Ok(())
                    }
                    () = running.ended() => Ok(()),
                },
                Err(error) => Err(error),
            },
        };
        let app = running.app().to_owned();
        // Whatever else made it stop, the first signal asks for what is under way.
        let heard = matches!(cause, Some(Cause::Signal(_)));
        let stopped = select! {
            biased;
            stopped = running.shutdown() => stopped,
            signal = impatient(&mut signals, heard) => {
                tracing::warn!(signal, "stop cut short");
                Err(Error::Interrupted { app })
            }
        };
        // What the shutdown says is less than why it happens.
        started.and(stopped)
    }
}

/// Whose word it is that everything is to stop.
#[derive(Debug)]
enum Cause {
    Signal(&'static str),
    /// Another application has ended.
    Another,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Signal(name) => name,
            Self::Another => "the end of another application",
        })
    }
}

async fn asked(signals: &mut Signals, ended: &mut watch::Receiver<bool>) -> Cause {
    select! {
        biased;
        signal = signals.next() => Cause::Signal(signal),
        // The sender lives as long as any run does.
        _ = ended.wait_for(|ended| *ended) => Cause::Another,
    }
}

/// The second signal; the first may have been heard already.
async fn impatient(signals: &mut Signals, heard: bool) -> &'static str {
    if !heard {
        let signal = signals.next().await;
        tracing::info!(signal, "stopping already");
    }
    signals.next().await
}
