//! Signatures of handlers and hooks: what the glue can call.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{
    FnArg, GenericParam, Lifetime, PatType, ReturnType, Safety, Signature, Type, TypeReference,
};

use crate::errors::Errors;
use crate::model::types::{elide, find_impl, future, is_unit};
use crate::parse::given_back::sized;
use crate::parse::marks::Kind;
use crate::spanned::Range;
use crate::words::{plain, tidy};

/// Who is called.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    Handler,
    BatchHandler,
    Hook(Kind),
}

/// A parameter's type, as it can be written in the glue.
pub(crate) struct Param {
    pub(crate) ty: TokenStream,
    /// What a reference leads to.
    pub(crate) lent: Option<TokenStream>,
    /// The `&` of a reference: a token that nobody hovers, for errors about the argument.
    pub(crate) reference: Option<Span>,
    /// `&mut`.
    pub(crate) mutable: bool,
    /// The predicates of its `#[cfg]`s, which the call has as well.
    pub(crate) cfgs: Vec<TokenStream>,
}

pub(crate) struct Checked {
    /// The `async` keyword, which carries errors about the future.
    pub(crate) asyncness: Option<Span>,
    pub(crate) params: Vec<Param>,
    /// `None`: no `->`.
    pub(crate) output: Option<TokenStream>,
}

impl Role {
    /// "handler `book`", "`#[on_start]` hook `connect`".
    pub(crate) fn named(self, sig: &Signature) -> String {
        let name = plain(&sig.ident);
        match self {
            Self::Handler | Self::BatchHandler => format!("handler `{name}`"),
            Self::Hook(kind) => format!("`#[{}]` hook `{name}`", kind.name()),
        }
    }

    fn a(self) -> &'static str {
        match self {
            Self::Handler | Self::BatchHandler => "a handler",
            Self::Hook(_) => "a hook",
        }
    }

    /// Whether returning nothing is a mistake.
    fn must_answer(self) -> bool {
        matches!(
            self,
            Self::Handler
                | Self::BatchHandler
                | Self::Hook(Kind::OnStart | Kind::Aws | Kind::Leases | Kind::Observe)
        )
    }

    /// Why it is called without waiting, if it is.
    fn must_not_wait(self) -> Option<&'static str> {
        match self {
            Self::Hook(Kind::Configure) => {
                Some("`#[configure]` runs before anything is connected and cannot be `async`")
            }
            Self::Hook(Kind::Observe) => Some(
                "`#[observe]` makes an observer of what `#[on_start]` connected and cannot be `async`",
            ),
            _ => None,
        }
    }

    /// Whether an argument may be lent to it: not to one that waits, whose future would borrow it.
    fn borrows(self, reference: &TypeReference) -> bool {
        match self {
            Self::Hook(Kind::Configure) => true,
            Self::Hook(Kind::Observe) => reference.mutability.is_none(),
            _ => false,
        }
    }

    /// What it returns is taken as it comes, and need not be named.
    fn may_hide_its_output(self) -> bool {
        matches!(self, Self::Hook(Kind::Leases | Kind::Observe))
    }
}

pub(crate) fn check(role: Role, sig: &Signature, errors: &mut Errors) -> Checked {
    qualifiers(role, sig, errors);
    asyncness(role, sig, errors);
    let lifetimes = generics(role, sig, errors);
    let params = sig
        .inputs
        .iter()
        .enumerate()
        .filter_map(|arg| param(role, arg, &lifetimes, errors))
        .collect();
    let output = match &sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) if is_unit(ty) && role.must_answer() => None,
        ReturnType::Type(_, ty) => {
            let hidden = find_impl(ty.to_token_stream());
            // One mistake: `async` says the same.
            let hidden = hidden.filter(|_| sig.asyncness.is_some() || future(ty).is_none());
            if let Some(span) = hidden.filter(|_| !role.may_hide_its_output()) {
                errors
                    .push(
                        span,
                        format!("{} hides its return type behind `impl`", role.named(sig)),
                    )
                    .help(match role {
                        Role::Handler => "`-> Outcome`, or `-> Result<(), E>` to retry on `Err`",
                        Role::BatchHandler => {
                            "`-> BatchOutcome`, or `-> Result<(), E>` to retry on `Err`"
                        }
                        Role::Hook(_) => "name the type",
                    });
            }
            Some(elide(ty.to_token_stream(), &lifetimes))
        }
    };
    Checked {
        asyncness: sig.asyncness.map(|token| token.span),
        params,
        output,
    }
}

fn qualifiers(role: Role, sig: &Signature, errors: &mut Errors) {
    let mut refuse = |at: Range, word: &str| {
        errors.push(at, format!("{} cannot be `{word}`", role.a()));
    };
    // Clippy asks for it where nothing is waited for.
    if let Some(token) = &sig.constness
        && role.must_not_wait().is_none()
    {
        refuse(token.span.into(), "const");
    }
    if let Safety::Unsafe(token) = &sig.safety {
        refuse(token.span.into(), "unsafe");
    }
    if let Some(abi) = &sig.abi {
        refuse(abi.extern_token.span.into(), "extern");
    }
    if let Some(variadic) = &sig.variadic {
        let text = format!("{} cannot be variadic", role.a());
        errors.push(Range::of(variadic), text);
    }
}

fn asyncness(role: Role, sig: &Signature, errors: &mut Errors) {
    match (&sig.asyncness, role.must_not_wait()) {
        // What is `const` cannot be `async`: one mistake.
        (None, None) if sig.constness.is_none() => {
            let output = match &sig.output {
                ReturnType::Type(_, ty) => future(ty),
                ReturnType::Default => None,
            };
            let output = output.map_or_else(String::new, |output| format!(" -> {output}"));
            errors
                .push(
                    sig.fn_token.span,
                    format!("{} must be `async`", role.named(sig)),
                )
                .help(format!("`async fn {}(..){output}`", sig.ident));
        }
        (Some(token), Some(why)) => {
            errors
                .push(token.span, why)
                .help(format!("`fn {}(..)`", sig.ident));
        }
        _ => {}
    }
}

