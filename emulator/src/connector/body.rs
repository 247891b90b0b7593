//! Bodies that stall or break off.

use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

pub(super) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Reads a request's body to its end.
///
/// The SDK watches the upload by the polls of the body. A shortcut through `SdkBody::bytes` would
/// leave that watch running, and it kills every answer that takes longer than about 5.9 seconds.
pub(super) async fn collect(body: SdkBody) -> Result<Bytes, BoxError> {
    Ok(body.collect().await?.to_bytes())
}

/// The whole body, `span` after the headers.
pub(super) fn stalled(bytes: Vec<u8>, span: Duration) -> SdkBody {
    SdkBody::from_body_1_x(Stalled {
        until: Box::pin(sleep_until(Instant::now() + span)),
        bytes: Some(bytes.into()),
    })
}

struct Stalled {
    until: Pin<Box<Sleep>>,
    bytes: Option<Bytes>,
}

impl Body for Stalled {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        std::task::ready!(self.until.as_mut().poll(context));
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// The first half of the body, then a reset.
pub(super) fn truncated(bytes: Vec<u8>) -> SdkBody {
    let whole = Bytes::from(bytes);
    let half = whole.slice(..whole.len() / 2);
    SdkBody::from_body_1_x(Truncated {
        announced: whole.len() as u64,
        half: Some(half),
        reset: false,
    })
}

struct Truncated {
    announced: u64,
    half: Option<Bytes>,
    reset: bool,
}

impl Body for Truncated {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Some(half) = self.half.take() {
            return Poll::Ready(Some(Ok(Frame::data(half))));
        }
        let first = !std::mem::replace(&mut self.reset, true);
        Poll::Ready(first.then(|| Err("connection reset in the middle of the body".into())))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.announced)
    }
}
