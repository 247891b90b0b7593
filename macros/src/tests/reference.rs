//! The reference of the language, `docs/reference.md`: written from the key tables, the attributes' pages and the runtime's source.
//! `UPDATE_SNAPSHOTS=1 cargo test` writes it; read the diff.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Attribute, GenericArgument, Item, PathArguments, Type, Visibility};

use crate::keys::{ATTRIBUTES, TEXT};
use crate::parse::marks::Kind;
use crate::tests::expansion::compare;
use crate::tests::pages::{self, page, paragraph, tables};

const ABOUT: &str = "\
# Reference

Every attribute, every key, every hook, every argument and every outcome. This page is written from the tables that the macro reads
them by, and from the runtime's own documentation; a test compares them.

| form | for | such as |
| --- | --- | --- |
| `key = literal` | one value | `name = \"orders\"`, `batch_size = 500`, `poll_interval = \"500ms\"` |
| `key(choice, ..)` | one of several, with what belongs to it | `start(latest)`, `retry(attempts = 5)`, `name(env = \"ORDERS\")` |
| `word` | what is so by being there | `ignore_checkpoint`, `optional` |
| `key = CONSTANT` | a `const`, which the compiler checks | `batch_size = limits::BATCH` |

The first argument of a handler's attribute, and of a shard hook's, is the stream's type: `#[on_record(Orders, ..)]`.
";

#[test]
fn the_reference_is_what_the_tables_the_pages_and_the_runtime_say() {
    let mut text = String::from(ABOUT);
    text += "\n## Attributes with keys\n";
    for table in ATTRIBUTES {
        let of = table.of;
        writeln!(text, "\n### `#[{of}]`\n\n{}\n", paragraph(&page(of), 0)).expect("in memory");
        text += &tables(table, "####");
    }
    text += "\n### Values from the environment\n\n\
        Every key whose value is written in quotes takes it from a variable as well: \
        `name(env = \"ORDERS_STREAM\", default = \"orders\")`.\n\n";
    text += &pages::table(&TEXT);
    text += "\n## Hooks\n";
    let hooks = Kind::ALL.iter().map(|kind| kind.name());
    let pages: Vec<_> = pages::names().collect();
    for hook in hooks.filter(|name| pages::is_hook(name) && pages.iter().any(|page| page == name)) {
        let page = page(hook);
        let (what, shape) = (paragraph(&page, 0), paragraph(&page, 1));
        writeln!(text, "\n### `#[{hook}]`\n\n{what}\n\n{shape}").expect("in memory");
    }
    text += &arguments();
    text += &outcomes();
    compare(&root().join("docs/reference.md"), &text);
}

/// What handlers and hooks may take, by the traits that the types implement.
fn arguments() -> String {
    const PLACES: [&str; 4] = ["FromRecord", "FromBatch", "FromShard", "FromApp"];
    let mut taken: BTreeMap<String, [bool; 4]> = BTreeMap::new();
    let mut structs = BTreeMap::new();
    for item in runtime() {
        match item {
            Item::Impl(item) => {
                let of = item
                    .trait_
                    .as_ref()
                    .and_then(|(path, _)| path.segments.last());
                let place = of.and_then(|of| PLACES.iter().position(|place| of.ident == place));
                if let Some(place) = place {
                    taken.entry(shown(&item.self_ty)).or_default()[place] = true;
                }
            }
            Item::Struct(item) if matches!(item.vis, Visibility::Public(_)) => {
                let name = item.ident.to_string();
                let params = item
                    .generics
                    .type_params()
                    .map(|param| param.ident.to_string());
                let params: Vec<_> = params.collect();
                let written = match &*params.join(", ") {
                    "" => name.clone(),
                    params => format!("{name}<{params}>"),
                };
                structs.insert(name, (written, sentence(&item.attrs)));
            }
            _ => {}
        }
    }
    let mut text = String::from(
        "\n## Arguments\n\n\
         A record handler's first parameter is the record, a batch handler's the `Batch<T>`; the others, and those of hooks, are any of \
         these. `State<T>` is not there before `#[on_start]` has made it. Types of yours implement `FromRecord` and `FromBatch`.\n\n\
         | argument | record handler | batch handler | shard hook | other hook | what it is |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for (name, places) in taken {
        let marks = places.map(|yes| if yes { "yes" } else { "" }).join(" | ");
        let (head, inside) = name.split_once('<').unwrap_or((&name, ""));
        // Of an optional argument, it is the argument that is documented.
        let (written, doc) = match structs.get(head) {
            Some((written, doc)) => (written, doc),
            None => (&name, &structs[inside.trim_end_matches('>')].1),
        };
        writeln!(text, "| `{written}` | {marks} | {doc} |").expect("in memory");
    }
    text
}

