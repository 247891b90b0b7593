//! The checks on ours, in process and in virtual time.

use crate::check::Check;
use crate::subject::Subject;
use kinesis_app_emulator::Kinesis;
use std::time::Duration;

/// Panics unless ours keeps the promise, or is known to owe it.
pub(crate) async fn keeps(checks: &[Check], name: &str) {
    let check = checks.iter().find(|check| check.name == name);
    let check = check.expect("the name of a check");
    let second = Duration::from_secs(1);
    let kinesis = Kinesis::builder()
        .create_duration(second)
        .update_duration(second)
        .delete_duration(second)
        .build();
    let subject = Subject::new(&kinesis.config(), "conformance");
    let met = (check.run)(&subject).await.map_err(|seen| seen.0);
    match (met, check.owed) {
        (Ok(()), None) => {}
        (Err(seen), Some(owed)) if seen == owed => {}
        (Err(seen), _) => panic!("{seen}\nby the documentation: {}", check.rule),
        (Ok(()), Some(owed)) => panic!("kept at last; take the mark away: `owed: {owed:?}`"),
    }
}

#[test]
fn what_ours_owes_is_told_in_the_readme() {
    let readme = include_str!("../../README.md");
    for check in crate::all().filter(|check| check.owed.is_some()) {
        let promise = check.name.replace('_', " ");
        assert!(readme.contains(&promise), "`{promise}` is not told");
    }
}
