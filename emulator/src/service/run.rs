//! Dry runs: the checks of a request without the deed.

use super::Moment;
use super::bucket::Bucket;
use crate::error::{ErrorCode, ServiceError};

/// Whether a request is carried out, or only checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    Real,
    Dry,
}

impl Run {
    pub(crate) fn of(dry_run: Option<bool>) -> Self {
        match dry_run {
            Some(true) => Self::Dry,
            Some(false) | None => Self::Real,
        }
    }

    /// Where a dry run ends: after all that could refuse a real one, before all that shows.
    pub(super) fn go_on(self) -> Result<(), ServiceError> {
        match self {
            Self::Real => Ok(()),
            Self::Dry => Err(ServiceError::new(
                ErrorCode::DryRunOperation,
                "The request was rejected because the DryRun parameter was specified.",
            )),
        }
    }

    /// Counts one call. Whether the service counts dry ones is not documented; here they find out
    /// what a rate would refuse, and leave it as it was.
    pub(super) fn count(self, calls: &mut Bucket, now: Moment) -> bool {
        match self {
            Self::Real => calls.take(1, now),
            Self::Dry => calls.covers(1, now),
        }
    }
}
