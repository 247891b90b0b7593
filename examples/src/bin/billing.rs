//! `cargo run -p kinesis-app-examples --bin billing`: replies and dead letters, on the Kinesis inside the process.

use std::process::ExitCode;

use kinesis_app_emulator::Kinesis;
use kinesis_app_examples::{billing, exit_code};

#[tokio::main]
async fn main() -> ExitCode {
    let kinesis = Kinesis::builder().wall_clock().build();
    match billing::run(&kinesis).await {
        Ok(verdict) => {
            println!("{verdict}");
            exit_code(verdict.holds())
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
