//! What a handler replied is stored, and its record is done then.

use super::outcome::{Outcome, Settled, Verdict};
use crate::{app::directory::Directory, permanent, publish::Outbox};

pub(super) async fn replies(mut outbox: Outbox, directory: &Directory) -> Settled {
    Settled(match outbox.store(directory).await {
        Ok(()) => Verdict::Outcome(Outcome::Done),
        Err(error) if error.is_final() => Verdict::failed(permanent(error)),
        Err(error) => Verdict::Unstored(outbox, error),
    })
}
