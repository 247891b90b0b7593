//! The messages of a subscription, framed as `application/vnd.amazon.eventstream`.
//!
//! The payloads are in the protocol of the request. The AWS SDKs use JSON here, also the one for
//! Java, whose other requests are in CBOR.

use super::writer::document;
use super::{Protocol, encode, page};
use crate::error::ServiceError;
use crate::service::Event;
use aws_smithy_eventstream::frame::write_message_to;
use aws_smithy_types::event_stream::{Header, HeaderValue, Message};

pub(crate) const EVENT_STREAM: &str = "application/vnd.amazon.eventstream";

/// What comes before the events: the answer itself, which has no members.
pub(crate) fn initial_response(protocol: Protocol) -> Vec<u8> {
    let payload = document(protocol, |_| {});
    message(
        protocol,
        "event",
        ":event-type",
        "initial-response",
        payload,
    )
}

pub(crate) fn event(protocol: Protocol, event: &Event) -> Vec<u8> {
    let payload = document(protocol, |body| {
        page::records(body, &event.records);
        // Absent, not null, at the end of a closed shard.
        body.text_if("ContinuationSequenceNumber", event.continuation.as_deref());
        body.integer("MillisBehindLatest", event.millis_behind);
        if !event.children.is_empty() {
            body.objects("ChildShards", &event.children, encode::child);
        }
    });
    message(
        protocol,
        "event",
        ":event-type",
        "SubscribeToShardEvent",
        payload,
    )
}

/// An error that ends the events.
pub(crate) fn exception(protocol: Protocol, error: &ServiceError) -> Vec<u8> {
    let payload = document(protocol, |body| body.text("message", error.message()));
    let name = error.code().as_str();
    message(protocol, "exception", ":exception-type", name, payload)
}

fn message(
    protocol: Protocol,
    kind: &'static str,
    named: &'static str,
    name: &'static str,
    payload: Vec<u8>,
) -> Vec<u8> {
    let header = |name: &'static str, value: &'static str| {
        Header::new(name, HeaderValue::String(value.into()))
    };
    let mut framed = Vec::with_capacity(payload.len() + 256);
    let message = Message::new(payload)
        .add_header(header(":message-type", kind))
        .add_header(header(named, name))
        .add_header(header(":content-type", protocol.content_type()));
    write_message_to(&message, &mut framed)
        .expect("a message of some records is shorter than 4 GiB");
    framed
}
