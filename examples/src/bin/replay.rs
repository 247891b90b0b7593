//! `cargo run -p kinesis-app-examples --bin replay`: a replay that jumps to the tip at a marker, on the Kinesis inside the process.

use std::process::ExitCode;

use kinesis_app_emulator::Kinesis;
use kinesis_app_examples::{exit_code, replay};

#[tokio::main]
async fn main() -> ExitCode {
    let kinesis = Kinesis::builder().wall_clock().build();
    match replay::run(&kinesis, |line| println!("{line}")).await {
        Ok(verdict) => {
            println!("\n{verdict}");
            exit_code(verdict.holds())
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
