use crate::keys::{START, STREAM, TABLES, Table};
use crate::suggest::{Suggestion, distance, suggest};

fn meant(table: &'static Table, name: &str) -> Option<&'static str> {
    suggest(table, name).map(|suggestion| match suggestion {
        Suggestion::Synonym(key) | Suggestion::Similar(key) => key.name,
    })
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
    assert_eq!(meant(&STREAM, "zzzz"), None);
}

#[test]
fn no_synonym_means_two_keys_or_hides_one() {
    for table in TABLES {
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
    for table in TABLES {
        for key in table.keys {
            assert!(key.form.starts_with(key.name), "`{}`", key.name);
            assert!(key.doc.ends_with('.'), "`{}`", key.name);
            assert!(!key.meaning.is_empty());
        }
    }
}
