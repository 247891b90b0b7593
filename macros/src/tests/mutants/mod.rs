//! Whole modules with tokens changed, as an editor sees them half typed and as macros make them: whatever comes, the macros do
//! not panic, they expand or say why not, and the user's items are in what they give back.
//!
//! `MUTANTS=100000 cargo test -p kinesis-app-macros mutants` looks further; a failure names its seed.

mod mutation;

use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{AttrStyle, Attribute, Fields, FnArg, GenericParam, Item, ItemFn, ItemMod, Type};

use crate::entry;
use crate::parse::marks::Kind;
use crate::tests::mutants::mutation::Stock;
use crate::tests::source::Source;

/// How many of each kind, unless the environment says another number.
const MUTANTS: u64 = 2_000;

/// The modules of the snapshots, whole and broken.
const MODULES: [&str; 9] = [
    include_str!("../snapshots/batch.in.rs"),
    include_str!("../snapshots/broken.in.rs"),
    include_str!("../snapshots/broken_item.in.rs"),
    include_str!("../snapshots/conditional.in.rs"),
    include_str!("../snapshots/constants.in.rs"),
    include_str!("../snapshots/raw_identifiers.in.rs"),
    include_str!("../snapshots/renamed.in.rs"),
    include_str!("../snapshots/smallest.in.rs"),
    include_str!("../snapshots/whole.in.rs"),
];

#[test]
fn a_changed_module_expands_or_says_why_not() {
    every_mutant(&MODULES, |Source { args, item, .. }| {
        let expanded = entry::kinesis_app(Span::call_site().into(), args, item);
        answered(&expanded, "Application for App")?;
        let Ok(module) = syn::parse2::<ItemMod>(item.clone()) else {
            return given_back(item, &expanded);
        };
        let given = syn::parse2::<syn::File>(expanded).map_err(|error| error.to_string())?;
        let Some(Item::Mod(back)) = given.items.iter().find(|item| matches!(item, Item::Mod(_)))
        else {
            return Err("the module is gone".to_owned());
        };
        kept(&module, back)
    });
}

#[test]
fn a_changed_stream_that_stands_alone_expands_or_says_why_not() {
    let sources = [
        include_str!("../snapshots/shared_stream.in.rs"),
        "#[stream(name(env = \"V\", default = \"v\"), codec(Prost<2>), crate = a::b)] #[cfg(x)] pub(crate) struct Views;",
    ];
    every_mutant(&sources, |Source { args, item, .. }| {
        let expanded = entry::stream(Span::call_site().into(), args, item);
        answered(&expanded, "Stream for")?;
        match syn::parse2::<Item>(item.clone()) {
            Ok(item) => {
                let given =
                    syn::parse2::<syn::File>(expanded).map_err(|error| error.to_string())?;
                let found = given.items.iter().any(|given| is_kept(given, &item));
                found.then_some(()).ok_or("the item is gone".to_owned())
            }
            Err(_) => given_back(item, &expanded),
        }
    });
}

#[test]
fn a_changed_state_expands_or_says_why_not() {
    let sources = [include_str!("../snapshots/state.in.rs")];
    every_mutant(&sources, |Source { item, .. }| {
        let expanded = entry::app_state(item.clone());
        answered(&expanded, "const _")?;
        let parsed = syn::parse2::<syn::File>(expanded);
        parsed.map(|_| ()).map_err(|error| error.to_string())
    });
}

fn every_mutant(sources: &[&str], check: impl Fn(&Source) -> Result<(), String>) {
    let sources: Vec<Source> = sources.iter().map(|source| Source::new(source)).collect();
    let stock = Stock::new(&sources);
    let count = option_env!("MUTANTS").map_or(MUTANTS, |count| count.parse().expect("a number"));
    for seed in 0..count {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut source = sources[rng.usize(..sources.len())].clone();
        for _ in 0..=rng.usize(..4) {
            stock.mutate(&mut source, &mut rng);
        }
        let verdict = catch_unwind(AssertUnwindSafe(|| check(&source)));
        let verdict = verdict.unwrap_or_else(|_| Err("it panicked".to_owned()));
        if let Err(why) = verdict {
            let Source { args, item, .. } = source;
            panic!("mutant {seed}: {why}\n#[..({args})]\n{item}");
        }
    }
}

/// An expansion, or an error.
fn answered(expanded: &TokenStream, glue: &str) -> Result<(), String> {
    let text = expanded.to_string();
    let answered = text.contains("compile_error !") || text.contains(glue);
    answered.then_some(()).ok_or(format!("no answer: {text}"))
}

