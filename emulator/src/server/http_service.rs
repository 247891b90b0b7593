//! From hyper's requests to the connector's, and back.

use super::Running;
use super::admin;
use crate::connector::route;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::service::Service;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

type BoxError = Box<dyn std::error::Error + Send + Sync>;
type Answered = Result<Response<SdkBody>, BoxError>;

/// The largest body that is read: the services' largest requests, 10 MiB of records and 16 MB of
/// items, are larger as base64 in JSON.
const BODY_BYTES: usize = 32 << 20;

#[derive(Clone, Debug)]
pub(super) struct HttpService {
    pub(super) running: Arc<Running>,
}

impl Service<Request<Incoming>> for HttpService {
    type Response = Response<SdkBody>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Answered> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        Box::pin(answer(Arc::clone(&self.running), request))
    }
}

/// An error ends the connection without an answer, as a reset does in process.
async fn answer(running: Arc<Running>, request: Request<Incoming>) -> Answered {
    if let Some(answer) = admin::answer(&running, request.method(), request.uri().path()) {
        return Ok(answer);
    }
    let (head, body) = request.into_parts();
    let body = match Limited::new(body, BODY_BYTES).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => {
            return Ok(plain(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("a body may have {BODY_BYTES} bytes"),
            ));
        }
        Err(error) => return Err(error),
    };
    let request = Request::from_parts(head, SdkBody::from(body));
    let request = match request.try_into() {
        Ok(request) => request,
        // Headers that are no text.
        Err(error) => return Ok(plain(StatusCode::BAD_REQUEST, format!("{error}"))),
    };
    let answer = route(&running.kinesis().core, "", request).await?;
    Ok(answer.try_into_http1x()?)
}

pub(super) fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response<SdkBody> {
    let mut answer = Response::new(SdkBody::from(text.into()));
    *answer.status_mut() = status;
    answer
}
