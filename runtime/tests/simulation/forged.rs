//! The judge can find what no planted bug brings about: one event of a run that was good is made another.

use std::collections::BTreeMap;

use crate::{
    app::Shape,
    judge::judge,
    trace::{Event, Hook, Letter, Step, What},
    world::{Run, run_as},
};

fn good() -> Run {
    crate::hush();
    let run = run_as(0, Shape::Records, None);
    assert_eq!(judge(&run.evidence), []);
    run
}

/// The first violation when the first event that it can be made in is another one.
fn forged(run: &mut Run, mut forge: impl FnMut(&mut Event) -> bool) -> String {
    let events = &mut run.evidence.events;
    let place = (0..events.len()).find_map(|at| {
        let was = events[at].clone();
        forge(&mut events[at]).then_some((at, was))
    });
    let (at, was) = place.expect("there is such an event");
    let found = judge(&run.evidence);
    run.evidence.events[at] = was;
    let first = found.first().expect("a violation");
    format!("rule {}: {}", first.rule, first.text)
}

fn letter(run: &mut Run, forge: impl Fn(&mut Letter)) -> String {
    forged(run, |event| match &mut event.what {
        What::Letter(letter) => {
            forge(letter);
            true
        }
        _ => false,
    })
}

fn header(letter: &mut Letter, name: &str, value: &str) {
    for (known, is) in &mut letter.headers {
        if known == name {
            value.clone_into(is);
        }
    }
}

#[test]
fn a_letter_that_says_what_is_not_true_comes_to_light() {
    let run = &mut good();
    let text = letter(run, |letter| header(letter, "cause", "another"));
    assert!(
        text.starts_with("rule 8:") && text.ends_with("which was not given up"),
        "{text}"
    );
    let text = letter(run, |letter| header(letter, "attempts", "99"));
    assert!(
        text.ends_with("attempt 99, which was not given up"),
        "{text}"
    );
    let text = letter(run, |letter| header(letter, "shard-id", "elsewhere"));
    assert!(
        text.contains(r#"says Some("elsewhere") for shard-id"#),
        "{text}"
    );
    let text = letter(run, |letter| letter.payload = "another".into());
    assert!(text.ends_with("has other bytes than it"), "{text}");
    let text = letter(run, |letter| letter.headers.clear());
    assert!(text.ends_with("stands for no record"), "{text}");
}

#[test]
fn a_receipt_that_nobody_made_or_out_of_order_comes_to_light() {
    let run = &mut good();
    let text = forged(run, |event| match &mut event.what {
        What::Receipt(receipt) => {
            receipt.record += 1_000_000;
            true
        }
        _ => false,
    });
    assert!(
        text.starts_with("rule 8:") && text.ends_with("which nobody made"),
        "{text}"
    );
    let text = forged(run, |event| match &mut event.what {
        What::Receipt(receipt) if receipt.index == 0 && receipt.of > 2 => {
            receipt.index = 2;
            true
        }
        _ => false,
    });
    assert!(text.contains("before 0 of its key"), "{text}");
    let mut made = BTreeMap::<_, u32>::new();
    let text = forged(run, |event| match &mut event.what {
        What::Replied { handling, .. } => {
            let made = made.entry((handling.machine, handling.record));
            *made.or_default() += 1;
            false
        }
        What::Receipt(receipt) if receipt.index == 0 && receipt.of > 2 => {
            let made_again = made[&(receipt.machine, receipt.record)] > 1;
            receipt.index = if made_again { 2 } else { 0 };
            made_again
        }
        _ => false,
    });
    assert!(
        text.contains("before 0 of its key"),
        "what stood before counts no more when they are made again: {text}"
    );
    let text = forged(run, |event| match &mut event.what {
        What::Receipt(receipt) => {
            receipt.key = "another".into();
            true
        }
        _ => false,
    });
    assert!(text.ends_with("under the key another"), "{text}");
}

#[test]
fn a_shard_that_is_read_before_its_hook_comes_to_light() {
    let run = &mut good();
    let text = forged(run, |event| match &mut event.what {
        What::Hook(call, step @ Step::Succeeded) if call.hook == Hook::Start => {
            *step = Step::Failed;
            true
        }
        _ => false,
    });
    assert!(text.starts_with("rule 5:"), "{text}");
    assert!(
        text.ends_with("before `#[on_shard_start]` had succeeded"),
        "{text}"
    );
}
