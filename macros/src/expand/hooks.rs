//! Hooks as methods of the wiring.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote_spanned};

use crate::expand::{cfgs, unless};
use crate::model::Model;
use crate::model::hook::{AsyncKind, Call, Hook};
use crate::model::signature::{self, Param};

pub(super) fn glue(model: &Model) -> TokenStream {
    let hooks = model
        .hooks
        .iter()
        .filter_map(|hook| one(hook, &model.runtime));
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
    let runtime = &model.runtime;
    glue! {
        #cfg
        type State = #runtime::NoState;
        #cfg
        async fn start(
            _: &#runtime::HookContext<'_, ()>,
        ) -> ::core::result::Result<Self::State, #runtime::HookError> {
            ::core::result::Result::Ok(#runtime::NoState)
        }
    }
}

fn one(hook: &Hook, runtime: &TokenStream) -> Option<TokenStream> {
    let (name, cfgs) = (&hook.callee.ident, cfgs(&hook.callee.cfgs));
    Some(match &hook.call {
        Call::Shard { .. } => return None,
        Call::Observe { params, output } => {
            let into = taken_by(
                output.as_ref(),
                &glue!(#runtime::ObserveOutput),
                &glue!(into_observer),
            );
            let from = glue!(#runtime::FromApp<Self::State>>::from_app);
            let (reads, arguments) = arguments(params, &from);
            let arguments = params.iter().zip(arguments);
            let arguments = arguments.map(|(param, argument)| {
                let lent = param.lent.as_ref().map(|_| glue!(&));
                glue!(#lent #argument)
            });
            glue! {
                #cfgs
                fn observe(
                    __cx: &#runtime::HookContext<'_, Self::State>,
                ) -> ::core::result::Result<
                    ::core::option::Option<#runtime::__private::SharedObserver>,
                    #runtime::HookError,
                > {
                    #reads
                    let __out = #name(#(#arguments),*);
                    ::core::result::Result::map(
                        #into(__out),
                        ::core::option::Option::Some,
                    )
                }
            }
        }
        Call::Configure { arguments, output } => {
            let [config, setup] = arguments.map(|at| Span::mixed_site().located_at(at));
            let config = quote_spanned!(config=> __config);
            let setup = quote_spanned!(setup=> __setup);
            let output = output.clone().unwrap_or_else(|| glue!(()));
            glue! {
                #cfgs
                fn configure(
                    __config: &mut #runtime::AppConfig,
                    __setup: &#runtime::Setup,
                ) -> ::core::result::Result<(), #runtime::HookError> {
                    let __out = #name(#config, #setup);
                    <#output as #runtime::HookOutput>::into_result(__out)
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
            let method = method(*kind, &output, runtime);
            let Method {
                name: method,
                state,
                answer,
                settle,
                associated,
            } = method;
            let future = quote_spanned! {*asyncness=>
                impl ::core::future::Future<
                    Output = ::core::result::Result<#answer, #runtime::HookError>
                > + ::core::marker::Send
            };
            let from = glue!(#runtime::FromApp<#state>>::from_app);
            let (reads, arguments) = arguments(params, &from);
            let cfg = &cfgs;
            let associated = associated.map(|associated| glue!(#cfg #associated));
            glue! {
                #associated
                #cfgs
                fn #method(__cx: &#runtime::HookContext<'_, #state>) -> #future {
                    async move {
                        #reads
                        let __out = #name(#(#arguments),*).await;
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
    /// From what the function returned to that.
    settle: TokenStream,
    associated: Option<TokenStream>,
}

fn method(kind: AsyncKind, output: &TokenStream, runtime: &TokenStream) -> Method {
    let none = glue!(());
    let settle = glue!(<#output as #runtime::HookOutput>::into_result(__out));
    match kind {
        AsyncKind::Start => Method {
            name: glue!(start),
            state: none,
            answer: glue!(Self::State),
            settle: glue!(<#output as #runtime::StartOutput>::into_state(__out)),
            associated: Some(glue!(type State = <#output as #runtime::StartOutput>::State;)),
        },
        AsyncKind::Aws => Method {
            name: glue!(aws),
            state: none,
            answer: glue!(::core::option::Option<#runtime::SdkConfig>),
            settle: glue! {
                ::core::result::Result::map(
                    <#output as #runtime::AwsOutput>::into_config(__out),
                    ::core::option::Option::Some,
                )
            },
            associated: None,
        },
        AsyncKind::Leases => Method {
            name: glue!(leases),
            state: none,
            answer: glue!(::core::option::Option<#runtime::__private::SharedStore>),
            settle: {
                let into = taken_by(
                    Some(output),
                    &glue!(#runtime::LeasesOutput),
                    &glue!(into_store),
                );
                glue!(::core::result::Result::map(#into(__out), ::core::option::Option::Some))
            },
            associated: None,
        },
        AsyncKind::Ready | AsyncKind::Shutdown => Method {
            name: if kind == AsyncKind::Ready {
                glue!(ready)
            } else {
                glue!(shutdown)
            },
            state: glue!(Self::State),
            answer: none,
            settle,
            associated: None,
        },
    }
}

/// A method of what a hook returned, which is named where it can be: errors about it stand there.
fn taken_by(
    output: Option<&TokenStream>,
    output_trait: &TokenStream,
    method: &TokenStream,
) -> TokenStream {
    let named = output.filter(|output| signature::is_named(output));
    let from = named.map_or_else(
        || output_trait.clone(),
        |output| glue!(<#output as #output_trait>),
    );
    glue!(#from::#method)
}

/// `from` is the trait and the method that an argument is taken by, behind `<Type as`.
pub(super) fn arguments(
    params: &[Param],
    from: &TokenStream,
) -> (TokenStream, Vec<proc_macro2::Ident>) {
    let names: Vec<_> = (0..params.len())
        .map(|at| format_ident!("__arg{at}", span = Span::mixed_site()))
        .collect();
    let reads = params.iter().zip(&names).map(|(param, name)| {
        let ty = param.lent.as_ref().unwrap_or(&param.ty);
        glue!(let #name = <#ty as #from(__cx);)
    });
    (reads.collect(), names)
}
