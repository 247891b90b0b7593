//! A stream's descriptor.

use kinesis_app_rules::defaults;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};

use crate::expand::{cfgs, value};
use crate::model::stream::{Id, Outline, Start, Stream, Warning};
use crate::model::value::Time;
use crate::parse::item::plain;

pub(crate) fn glue(stream: &Stream, runtime: &TokenStream) -> TokenStream {
    let Stream { ident, id, .. } = stream;
    let cfgs = cfgs(&stream.cfgs);
    let label = plain(ident);
    let codec = codec(stream.codec.as_ref(), runtime);
    let (id, id_check) = match id {
        Id::Name(name) => {
            let setting = value::setting(name, runtime);
            (
                glue!(Name(#setting)),
                value::check_text(name, "stream_name", runtime),
            )
        }
        Id::Arn(arn) => {
            let setting = value::setting(arn, runtime);
            (
                glue!(Arn(#setting)),
                value::check_text(arn, "stream_arn", runtime),
            )
        }
    };
    let start = start(&stream.start, runtime);
    let interval = stream.poll_interval.as_ref();
    let interval = interval.unwrap_or(&Time::Literal(defaults::POLL_INTERVAL));
    let interval = value::time(interval, "poll_interval", runtime);
    let batch_size = value::option(stream.batch_size.as_ref().map(value::number));
    let batch_check = value::check_number(stream.batch_size.as_ref(), "batch_size", runtime);
    let create = value::option(stream.create.as_ref().map(value::number));
    let create_check = value::check_number(stream.create.as_ref(), "shard_count", runtime);
    let warnings = stream.warnings.iter().map(warning);
    glue! {
        #cfgs
        const _: () = {
            #[automatically_derived]
            impl #runtime::Stream for #ident {
                type Codec = #codec;
                const SPEC: #runtime::spec::StreamSpec = #runtime::spec::StreamSpec {
                    label: #label,
                    id: #runtime::spec::StreamId::#id,
                    start: #runtime::spec::Start::#start,
                    read: #runtime::spec::Read::Poll {
                        batch_size: #batch_size,
                        interval: #interval,
                    },
                    create: #create,
                };
            }
            #id_check
            #batch_check
            #create_check
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
            type Codec = #codec;
            const SPEC: #runtime::spec::StreamSpec = #runtime::spec::StreamSpec {
                label: #label,
                id: #runtime::spec::StreamId::Name(#runtime::spec::Setting::Fixed(#label)),
                start: #runtime::spec::Start::Latest,
                read: #runtime::spec::Read::Poll {
                    batch_size: ::core::option::Option::None,
                    interval: #interval,
                },
                create: ::core::option::Option::None,
            };
        }
    }
}

fn codec(codec: Option<&syn::Type>, runtime: &TokenStream) -> TokenStream {
    codec.map_or_else(|| glue!(#runtime::codec::Json), ToTokens::to_token_stream)
}

fn start(start: &Start, runtime: &TokenStream) -> TokenStream {
    match start {
        Start::Latest => glue!(Latest),
        Start::TrimHorizon => glue!(TrimHorizon),
        Start::Timestamp(millis) => glue!(Timestamp { millis: #millis }),
        Start::TimestampConst(expr) => {
            let millis = value::judged(expr, "timestamp", runtime);
            glue!(Timestamp { millis: #millis })
        }
    }
}

/// The one warning that stable Rust lets a macro give: use of something deprecated.
fn warning(warning: &Warning) -> TokenStream {
    let Warning { at, key, text } = warning;
    let name = proc_macro2::Ident::new(key, *at);
    quote_spanned! {*at=>
        #[allow(non_upper_case_globals)]
        const _: () = {
            #[deprecated(note = #text)]
            const #name: () = ();
            #name
        };
    }
}
