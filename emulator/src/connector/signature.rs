//! Whether a request is signed, and whether its signature is of this time.
//!
//! The signature itself is not verified: any credentials will do.

use crate::error::{ErrorCode, ServiceError};
use crate::limits::SIGNATURE_TOLERANCE;
use crate::service::Moment;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::date_time::{DateTime, Format};
use std::time::SystemTime;

/// What a request's head says about its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Signature {
    Missing,
    /// As `x-amz-date` has it: `20260101T000000Z`.
    Signed {
        at: String,
    },
}

impl Signature {
    pub(super) fn of(request: &HttpRequest) -> Self {
        let header = |name| request.headers().get(name);
        match header("authorization") {
            Some(text) if text.starts_with("AWS4-HMAC-SHA256 ") => Self::Signed {
                at: header("x-amz-date").unwrap_or_default().to_owned(),
            },
            _ => Self::Missing,
        }
    }

    pub(super) fn check(&self) -> Result<(), ServiceError> {
        match self {
            Self::Signed { .. } => Ok(()),
            Self::Missing => Err(ServiceError::new(
                ErrorCode::MissingAuthenticationToken,
                "Missing Authentication Token",
            )),
        }
    }

    /// Whether it was made close enough to `now`. A time that cannot be read is none.
    pub(super) fn check_time(&self, now: Moment) -> Result<(), ServiceError> {
        let Self::Signed { at } = self else {
            return Ok(());
        };
        let refused = |words| Err(ServiceError::new(ErrorCode::InvalidSignature, words));
        let Some(signed) = parse(at) else {
            return refused(format!("Signature without a time: `{at}`."));
        };
        let (earliest, latest) = (
            now.minus(SIGNATURE_TOLERANCE),
            now.plus(SIGNATURE_TOLERANCE),
        );
        if signed < earliest {
            return refused(format!(
                "Signature expired: {at} is now earlier than {} ({} - 5 min.)",
                show(earliest),
                show(now)
            ));
        }
        if signed > latest {
            return refused(format!(
                "Signature not yet current: {at} is still later than {} ({} + 5 min.)",
                show(latest),
                show(now)
            ));
        }
        Ok(())
    }
}

fn parse(text: &str) -> Option<Moment> {
    let part = |range| text.get(range);
    let extended = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0..4)?,
        part(4..6)?,
        part(6..8)?,
        part(9..11)?,
        part(11..13)?,
        part(13..15)?
    );
    let framed = part(8..9)? == "T" && text.get(15..)? == "Z";
    let time = DateTime::from_str(&extended, Format::DateTime).ok()?;
    framed.then(|| SystemTime::try_from(time).ok().map(Moment::from))?
}

fn show(moment: Moment) -> String {
    let time = DateTime::from_secs(i64::try_from(moment.seconds()).unwrap_or(i64::MAX));
    let text = time.fmt(Format::DateTime).unwrap_or_default();
    text.replace(['-', ':'], "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(at: &str, seconds: i64) -> Option<ErrorCode> {
        let noon = 1_767_268_800_i64;
        let now = Moment::from_millis(u64::try_from((noon + seconds) * 1_000).unwrap());
        let signature = Signature::Signed { at: at.to_owned() };
        signature.check_time(now).err().map(|error| error.code())
    }

    #[test]
    fn five_minutes_either_way_are_borne() {
        let invalid = Some(ErrorCode::InvalidSignature);
        for seconds in [0, 300, -300] {
            assert_eq!(check("20260101T120000Z", seconds), None, "{seconds}");
        }
        for seconds in [301, -301, 86_400] {
            assert_eq!(check("20260101T120000Z", seconds), invalid, "{seconds}");
        }
    }

    #[test]
    fn a_time_that_is_none_is_refused() {
        for at in [
            "",
            "20260101",
            "20260101T120000",
            "2026-01-01T12:00:00Z",
            "20261301T120000Z",
        ] {
            assert_eq!(check(at, 0), Some(ErrorCode::InvalidSignature), "{at}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_back(seconds in 0..253_402_300_800_u64) {
            let moment = Moment::from_millis(seconds * 1_000);
            prop_assert_eq!(parse(&show(moment)), Some(moment));
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in ".*") {
            let _ = parse(&text);
        }
    }
}
