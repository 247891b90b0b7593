//! A stream's descriptor.

use proc_macro2::{Literal, TokenStream};
use quote::quote_spanned;

use crate::expand::value::{self, Fields, Value};
use crate::expand::{cfgs, scope, under};
use crate::model::start::{Checkpoints, Start};
use crate::model::stream::{Codec, Id, OnFatal, OnRecreated, Outline, Stream, Warning};
use crate::model::time::Time;
use crate::words::plain;

pub(super) fn glue(stream: &Stream) -> TokenStream {
    let (item, beside) = parts(stream);
    under(&stream.cfgs, &[item], &beside)
}

/// A stream that stands outside of an application, in a scope of its own.
pub(crate) fn alone(stream: &Stream, runtime: &TokenStream) -> TokenStream {
    let (item, beside) = parts(stream);
    let (cfgs, glue) = (cfgs(&stream.cfgs), scope(runtime, &glue!(#item #beside)));
    glue!(#cfgs #glue)
}

/// The descriptor, and what stands beside it.
fn parts(stream: &Stream) -> (TokenStream, TokenStream) {
    let ident = &stream.ident;
    let codec = codec(stream.codec.as_ref());
    let Value {
        value: spec,
        mut beside,
    } = spec(stream);
    beside.extend(stream.warnings.iter().map(warning));
    let item = glue! {
        #[automatically_derived]
        impl __rt::Stream for #ident {
            #codec
            const SPEC: __spec::StreamSpec = #spec;
        }
    };
    (item, beside)
}

/// What the attribute says.
fn spec(stream: &Stream) -> Value {
    let label = plain(&stream.ident);
    let (
        named,
        Value {
            value: id,
            beside: beside_id,
        },
    ) = match &stream.id {
        Id::Name(name) => (glue!(named), value::setting(name, "stream_name")),
        Id::Arn(arn) => (glue!(by_arn), value::setting(arn, "stream_arn")),
    };
    let checkpoints = match stream.checkpoints {
        Checkpoints::Use => None,
        Checkpoints::Ignore => Some(Value::plain(glue!(__spec::Checkpoints::Ignore))),
    };
    let create = stream.create.as_ref();
    let create = create.map(|shards| value::number(shards, "shard_count").some());
    let fatal = match stream.fatal {
        OnFatal::Stop => None,
        OnFatal::Mark => Some(Value::plain(glue!(__spec::OnFatal::Mark))),
    };
    let recreated = match stream.recreated {
        OnRecreated::Refuse => None,
        OnRecreated::Restart => Some(Value::plain(glue!(__spec::OnRecreated::Restart))),
    };
    let partition_key = stream.partition_key.as_ref();
    let partition_key = partition_key.map(|key| value::setting(key, "partition_key").some());
    let mut fields = Fields::default();
    fields.set("start", start(&stream.start));
    fields.set("checkpoints", checkpoints);
    fields.set("read", read(stream));
    fields.set("create", create);
    fields.set("fatal", fatal);
    fields.set("recreated", recreated);
    fields.set("partition_key", partition_key);
    let interval = stream.poll_interval.as_ref();
    let variables = value::variables(
        "StreamKey",
        &[
            ("Start", stream.start.variable()),
            ("PollInterval", interval.and_then(Time::variable)),
        ],
    );
    fields.set("variables", variables);
    let mut spec = fields.over(&glue!(__spec::StreamSpec), &glue!(#named(#label, #id)));
    spec.beside.extend(beside_id);
    spec
}

fn read(stream: &Stream) -> Option<Value> {
    let (size, interval) = (stream.batch_size.as_ref(), stream.poll_interval.as_ref());
    let size = size.map(|size| value::number(size, "batch_size").some());
    let interval = interval.and_then(|time| value::time(time, "poll_interval"));
    let mut fields = Fields::default();
    fields.set("batch_size", size);
    fields.set("interval", interval);
    let poll = fields.part(&glue!(__spec::Poll), 2);
    poll.map(|poll| poll.within(&glue!(__spec::Read::Poll)))
}

/// A stream of a module with mistakes: enough for the items that name it.
pub(crate) fn stub(outline: &Outline) -> TokenStream {
    if !outline.plain {
        return TokenStream::new();
    }
    let (ident, cfgs) = (&outline.ident, cfgs(&outline.cfgs));
    let label = plain(ident);
    let codec = codec(outline.codec.as_ref());
    glue! {
        #cfgs
        #[automatically_derived]
        impl __rt::Stream for #ident {
            #codec
            const SPEC: __spec::StreamSpec =
                __spec::StreamSpec::named(#label, __spec::Setting::Fixed(#label));
        }
    }
}

/// A codec less visible than its stream is reported on the item; from parenthesis to parenthesis that is what stands in
/// `codec(..)`, and nobody hovers them.
fn codec(codec: Option<&Codec>) -> TokenStream {
    let Some(Codec { ty, at }) = codec else {
        return glue!(
            type Codec = __rt::codec::Json;
        );
    };
    let start = quote_spanned!(at.start=> type);
    let end = quote_spanned!(at.end=> ;);
    glue!(#start Codec = #ty #end)
}

fn start(start: &Start) -> Option<Value> {
    let at = |Value { value, beside }| Value {
        value: glue!(__spec::Start::Timestamp { millis: #value }),
        beside,
    };
    Some(match start {
        Start::Latest => return None,
        Start::TrimHorizon => Value::plain(glue!(__spec::Start::TrimHorizon)),
        Start::TimestampEnv(_, default) => {
            let millis = Literal::i64_unsuffixed(default.unwrap_or_default());
            at(Value::plain(glue!(#millis)))
        }
        Start::Timestamp(millis) => {
            let millis = Literal::i64_unsuffixed(*millis);
            at(Value::plain(glue!(#millis)))
        }
        Start::TimestampConst(expr) => at(value::moment(expr)),
    })
}

/// The one warning that stable Rust lets a macro give: use of something deprecated.
fn warning(warning: &Warning) -> TokenStream {
    let Warning { at, key, text } = warning;
    // In capitals, so that no lint of the user's has to be allowed, which `forbid` would refuse.
    let name = proc_macro2::Ident::new(&key.to_uppercase(), *at);
    quote_spanned! {*at=>
        const _: () = {
            #[deprecated(note = #text)]
            const #name: () = ();
            #name
        };
    }
}
