//! What a check is, and what it answers.

use crate::subject::Subject;
use aws_sdk_kinesis::config::http::HttpResponse;
use aws_sdk_kinesis::error::{ProvideErrorMetadata, SdkError};
use std::fmt::{Debug, Display};
use std::future::Future;
use std::pin::Pin;
use tokio::task::JoinSet;

/// A promise of the documentation, and how to see whether it is kept.
pub(crate) struct Check {
    /// The promise.
    pub(crate) name: &'static str,
    /// Where the documentation makes it, and in which words.
    pub(crate) rule: &'static str,
    /// What is seen at ours instead, as long as ours does not keep it.
    pub(crate) owed: Option<&'static str>,
    pub(crate) run: for<'a> fn(&'a Subject) -> Pin<Box<dyn Future<Output = Verdict> + 'a>>,
}

/// Kept, or what was seen instead.
pub(crate) type Verdict = Result<(), Seen>;

#[derive(Debug)]
pub(crate) struct Seen(pub(crate) String);

impl Seen {
    pub(crate) fn instead<T>(text: impl Display) -> Result<T, Self> {
        Err(Self(text.to_string()))
    }
}

impl<E: ProvideErrorMetadata> From<SdkError<E, HttpResponse>> for Seen {
    fn from(error: SdkError<E, HttpResponse>) -> Self {
        Self(format!("{} {}", operation::<E>(), answer(&error)))
    }
}

/// The operation that ends in this error: the type of `GetRecordsError` names it.
fn operation<E>() -> &'static str {
    let path = std::any::type_name::<E>();
    let name = path.rsplit("::").next().unwrap_or(path);
    name.strip_suffix("Error").unwrap_or(name)
}

fn answer<E: ProvideErrorMetadata>(error: &SdkError<E, HttpResponse>) -> String {
    match error {
        SdkError::ServiceError(met) => {
            let (code, status) = (met.err().code(), met.raw().status().as_u16());
            match (code, status) {
                (Some(code), 400) => format!("answers `{code}`"),
                (Some(code), status) => format!("answers `{code}` with HTTP status {status}"),
                (None, status) => format!("answers HTTP status {status} without a code"),
            }
        }
        SdkError::TimeoutError(_) => "does not answer in time".to_owned(),
        SdkError::ResponseError(met) => {
            let status = met.raw().status().as_u16();
            format!("answers HTTP status {status} that the SDK cannot read")
        }
        _ => "is not answered".to_owned(),
    }
}

/// What the API model and the API reference between them allow for bad input: the service checks the
/// constraints of the model first, and the reference does not say which of the two comes when.
pub(crate) const BAD_INPUT: &[&str] = &["InvalidArgumentException", "ValidationException"];
pub(crate) const NOT_FOUND: &[&str] = &["ResourceNotFoundException"];

/// The call is refused with HTTP status 400 and one of the codes.
pub(crate) fn refused<T, E: ProvideErrorMetadata>(
    met: Result<T, SdkError<E, HttpResponse>>,
    codes: &[&str],
) -> Verdict {
    let operation = operation::<E>();
    let Err(error) = met else {
        return Seen::instead(format!("{operation} accepts it"));
    };
    if let SdkError::ServiceError(met) = &error
        && met.raw().status().as_u16() == 400
        && met.err().code().is_some_and(|code| codes.contains(&code))
    {
        return Ok(());
    }
    Err(error.into())
}

/// Sends so many calls at one moment: how many are refused with
/// the code. However slowly they are answered then,
/// the service refuses what comes at once; it does not let it wait.
pub(crate) async fn refused_at_once<T, E, F>(
    calls: usize,
    call: impl Fn() -> F,
    code: &str,
) -> Result<usize, Seen>
where
    F: Future<Output = Result<T, SdkError<E, HttpResponse>>> + Send + 'static,
    T: Send + 'static,
    E: ProvideErrorMetadata + Send + 'static,
{
    let mut set = JoinSet::new();
    for _ in 0..calls {
        set.spawn(call());
    }
    let mut refused = 0;
    for met in set.join_all().await {
        match met {
            Err(error) if error.code() == Some(code) => refused += 1,
            met => drop(met?),
        }
    }
    Ok(refused)
}

pub(crate) fn equal<T: PartialEq + Debug>(what: &str, seen: &T, promised: &T) -> Verdict {
    if seen == promised {
        return Ok(());
    }
    Seen::instead(format!("{what}: `{seen:?}`, not `{promised:?}`"))
}

pub(crate) fn holds(promise: bool, otherwise: impl Display) -> Verdict {
    if promise {
        return Ok(());
    }
    Seen::instead(otherwise)
}

/// What must be there.
pub(crate) fn there<T>(value: Option<T>, what: &str) -> Result<T, Seen> {
    value.ok_or_else(|| Seen(format!("no {what}")))
}

/// The checks of a module, each with its rule, and a test that ours passes it.
macro_rules! checks {
    ($($name:ident: $rule:literal $(, owed: $owed:literal)?;)+) => {
        pub(crate) const CHECKS: &[$crate::check::Check] = &[$($crate::check::Check {
            name: stringify!($name),
            rule: $rule,
            owed: [$($owed,)?].first().copied(),
            run: |kinesis| Box::pin($name(kinesis)),
        }),+];

        mod ours {
            $(#[tokio::test(start_paused = true)]
            async fn $name() {
                $crate::ours::keeps(super::CHECKS, stringify!($name)).await;
            })+
        }
    };
}
pub(crate) use checks;
