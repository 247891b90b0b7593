//! Many instances of one application through weather that a seed chooses, and a judge who knows the rules of the house.
//!
//! `SIM_SEEDS=500 cargo test -p kinesis-app --test simulation` lives through more seeds, `SIM_FIRST=1234` begins with that one.

mod app;
mod forged;
mod judge;
mod log;
mod machine;
mod nature;
mod planted;
mod store;
mod trace;
mod weather;
mod world;

use std::{
    collections::BTreeMap,
    fs, panic,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use crate::{
    app::Shape,
    judge::judge,
    trace::{Step, What},
    world::{Counts, Run, run, run_as},
};

/// A number from the environment: how long a test takes is its caller's choice.
fn number(variable: &str, default: u64) -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a test has no `Setup`")]
    let text = std::env::var(variable).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Panics of handlers are planned; their texts would bury everything else.
fn hush() {
    panic::set_hook(Box::new(|info| {
        if info.payload_as_str() != Some("planned") {
            eprintln!("{info}");
        }
    }));
}

/// Writes down what happened, for people.
fn tell(seed: u64, lived: &Run) -> String {
    let path = format!("{}/simulation-{seed}.log", env!("CARGO_TARGET_TMPDIR"));
    match fs::write(&path, lived.lines.join("\n")) {
        Ok(()) => path,
        Err(error) => format!("{path} cannot be written ({error})"),
    }
}

/// Where two runs of one seed part.
fn difference(one: &Run, other: &Run) -> Option<String> {
    let pairs = one.lines.iter().zip(&other.lines);
    let mut parted = pairs.filter(|(one, other)| one != other);
    match parted.next() {
        Some((one, other)) => Some(format!("`{one}` and `{other}`")),
        None if one.lines.len() == other.lines.len() => None,
        None => Some(format!(
            "{} lines and {}",
            one.lines.len(),
            other.lines.len()
        )),
    }
}

/// Lives through a seed twice; what is wrong with it, if anything.
fn trouble(seed: u64) -> Option<String> {
    let lived = run(seed);
    let again = run(seed);
    if let Some(difference) = difference(&lived, &again) {
        return Some(format!("seed {seed} is not the same twice: {difference}"));
    }
    let violation = judge(&lived.evidence).into_iter().next()?;
    let told = tell(seed, &lived);
    Some(format!("seed {seed}: {violation}\n    all of it: {told}"))
}

#[test]
fn every_rule_of_the_house_holds_in_any_weather() {
    hush();
    let first = number("SIM_FIRST", 0);
    let count = number("SIM_SEEDS", 40);
    let next = AtomicU64::new(first);
    let troubles = Mutex::new(BTreeMap::new());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        break;
                    }
                    if let Some(trouble) = trouble(seed) {
                        troubles.lock().unwrap().insert(seed, trouble);
                    }
                }
            });
        }
    });
    let troubles: Vec<_> = troubles.into_inner().unwrap().into_values().collect();
    assert!(
        troubles.is_empty(),
        "{}\n`SIM_FIRST=n SIM_SEEDS=1` lives through seed n once more",
        troubles.join("\n")
    );
}

/// What a seed is promised to be, whatever it chooses.
#[test]
fn a_seed_is_long_and_eventful_enough() {
    hush();
    for (seed, shape) in (0..).zip([Shape::Plain, Shape::Records, Shape::Batches]) {
        let lived = run_as(seed, shape, None);
        let counts = lived.counts;
        let Counts {
            records,
            reshards,
            faults,
            ..
        } = counts;
        assert!(
            records >= 2_000 && reshards >= 3 && faults >= 10,
            "seed {seed}: {counts:?}"
        );
        let count = |told: fn(&What) -> bool| {
            let events = lived.evidence.events.iter();
            events.filter(|event| told(&event.what)).count()
        };
        let letters = count(|what| matches!(what, What::Letter(_)));
        let receipts = count(|what| matches!(what, What::Receipt(_)));
        let hooks = count(|what| matches!(what, What::Hook(_, Step::Failed)));
        let least = match shape {
            Shape::Plain => (0, 0, 0),
            Shape::Records => (50, 200, 5),
            Shape::Batches => (50, 0, 5),
        };
        assert!(
            letters >= least.0 && receipts >= least.1 && hooks >= least.2,
            "seed {seed}: {letters} letters, {receipts} receipts, {hooks} hooks failed"
        );
    }
}
