//! Raw items to a validated model; the only caller of the rules.

pub(crate) mod app;
mod checks;
mod choice;
mod cycles;
pub(crate) mod failure;
pub(crate) mod handler;
pub(crate) mod hook;
pub(crate) mod leases;
mod rule;
pub(crate) mod signature;
pub(crate) mod state;
pub(crate) mod stream;
mod target;
pub(crate) mod value;

use proc_macro2::{Ident, TokenStream};

use crate::errors::Errors;
use crate::model::app::App;
use crate::model::handler::Handler;
use crate::model::hook::Hook;
use crate::model::stream::Stream;
use crate::parse::args::Entries;
use crate::parse::item::{Function, Item, Struct};
use crate::parse::marks::{Kind, Mark};
use crate::parse::module::Module;
use crate::spanned::Range;
use crate::words::plain;

/// Everything that the glue is written from. Nothing in it can be missing or wrong.
pub(crate) struct Model {
    pub(crate) runtime: TokenStream,
    pub(crate) app: App,
    pub(crate) streams: Vec<Stream>,
    pub(crate) handlers: Vec<Handler>,
    pub(crate) hooks: Vec<Hook>,
}

/// What can be told of a module with mistakes, for the fallback.
pub(crate) struct Outline {
    pub(crate) runtime: TokenStream,
    pub(crate) streams: Vec<stream::Outline>,
}

/// Judges a module. The model is there if nothing was pushed.
pub(crate) fn application(
    attribute: Range,
    mut args: Entries,
    runtime: TokenStream,
    module: &Module,
    errors: &mut Errors,
) -> (Option<Model>, Outline) {
    let mark = errors.mark();
    let app = App::read(attribute, &mut args, errors);
    args.finish(errors);

    let mut outline = Outline {
        runtime: runtime.clone(),
        streams: Vec::new(),
    };
    let structs = module.items.iter().filter_map(Item::own_type).collect();
    let mut read = Items {
        structs,
        ..Items::default()
    };
    for item in &module.items {
        item.attributes().refuse_hidden(
            &runtime.to_string().replace(' ', ""),
            item.names().1,
            errors,
        );
        read.item(item, &runtime, &mut outline, errors);
    }
    checks::cross(app.as_ref(), module, &read, errors);

    let model = app
        .filter(|_| errors.none_since(mark))
        .and_then(|app| read.whole(runtime, app));
    if model.is_none() && errors.is_empty() {
        // A handler that was dropped without a word would lose its records.
        errors.push(
            attribute,
            "the module was not read; this is a bug in kinesis-app",
        );
    }
    (model, outline)
}

/// The items that we read, whole or not, for the checks between them.
#[derive(Default)]
struct Items<'m> {
    /// The names of the module's own structs and enums.
    structs: Vec<&'m Ident>,
    streams: Vec<stream::Draft>,
    handlers: Vec<handler::Draft>,
    hooks: Vec<hook::Draft>,
}

impl Items<'_> {
    /// The model, if every draft is whole.
    fn whole(self, runtime: TokenStream, app: App) -> Option<Model> {
        Some(Model {
            runtime,
            app,
            streams: self
                .streams
                .into_iter()
                .map(|draft| draft.stream)
                .collect::<Option<_>>()?,
            handlers: self
                .handlers
                .into_iter()
                .map(|draft| draft.handler)
                .collect::<Option<_>>()?,
            hooks: self
                .hooks
                .into_iter()
                .map(|draft| draft.hook)
                .collect::<Option<_>>()?,
        })
    }

    fn item(
        &mut self,
        item: &Item,
        runtime: &TokenStream,
        outline: &mut Outline,
        errors: &mut Errors,
    ) {
        match item {
            Item::Function(function) => self.function(function, errors),
            Item::Stream(item) => {
                let mut streams = 0;
                for mark in &item.attributes.marks {
                    if mark.kind != Kind::Stream {
                        misplaced_on_struct(mark.kind, item, errors);
                        continue;
                    }
                    streams += 1;
                    if streams > 1 {
                        second_stream(item, mark, errors);
                        continue;
                    }
                    let draft = stream::read(item, mark, runtime, errors);
                    outline.streams.push(draft.outline.clone());
                    self.streams.push(draft);
                }
            }
            Item::Other(other) => {
                for mark in &other.attributes.marks {
                    misplaced(mark.kind, other.kind, other.keyword, errors);
                }
            }
        }
    }

    fn function(&mut self, function: &Function, errors: &mut Errors) {
        let mut first: Option<Kind> = None;
        for mark in &function.attributes.marks {
            if let Some(first) = first {
                let name = plain(&function.sig.ident);
                let what = match first {
                    Kind::OnRecord => "an `#[on_record]` handler".to_owned(),
                    Kind::OnBatch => "an `#[on_batch]` handler".to_owned(),
                    other => format!("the `#[{}]` hook", other.name()),
                };
                errors.push(mark.path(), format!("`{name}` is already {what}"));
                continue;
            }
            first = Some(mark.kind);
            match mark.kind {
                Kind::Stream => {
                    misplaced(
                        mark.kind,
                        "a function",
                        function.sig.fn_token.span.into(),
                        errors,
                    );
                }
                Kind::OnRecord | Kind::OnBatch => {
                    self.handlers.push(handler::read(function, mark, errors));
                }
                Kind::Later(name) => {
                    errors.push(mark.path(), format!("`#[{name}]` is not built yet"));
                }
                Kind::OnStart
                | Kind::OnReady
                | Kind::OnShardStart
                | Kind::OnShardEnd
                | Kind::OnShutdown
                | Kind::Configure
                | Kind::Aws => {
                    self.hooks
                        .push(hook::read(function, mark, &self.structs, errors));
                }
            }
        }
    }
}

pub(crate) fn second_stream(item: &Struct, mark: &Mark, errors: &mut Errors) {
    let name = plain(&item.item.ident);
    errors.push(mark.path(), format!("`{name}` is already a `#[stream]`"));
}

pub(crate) fn misplaced_on_struct(kind: Kind, item: &Struct, errors: &mut Errors) {
    let at = item.item.struct_token.span;
    misplaced(kind, "a struct", at.into(), errors);
}

fn misplaced(kind: Kind, found: &str, at: Range, errors: &mut Errors) {
    let wanted = if kind == Kind::Stream {
        "a unit struct"
    } else {
        "a function"
    };
    errors.push(
        at,
        format!("`#[{}]` goes on {wanted}, not on {found}", kind.name()),
    );
}

/// Two `#[cfg]`s may exclude each other; what carries one is left to the compiler's own checks.
fn conditional(cfgs: &[TokenStream]) -> bool {
    !cfgs.is_empty()
}

/// What a handler and a hook have in common.
#[derive(Clone)]
pub(crate) struct Callee {
    pub(crate) ident: Ident,
    pub(crate) cfgs: Vec<TokenStream>,
}
