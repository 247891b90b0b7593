//! The calls to the emulator itself, under `/_emulator/`.

use super::Running;
use super::http_service::plain;
use aws_smithy_types::body::SdkBody;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderValue, Method, Response, StatusCode};
use serde_json::json;

const PREFIX: &str = "/_emulator/";

const SERVICES: &[&str] = if cfg!(feature = "dynamodb") {
    &["kinesis", "dynamodb"]
} else {
    &["kinesis"]
};

/// `None` for what is not for the emulator itself.
pub(super) fn answer(running: &Running, method: &Method, path: &str) -> Option<Response<SdkBody>> {
    let call = path.strip_prefix(PREFIX)?;
    Some(match (call, method) {
        ("health", &Method::GET) => {
            let health = json!({
                "status": "ok",
                "version": env!("CARGO_PKG_VERSION"),
                "services": SERVICES,
            });
            let mut answer = plain(StatusCode::OK, health.to_string());
            let json = HeaderValue::from_static("application/json");
            answer.headers_mut().insert(CONTENT_TYPE, json);
            answer
        }
        ("reset", &Method::POST) => match running.reset() {
            Ok(()) => plain(StatusCode::NO_CONTENT, ""),
            Err(error) => plain(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
        },
        ("health", _) => wrong_method("GET"),
        ("reset", _) => wrong_method("POST"),
        _ => plain(
            StatusCode::NOT_FOUND,
            format!(
                "there is no `{path}`\nhelp: GET {PREFIX}health, or POST {PREFIX}reset to begin anew"
            ),
        ),
    })
}

fn wrong_method(right: &'static str) -> Response<SdkBody> {
    let mut answer = plain(StatusCode::METHOD_NOT_ALLOWED, format!("only {right}"));
    let right = HeaderValue::from_static(right);
    answer.headers_mut().insert(ALLOW, right);
    answer
}
