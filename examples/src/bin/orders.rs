//! `cargo run`: see `--help`.

use std::{
    future::Future,
    io::{self, IsTerminal},
    process::ExitCode,
};

use kinesis_app_examples::orders::{self, Command, Display, HELP, JobError, Mode, Plan};

const WRONG_OPTIONS: u8 = 2;
const INTERRUPTED: u8 = 130;

#[tokio::main]
async fn main() -> ExitCode {
    match orders::parse(std::env::args_os().skip(1)) {
        Ok(Command::Help) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Ok(Command::Run(plan)) => run(&plan).await,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(WRONG_OPTIONS)
        }
    }
}

async fn run(plan: &Plan) -> ExitCode {
    let interrupt = match interrupted() {
        Ok(interrupt) => interrupt,
        Err(error) => {
            eprintln!("error: signals cannot be listened to: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mode = if io::stdout().is_terminal() {
        Mode::Live
    } else {
        Mode::Plain
    };
    let mut display = Display::new(io::stdout(), mode);
    match orders::run(plan, &mut display, interrupt).await {
        Ok(report) => {
            println!("\n{report}");
            if report.verdict.holds() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(error) => {
            eprintln!("error: {error}");
            match error {
                JobError::Target(_) => ExitCode::from(WRONG_OPTIONS),
                JobError::Interrupted => ExitCode::from(INTERRUPTED),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// SIGINT or SIGTERM: streams that were created somewhere are deleted before the process ends.
#[cfg(unix)]
fn interrupted() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn interrupted() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a way to hear Ctrl-C the job runs to its end.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}
