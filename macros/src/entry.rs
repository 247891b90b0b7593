//! The macros on `proc_macro2` tokens, so that they run in tests as well.

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;
use crate::expand::{self, fallback, hints};
use crate::keys;
use crate::model::{self, app, state, stream};
use crate::parse::args;
use crate::parse::item::{Item, Struct};
use crate::parse::marks::Kind;
use crate::parse::module;
use crate::parse::other::Sort;
use crate::spanned::Range;

/// `#[kinesis_app(args)] item`.
pub(crate) fn kinesis_app(attribute: Range, args: &TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut entries = args::parse(args.clone(), &keys::APP, &mut errors);
    let runtime = app::runtime(&mut entries, &mut errors);
    let runtime_text = runtime.to_string().replace(' ', "");
    let Some(module) = module::parse(item.clone(), &runtime_text, &mut errors) else {
        let errors = errors.finish();
        return quote!(#errors #item);
    };
    let (model, outline) =
        model::application(attribute, entries, runtime.clone(), &module, &mut errors);
    let hints = hints::module(args, &module, &runtime);
    match (model, errors.finish()) {
        (Some(model), None) => expand::module(&module, &model, &hints),
        (_, errors) => fallback::module(&module, &outline, &errors.unwrap_or_default(), &hints),
    }
}

/// `#[stream(args)] item`, outside an app.
pub(crate) fn stream(attribute: Range, args: &TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut entries = args::parse(args.clone(), &keys::STREAM, &mut errors);
    let runtime = app::runtime(&mut entries, &mut errors);
    let Ok(parsed) = syn::parse2::<Struct>(item.clone()) else {
        not_a_struct(attribute, item, &mut errors);
        let errors = errors.finish();
        return quote!(#errors #item);
    };
    // They leave with the item's attributes, so that rustc never reaches them.
    for mark in &parsed.attributes.marks {
        match mark.kind {
            Kind::Stream => model::second_stream(&parsed, mark, &mut errors),
            _ => model::misplaced_on_struct(mark, &parsed, &mut errors),
        }
    }
    let draft = stream::read_args(&parsed, attribute, entries, None, &mut errors);
    let glue = match (draft.stream, errors.finish()) {
        (Some(stream), None) => expand::stream::alone(&stream, &runtime),
        (_, errors) => {
            let stub = expand::scope(&runtime, &expand::stream::stub(&draft.outline));
            quote!(#errors #stub)
        }
    };
    let hints = hints::stream(args, &runtime);
    let parsed = Item::Stream(parsed);
    quote!(#parsed #hints #glue)
}

fn not_a_struct(attribute: Range, item: &TokenStream, errors: &mut Errors) {
    use syn::parse::{ParseStream, Parser};
    let parser = |input: ParseStream| {
        let item = Item::parse(input, "")?;
        input.parse::<TokenStream>()?;
        Ok(item)
    };
    let (found, at) = match parser.parse2(item.clone()) {
        Ok(Item::Function(function)) => {
            ("a function".to_owned(), function.sig.fn_token.span.into())
        }
        Ok(Item::Other(other)) => (other.sort.with_article(), other.keyword),
        Ok(Item::Stream(_)) | Err(_) => (Sort::Unknown.with_article(), attribute),
    };
    errors.push(
        at,
        format!("`#[stream]` goes on a unit struct, not on {found}"),
    );
}

/// An attribute that only the module's macro reads, reached by the compiler itself.
pub(crate) fn outside(attribute: Range, name: &str, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let text = format!("`#[{name}]` only works inside a module marked `#[kinesis_app]`");
    errors
        .push(attribute, text)
        .note("it reads the functions that stand in the module itself, under this name: not methods, nor what another macro makes");
    let errors = errors.finish();
    quote!(#errors #item)
}

/// `#[derive(AppState)] item`.
pub(crate) fn app_state(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let state = match syn::parse2(item) {
        Ok(input) => state::read(&input, &mut errors),
        Err(error) => {
            errors.push_syn(&error);
            None
        }
    };
    match (state, errors.finish()) {
        (Some(state), None) => expand::state::glue(&state),
        (_, errors) => errors.unwrap_or_default(),
    }
}
