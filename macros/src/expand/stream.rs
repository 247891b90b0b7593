//! A stream's descriptor.

use kinesis_app_rules::defaults;
use proc_macro2::TokenStream;
use quote::quote_spanned;

use crate::expand::cfgs;
use crate::expand::value::{self, Value};
use crate::model::start::{Checkpoints, Start};
use crate::model::stream::{Codec, Id, OnFatal, OnRecreated, Outline, Stream, Warning};
use crate::model::time::Time;
use crate::model::value::Number;
use crate::words::plain;

pub(crate) fn glue(stream: &Stream, runtime: &TokenStream) -> TokenStream {
    let Stream { ident, id, .. } = stream;
    let cfgs = cfgs(&stream.cfgs);
    let label = plain(ident);
    let codec = codec(stream.codec.as_ref(), runtime);
    let (kind, id) = match id {
        Id::Name(name) => (glue!(Name), value::setting(name, "stream_name", runtime)),
        Id::Arn(arn) => (glue!(Arn), value::setting(arn, "stream_arn", runtime)),
    };
    let start = start(&stream.start, runtime);
    let interval = stream.poll_interval.as_ref();
    let variables = value::variables(
        &[
            ("Start", stream.start.variable()),
            ("PollInterval", interval.and_then(Time::variable)),
        ],
        runtime,
    );
    let interval = value::time(interval, defaults::POLL_INTERVAL, "poll_interval", runtime);
    let number = |number: Option<&Number>, judge| {
        Value::option(number.map(|number| value::number(number, judge, runtime)))
    };
    let batch_size = number(stream.batch_size.as_ref(), "batch_size");
    let create = number(stream.create.as_ref(), "shard_count");
    let partition_key = stream.partition_key.as_ref();
    let partition_key =
        Value::option(partition_key.map(|key| value::setting(key, "partition_key", runtime)));
    let values = [&id, &start, &interval, &batch_size, &create, &partition_key];
    let beside = values.map(|value| &value.beside);
    let [id, start, interval, batch_size, create, partition_key] = values.map(|value| &value.value);
    let checkpoints = match stream.checkpoints {
        Checkpoints::Use => glue!(Use),
        Checkpoints::Ignore => glue!(Ignore),
    };
    let fatal = match stream.fatal {
        OnFatal::Stop => glue!(Stop),
        OnFatal::Mark => glue!(Mark),
    };
    let recreated = match stream.recreated {
        OnRecreated::Refuse => glue!(Refuse),
        OnRecreated::Restart => glue!(Restart),
    };
    let warnings = stream.warnings.iter().map(warning);
    glue! {
        #cfgs
        const _: () = {
            #[automatically_derived]
            impl #runtime::Stream for #ident {
                #codec
                const SPEC: #runtime::spec::StreamSpec = #runtime::spec::StreamSpec {
                    label: #label,
                    id: #runtime::spec::StreamId::#kind(#id),
                    start: #runtime::spec::Start::#start,
                    checkpoints: #runtime::spec::Checkpoints::#checkpoints,
                    read: #runtime::spec::Read::Poll {
                        batch_size: #batch_size,
                        interval: #interval,
                    },
                    create: #create,
                    fatal: #runtime::spec::OnFatal::#fatal,
                    recreated: #runtime::spec::OnRecreated::#recreated,
                    partition_key: #partition_key,
                    variables: #variables,
                };
            }
            #(#beside)*
            #(#warnings)*
        };
    }
}

/// A stream of a module with mistakes: enough for the items that name it.
pub(crate) fn stub(outline: &Outline, runtime: &TokenStream) -> TokenStream {
    if !outline.plain {
        return TokenStream::new();
    }
    let (ident, cfgs) = (&outline.ident, cfgs(&outline.cfgs));
    let label = plain(ident);
    let codec = codec(outline.codec.as_ref(), runtime);
    let interval = value::duration(defaults::POLL_INTERVAL);
    glue! {
        #cfgs
        #[automatically_derived]
        impl #runtime::Stream for #ident {
            #codec
            const SPEC: #runtime::spec::StreamSpec = #runtime::spec::StreamSpec {
                label: #label,
                id: #runtime::spec::StreamId::Name(#runtime::spec::Setting::Fixed(#label)),
                start: #runtime::spec::Start::Latest,
                checkpoints: #runtime::spec::Checkpoints::Use,
                read: #runtime::spec::Read::Poll {
                    batch_size: ::core::option::Option::None,
                    interval: #interval,
                },
                create: ::core::option::Option::None,
                fatal: #runtime::spec::OnFatal::Stop,
                recreated: #runtime::spec::OnRecreated::Refuse,
                partition_key: ::core::option::Option::None,
                variables: &[],
            };
        }
    }
}

/// A codec less visible than its stream is reported on the item; from parenthesis to parenthesis that is what stands in
/// `codec(..)`, and nobody hovers them.
fn codec(codec: Option<&Codec>, runtime: &TokenStream) -> TokenStream {
    let Some(Codec { ty, at }) = codec else {
        return glue!(type Codec = #runtime::codec::Json;);
    };
    let start = quote_spanned!(at.start=> type);
    let end = quote_spanned!(at.end=> ;);
    glue!(#start Codec = #ty #end)
}

fn start(start: &Start, runtime: &TokenStream) -> Value {
    let (value, beside) = match start {
        Start::Latest => (glue!(Latest), TokenStream::new()),
        Start::TrimHorizon => (glue!(TrimHorizon), TokenStream::new()),
        Start::Timestamp(millis) => (glue!(Timestamp { millis: #millis }), TokenStream::new()),
        Start::TimestampEnv(_, default) => {
            let millis = default.unwrap_or_default();
            (glue!(Timestamp { millis: #millis }), TokenStream::new())
        }
        Start::TimestampConst(expr) => {
            let Value { value, beside } = value::moment(expr, runtime);
            (glue!(Timestamp { millis: #value }), beside)
        }
    };
    Value { value, beside }
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
