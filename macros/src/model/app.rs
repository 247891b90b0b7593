//! `#[kinesis_app(..)]`.

use kinesis_app_rules::length::Length;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Ident};

use crate::errors::Errors;
use crate::keys;
use crate::model::choice;
use crate::model::leases::{self, Leases};
use crate::model::rule::TextRule;
use crate::model::time::{self, Time};
use crate::model::value::{self, Need, Setting};
use crate::parse::args::{Entries, Entry};
use crate::spanned::Range;

pub(crate) struct App {
    pub(crate) name: Setting,
    pub(crate) region: Option<Setting>,
    pub(crate) endpoint: Option<Setting>,
    pub(crate) credentials: Credentials,
    pub(crate) owner_id: Option<Setting>,
    pub(crate) leases: Leases,
    /// `None`: the default of the rules.
    pub(crate) shutdown_timeout: Option<Time>,
    /// `None`: the default of the rules.
    pub(crate) prefetch: Option<Setting>,
    /// The keys that the `#[aws]` hook answers as well, where they were set.
    pub(crate) answered_by_aws: Vec<Ident>,
    /// The key `leases`, which the hook of that name answers as well, where it was set.
    pub(crate) answered_by_leases: Option<Ident>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credentials {
    Chain,
    Test,
}

/// The path of the runtime crate: `crate = ..`, or its usual name.
pub(crate) fn runtime(args: &mut Entries, errors: &mut Errors) -> TokenStream {
    let usual = quote!(::kinesis_app);
    let Some((key, entry)) = args.take("crate") else {
        return usual;
    };
    match value::equals(key, &entry, errors) {
        Some(Expr::Path(path)) if path.qself.is_none() => path.path.to_token_stream(),
        Some(other) => {
            errors
                .push(Range::of(other), "`crate` takes a path")
                .help("`crate = my_crate::kinesis_app`");
            usual
        }
        None => usual,
    }
}

impl App {
    pub(crate) fn read(attribute: Range, args: &mut Entries, errors: &mut Errors) -> Option<Self> {
        let mark = errors.mark();
        let mut answered_by_aws = Vec::new();
        let name = name(attribute, args, errors);
        let region = args.take("region").and_then(|found| {
            answered_by_aws.push(found.1.key.clone());
            value::text(found, TextRule::Region, Need::Optional, errors)
        });
        let endpoint = args.take("endpoint");
        let has_endpoint = endpoint.is_some() || args.mentions("endpoint");
        let endpoint = endpoint.and_then(|found| {
            answered_by_aws.push(found.1.key.clone());
            value::text(found, TextRule::Endpoint, Need::Optional, errors)
        });
        let credentials = args
            .take("credentials")
            .map_or(Credentials::Chain, |found| {
                answered_by_aws.push(found.1.key.clone());
                credentials(found, has_endpoint, errors)
            });
        let owner_id = args
            .take("owner_id")
            .and_then(|found| value::text(found, TextRule::OwnerId, Need::Optional, errors));
        let leases = args.take("leases");
        let answered_by_leases = leases.as_ref().map(|(_, entry)| entry.key.clone());
        let leases = leases.map_or(Some(Leases::DEFAULT), |found| leases::read(found, errors));
        let shutdown_timeout = args
            .take("shutdown_timeout")
            .and_then(|found| time::judged(found, Length::ShutdownTimeout, errors));
        let prefetch = args
            .take("prefetch")
            .and_then(|found| value::text(found, TextRule::Prefetch, Need::Optional, errors));
        errors.none_since(mark).then_some(())?;
        Some(Self {
            name: name?,
            region,
            endpoint,
            credentials,
            owner_id,
            leases: leases?,
            shutdown_timeout: shutdown_timeout.map(|timed| timed.time),
            prefetch,
            answered_by_aws,
            answered_by_leases,
        })
    }
}

fn name(attribute: Range, args: &mut Entries, errors: &mut Errors) -> Option<Setting> {
    if let Some(found) = args.take("name") {
        return value::text(found, TextRule::AppName, Need::Required, errors);
    }
    if !args.mentions("name") {
        errors
            .push(attribute, "`#[kinesis_app]` needs `name = \"..\"`")
            .note("the name keys the leases, so it must not change between deployments");
    }
    None
}

fn credentials(
    found: (&'static keys::Key, Entry),
    has_endpoint: bool,
    errors: &mut Errors,
) -> Credentials {
    let at = found.1.range();
    let choice = choice::list(found, "its kind", errors).and_then(|list| {
        choice::one(
            list,
            &keys::CREDENTIALS,
            "an app has one kind of credentials",
            errors,
        )
    });
    let Some((_, entry)) = choice else {
        return Credentials::Chain;
    };
    value::flag(&entry, errors);
    if !has_endpoint {
        errors
            .push(
                at,
                "`credentials(test)` without `endpoint` would send dummy keys to AWS",
            )
            .help("`endpoint = \"http://localhost:4566\"`");
    }
    Credentials::Test
}
