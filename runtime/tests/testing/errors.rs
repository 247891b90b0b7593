//! A handler's error may be whatever the application uses: `anyhow`'s, `eyre`'s, text, or an enum of its own.

use anyhow::Context;
use kinesis_app::{prelude::*, testing::Handler};

#[derive(Debug, thiserror::Error)]
enum BookingError {
    #[error("the ledger is busy")]
    Busy,
    #[error("account `{0}` is closed")]
    Closed(String),
}

/// Each handler fails in its own way, once.
#[kinesis_app(name = "errors", leases(memory))]
mod app {
    use super::*;

    #[stream(name = "anyhow", codec(Raw))]
    pub(crate) struct Anyhow;
    #[stream(name = "eyre", codec(Raw))]
    pub(crate) struct Eyre;
    #[stream(name = "string", codec(Raw))]
    pub(crate) struct Text;
    #[stream(name = "str", codec(Raw))]
    pub(crate) struct Words;

    #[on_record(Anyhow)]
    async fn anyhow(_record: Bytes, attempt: Attempt) -> anyhow::Result<()> {
        anyhow::ensure!(attempt.get() > 1, "no luck");
        Ok(())
    }

    #[on_record(Eyre)]
    async fn eyre(_record: Bytes, attempt: Attempt) -> eyre::Result<Outcome> {
        eyre::ensure!(attempt.get() > 1, "no luck");
        Ok(Outcome::Done)
    }

    #[on_record(Text)]
    async fn text(_record: Bytes, attempt: Attempt) -> Result<(), String> {
        match attempt.get() {
            1 => Err(format!("no {}", "luck")),
            _ => Ok(()),
        }
    }

    #[on_record(Words)]
    async fn words(_record: Bytes, attempt: Attempt) -> Result<Outcome, &'static str> {
        match attempt.get() {
            1 => Err("no luck"),
            _ => Ok(Outcome::Done),
        }
    }
}

/// Each handler fails for good, which its error says.
#[kinesis_app(name = "permanent", leases(memory))]
mod permanently {
    use super::*;

    #[stream(name = "anyhow", codec(Raw))]
    pub(crate) struct Anyhow;
    #[stream(name = "enum", codec(Raw))]
    pub(crate) struct Enum;
    #[stream(name = "context", codec(Raw))]
    pub(crate) struct WithContext;
    #[stream(name = "eyre", codec(Raw))]
    pub(crate) struct Eyre;

    #[on_record(Anyhow, retry(forever), exhausted(skip))]
    async fn anyhow(_record: Bytes) -> Result<(), kinesis_app::Permanent> {
        let error = anyhow::anyhow!("account `ada` is closed");
        Err(permanent(error.context("not booked")))
    }

    #[on_record(Enum, retry(forever), exhausted(skip))]
    async fn of_enum(_record: Bytes, attempt: Attempt) -> anyhow::Result<()> {
        match attempt.get() {
            1 => Err(BookingError::Busy)?,
            _ => Err(permanent(BookingError::Closed("ada".into())))?,
        }
        Ok(())
    }

    #[on_record(WithContext, retry(forever), exhausted(skip))]
    async fn with_context(_record: Bytes) -> anyhow::Result<()> {
        Err(permanent(BookingError::Closed("ada".into()))).context("not booked")
    }

    #[on_record(Eyre, retry(forever), exhausted(skip))]
    async fn eyre(_record: Bytes) -> eyre::Result<()> {
        let closed = permanent(BookingError::Closed("ada".into()));
        Err(eyre::Report::new(closed).wrap_err("not booked"))
    }
}

/// What becomes of one record.
async fn once<S: Stream>(app: &TestApp) -> Handler {
    app.inject::<S>("a record".keyed("ada")).await;
    app.settled().await;
    app.handler::<S>()
}

#[tokio::test(start_paused = true)]
async fn every_kind_of_error_is_tried_again_and_shown_in_its_words() {
    let app = TestApp::start(app::App).await;
    for handler in [
        once::<app::Anyhow>(&app).await,
        once::<app::Eyre>(&app).await,
        once::<app::Text>(&app).await,
        once::<app::Words>(&app).await,
    ] {
        handler.assert_retried(1).assert_done(1);
        assert_eq!(handler.last_error(), Some("no luck"));
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_permanent_is_given_up_on_at_once_below_any_wrapper() {
    let app = TestApp::start(permanently::App).await;
    for handler in [
        once::<permanently::Anyhow>(&app).await,
        once::<permanently::WithContext>(&app).await,
        once::<permanently::Eyre>(&app).await,
    ] {
        handler.assert_retried(0).assert_skipped(1);
    }
    let busy_first = once::<permanently::Enum>(&app).await;
    busy_first.assert_retried(1).assert_skipped(1);
    assert_eq!(busy_first.last_error(), Some("the ledger is busy"));
}
