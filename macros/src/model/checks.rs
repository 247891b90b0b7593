//! What only the whole module shows: doubles, conflicts, nothing to run.

use proc_macro2::Ident;

use crate::errors::Errors;
use crate::model::app::App;
use crate::model::cycles::{self, Edge};
use crate::model::value::Setting;
use crate::model::{Items, conditional, hook};
use crate::parse::item::Item;
use crate::parse::marks::Kind;
use crate::parse::module::Module;
use crate::parse::other::Sort;
use crate::words::{local, path_text, plain};

pub(super) fn cross(app: Option<&App>, module: &Module, items: &Items, errors: &mut Errors) {
    app_taken(module, errors);
    second_hooks(items, errors);
    second_handlers(items, errors);
    same_stream(items, errors);
    circles(items, errors);
    if let Some(app) = app {
        set_twice(app, items, errors);
        other_region(app, items, errors);
    }
    // An item that could not be read may have been the handler; one in a place that is not read was reported, or reports itself.
    let reported = module.lacks_an_item
        || items.misplaced_handler
        || module.items.iter().any(Item::hides_a_handler);
    if items.handlers.is_empty() && !reported {
        errors
            .push(
                module.ident.span(),
                format!("app `{}` has no handler", plain(&module.ident)),
            )
            .help("add `#[on_record(Stream)] async fn ..` or `#[on_batch(Stream)] async fn ..`");
    }
}

fn app_taken(module: &Module, errors: &mut Errors) {
    for item in &module.items {
        let taken = item.names().into_iter().find(|name| **name == "App");
        let Some(name) = taken.filter(|_| !conditional(&item.attributes().cfgs())) else {
            continue;
        };
        errors
            .push(
                name.span(),
                "`#[kinesis_app]` adds an item named `App` to this module",
            )
            .help(match item {
                Item::Other(other) if other.sort == Sort::Import => {
                    "import it under another name: `App as Other`".to_owned()
                }
                item => format!("rename this {}", item.noun()),
            });
    }
}

fn second_hooks(items: &Items, errors: &mut Errors) {
    let hooks = items.hooks.iter();
    let always = hooks.filter(|hook| !conditional(&hook.callee.cfgs));
    for (first, hook) in doubles(always, are_doubles) {
        let (name, first) = (plain(&hook.callee.ident), plain(&first.callee.ident));
        let of = hook.stream.as_ref().map_or_else(String::new, |stream| {
            format!(" of stream `{}`", path_text(stream))
        });
        let report = errors.push(
            hook.callee.ident.span(),
            format!(
                "`{name}` is a second `#[{}]` hook{of}; `{first}` is the first",
                hook.kind.name()
            ),
        );
        report.help(match hook.kind {
            Kind::OnStart => "do both in one function; it returns all the state there is",
            _ => "do both in one function",
        });
    }
}

/// Each that is the same as one before it, with the first such.
fn doubles<T: Copy>(
    all: impl Iterator<Item = T>,
    is_same: impl Fn(T, T) -> bool,
) -> impl Iterator<Item = (T, T)> {
    let mut seen: Vec<T> = Vec::new();
    all.filter_map(move |second| {
        let first = seen.iter().copied().find(|first| is_same(*first, second));
        seen.push(second);
        Some((first?, second))
    })
}

/// One hook of each kind; of shards, one for each stream.
fn are_doubles(one: &hook::Draft, other: &hook::Draft) -> bool {
    let streams = [one, other].map(|hook| hook.stream.as_ref().map(local));
    let is_unread = |hook: &hook::Draft| hook.is_of_shards() && hook.stream.is_none();
    one.kind == other.kind && streams[0] == streams[1] && !is_unread(one)
}

fn second_handlers(items: &Items, errors: &mut Errors) {
    let handlers = items.handlers.iter();
    let always = handlers.filter(|handler| !conditional(&handler.callee.cfgs));
    let always =
        always.filter_map(|handler| Some((handler.stream.as_ref()?, &handler.callee.ident)));
    for ((_, first), (stream, _)) in
        doubles(always, |(one, _), (other, _)| local(one) == local(other))
    {
        errors
            .push(
                crate::spanned::Range::of(stream),
                format!(
                    "stream `{}` already has a handler, `{}`",
                    path_text(stream),
                    plain(first)
                ),
            )
            .help("match on the record in one handler, or declare the stream in a second app with its own leases");
    }
}

/// What a handler writes must not come back to it.
fn circles(items: &Items, errors: &mut Errors) {
    let always = items
        .handlers
        .iter()
        .filter(|handler| !conditional(&handler.callee.cfgs));
    let edges = always.flat_map(|handler| {
        let from = handler.stream.iter();
        from.flat_map(|from| handler.writes.iter().map(move |to| Edge { from, to }))
    });
    cycles::refuse(edges, errors);
}

fn same_stream(items: &Items, errors: &mut Errors) {
    let streams = items.streams.iter();
    let always = streams.filter(|stream| !conditional(&stream.outline.cfgs));
    let always =
        always.filter_map(|stream| Some((stream.identity.as_ref()?, &stream.outline.ident)));
    for ((_, first), (literal, _)) in
        doubles(always, |(one, _), (other, _)| one.value() == other.value())
    {
        let value = literal.value();
        errors
            .push(
                literal.span(),
                format!("stream `{value}` is already declared as `{first}`"),
            )
            .help(format!(
                "use `{first}`; one consumer of a shard is enough, two would fight over its lease"
            ));
    }
}

/// By a key and by a function.
fn set_twice(app: &App, items: &Items, errors: &mut Errors) {
    let has = |kind| {
        let mut hooks = items.hooks.iter();
        hooks.any(|hook| hook.kind == kind && !conditional(&hook.callee.cfgs))
    };
    let mut refuse = |key: &Ident, kind: Kind| {
        let (text, name) = (format!("`{key}` is set here"), kind.name());
        errors
            .push(
                key.span(),
                format!("{text} and by the `#[{name}]` function"),
            )
            .help("remove the key, or the function");
    };
    if has(Kind::Aws) {
        for key in &app.answered_by_aws {
            refuse(key, Kind::Aws);
        }
    }
    if let Some(key) = &app.answered_by_leases
        && has(Kind::Leases)
    {
        refuse(key, Kind::Leases);
    }
}

fn other_region(app: &App, items: &Items, errors: &mut Errors) {
    let Some(region) = app.region.as_ref().and_then(Setting::literal) else {
        return;
    };
    let ours = region.value();
    let streams = items.streams.iter();
    for (other, span) in streams.filter_map(super::stream::Draft::region) {
        if other != ours {
            let text = format!("the ARN is in `{other}`, the app in `{ours}`");
            errors
                .push(span, text)
                .help("an app reads one region; split it, or change `region`");
        }
    }
    if let Some((other, span)) = app.leases.region()
        && other != ours
    {
        let text = format!("the table is in `{other}`, the app in `{ours}`");
        errors
            .push(span, text)
            .help("the table is reached in the app's region; name one that is there");
    }
}
