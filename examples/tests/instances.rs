//! The show of many instances, as a user runs it.

use std::process::Command;

#[test]
fn processes_that_die_stop_and_join_lose_nothing_and_handle_nothing_twice_in_clean_moves() {
    let output = Command::new(env!("CARGO_BIN_EXE_instances"))
        .output()
        .expect("the binary runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}\n{errors}");
    assert!(shown.ends_with("PASSED\n"), "{shown}");
    for event in [
        "* ada, bob and cyd start",
        "* bob is killed with -9",
        "* cyd is stopped",
        "* dan and eve join",
        "is split: settled after",
    ] {
        assert!(shown.contains(event), "{event} in {shown}");
    }
}

#[test]
fn an_argument_that_is_none_is_refused_with_2() {
    let output = Command::new(env!("CARGO_BIN_EXE_instances"))
        .arg("--fast")
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
}
