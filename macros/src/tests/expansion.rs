//! Whole modules, expanded and compared with files. `UPDATE_SNAPSHOTS=1 cargo test` writes them; read the diff.

use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

use crate::tests::source;

/// Compares a text with a file, or writes the file if the environment asks for it.
pub(super) fn compare(path: &Path, text: &str) {
    if option_env!("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, text).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == text,
        "{} differs; `UPDATE_SNAPSHOTS=1 cargo test` writes it. Now:\n{text}",
        path.display()
    );
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/tests/snapshots")
        .join(name)
}

fn snapshot(name: &str) {
    let source = std::fs::read_to_string(file(&format!("{name}.in.rs"))).expect("the source");
    let tokens = source::expand(&source);
    // An item that is no Rust comes back as it was typed.
    let text = syn::parse2(tokens.clone()).map_or_else(
        |_| format!("{tokens}\n"),
        |tree| prettyplease::unparse(&tree),
    );
    compare(&file(&format!("{name}.out.rs")), &text);
}

macro_rules! snapshots {
    ($($name:ident),* $(,)?) => {
        const SNAPSHOTS: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                snapshot(stringify!($name));
            }
        )*
    };
}

#[test]
fn every_snapshot_in_the_folder_is_compared() {
    let mut expected: Vec<String> = SNAPSHOTS
        .iter()
        .flat_map(|name| [format!("{name}.in.rs"), format!("{name}.out.rs")])
        .collect();
    expected.sort();
    let folder = std::fs::read_dir(file("")).expect("the folder");
    let mut found: Vec<String> = folder
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn the_documentation_knows_a_stream_behind_self() {
    let source = "#[kinesis_app(name = \"a\")] mod a {
        #[stream(name = \"orders\")] struct Orders;
        #[stream(name = \"types\")] struct r#Type;
        #[on_record(self::Orders)] async fn book(order: Order) -> Outcome { go() }
        #[on_record(Type)] async fn name(order: Order) -> Outcome { go() }
    }";
    let text = source::expand(source).to_string();
    assert!(
        text.contains("| `Orders` | `orders` | latest | `book`"),
        "{text}"
    );
    assert!(
        text.contains("| `Type` | `types` | latest | `name`"),
        "{text}"
    );
    assert!(!text.contains("| none"), "{text}");
}

#[test]
fn attributes_inside_of_an_item_stay_inside() {
    let items = [
        "mod inner { #![allow(unused)] const SIZE : u8 = 5 ; }",
        "impl Orders { #![allow(unused)] const SIZE : u8 = 5 ; }",
        "fn one () { #![allow(unused)] }",
    ];
    for item in items {
        let source = format!("#[kinesis_app(name = \"a\")] mod a {{ #[cfg(x)] {item} }}");
        let text = source::expand(&source).to_string().replace(' ', "");
        let item = format!("#[cfg(x)]{item}").replace(' ', "");
        assert!(text.contains(&item), "{text}");
    }
}

/// `kinesis_app::run(billing::App)` elsewhere is no mistake of its own.
#[test]
fn an_app_that_is_taken_by_a_type_is_an_application_all_the_same() {
    let module = |app: &str| {
        let source = format!("#[kinesis_app(name = \"a\")] mod a {{ {app} }}");
        source::expand(&source).to_string()
    };
    let application = "impl __rt :: Application for App";
    for app in [
        "pub struct App;",
        "pub enum App {}",
        "#[stream(name = \"o\")] struct App;",
    ] {
        assert!(module(app).contains(application), "{app}");
    }
    for app in [
        "pub struct App<T>(T);",
        "pub trait App {}",
        "fn App() {}",
        "#[cfg(x)] struct App;",
    ] {
        assert!(!module(app).contains(application), "{app}");
    }
}

snapshots! {
    smallest,
    batch,
    whole,
    constants,
    conditional,
    renamed,
    replies,
    raw_identifiers,
    shared_stream,
    state,
    broken,
    broken_item,
    nothing_but_syntax_errors,
}

