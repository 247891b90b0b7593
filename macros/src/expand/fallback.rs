//! What stands in for a module with mistakes: the user's items and stubs, so that nothing cascades and completion in
//! bodies keeps working.

use proc_macro2::TokenStream;

use crate::expand::{app, around, stream};
use crate::model::Outline;
use crate::parse::module::Module;

pub(crate) fn module(
    module: &Module,
    outline: &Outline,
    errors: &TokenStream,
    hints: &TokenStream,
) -> TokenStream {
    let runtime = &outline.runtime;
    let streams = outline
        .streams
        .iter()
        .map(|outline| stream::stub(outline, runtime));
    // A second `App` would be an error of its own.
    let taken = module
        .items
        .iter()
        .any(|item| item.names().0.iter().any(|name| **name == "App"));
    let plain = module.items.iter().any(|item| item.is_plain_type("App"));
    let stub = app::stub(runtime);
    let app = if taken && plain {
        // It is not ours, but `kinesis_app::run(billing::App)` is none of its mistakes.
        stub
    } else if taken {
        TokenStream::new()
    } else {
        glue! {
            /// The application, which did not compile.
            #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
            pub struct App;
            #stub
        }
    };
    let behind = glue! {
        #errors
        #app
        #(#streams)*
        #hints
    };
    around(module, &behind)
}
