//! The marker job, in virtual time and as a user runs it.

use std::process::Command;

use kinesis_app_emulator::Kinesis;
use kinesis_app_examples::replay::{self, BACKLOG};

#[tokio::test(start_paused = true)]
async fn a_replay_of_ten_thousand_jumps_to_the_tip_at_its_marker_and_follows_it() {
    let kinesis = Kinesis::builder().seed(1).build();
    let mut said = Vec::new();
    let verdict = replay::run(&kinesis, |line| said.push(line)).await;
    let verdict = verdict.expect("the run comes to a verdict");
    assert!(verdict.holds(), "{verdict}");
    assert_eq!(verdict.replayed + verdict.left_out, BACKLOG as usize);
    assert!(verdict.replayed >= 10, "the marker is not the first job");
    assert_eq!(verdict.followed, 500);
    assert_eq!(said.len(), 5, "{said:?}");
}

#[test]
fn the_binary_says_what_happened_and_ends_with_the_verdict() {
    let output = Command::new(env!("CARGO_BIN_EXE_replay")).output();
    let output = output.expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.ends_with("verdict    holds\n"), "{text}");
}