/// What is no item of the kind that the macro reads stands in its expansion, word for word.
fn given_back(item: &TokenStream, expanded: &TokenStream) -> Result<(), String> {
    let expanded = words(expanded, Attributes::Read);
    let mut words = words(item, Attributes::LeftOut).into_iter();
    let gone = words.find(|word| !expanded.contains(word));
    gone.map_or(Ok(()), |gone| Err(format!("`{gone}` is gone")))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Attributes {
    Read,
    LeftOut,
}

/// Names and literals at any depth, those of lifetimes aside: a stream is given back without.
fn words(tokens: &TokenStream, attributes: Attributes) -> Vec<String> {
    let mut found = Vec::new();
    let (mut left_out, mut lifetime) = (false, false);
    for token in visible(tokens.clone()) {
        let tick = matches!(&token, TokenTree::Punct(tick) if tick.as_char() == '\'');
        let pound = matches!(&token, TokenTree::Punct(pound) if pound.as_char() == '#');
        match token {
            TokenTree::Group(_) if left_out => {}
            TokenTree::Group(group) => found.extend(words(&group.stream(), attributes)),
            TokenTree::Ident(_) if lifetime => {}
            TokenTree::Ident(_) | TokenTree::Literal(_) => found.push(token.to_string()),
            TokenTree::Punct(_) => {}
        }
        lifetime = tick;
        left_out = pound && attributes == Attributes::LeftOut;
    }
    found
}

/// The tokens without the groups that nobody sees.
fn visible(tokens: TokenStream) -> TokenStream {
    let seen = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => visible(group.stream()),
        token => token.into(),
    });
    seen.collect()
}

/// Every item of the user's, in order, in front of ours.
fn kept(module: &ItemMod, back: &ItemMod) -> Result<(), String> {
    let items = |module: &ItemMod| -> Vec<Item> {
        let content = module.content.iter().flat_map(|(_, items)| items);
        content.cloned().collect()
    };
    let (before, after) = (items(module), items(back));
    if module.ident != back.ident {
        return Err(format!("the module is called `{}`", back.ident));
    }
    for (at, item) in before.iter().enumerate() {
        if !after.get(at).is_some_and(|given| is_kept(given, item)) {
            return Err(format!("item {at} is gone: {}", bare(item)));
        }
    }
    Ok(())
}

/// Word for word, but for what rustc would report beside us of an item that has an attribute of ours: a receiver, a value without a size
/// (then what is called, by whom and for what stays), and a lifetime of a stream.
fn is_kept(given: &Item, item: &Item) -> bool {
    let stands_in = match (given, item) {
        (Item::Fn(given), Item::Fn(item)) => {
            let impossible = item.sig.inputs.iter().any(|arg| match arg {
                FnArg::Receiver(_) => true,
                FnArg::Typed(arg) => is_unsized(&arg.ty),
            });
            let whole = |function: &ItemFn| {
                let ItemFn { vis, sig, .. } = function;
                let (name, output) = (&sig.ident, &sig.output);
                quote!(#vis fn #name #output).to_string()
            };
            is_ours(&item.attrs) && impossible && whole(given) == whole(item)
        }
        (Item::Struct(_), Item::Struct(item)) if is_ours(&item.attrs) => {
            let mut item = item.clone();
            let params = item.generics.params.into_iter();
            item.generics.params = params
                .filter(|param| !matches!(param, GenericParam::Lifetime(_)))
                .collect();
            matches!(item.fields, Fields::Unit) && bare(given) == bare(&Item::Struct(item))
        }
        _ => false,
    };
    stands_in || bare(given) == bare(item)
}

fn is_ours(attrs: &[Attribute]) -> bool {
    let last = |attr: &Attribute| attr.path().segments.last().map(|last| last.ident.clone());
    let names = attrs.iter().filter_map(last);
    let mut kinds = names.flat_map(|name| Kind::ALL.map(|kind| name == kind.name()));
    kinds.any(|is_it| is_it)
}

fn is_unsized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        _ => false,
    }
}

/// An item without the attributes on it, ours among them.
fn bare(item: &Item) -> String {
    let mut item = item.clone();
    if let Some(attrs) = crate::parse::item::attrs_mut(&mut item) {
        attrs.retain(|attr| matches!(attr.style, AttrStyle::Inner(_)));
    }
    item.to_token_stream().to_string()
}
