//! The documentation of `App`: the module's own words and a table of what it consumes.

use kinesis_app_rules::defaults;
use kinesis_app_rules::timestamp::rfc3339;
use proc_macro2::TokenStream;
use quote::ToTokens;

use crate::model::Model;
use crate::model::handler::{Handler, Order, Takes};
use crate::model::number::Number;
use crate::model::start::Start;
use crate::model::stream::{Id, Stream};
use crate::model::value::Setting;
use crate::parse::module::Module;
use crate::words::{local, names, plain, tidy};

pub(super) fn app(module: &Module, model: &Model) -> TokenStream {
    let own: TokenStream = module
        .attrs
        .iter()
        .chain(&module.inner_attrs)
        .filter(|attr| attr.path().is_ident("doc"))
        .map(|attr| {
            let meta = &attr.meta;
            glue!(#[#meta])
        })
        .collect();
    let own = if own.is_empty() {
        let name = plain(&module.ident);
        let line = format!(" The application of the module `{name}`.");
        glue!(#[doc = #line])
    } else {
        own
    };
    let mut lines = vec![
        String::new(),
        " | stream | reads | starts | handler |".to_owned(),
        " | --- | --- | --- | --- |".to_owned(),
    ];
    for handler in &model.handlers {
        let name = local(&handler.stream);
        let mut streams = model.streams.iter();
        let stream = streams.find(|stream| names(&handler.stream, &stream.ident));
        let (reads, starts) = stream.map_or_else(
            || ("declared elsewhere".to_owned(), String::new()),
            |stream| (reads(stream), starts(stream)),
        );
        lines.push(format!(
            " | `{name}` | {reads} | {starts} | {} |",
            handles(handler)
        ));
    }
    for stream in &model.streams {
        let name = plain(&stream.ident);
        let mut handlers = model.handlers.iter();
        if !handlers.any(|handler| names(&handler.stream, &stream.ident)) {
            lines.push(format!(
                " | `{name}` | {} | | none by this name |",
                reads(stream)
            ));
        }
    }
    let table = lines.iter().map(|line| glue!(#[doc = #line]));
    glue!(#own #(#table)*)
}

fn reads(stream: &Stream) -> String {
    let (Id::Name(id) | Id::Arn(id)) = &stream.id;
    setting(id)
}

fn setting(setting: &Setting) -> String {
    match setting {
        Setting::Literal(literal) => format!("`{}`", literal.value()),
        Setting::Const(expr) => code(expr),
        Setting::Env { variable, .. } => format!("the variable `{}`", variable.value()),
    }
}

fn starts(stream: &Stream) -> String {
    match &stream.start {
        Start::Latest => "latest".to_owned(),
        Start::TrimHorizon => "trim horizon".to_owned(),
        Start::Timestamp(millis) => rfc3339(*millis).unwrap_or_else(|| millis.to_string()),
        Start::TimestampConst(expr) => code(expr),
        Start::TimestampEnv(variable, _) => setting(variable),
    }
}

fn handles(handler: &Handler) -> String {
    let name = plain(&handler.callee.ident);
    let number = |given: &Option<Number>, default: u32| match given {
        None => default.to_string(),
        Some(Number::Literal(number)) => number.to_string(),
        Some(Number::Const(expr)) => code(expr),
    };
    match &handler.takes {
        Takes::Batches { max_records, .. } => {
            let most = number(max_records, defaults::MAX_RECORDS);
            format!("`{name}`, in batches of at most {most}")
        }
        Takes::Records {
            order: Order::Shard,
            ..
        } => format!("`{name}`, in the order of the shard"),
        Takes::Records { order, concurrency } => {
            let at_once = number(&concurrency.shard, defaults::CONCURRENCY);
            let order = match order {
                Order::None => "in no order",
                Order::PartitionKey | Order::Shard => "in the order of each key",
            };
            format!("`{name}`, {at_once} at a time, {order}")
        }
    }
}

/// An expression in a cell of a table, where a bar would end the cell.
fn code(expr: &impl ToTokens) -> String {
    format!("`{}`", tidy(expr).replace('|', "\\|"))
}
