//! The wiring, and `App` with its descriptor.

use std::time::Duration;

use kinesis_app_rules::defaults;
use proc_macro2::TokenStream;

use crate::expand::value::{self, Value};
use crate::expand::{cfgs, handler, hooks, shard_hooks};
use crate::model::Model;
use crate::model::app::Credentials;
use crate::model::handler::Takes;
use crate::model::leases::{Leases, Missing, Store, Table};
use crate::model::time::Time;
use crate::model::value::Setting;
use crate::words::names;

pub(super) fn glue(model: &Model) -> TokenStream {
    let runtime = &model.runtime;
    let hooks = hooks::glue(model);
    let streams = wiring(model);
    let app = &model.app;
    let name = value::setting(&app.name, "app_name", runtime);
    let optional = |setting: &Option<Setting>, judge| {
        Value::option(
            setting
                .as_ref()
                .map(|setting| value::setting(setting, judge, runtime)),
        )
    };
    let region = optional(&app.region, "region");
    let endpoint = optional(&app.endpoint, "endpoint");
    let owner_id = optional(&app.owner_id, "owner_id");
    let credentials = match app.credentials {
        Credentials::Chain => glue!(Chain),
        Credentials::Test => glue!(Test),
    };
    let leases = leases(&app.leases, runtime);
    let timeout = app.shutdown_timeout.as_ref();
    let lease_duration = app.leases.duration.as_ref();
    let variables = value::variables(
        &[
            ("LeaseDuration", lease_duration.and_then(Time::variable)),
            ("ShutdownTimeout", timeout.and_then(Time::variable)),
        ],
        runtime,
    );
    let timeout = value::time(
        timeout,
        defaults::SHUTDOWN_TIMEOUT,
        "shutdown_timeout",
        runtime,
    );
    let values = [&name, &region, &endpoint, &owner_id, &leases, &timeout];
    let beside = values.map(|value| &value.beside);
    let [name, region, endpoint, owner_id, leases, timeout] = values.map(|value| &value.value);
    glue! {
        // Private, so that it may hold private types of the user's: an associated type of `App` could not (E0446).
        struct __KinesisAppWiring;

        #[automatically_derived]
        impl #runtime::__private::Wire for __KinesisAppWiring {
            #hooks
            fn streams(
                __builder: #runtime::__private::Builder<Self>,
            ) -> #runtime::__private::Builder<Self> {
                #streams
                __builder
            }
        }

        #[automatically_derived]
        impl #runtime::Application for App {
            const SPEC: #runtime::spec::AppSpec = #runtime::spec::AppSpec {
                name: #name,
                region: #region,
                endpoint: #endpoint,
                credentials: #runtime::spec::Credentials::#credentials,
                owner_id: #owner_id,
                leases: #leases,
                shutdown_timeout: #timeout,
                variables: #variables,
            };
            fn wire(self) -> #runtime::Wired {
                #runtime::__private::wired::<__KinesisAppWiring>()
            }
        }
        #(#beside)*
    }
}

fn leases(leases: &Leases, runtime: &TokenStream) -> Value {
    let duration = leases.duration.as_ref();
    let duration = value::time(
        duration,
        defaults::LEASE_DURATION,
        "lease_duration",
        runtime,
    );
    let store = match &leases.store {
        Store::Memory => Value {
            value: glue!(Memory),
            beside: TokenStream::new(),
        },
        Store::DynamoDb(table) => lease_table(table, runtime),
    };
    let (duration, store, beside) = (duration.value, store.value, [duration.beside, store.beside]);
    Value {
        value: glue! {
            #runtime::spec::Leases {
                store: #runtime::spec::Store::#store,
                duration: #duration,
            }
        },
        beside: beside.into_iter().collect(),
    }
}

fn lease_table(table: &Table, runtime: &TokenStream) -> Value {
    let name = value::setting(&table.name, "lease_table", runtime);
    let endpoint = table.endpoint.as_ref();
    let endpoint = endpoint.map(|endpoint| value::setting(endpoint, "lease_endpoint", runtime));
    let endpoint = Value::option(endpoint);
    let missing = match table.missing {
        Missing::Refused => glue!(Refused),
        Missing::Created => glue!(Created),
    };
    let (name, endpoint, beside) = (name.value, endpoint.value, [name.beside, endpoint.beside]);
    Value {
        value: glue! {
            DynamoDb(#runtime::spec::LeaseTable {
                name: #name,
                endpoint: #endpoint,
                missing: #runtime::spec::MissingTable::#missing,
            })
        },
        beside: beside.into_iter().collect(),
    }
}

/// One statement a handler, so that its `#[cfg]` can stand on it; then every declared stream. Which of them have a handler
/// is the builder's to find out, by type: a path may lead to a stream under another name.
fn wiring(model: &Model) -> TokenStream {
    let runtime = &model.runtime;
    let handlers = model.handlers.iter().enumerate().map(|(at, handler)| {
        let (stream, cfgs) = (&handler.stream, cfgs(&handler.callee.cfgs));
        let glue_type = handler::glue_type(at);
        let takes = match handler.takes {
            Takes::Records { .. } => glue!(record),
            Takes::Batches { .. } => glue!(batch),
        };
        glue! {
            #cfgs
            let __builder = __builder.#takes::<#glue_type, #stream>(
                <#stream as #runtime::Stream>::SPEC,
            );
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
                    <#written as #runtime::Stream>::Codec,
                >(<#written as #runtime::Stream>::SPEC);
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
pub(super) fn stub(runtime: &TokenStream) -> TokenStream {
    let timeout = value::duration(Duration::ZERO);
    let leases = leases(&Leases::DEFAULT, runtime).value;
    glue! {
        #[automatically_derived]
        impl #runtime::Application for App {
            const SPEC: #runtime::spec::AppSpec = #runtime::spec::AppSpec {
                name: #runtime::spec::Setting::Fixed(""),
                region: ::core::option::Option::None,
                endpoint: ::core::option::Option::None,
                credentials: #runtime::spec::Credentials::Chain,
                owner_id: ::core::option::Option::None,
                leases: #leases,
                shutdown_timeout: #timeout,
                variables: &[],
            };
            fn wire(self) -> #runtime::Wired {
                #runtime::__private::broken()
            }
        }
    }
}
