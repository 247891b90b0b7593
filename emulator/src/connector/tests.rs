//! Requests that no SDK of this language makes, at the connector itself.

mod arns;
mod fuzz;
#[cfg(feature = "dynamodb")]
mod fuzz_tables;
mod protocols;

use super::{EmulatorConnector, EmulatorHttpClient};
use crate::wire::EVENT_STREAM;
use crate::{Kinesis, Operation};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorSettings};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body_util::BodyExt;
use std::sync::Arc;

const JSON: &str = "application/x-amz-json-1.1";
const CBOR: &str = "application/x-amz-cbor-1.1";

struct Answered {
    status: u16,
    content_type: String,
    body: Bytes,
}

/// The headers that a client of the service sends.
fn headers(operation: Operation, content_type: &str) -> Vec<(String, String)> {
    signed(
        &format!("Kinesis_20131202.{}", operation.as_str()),
        content_type,
    )
}

fn signed(target: &str, content_type: &str) -> Vec<(String, String)> {
    let signature = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/kinesis/aws4_request";
    [
        ("content-type", content_type),
        ("x-amz-target", target),
        ("authorization", signature),
        ("x-amz-date", "20260101T000000Z"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

async fn post(kinesis: &Kinesis, headers: &[(String, String)], body: Vec<u8>) -> Answered {
    let mut request = HttpRequest::new(SdkBody::from(body));
    request.set_method("POST").unwrap();
    for (name, value) in headers {
        // A header that HTTP itself forbids never gets on its way.
        let _ = request
            .headers_mut()
            .try_append(name.clone(), value.clone());
    }
    let connector = EmulatorConnector {
        client: EmulatorHttpClient {
            core: Arc::clone(&kinesis.core),
            link: "".into(),
        },
        settings: HttpConnectorSettings::builder().build(),
    };
    let response = connector.call(request).await.expect("it is answered");
    let header = |name| response.headers().get(name).unwrap_or_default().to_owned();
    let (status, content_type) = (response.status().as_u16(), header("content-type"));
    let mut body = response.into_body();
    let body = match content_type.as_str() {
        // Its end is minutes away.
        EVENT_STREAM => body.frame().await.unwrap().unwrap().into_data().unwrap(),
        _ => body.collect().await.unwrap().to_bytes(),
    };
    Answered {
        status,
        content_type,
        body,
    }
}
