//! Raw items to a validated model; the only caller of the rules.

pub(crate) mod app;
mod checks;
mod choice;
mod cycles;
pub(crate) mod failure;
mod habit;
pub(crate) mod handler;
pub(crate) mod hook;
pub(crate) mod leases;
pub(crate) mod number;
mod rule;
pub(crate) mod signature;
pub(crate) mod start;
pub(crate) mod state;
pub(crate) mod stream;
mod target;
pub(crate) mod time;
pub(crate) mod types;
pub(crate) mod value;

use proc_macro2::{Ident, TokenStream};
use syn::{FnArg, LitStr, Path, PathArguments, Type};

use crate::errors::Errors;
use crate::model::app::App;
use crate::model::handler::Handler;
use crate::model::hook::Hook;
use crate::model::stream::Stream;
use crate::parse::args::Entries;
use crate::parse::foreign::{Foreign, Means};
use crate::parse::item::{Function, Item, Struct};
use crate::parse::marks::{HANDLERS, Kind, Mark};
use crate::parse::module::Module;
use crate::spanned::Range;
use crate::words::{path_text, plain, tidy};

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
    let mut read = Items {
        states: states(module),
        ..Items::default()
    };
    for item in &module.items {
        item.attributes()
            .refuse_hidden(&runtime.to_string().replace(' ', ""), item.noun(), errors);
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

fn states(module: &Module) -> Vec<String> {
    let own = module.items.iter().filter_map(Item::own_type).map(plain);
    let functions = module.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(&function.sig.inputs),
        Item::Stream(_) | Item::Other(_) => None,
    });
    let asked = functions.flatten().filter_map(state_of);
    own.chain(asked).collect()
}

/// `T` of a parameter `State<T>`.
fn state_of(arg: &FnArg) -> Option<String> {
    let FnArg::Typed(arg) = arg else {
        return None;
    };
    let Type::Path(path) = &*arg.ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) if last.ident == "State" => {
            Some(tidy(arguments.args.first()?))
        }
        _ => None,
    }
}

/// The items that we read, whole or not, for the checks between them.
#[derive(Default)]
struct Items {
    /// The module's own structs and enums, and what a `State<T>` asks for.
    states: Vec<String>,
    streams: Vec<stream::Draft>,
    handlers: Vec<handler::Draft>,
    hooks: Vec<hook::Draft>,
    /// Something was meant to be a handler, and was reported.
    misplaced_handler: bool,
}

impl Items {
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
                        self.misplaced_handler |= HANDLERS.contains(&mark.kind);
                        misplaced_on_struct(mark, item, errors);
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
                    self.misplaced_handler |= HANDLERS.contains(&mark.kind);
                    let name = other.names.first();
                    let sort = other.sort.with_article();
                    misplaced(mark, name, &sort, other.keyword, errors);
                }
            }
        }
    }

    fn function(&mut self, function: &Function, errors: &mut Errors) {
        let mut first: Option<Kind> = None;
        for mark in &function.attributes.marks {
            if let Kind::Foreign(attribute) = mark.kind {
                self.misplaced_handler = true;
                foreign_attribute(attribute, mark, errors);
                continue;
            }
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
                        mark,
                        None,
                        "a function",
                        function.sig.fn_token.span.into(),
                        errors,
                    );
                }
                Kind::OnRecord | Kind::OnBatch => {
                    self.handlers.push(handler::read(function, mark, errors));
                }
                // Told apart above.
                Kind::Foreign(_) => {}
                Kind::OnStart
                | Kind::OnReady
                | Kind::OnShardStart
                | Kind::OnShardEnd
                | Kind::OnShutdown
                | Kind::Configure
                | Kind::Aws
                | Kind::Leases
                | Kind::Observe => {
                    self.hooks
                        .push(hook::read(function, mark, &self.states, errors));
                }
            }
        }
    }
}

pub(crate) fn second_stream(item: &Struct, mark: &Mark, errors: &mut Errors) {
    let name = plain(&item.item.ident);
    errors.push(mark.path(), format!("`{name}` is already a `#[stream]`"));
}

pub(crate) fn misplaced_on_struct(mark: &Mark, item: &Struct, errors: &mut Errors) {
    let at = item.item.struct_token.span;
    misplaced(mark, None, "a struct", at.into(), errors);
}

fn misplaced(mark: &Mark, name: Option<&Ident>, found: &str, at: Range, errors: &mut Errors) {
    if let Kind::Foreign(attribute) = mark.kind {
        return foreign_attribute(attribute, mark, errors);
    }
    let wanted = if mark.kind == Kind::Stream {
        "a unit struct"
    } else {
        "a function"
    };
    let text = format!("`#[{}]` goes on {wanted}, not on {found}", mark.kind.name());
    let report = errors.push(at, text);
    if let (Kind::Stream, Some(name)) = (mark.kind, name) {
        report.help(format!(
            "`struct {name};`; the record type is the first parameter of its handler"
        ));
    }
}

/// An attribute of another library's: it is a mark, so that rustc does not meet it as well.
fn foreign_attribute(attribute: &Foreign, mark: &Mark, errors: &mut Errors) {
    let name = path_text(mark.attr.path());
    let given = mark.words();
    let written = match attribute.means {
        Means::Nothing(why) => {
            let text = format!("`#[{name}]` has no place here: {why}");
            errors.push(mark.whole(), text).help("remove it");
            return;
        }
        Means::Spelled if given.is_empty() => format!("#[{}]", attribute.name),
        Means::Spelled => match syn::parse2::<LitStr>(given.clone()) {
            Ok(_) if attribute.name == "stream" => format!("#[stream(name = {given})]"),
            _ => format!("#[{}({})]", attribute.name, tidy(&given)),
        },
        Means::Written(written) => {
            let example = written.split(['(', ')']).nth(1).unwrap_or_default();
            match syn::parse2::<Path>(given) {
                Ok(stream) if example == "Orders" => written.replace(example, &path_text(&stream)),
                _ => written.to_owned(),
            }
        }
    };
    errors
        .push(
            mark.path(),
            format!("`#[{name}]` is no attribute of a `#[kinesis_app]` module"),
        )
        .help(format!("`{written}`"))
        .note("a macro of another crate is named by its path here");
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
