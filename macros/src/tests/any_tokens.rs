//! Whatever stands in an attribute: no panic, Rust comes out, and the user's items are in it.

use std::str::FromStr;

use proc_macro2::TokenStream;
use proptest::prelude::*;

use crate::keys::TABLES;
use crate::tests::source;

/// Words of the language and of others.
fn word() -> impl Strategy<Value = String> {
    let tables = TABLES.iter().flat_map(|table| table.keys);
    let mut words: Vec<String> = tables.clone().map(|key| key.name.to_owned()).collect();
    words.extend(tables.map(|key| key.form.to_owned()));
    let others = r#"
        = , , :: < > & 'a ! ; - # | .. () [] {} Orders crate self r#type impl async fn _ 0 1 500ms 1.5
        18446744073709551616 "" "a/b" "ünïcode" b"x" 'c' true (latest) (shard) (shards=0) (env="") (((()))) (,) (===)
    "#;
    words.extend(others.split_whitespace().map(str::to_owned));
    prop::sample::select(words)
}

fn words() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 0..9).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn arguments_of_any_kind_are_answered(app in words(), stream in words(), handler in words()) {
        let source = format!(
            "#[kinesis_app({app})] mod billing {{
                #[stream({stream})] pub struct Orders;
                #[on_record({handler})] async fn book(order: Order) -> Outcome {{ kept() }}
                #[configure({handler})] fn settings(config: &mut AppConfig, setup: &Setup) {{}}
            }}"
        );
        prop_assume!(TokenStream::from_str(&source).is_ok_and(|tokens| tokens.into_iter().count() == 5));
        let expanded = source::expand(&source);
        prop_assert!(syn::parse2::<syn::File>(expanded.clone()).is_ok(), "{}", expanded);
        let text = expanded.to_string();
        prop_assert!(text.contains("struct Orders ;") && text.contains("{ kept () }"), "{}", text);
    }

    #[test]
    fn signatures_of_any_kind_are_answered(generics in words(), params in words(), output in words()) {
        let source = format!(
            "#[kinesis_app(name = \"b\")] mod billing {{
                #[stream(name = \"orders\")] pub struct Orders;
                #[on_record(Orders)] async fn book<{generics}>({params}) -> {output} {{ kept() }}
            }}"
        );
        prop_assume!(TokenStream::from_str(&source).is_ok_and(|tokens| tokens.into_iter().count() == 5));
        // What rustc would not let through to a macro may come back as it is; it must come back.
        let text = source::expand(&source).to_string();
        prop_assert!(text.contains("kept"), "{}", text);
    }

    #[test]
    fn items_of_any_kind_are_answered(item in words(), args in words()) {
        for attribute in ["kinesis_app", "stream", "on_record"] {
            let source = format!("#[{attribute}({args})] {item}");
            let whole = TokenStream::from_str(&source).is_ok_and(|tokens| {
                tokens.into_iter().nth(1).is_some()
            });
            if whole {
                source::expand(&source);
            }
        }
    }
}