/// The lifetimes that the function names; types and constants are refused.
fn generics(role: Role, sig: &Signature, errors: &mut Errors) -> Vec<Lifetime> {
    let mut lifetimes = Vec::new();
    let mut picks = false;
    for param in &sig.generics.params {
        match param {
            GenericParam::Lifetime(param) => lifetimes.push(param.lifetime.clone()),
            GenericParam::Type(_) | GenericParam::Const(_) => picks = true,
        }
    }
    if picks {
        generic(role, Range::of(&sig.generics), errors);
    }
    lifetimes
}

fn generic(role: Role, at: Range, errors: &mut Errors) {
    let text = format!(
        "{} cannot be generic; the macro calls it, and picks no types",
        role.a()
    );
    errors.push(at, text);
}

fn param(
    role: Role,
    (place, arg): (usize, &FnArg),
    lifetimes: &[Lifetime],
    errors: &mut Errors,
) -> Option<Param> {
    let arg = match arg {
        FnArg::Typed(arg) => arg,
        FnArg::Receiver(receiver) => {
            errors
                .push(Range::of(receiver), format!("{} takes no `self`", role.a()))
                .help(match role {
                    Role::Handler | Role::BatchHandler => "what handlers share comes as `State<T>`",
                    Role::Hook(Kind::OnStart | Kind::Aws | Kind::Leases) => {
                        "`setup: Setup` has the arguments and the environment"
                    }
                    Role::Hook(Kind::Configure) => "`config: &mut AppConfig, setup: &Setup`",
                    Role::Hook(_) => "what `#[on_start]` returned comes as `State<T>`",
                });
            return None;
        }
    };
    let cfgs = conditions(role, place, arg, errors);
    let reference = match &*arg.ty {
        Type::Reference(reference) => Some(reference),
        _ => None,
    };
    let lent = reference.filter(|reference| !role.borrows(reference));
    let lent = lent.map(|reference| Range::from(reference.and_token.spans[0]));
    if let Some(at) = lent.or_else(|| sized(&arg.ty).map(|_| Range::of(&arg.ty))) {
        let params = match role {
            Role::Handler | Role::BatchHandler => "handler parameters are owned",
            Role::Hook(_) => "hook parameters are owned",
        };
        errors
            .push(at, params)
            .help(format!("`{}`", owned(role, arg)));
    } else if let Type::ImplTrait(_) = &*arg.ty {
        generic(role, Range::of(&arg.ty), errors);
    } else if let Some(span) = find_impl(arg.ty.to_token_stream()) {
        generic(role, span.into(), errors);
    }
    Some(Param {
        mutable: matches!(&*arg.ty, Type::Reference(reference) if reference.mutability.is_some()),
        ty: elide(arg.ty.to_token_stream(), lifetimes),
        lent: reference.map(|reference| elide(reference.elem.to_token_stream(), lifetimes)),
        reference: reference.map(|reference| reference.and_token.spans[0]),
        cfgs,
    })
}

/// The `#[cfg]`s of a parameter. A record or a setup that may be missing is no handler and no `#[configure]`.
fn conditions(role: Role, place: usize, arg: &PatType, errors: &mut Errors) -> Vec<TokenStream> {
    let needed = match role {
        Role::Handler | Role::BatchHandler => place == 0,
        Role::Hook(kind) => kind == Kind::Configure,
    };
    let mut cfgs = Vec::new();
    for attr in &arg.attrs {
        match attr.meta.require_list() {
            Ok(list) if list.path.is_ident("cfg") && !needed => cfgs.push(list.tokens.clone()),
            _ if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") => {
                let name = attr.path().to_token_stream();
                let text = match role {
                    Role::Handler | Role::BatchHandler if needed => {
                        format!("the record of a handler cannot have `#[{name}]`")
                    }
                    _ => format!("a parameter of {} cannot have `#[{name}]`", role.a()),
                };
                errors
                    .push(Range::of(attr), text)
                    .help("write two functions, each with its `#[cfg]`");
            }
            _ => {}
        }
    }
    cfgs
}

/// The parameter with an owned type in place of the reference.
fn owned(role: Role, arg: &PatType) -> String {
    let mut ty = &*arg.ty;
    while let Type::Reference(reference) = ty {
        ty = &reference.elem;
    }
    let ty = match (ty, tidy(ty).as_str()) {
        (_, "str") => "String".to_owned(),
        (_, "[u8]") => "Bytes".to_owned(),
        (Type::Slice(slice), _) => {
            let many = match role {
                Role::BatchHandler => "Batch",
                Role::Handler | Role::Hook(_) => "Vec",
            };
            format!("{many}<{}>", tidy(&slice.elem))
        }
        (_, other) => other.to_owned(),
    };
    format!("{}: {ty}", tidy(&arg.pat))
}

/// The parentheses of the parameters.
pub(crate) fn parentheses(sig: &Signature) -> Range {
    let span = sig.paren_token.span;
    Range {
        start: span.open(),
        end: span.close(),
    }
}

/// Where a result would stand: what stands in its place, or the end of the parameters.
pub(crate) fn after_parameters(sig: &Signature) -> Range {
    match &sig.output {
        ReturnType::Type(_, ty) => Range::of(ty),
        ReturnType::Default => sig.paren_token.span.close().into(),
    }
}
