use crate::advice::{self, distance, snake};
use crate::errors::Errors;
use crate::keys::{ATTRIBUTES, Key, Kind, LEASES, START, STREAM, Stage, Table, choices, tables};
use crate::parse::args::Value;
use crate::tests::source;

fn meant(table: &'static Table, name: &str) -> Option<&'static str> {
    advice::unknown(table, name, &Value::Flag)
        .meant
        .map(|key| key.name)
}

#[test]
fn a_word_is_known_in_whatever_spelling() {
    for spelling in [
        "poll_interval",
        "pollInterval",
        "PollInterval",
        "poll-interval",
        "poll.interval",
        "POLL_INTERVAL",
        "Stream::poll_interval",
    ] {
        assert_eq!(snake(spelling), "poll_interval");
    }
}

#[test]
fn a_swap_of_neighbours_is_one_slip() {
    assert_eq!(distance("", ""), 0);
    assert_eq!(distance("name", ""), 4);
    assert_eq!(distance("nmae", "name"), 1);
    assert_eq!(distance("pol_interval", "poll_interval"), 1);
    assert_eq!(distance("kitten", "sitting"), 3);
    assert_eq!(distance("ca", "abc"), 3);
}

#[test]
fn a_synonym_counts_before_a_likeness() {
    assert_eq!(meant(&STREAM, "limit"), Some("batch_size"));
    assert_eq!(meant(&STREAM, "pol_interval"), Some("poll_interval"));
    assert_eq!(meant(&START, "TRIM_HORIZON"), Some("trim_horizon"));
    assert_eq!(meant(&START, "latst"), Some("latest"));
    // One letter from `crate`.
    assert_eq!(meant(&STREAM, "create"), Some("create_if_missing"));
    assert_eq!(meant(&STREAM, "zzzz"), None);
}

#[test]
fn no_synonym_means_two_keys_or_hides_one() {
    for table in tables() {
        let words = table.keys.iter().flat_map(|key| key.synonyms);
        for word in words {
            let owners = table
                .keys
                .iter()
                .filter(|key| key.synonyms.contains(word))
                .count();
            assert_eq!(owners, 1, "`{word}` in `{}`", table.of);
            assert!(
                !table.keys.iter().any(|key| key.name == *word),
                "`{word}` is a key"
            );
        }
    }
}

#[test]
fn every_key_is_documented_and_shows_its_form() {
    for table in tables() {
        for key in table.keys {
            assert!(key.form.starts_with(key.name), "`{}`", key.name);
            assert!(key.doc.ends_with('.'), "`{}`", key.name);
            assert!(!key.meaning.is_empty());
        }
    }
}

/// A key that is in the table and read by nobody would be a setting that does nothing.
#[test]
fn every_key_is_read_in_the_form_that_help_shows() {
    for table in ATTRIBUTES {
        for key in table.keys {
            let source = with_argument(table.of, key.form);
            let errors = source::errors(&source).into_iter();
            let texts: Vec<_> = errors.map(|error| error.text).collect();
            let expected = match (table.of, key.name, key.stage) {
                ("stream", "crate", _) => {
                    let help = "set it in `#[kinesis_app]`; it is for streams that stand alone";
                    vec![format!(
                        "`crate` is the app's: `::kinesis_app`\nhelp: {help}"
                    )]
                }
                (_, name, Stage::Later) => {
                    let help = key.meaning;
                    vec![format!("`{name}` is not built yet\nhelp: {help}")]
                }
                (_, _, Stage::Built | Stage::Off { .. }) => vec![],
            };
            assert_eq!(texts, expected, "{source}");
        }
    }
}

/// Every key whose value is written in quotes may be read from a variable: of attributes, and of the choices of their keys.
#[test]
fn every_string_key_takes_a_variable() {
    let texts = |table: &'static Table| table.built().filter(|key| key.takes_text());
    let mut checked = Vec::new();
    for table in ATTRIBUTES {
        for key in texts(table) {
            checked.push((table.of, variable_of(key)));
        }
        for outer in table.built() {
            for key in choices(outer).into_iter().flat_map(texts) {
                let store = match outer.name {
                    "leases" if key.stands_beside() => "dynamodb = \"table\", ",
                    _ => "",
                };
                let inside = variable_of(key);
                checked.push((table.of, format!("{}({store}{inside})", outer.name)));
            }
        }
    }
    assert!(checked.len() >= 20, "{checked:?}");
    for (of, arg) in checked {
        let source = with_argument(of, &arg);
        let errors = source::errors(&source);
        assert!(errors.is_empty(), "`{arg}` in `{of}`: {errors:?}");
    }
}

fn variable_of(key: &Key) -> String {
    let example = key.example().expect("a key that takes a text");
    format!("{}(env = \"VARIABLE\", default = \"{example}\")", key.name)
}

/// A module in which an attribute has one argument more, in the place of what names the same thing, and what it needs beside it.
fn with_argument(of: &str, arg: &str) -> String {
    let mut app = vec![r#"name = "b""#];
    let mut stream = vec![r#"name = "orders""#];
    let mut handler = vec!["Orders"];
    let args = match of {
        "kinesis_app" => &mut app,
        "stream" => &mut stream,
        _ => &mut handler,
    };
    match key_of(arg) {
        "name" | "arn" => args.clear(),
        "credentials" => args.push(r#"endpoint = "http://h""#),
        "exhausted" => args.push("retry(attempts = 5)"),
        _ => {}
    }
    args.push(arg);
    let kind = if of == "on_batch" { of } else { "on_record" };
    format!(
        "#[kinesis_app({})] mod b {{ #[stream({})] struct Orders;
        #[{kind}({})] async fn book(order: Order) -> Outcome {{ Outcome::Done }} }}",
        app.join(", "),
        stream.join(", "),
        handler.join(", "),
    )
}

fn key_of(arg: &str) -> &str {
    arg.split([' ', '(']).next().unwrap_or_default()
}

/// A user who forgot a feature is told the line of the manifest, once, and every other mistake beside it.
#[test]
fn a_key_whose_feature_is_off_names_the_line_that_turns_it_on() {
    static OFF: Table = Table {
        of: "leases",
        kind: Kind::Choice {
            one: "lease store",
            many: "stores",
        },
        keys: &[Key {
            stage: Stage::Off {
                feature: "dynamodb",
            },
            ..LEASES.keys[2]
        }],
    };
    let reports = |name: &str| {
        let mut errors = Errors::default();
        let at = proc_macro2::Span::call_site().into();
        if let Some(key) = OFF.find(name) {
            OFF.judge_stage(key, at, &mut errors);
        } else {
            let meant = OFF.refuse(name, at, &Value::Flag, &mut errors);
            assert_eq!(meant.map(|key| key.name), Some("dynamodb"));
        }
        source::texts(errors.finish().expect("an error"))
    };
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        reports("dynamodb"),
        [format!(
            "`leases(dynamodb = ..)` needs the feature `dynamodb` of `kinesis-app`\nhelp: `kinesis-app = {{ version = \"{version}\", features = [\"dynamodb\"] }}`"
        )]
    );
    assert_eq!(
        reports("dynamo"),
        [
            "unknown lease store `dynamo`\nhelp: a store with a similar name exists: `dynamodb`, which needs the feature `dynamodb`\nnote: known stores: `dynamodb = \"table\"`, any other by a `#[leases]` function"
        ]
    );
}
