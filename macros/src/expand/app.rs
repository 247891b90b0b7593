//! The wiring, and `App` with its descriptor.

use std::time::Duration;

use kinesis_app_rules::defaults;
use proc_macro2::TokenStream;

use crate::expand::value::{self, Value};
use crate::expand::{cfgs, handler, hooks};
use crate::model::Model;
use crate::model::app::Credentials;
use crate::model::value::{Setting, Time};

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
    let credentials = match app.credentials {
        Credentials::Chain => glue!(Chain),
        Credentials::Test => glue!(Test),
    };
    let timeout = app.shutdown_timeout.as_ref();
    let timeout = timeout.unwrap_or(&Time::Literal(defaults::SHUTDOWN_TIMEOUT));
    let timeout = value::time(timeout, "shutdown_timeout", runtime);
    let beside = [&name, &region, &endpoint, &timeout].map(|value| &value.beside);
    let [name, region, endpoint, timeout] =
        [&name, &region, &endpoint, &timeout].map(|value| &value.value);
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
                leases: #runtime::spec::Leases::Memory,
                shutdown_timeout: #timeout,
            };
            fn wire(self) -> #runtime::Wired {
                #runtime::__private::wired::<__KinesisAppWiring>()
            }
        }
        #(#beside)*
    }
}

/// One statement a handler, so that its `#[cfg]` can stand on it; then every declared stream. Which of them have a handler
/// is the builder's to find out, by type: a path may lead to a stream under another name.
fn wiring(model: &Model) -> TokenStream {
    let runtime = &model.runtime;
    let handlers = model.handlers.iter().enumerate().map(|(at, handler)| {
        let (stream, cfgs) = (&handler.stream, cfgs(&handler.callee.cfgs));
        let glue_type = handler::glue_type(at);
        glue! {
            #cfgs
            let __builder = __builder.record::<#glue_type, #stream>(
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
    handlers.chain(streams).collect()
}

/// `App` of a module with mistakes: enough for `kinesis_app::run(billing::App)`.
pub(super) fn stub(runtime: &TokenStream) -> TokenStream {
    let timeout = value::duration(Duration::ZERO);
    glue! {
        #[automatically_derived]
        impl #runtime::Application for App {
            const SPEC: #runtime::spec::AppSpec = #runtime::spec::AppSpec {
                name: #runtime::spec::Setting::Fixed(""),
                region: ::core::option::Option::None,
                endpoint: ::core::option::Option::None,
                credentials: #runtime::spec::Credentials::Chain,
                leases: #runtime::spec::Leases::Memory,
                shutdown_timeout: #timeout,
            };
            fn wire(self) -> #runtime::Wired {
                #runtime::__private::broken()
            }
        }
    }
}
