//! `cargo run -p kinesis-app-examples --bin billing`: the billing service, on the Kinesis inside the process.

use std::process::ExitCode;

use kinesis_app_examples::{billing, exit_code};

#[tokio::main]
async fn main() -> ExitCode {
    let kinesis = billing::kinesis().wall_clock().build();
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
