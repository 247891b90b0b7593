//! `just demo-instances`: processes that share a stream, while they join, leave and die. The exit code is the verdict.

use std::{io::stdout, process::ExitCode};

use kinesis_app_examples::{exit_code, instances};

#[tokio::main]
async fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        None => show().await,
        Some("instance") => instance().await,
        Some(other) => {
            eprintln!(
                "error: `{other}` is no argument of this program; it has none\nhelp: just demo-instances"
            );
            ExitCode::from(2)
        }
    }
}

async fn show() -> ExitCode {
    match instances::run(stdout()).await {
        Ok(report) => {
            println!("\n{report}");
            exit_code(report.holds())
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn instance() -> ExitCode {
    match kinesis_app::run(instances::app::depot::App).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