/// What becomes of a record, by the variants of the runtime's enums.
fn outcomes() -> String {
    let mut text = String::from(
        "\n## Outcomes\n\n\
         A record handler returns an `Outcome`, `Result<(), E>` or `Result<Outcome, E>`; with `publish(S)` a `Keyed<T>`, \
         `Option<Keyed<T>>`, `Vec<Keyed<T>>`, `Reply<T>` or a `Result` of one of them. A batch handler returns a `BatchOutcome` \
         (`batch.done()`, `batch.settle(|item| outcome)`), `Result<BatchOutcome, E>` or `Result<(), E>`. `E` is any error, `String` or \
         `&str`. An `Err`, a panic and a `timeout` are what `Retry` is, and an error made by `permanent(..)` is given up on at once.\n\n\
         | outcome | the record |\n| --- | --- |\n",
    );
    for item in runtime() {
        let Item::Enum(item) = item else { continue };
        if item.ident != "Outcome" {
            continue;
        }
        for variant in item.variants {
            let fields: Vec<_> = variant
                .fields
                .iter()
                .map(|field| shown(&field.ty))
                .collect();
            let fields = match &*fields.join(", ") {
                "" => String::new(),
                fields => format!("({fields})"),
            };
            let doc = pages::cell(&first_paragraph(&variant.attrs));
            writeln!(text, "| `Outcome::{}{fields}` | {doc} |", variant.ident).expect("in memory");
        }
    }
    text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The items of every file of the runtime, tests left out.
fn runtime() -> Vec<Item> {
    fn visit(folder: &Path, items: &mut Vec<Item>) {
        let entries = fs::read_dir(folder).expect("a folder of the runtime");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                visit(&path, items);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).expect("a file of the runtime");
                items.extend(syn::parse_file(&text).expect("Rust").items);
            }
        }
    }
    let mut items = Vec::new();
    visit(&root().join("runtime/src"), &mut items);
    items
}

/// A type with the names of what it is made of, without their paths: `Option<PartitionKey>`.
fn shown(ty: &Type) -> String {
    let Type::Path(path) = ty else {
        return String::new();
    };
    let Some(last) = path.path.segments.last() else {
        return String::new();
    };
    let PathArguments::AngleBracketed(inside) = &last.arguments else {
        return last.ident.to_string();
    };
    let inside = inside.args.iter().filter_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(shown(ty)),
        _ => None,
    });
    format!("{}<{}>", last.ident, inside.collect::<Vec<_>>().join(", "))
}

/// The documentation up to the first empty line, in one line.
fn first_paragraph(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter_map(|attr| {
        let pair = attr.meta.require_name_value().ok()?;
        let syn::Expr::Lit(literal) = &pair.value else {
            return None;
        };
        match &literal.lit {
            syn::Lit::Str(text) if pair.path.is_ident("doc") => Some(text.value()),
            _ => None,
        }
    });
    let lines = lines.map(|line| line.trim().to_owned());
    let lines: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    unlinked(&lines.join(" "))
}

/// Links stay their text: rustdoc knows where they lead, a page in the repository does not.
fn unlinked(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[`") {
        let (name, behind) = link.split_once("`]").unwrap_or((link, ""));
        write!(plain, "{before}`{name}`").expect("in memory");
        rest = match behind.strip_prefix('(') {
            Some(target) => target.split_once(')').map_or("", |(_, behind)| behind),
            None => behind,
        };
    }
    plain + rest
}

/// Its first sentence.
fn sentence(attrs: &[Attribute]) -> String {
    let text = first_paragraph(attrs);
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    pages::cell(&text[..end])
}
