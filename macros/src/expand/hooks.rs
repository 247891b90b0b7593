//! Hooks as methods of the wiring.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::Type;

use crate::expand::{cfgs, unless};
use crate::model::Model;
use crate::model::hook::{AsyncKind, Call, Hook};
use crate::model::signature::Param;
use crate::model::types;

pub(super) fn glue(model: &Model) -> TokenStream {
    let hooks = model.hooks.iter().filter_map(one);
    let state = without_start(model);
    glue!(#state #(#hooks)*)
}

/// An app without `#[on_start]` has no state; every other hook has a default in the trait.
fn without_start(model: &Model) -> TokenStream {
    let starts = model.hooks.iter().filter(|hook| {
        matches!(
            hook.call,
            Call::Async {
                kind: AsyncKind::Start,
                ..
            }
        )
    });
    let Some(cfg) = unless(starts.map(|hook| &*hook.callee.cfgs)) else {
        return TokenStream::new();
    };
    glue! {
        #cfg
        type State = __rt::NoState;
        #cfg
        async fn start(
            _: &__rt::HookContext<'_, ()>,
        ) -> ::core::result::Result<__State, __rt::HookError> {
            ::core::result::Result::Ok(__rt::NoState)
        }
    }
}

fn one(hook: &Hook) -> Option<TokenStream> {
    let (name, cfgs) = (&hook.callee.ident, cfgs(&hook.callee.cfgs));
    Some(match &hook.call {
        Call::Shard { .. } => return None,
        Call::Observe { params, output } => {
            let into = taken_by(
                output.as_ref(),
                &glue!(__rt::ObserveOutput),
                &glue!(into_observer),
            );
            let arguments = arguments(params, &glue!(__rt::FromApp < __State >> ::from_app));
            // In one expression, which what is lent to the hook outlives.
            glue! {
                #cfgs
                fn observe(
                    __cx: &__rt::HookContext<'_, __State>,
                ) -> ::core::result::Result<
                    ::core::option::Option<__rt::__private::SharedObserver>,
                    __rt::HookError,
                > {
                    ::core::result::Result::map(
                        #into(#name(#arguments)),
                        ::core::option::Option::Some,
                    )
                }
            }
        }
        Call::Configure {
            config,
            setup,
            output,
        } => {
            let at = |span: &Span| Span::mixed_site().located_at(*span);
            let config = quote_spanned!(at(config)=> __config);
            let setup = setup
                .as_ref()
                .map(|setup| quote_spanned!(at(setup)=> , __setup));
            let output = output.clone().unwrap_or_else(|| glue!(()));
            glue! {
                #cfgs
                fn configure(
                    __config: &mut __rt::AppConfig,
                    __setup: &__rt::Setup,
                ) -> ::core::result::Result<(), __rt::HookError> {
                    let __out = #name(#config #setup);
                    <#output as __rt::HookOutput>::into_result(__out)
                }
            }
        }
        Call::Async {
            kind,
            asyncness,
            params,
            output,
        } => {
            let output = output.clone().unwrap_or_else(|| glue!(()));
            let Method {
                name: method,
                state,
                answer,
                settle,
                associated,
            } = method(*kind, *asyncness, &output);
            let associated = associated.map(|associated| glue!(#cfgs #associated));
            // A future that is not `Send` is reported at the `async` keyword.
            let future = quote_spanned!(*asyncness=> impl __rt::HookFuture<#answer>);
            let arguments = arguments(params, &glue!(__rt::FromApp<#state>>::from_app));
            glue! {
                #associated
                #cfgs
                fn #method(__cx: &__rt::HookContext<'_, #state>) -> #future {
                    async move {
                        let __future = #name(#arguments);
                        #settle
                    }
                }
            }
        }
    })
}

/// What a hook becomes.
struct Method {
    name: TokenStream,
    /// The state that its extractors see.
    state: TokenStream,
    /// What is inside the `Ok` of its result.
    answer: TokenStream,
    /// From `__future`, what the function returned, to that.
    settle: TokenStream,
    associated: Option<TokenStream>,
}

fn method(kind: AsyncKind, asyncness: Span, output: &TokenStream) -> Method {
    let none = glue!(());
    let settle = glue!(<#output as __rt::HookOutput>::into_result(__future.await));
    match kind {
        AsyncKind::Start => Method {
            name: glue!(start),
            state: none,
            answer: glue!(__State),
            settle: glue!(<#output as __rt::StartOutput<__State>>::into_state(__future.await)),
            associated: Some(state_in(asyncness, output)),
        },
        AsyncKind::Aws => Method {
            name: glue!(aws),
            state: none,
            answer: glue!(::core::option::Option<__rt::SdkConfig>),
            settle: glue! {
                ::core::result::Result::map(
                    <#output as __rt::AwsOutput>::into_config(__future.await),
                    ::core::option::Option::Some,
                )
            },
            associated: None,
        },
        AsyncKind::Leases => Method {
            name: glue!(leases),
            state: none,
            answer: glue!(::core::option::Option<__rt::__private::SharedStore>),
            settle: {
                let into = taken_by(Some(output), &glue!(__rt::LeasesOutput), &glue!(into_store));
                glue!(::core::result::Result::map(#into(__future.await), ::core::option::Option::Some))
            },
            associated: None,
        },
        AsyncKind::Ready | AsyncKind::Shutdown => Method {
            name: if kind == AsyncKind::Ready {
                glue!(ready)
            } else {
                glue!(shutdown)
            },
            state: glue!(__State),
            answer: none,
            settle,
            associated: None,
        },
    }
}

/// The state, of which what `#[on_start]` returned is a result. What has another name may be one as well, which const evaluation knows.
fn state_in(asyncness: Span, output: &TokenStream) -> TokenStream {
    let named = match syn::parse2(output.clone()) {
        Ok(Type::Path(path)) => {
            let last = path.path.segments.last();
            last.is_some_and(|last| last.ident == "Result")
        }
        _ => false,
    };
    let is_result = if named {
        glue!(true)
    } else {
        glue! {{
            use __rt::__private::NoResult as _;
            __rt::__private::Returned::<#output>::IS_RESULT
        }}
    };
    // A state that is not `Send` or `Sync` is reported at the hook.
    let at = Span::mixed_site().located_at(asyncness);
    quote_spanned!(at=> type State = __rt::__private::StateOf<#output, #is_result>;)
}

/// A method of what a hook returned, which is named where it can be: errors about it stand there.
fn taken_by(
    output: Option<&TokenStream>,
    output_trait: &TokenStream,
    method: &TokenStream,
) -> TokenStream {
    let named = output.filter(|output| types::is_named(output));
    let from = named.map_or_else(
        || output_trait.clone(),
        |output| glue!(<#output as #output_trait>),
    );
    glue!(#from::#method)
}

/// `from` is the trait and the method that an argument is taken by, behind `<Type as`.
pub(super) fn arguments(params: &[Param], from: &TokenStream) -> TokenStream {
    let arguments = params.iter().map(|param| {
        let (lent, cfgs) = (param.lent.as_ref(), cfgs(&param.cfgs));
        let ty = lent.unwrap_or(&param.ty);
        let lent = lent.map(|_| glue!(&));
        glue!(#cfgs #lent <#ty as #from(__cx))
    });
    glue!(#(#arguments),*)
}
