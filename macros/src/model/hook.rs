//! `#[on_start]`, `#[on_ready]`, `#[on_shard_start]`, `#[on_shard_end]`, `#[on_shutdown]`, `#[configure]`, `#[aws]`,
//! `#[leases]` and `#[observe]`.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{Path, ReturnType, Signature, Type};

use crate::errors::Errors;
use crate::model::Callee;
use crate::model::signature::{self, Checked, Param, Role};
use crate::model::types::find_impl;
use crate::parse::item::Function;
use crate::parse::marks::{Kind, Mark};
use crate::spanned::Range;
use crate::words::tidy;

pub(crate) struct Hook {
    pub(crate) callee: Callee,
    pub(crate) call: Call,
}

/// How a hook is called.
pub(crate) enum Call {
    /// `#[configure]`, with the span of each argument; the setup may be left out.
    Configure {
        config: Span,
        setup: Option<Span>,
        output: Option<TokenStream>,
    },
    /// `#[observe]`.
    Observe {
        params: Vec<Param>,
        output: Option<TokenStream>,
    },
    /// One of a stream's shards.
    Shard {
        moment: Moment,
        stream: Path,
        /// The `#` and the `]` of the attribute, which carry the error of a second one.
        pound: Span,
        bracket: Span,
        asyncness: Span,
        params: Vec<Param>,
        output: Option<TokenStream>,
    },
    /// Any other.
    Async {
        kind: AsyncKind,
        asyncness: Span,
        params: Vec<Param>,
        output: Option<TokenStream>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Start,
    End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AsyncKind {
    Start,
    Ready,
    Shutdown,
    Aws,
    Leases,
}

/// A hook, whole or not.
pub(crate) struct Draft {
    pub(crate) kind: Kind,
    pub(crate) callee: Callee,
    /// Of a hook of shards.
    pub(crate) stream: Option<Path>,
    pub(crate) hook: Option<Hook>,
}

impl Draft {
    pub(crate) fn is_of_shards(&self) -> bool {
        moment(self.kind).is_some()
    }
}

/// Reads a marked function. `states` are the types that are a state, and no alias of a result.
pub(crate) fn read(
    function: &Function,
    mark: &Mark,
    states: &[String],
    errors: &mut Errors,
) -> Draft {
    let before = errors.mark();
    let sig = &function.sig;
    let kind = mark.kind;
    let args = mark.args(errors);
    let stream = match moment(kind) {
        Some(_) => args.as_ref().and_then(|args| stream(args, mark, errors)),
        None => None,
    };
    let args = args.unwrap_or_default();
    if moment(kind).is_none() && !args.is_empty() {
        let name = kind.name();
        errors
            .push(Range::of(&args), format!("`#[{name}]` takes no arguments"))
            .help(format!("`#[{name}]`"));
    }
    let checked = signature::check(Role::Hook(kind), sig, errors);
    result(kind, sig, checked.output.is_some(), states, errors);
    let call = call(function, mark, stream.as_ref(), checked, errors);
    let callee = Callee {
        ident: sig.ident.clone(),
        cfgs: function.attributes.cfgs(),
    };
    let whole = errors.none_since(before);
    let hook = call.filter(|_| whole).map(|call| Hook {
        callee: callee.clone(),
        call,
    });
    Draft {
        kind,
        callee,
        stream,
        hook,
    }
}

fn call(
    function: &Function,
    mark: &Mark,
    stream: Option<&Path>,
    Checked {
        asyncness,
        params,
        output,
    }: Checked,
    errors: &mut Errors,
) -> Option<Call> {
    if let Some(moment) = moment(mark.kind) {
        return Some(Call::Shard {
            moment,
            stream: stream?.clone(),
            pound: mark.pound(),
            bracket: mark.bracket(),
            asyncness: asyncness?,
            params,
            output,
        });
    }
    let kind = match mark.kind {
        Kind::Configure => return configure(function, &params, output, errors),
        Kind::Observe => return Some(Call::Observe { params, output }),
        Kind::OnStart => AsyncKind::Start,
        Kind::OnReady => AsyncKind::Ready,
        Kind::Aws => AsyncKind::Aws,
        Kind::Leases => AsyncKind::Leases,
        _ => AsyncKind::Shutdown,
    };
    Some(Call::Async {
        kind,
        asyncness: asyncness?,
        params,
        output,
    })
}

fn moment(kind: Kind) -> Option<Moment> {
    match kind {
        Kind::OnShardStart => Some(Moment::Start),
        Kind::OnShardEnd => Some(Moment::End),
        _ => None,
    }
}

/// What it returns, where that matters.
fn result(kind: Kind, sig: &Signature, is_there: bool, states: &[String], errors: &mut Errors) {
    let named = Role::Hook(kind).named(sig);
    if let (Some((what, help)), false) = (returned(kind), is_there) {
        let at = signature::after_parameters(sig);
        errors
            .push(at, format!("{named} returns no {what}"))
            .help(help);
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && kind == Kind::OnStart
        && is_there
        && find_impl(ty.to_token_stream()).is_none()
        && is_no_result(ty, states)
    {
        let state = tidy(ty);
        errors
            .push(
                Range::of(ty),
                format!("{named} returns `{state}`, not a result"),
            )
            .help(format!("`-> Result<{state}, Error>`"));
    }
}

/// What a hook must return, and how that is written.
fn returned(kind: Kind) -> Option<(&'static str, &'static str)> {
    match kind {
        Kind::OnStart => Some(("state", "`-> Result<State, Error>`")),
        Kind::Aws => Some((
            "`SdkConfig`",
            "`-> SdkConfig`, or `-> Result<SdkConfig, E>`",
        )),
        Kind::Leases => Some((
            "lease store",
            "`-> impl LeaseStore`, or `-> Result<impl LeaseStore, E>`",
        )),
        Kind::Observe => Some((
            "observer",
            "`-> impl Observer`, or `-> Result<impl Observer, E>`",
        )),
        _ => None,
    }
}

/// The stream whose shards a hook is for.
fn stream(args: &TokenStream, mark: &Mark, errors: &mut Errors) -> Option<Path> {
    let name = mark.kind.name();
    let (at, text) = if args.is_empty() {
        (
            mark.path(),
            format!("`#[{name}]` does not say of which stream"),
        )
    } else if let Ok(path) = syn::parse2(args.clone()) {
        return Some(path);
    } else if syn::parse2::<syn::Lit>(args.clone()).is_ok() {
        (Range::of(args), "a stream is named by its type".to_owned())
    } else {
        (
            Range::of(args),
            format!("`#[{name}]` takes one stream and nothing else"),
        )
    };
    errors.push(at, text).help(format!("`#[{name}(Orders)]`"));
    None
}

/// A state in the place of the result that holds it. `states` are types of the module's own and those that a `State<T>`
/// asks for: whatever comes from elsewhere may be an alias. Left to rustc, the missing state would be an error at every use.
fn is_no_result(ty: &Type, states: &[String]) -> bool {
    const NEVER: [&str; 7] = ["Option", "Arc", "Rc", "Box", "Vec", "String", "Mutex"];
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last();
            let last = last.map(|last| last.ident.to_string()).unwrap_or_default();
            states.contains(&tidy(ty)) || NEVER.contains(&&*last)
        }
        Type::Group(_) | Type::Macro(_) | Type::Infer(_) | Type::Verbatim(_) | Type::Paren(_) => {
            false
        }
        _ => true,
    }
}

fn configure(
    function: &Function,
    params: &[Param],
    output: Option<TokenStream>,
    errors: &mut Errors,
) -> Option<Call> {
    let setup = match params {
        [_] => Some(None),
        [_, setup] => setup.reference.map(Some),
        _ => None,
    };
    if let (
        Some(Param {
            reference: Some(config),
            mutable: true,
            ..
        }),
        Some(setup),
    ) = (params.first(), setup)
    {
        return Some(Call::Configure {
            config: *config,
            setup,
            output,
        });
    }
    let sig = &function.sig;
    errors
        .push(
            signature::parentheses(sig),
            "`#[configure]` takes the configuration and, if it needs it, the setup, both borrowed",
        )
        .help(format!(
            "`fn {}(config: &mut AppConfig, setup: &Setup)`",
            sig.ident
        ));
    None
}
