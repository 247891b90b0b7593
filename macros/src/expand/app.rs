//! The wiring, and `App` with its descriptor.

use proc_macro2::TokenStream;

use crate::expand::value::{self, Fields, Value};
use crate::expand::{cfgs, handler, hooks, shard_hooks};
use crate::model::Model;
use crate::model::app::{App, Credentials};
use crate::model::handler::Takes;
use crate::model::leases::{Leases, Missing, Store, Table};
use crate::model::time::Time;
use crate::model::value::Setting;
use crate::words::names;

pub(super) fn glue(model: &Model) -> TokenStream {
    let hooks = hooks::glue(model);
    let streams = wiring(model);
    let describe = describe();
    let Value {
        value: spec,
        beside,
    } = spec(&model.app);
    glue! {
        // Private, so that it may hold private types of the user's: an associated type of `App` could not (E0446).
        struct __Wiring;

        type __State = <__Wiring as __rt::__private::Wire>::State;

        #[automatically_derived]
        impl __rt::__private::Wire for __Wiring {
            #hooks
            fn streams(
                __builder: __rt::__private::Builder<Self>,
            ) -> __rt::__private::Builder<Self> {
                #streams
                __builder
            }
        }

        #[automatically_derived]
        impl __rt::Application for App {
            const SPEC: __spec::AppSpec = #spec;
            fn wire(self) -> __rt::Wired {
                __rt::__private::wired::<__Wiring>()
            }
        }

        #describe
        #beside
    }
}

/// Without an import, and without a value of `App`.
pub(super) fn describe() -> TokenStream {
    glue! {
        impl App {
            /// What this application is: its server, streams, handlers and policies. Nothing is started.
            ///
            /// # Errors
            ///
            /// Every setting that is out of range, as a start would have it.
            #[allow(dead_code, reason = "not everybody asks")]
            pub fn describe() -> ::core::result::Result<__rt::Description, __rt::Error> {
                __rt::describe(App)
            }
        }
    }
}

/// What the attribute says.
fn spec(app: &App) -> Value {
    let Value {
        value: name,
        beside,
    } = value::setting(&app.name, "app_name");
    let optional = |setting: &Option<Setting>, judge| {
        let setting = setting.as_ref();
        setting.map(|setting| value::setting(setting, judge).some())
    };
    let credentials = match app.credentials {
        Credentials::Chain => None,
        Credentials::Test => Some(Value::plain(glue!(__spec::Credentials::Test))),
    };
    let timeout = app.shutdown_timeout.as_ref();
    let lease_duration = app.leases.duration.as_ref();
    let variables = value::variables(
        "AppKey",
        &[
            ("LeaseDuration", lease_duration.and_then(Time::variable)),
            ("ShutdownTimeout", timeout.and_then(Time::variable)),
        ],
    );
    let timeout = timeout.and_then(|time| value::time(time, "shutdown_timeout"));
    let mut fields = Fields::default();
    fields.set("region", optional(&app.region, "region"));
    fields.set("endpoint", optional(&app.endpoint, "endpoint"));
    fields.set("credentials", credentials);
    fields.set("owner_id", optional(&app.owner_id, "owner_id"));
    fields.set("leases", leases(&app.leases));
    fields.set("shutdown_timeout", timeout);
    fields.set("prefetch", optional(&app.prefetch, "prefetch"));
    fields.set("variables", variables);
    let mut spec = fields.over(&glue!(__spec::AppSpec), &glue!(named(#name)));
    spec.beside.extend(beside);
    spec
}

fn leases(leases: &Leases) -> Option<Value> {
    let store = match &leases.store {
        Store::Memory => None,
        Store::File(path) => {
            let path = value::setting(path, "lease_file");
            Some(path.within(&glue!(__spec::Store::File)))
        }
        Store::DynamoDb(table) => Some(lease_table(table).within(&glue!(__spec::Store::DynamoDb))),
    };
    let duration = leases.duration.as_ref();
    let duration = duration.and_then(|time| value::time(time, "lease_duration"));
    let mut fields = Fields::default();
    fields.set("store", store);
    fields.set("duration", duration);
    fields.part(&glue!(__spec::Leases), 2)
}

fn lease_table(table: &Table) -> Value {
    let Value {
        value: name,
        beside,
    } = value::setting(&table.name, "lease_table");
    let endpoint = table.endpoint.as_ref();
    let endpoint = endpoint.map(|endpoint| value::setting(endpoint, "lease_endpoint").some());
    let missing = match table.missing {
        Missing::Refused => None,
        Missing::Created => Some(Value::plain(glue!(__spec::MissingTable::Created))),
    };
    let mut fields = Fields::default();
    fields.set("endpoint", endpoint);
    fields.set("missing", missing);
    let mut table = fields.over(&glue!(__spec::LeaseTable), &glue!(named(#name)));
    table.beside.extend(beside);
    table
}

/// One statement a handler, so that its `#[cfg]` can stand on it; then every declared stream. Which of them have a handler
/// is the builder's to find out, by type: a path may lead to a stream under another name.
fn wiring(model: &Model) -> TokenStream {
    let handlers = model.handlers.iter().enumerate().map(|(at, handler)| {
        let (stream, cfgs) = (&handler.stream, cfgs(&handler.callee.cfgs));
        let glue_type = handler::glue_type(at);
        let takes = match handler.takes {
            Takes::Records { .. } => glue!(record),
            Takes::Batches { .. } => glue!(batch),
        };
        glue! {
            #cfgs
            let __builder = __builder.#takes::<#stream, #glue_type>(<#stream as __rt::Stream>::SPEC);
        }
    });
    let streams = model.streams.iter().map(|stream| {
        let (ident, cfgs) = (&stream.ident, cfgs(&stream.cfgs));
        glue! {
            #cfgs
            let __builder = __builder.stream::<#ident>();
        }
    });
    let written = model.handlers.iter().flat_map(|handler| {
        let written = handler.failure.dead_letters().chain(&handler.publish);
        // One that is declared here is registered as such.
        let elsewhere = written.filter(|written| {
            let mut streams = model.streams.iter();
            !streams.any(|stream| names(written, &stream.ident))
        });
        let cfgs = cfgs(&handler.callee.cfgs);
        elsewhere.map(move |written| {
            glue! {
                #cfgs
                let __builder = __builder.written::<
                    #written,
                    <#written as __rt::Stream>::Codec,
                >(<#written as __rt::Stream>::SPEC);
            }
        })
    });
    let hooks = shard_hooks::wiring(model);
    handlers
        .chain(streams)
        .chain(written)
        .chain([hooks])
        .collect()
}

/// `App` of a module with mistakes: enough for `kinesis_app::run(billing::App)`.
pub(super) fn stub() -> TokenStream {
    glue! {
        #[automatically_derived]
        impl __rt::Application for App {
            const SPEC: __spec::AppSpec = __spec::AppSpec::named(__spec::Setting::Fixed(""));
            fn wire(self) -> __rt::Wired {
                __rt::__private::broken()
            }
        }
    }
}
