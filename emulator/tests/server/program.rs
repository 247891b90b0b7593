//! The program itself: its first line, its errors, its end.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

fn program(arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_kinesis-app-emulator"));
    program
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    program
}

/// How it ended, and what it said.
pub(crate) fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = program(arguments).output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

/// The program and the address that it tells.
pub(crate) fn start(arguments: &[&str]) -> (Child, String) {
    let mut child = program(arguments).spawn().unwrap();
    let mut line = String::new();
    let output = child.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("listening on http://");
    let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
    (child, address)
}

fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
    assert!(sent.success());
}

/// Stops it as a supervisor does.
pub(crate) fn terminate(mut child: Child) {
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn it_tells_its_port_and_stops_at_either_signal() {
    for sent in ["-TERM", "-INT"] {
        let (mut child, address) = start(&["--port", "0", "--stream", "orders:2"]);
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        std::net::TcpStream::connect(&address).unwrap();
        signal(&child, sent);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{sent}");
        std::net::TcpStream::connect(&address).unwrap_err();
    }
}

#[test]
fn what_keeps_it_from_starting_is_told_with_the_way_out() {
    let told = |text: &str| format!("error: {text}\n");
    let bad = "`--port http`: a port is a number from 0 to 65535\nhelp: --port 4567";
    assert_eq!(run(&["--port", "http"]), (Some(2), told(bad)));
    let (code, text) = run(&["--port", "0", "--stream", "orders:100000"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("stream `orders` cannot be created"), "{text}");

    let (mut first, address) = start(&["--port", "0"]);
    let port = address.rsplit(':').next().unwrap();
    let (code, text) = run(&["--port", port]);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(code, Some(1));
    let problem = format!("`--port {port}`: 127.0.0.1:{port} cannot be listened on: ");
    assert!(text.contains(&problem), "{text}");
    assert!(text.ends_with("help: --port 0\n"), "{text}");
}

#[test]
fn help_and_version_go_to_the_output() {
    let output = program(&["--help"]).output().unwrap();
    assert!(output.status.success());
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("--stream NAME:SHARDS")
    );
    let output = program(&["--version"]).output().unwrap();
    let version = format!("kinesis-app-emulator {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), version);
}
