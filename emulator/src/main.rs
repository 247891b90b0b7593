//! The emulator on a TCP port; `--help` for its options.

use kinesis_app_emulator::server::options::{Command, HELP, read};
use std::process::ExitCode;
use tokio::net::TcpListener;

fn main() -> ExitCode {
    let command = match read(std::env::args_os().skip(1)) {
        Ok(command) => command,
        Err(error) => return failed(2, &error),
    };
    let (address, server) = match command {
        Command::Serve(address, server) => (address, server),
        Command::Version => {
            println!("kinesis-app-emulator {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        _ => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return failed(1, &error),
    };
    runtime.block_on(async {
        let listener = match TcpListener::bind(address).await {
            Ok(listener) => listener,
            Err(error) => {
                let port = address.port();
                let problem = format!(
                    "`--port {port}`: {address} cannot be listened on: {error}\nhelp: --port 0"
                );
                return failed(1, &problem);
            }
        };
        let stop = match signals() {
            Ok(stop) => stop,
            Err(error) => return failed(1, &error),
        };
        match listener.local_addr() {
            // Scripts read the port from this line.
            Ok(address) => println!("listening on http://{address}"),
            Err(error) => return failed(1, &error),
        }
        match server.serve(listener, stop).await {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failed(1, &error),
        }
    })
}

fn failed(code: u8, error: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(code)
}

/// Done at the first SIGINT or SIGTERM. Listened to before the port is announced: who knows it may
/// stop the program.
#[cfg(unix)]
fn signals() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
    );
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn signals() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a handler the program cannot be stopped gracefully: it goes on until it is ended.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
