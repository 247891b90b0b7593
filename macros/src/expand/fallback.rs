//! What stands in for a module with mistakes: the user's items and stubs, so that nothing cascades and completion in
//! bodies keeps working.

use proc_macro2::TokenStream;

use crate::expand::{app, around, scope, stream};
use crate::model::Outline;
use crate::parse::module::Module;

pub(crate) fn module(
    module: &Module,
    outline: &Outline,
    errors: &TokenStream,
    hints: &TokenStream,
) -> TokenStream {
    let streams = outline.streams.iter().map(stream::stub);
    // A second `App` would be an error of its own.
    let taken = module
        .items
        .iter()
        .any(|item| item.names().iter().any(|name| **name == "App"));
    let plain = module.items.iter().any(|item| item.is_plain_type("App"));
    let app = (!taken).then(|| {
        glue! {
            /// The application, which did not compile.
            #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
            pub struct App;
        }
    });
    // One that is not ours is an application all the same: `kinesis_app::run(billing::App)` is none of its mistakes.
    let stub = (!taken || plain).then(app::stub);
    let describe = (!taken).then(app::describe);
    let stubs = scope(&outline.runtime, &glue!(#stub #describe #(#streams)*));
    around(module, &glue!(#hints #errors #app #stubs))
}