/// Words that a user's module may define or lack: generated code says where it means them from.
const BANNED: [&str; 16] = [
    "Result", "Ok", "Err", "Some", "None", "Option", "Box", "Vec", "String", "Future", "Send",
    "Clone", "std", "tokio", "alloc", "panic",
];

#[test]
fn generated_code_takes_no_name_from_its_surroundings() {
    // The user's part holds none of the words, so each one that is found is the macro's.
    let source = "
        #[kinesis_app(name = \"a\", region(env = \"R\", optional), endpoint = \"http://h\", credentials(test), leases(dynamodb = \"leases\", endpoint(env = \"E\", optional), duration = D), shutdown_timeout = \"1s\")]
        mod a {
            #[stream(name = \"o\", batch_size = 5, poll_interval = \"200ms\", create_if_missing(shards = 2))]
            struct Orders;
            #[stream(name(env = \"V\", default = \"v\"), start(timestamp = \"2026-01-01T00:00:00Z\"))]
            struct Views;
            #[on_start] async fn start(setup: Setup) -> Started { go() }
            #[on_ready] async fn ready() {}
            #[on_shutdown] async fn stop(state: State<Db>) -> Stopped { go() }
            #[configure] fn settings(config: &mut AppConfig, setup: &Setup) {}
            AWS
            #[on_record(Orders, concurrency = N, ordered(partition_key))]
            async fn book(order: Order, key: PartitionKey) -> Outcome { go() }
            #[on_batch(Views, label = L, max_records = M, max_wait = \"1s\", retry(forever, backoff = B), undecodable(skip))]
            async fn count(views: Batch<View>, shard: ShardId) -> Counted { go() }
            #[stream(name = \"p\", codec(Raw), partition_key = \"k\")]
            struct Payments;
            #[on_record(Payments, concurrency(shard = 2, total = 4), retry(attempts = 5), exhausted(dead_letter(Rejected)), undecodable(dead_letter(Rejected)), timeout = T, publish(Receipts))]
            async fn pay(payment: Bytes) -> Paid { go() }
            #[stream(name = \"r\")] struct Rejected;
            #[stream(name = \"s\")] struct Receipts;
            #[on_shard_start(Orders)] async fn begin(shard: ShardId) -> Begun { go() }
            #[on_shard_end(Orders)] async fn end(shard: ShardId) -> Ended { go() }
        }";
    let keys = source.replace("AWS", "");
    let hook = source
        .replace("AWS", "#[aws] async fn aws() -> SdkConfig { go() } #[leases] async fn store() -> impl LeaseStore { go() } #[observe] fn metrics(state: State<Db>) -> impl Observer { go() }")
        .replace(", leases(dynamodb = \"leases\", endpoint(env = \"E\", optional), duration = D)", "")
        .replace("region(env = \"R\", optional), ", "")
        .replace("endpoint = \"http://h\", credentials(test), ", "");
    for source in [keys, hook] {
        assert_eq!(source::errors(&source), []);
        let mut bare = Vec::new();
        find_bare(source::expand(&source), &mut bare);
        assert_eq!(bare, Vec::<String>::new());
    }

    // The check itself can fail.
    let mut bare = Vec::new();
    find_bare(
        quote::quote!(
            fn f(a: Option) -> Result {
                ::core::result::Result::Ok(a::Some)
            }
        ),
        &mut bare,
    );
    assert_eq!(bare, ["Option", "Result"]);
}

fn find_bare(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => find_bare(group.stream(), found),
            TokenTree::Ident(word) if BANNED.contains(&word.to_string().as_str()) => {
                let colon = |at: usize| matches!(&tokens[at], TokenTree::Punct(punct) if punct.as_char() == ':');
                // One colon stands before a type.
                let behind_path = at > 1 && colon(at - 1) && colon(at - 2);
                if !behind_path {
                    found.push(word.to_string());
                }
            }
            _ => {}
        }
    }
}
