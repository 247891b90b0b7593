//! One request and its answer, with what goes wrong on the way.

use super::body::{collect, stalled, truncated};
use super::signature::Signature;
use super::subscription::{Events, Mishap};
use crate::Operation;
use crate::calls::{Call, CallId, Outcome};
use crate::clock::Skew;
use crate::error::{ErrorCode, ServiceError};
use crate::faults::{EventAt, EventFault, FaultKind, Struck};
use crate::hub::Core;
use crate::service::request::Request;
use crate::service::{Answer, Twist};
use crate::wire::{self, Protocol};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::date_time::{DateTime, Format};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until};

/// What a request meets.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    /// It is lost on its way in.
    Reset,
    Hang,
    /// The service answers with this, whatever was asked.
    Refused(ServiceError),
    /// It is carried out.
    Served {
        twist: Twist,
        back: Back,
    },
}

/// How an answer travels back.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Back {
    Whole,
    Late(Duration),
    Stalled(Duration),
    Truncated,
    Lost,
    /// As a whole, but for one event of those that follow.
    With(Mishap),
}

pub(super) async fn exchange(
    core: &Arc<Core>,
    link: &str,
    request: HttpRequest,
) -> Result<HttpResponse, ConnectorError> {
    let sent = Instant::now();
    let target = request.headers().get("x-amz-target").map(str::to_owned);
    let signature = Signature::of(&request);
    let protocol = Protocol::of_content_type(request.headers().get("content-type"));
    let body = collect(request.into_body()).await;
    let body = body.map_err(ConnectorError::io)?;

    let operation = target.as_deref().and_then(Operation::of_target);
    let decoded = check_signature(core, &signature)
        .and_then(|()| decode(protocol, operation, target.as_deref(), &body));
    let scope = decoded.as_ref().ok().map(|request| core.scope(request));
    let scope = scope.unwrap_or_default();
    let call = operation.map(|operation| Call {
        at: core.clock.now(),
        link: link.to_owned(),
        operation,
        stream: scope.stream.clone(),
        shards: scope.shards.clone(),
        records: 0,
        outcome: Outcome::Pending,
    });
    let mut ticket = Ticket {
        core,
        id: call.map(|call| core.begin(call)),
        records: 0,
        outcome: Outcome::Lost,
    };
    still_linked(core, link)?;
    let struck = operation.and_then(|operation| core.strike(operation, &scope, link));
    let fate = fate(operation, struck);
    if fate == Fate::Hang {
        pending::<()>().await;
    }
    wait_until(sent + core.latency / 2).await;
    still_linked(core, link)?;
    let (answer, back) = match (decoded, fate) {
        (_, Fate::Reset | Fate::Hang) => return Err(reset("connection reset by peer")),
        (_, Fate::Refused(error)) => (Err(error), Back::Whole),
        (Err(error), Fate::Served { back, .. }) => (Err(error), back),
        (Ok(request), Fate::Served { twist, back }) => {
            (core.answer(request, &scope, &twist, link), back)
        }
    };
    ticket.outcome = Outcome::AnswerLost;
    ticket.records = answer.as_ref().map_or(0, Answer::records);
    let late = match back {
        Back::Late(span) => span,
        _ => Duration::ZERO,
    };
    wait_until(sent + core.latency + late).await;
    still_linked(core, link)?;
    match back {
        Back::Lost => return Err(reset("connection reset by peer")),
        Back::Truncated => {}
        Back::Whole | Back::Late(_) | Back::Stalled(_) | Back::With(_) => {
            ticket.outcome = answer
                .as_ref()
                .map_or_else(|error| Outcome::Refused(error.code()), |_| Outcome::Ok);
        }
    }
    let call = ticket.id;
    drop(ticket);
    if let Ok(Answer::Subscribed(subscription)) = answer {
        let mishap = match &back {
            Back::With(mishap) => Some(mishap.clone()),
            Back::Truncated => Some(Mishap {
                at: EventAt::Number(0),
                fault: EventFault::Truncated,
            }),
            _ => None,
        };
        let late = match back {
            Back::Stalled(span) => span,
            _ => Duration::ZERO,
        };
        let events = Events::new(core, link, protocol, subscription, mishap, call, late);
        let body = SdkBody::from_body_1_x(events);
        return headed(core, 200, wire::EVENT_STREAM, body);
    }
    respond(core, protocol, &answer, &back)
}

pub(super) fn still_linked(core: &Core, link: &str) -> Result<(), ConnectorError> {
    if core.is_cut(link) {
        return Err(reset("the network is cut"));
    }
    Ok(())
}

/// Tokio's timers round up to a millisecond: without latency, each call would take one on a real
/// clock. Yielding instead lets others run between two calls of one task.
pub(super) async fn wait_until(time: Instant) {
    if time > Instant::now() {
        sleep_until(time).await;
    } else {
        yield_now().await;
    }
}

/// Writes the outcome into the log when the exchange ends, also when the caller gives it up.
struct Ticket<'a> {
    core: &'a Core,
    id: Option<CallId>,
    records: usize,
    outcome: Outcome,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.core.finish(id, self.records, self.outcome);
        }
    }
}

/// Times are compared where clients are known to go by this emulator's clock. Anybody else's clock
/// may show any time beside an emulated one.
pub(super) fn check_signature(core: &Core, signature: &Signature) -> Result<(), ServiceError> {
    signature.check()?;
    match core.skew {
        Skew::None => Ok(()),
        Skew::Ahead(_) | Skew::Behind(_) => signature.check_time(core.clock.moment()),
    }
}

fn decode(
    protocol: Protocol,
    operation: Option<Operation>,
    target: Option<&str>,
    body: &[u8],
) -> Result<Request, ServiceError> {
    let Some(operation) = operation else {
        let target = target.unwrap_or_default();
        let message = format!("`{target}` is no operation that this emulator serves.");
        return Err(ServiceError::new(ErrorCode::UnknownOperation, message));
    };
    wire::decode(protocol, operation, body)
}

fn fate(operation: Option<Operation>, struck: Option<Struck>) -> Fate {
    let served = |twist, back| Fate::Served { twist, back };
    let (Some(operation), Some(Struck { kind, shard })) = (operation, struck) else {
        return served(Twist::None, Back::Whole);
    };
    let error = match kind {
        FaultKind::Reset => return Fate::Reset,
        FaultKind::Hang => return Fate::Hang,
        FaultKind::Delay(span) => return served(Twist::None, Back::Late(span)),
        FaultKind::StalledBody(span) => return served(Twist::None, Back::Stalled(span)),
        FaultKind::TruncatedBody => return served(Twist::None, Back::Truncated),
        FaultKind::AnswerLost => return served(Twist::None, Back::Lost),
        FaultKind::Event(at, fault) => {
            return served(Twist::None, Back::With(Mishap { at, fault }));
        }
        FaultKind::EmptyPage => return served(Twist::EmptyPage, Back::Whole),
        FaultKind::Throttle => ServiceError::new(operation.throttle(), "Rate exceeded."),
        FaultKind::InternalFailure => {
            ServiceError::new(ErrorCode::InternalFailure, "Internal service failure.")
        }
        FaultKind::Refuse(code) => ServiceError::new(code, "Refused by an injected fault."),
    };
    match (operation, shard) {
        (Operation::PutRecords, Some(shard)) => {
            served(Twist::FailEntries { shard, error }, Back::Whole)
        }
        _ => Fate::Refused(error),
    }
}

fn respond(
    core: &Core,
    protocol: Protocol,
    answer: &Result<Answer, ServiceError>,
    back: &Back,
) -> Result<HttpResponse, ConnectorError> {
    let (status, bytes) = match answer {
        Ok(answer) => (200, wire::encode(protocol, answer)),
        Err(error) => (
            error.code().http_status(),
            wire::encode_error(protocol, error),
        ),
    };
    let body = match back {
        Back::Stalled(span) => stalled(bytes, *span),
        Back::Truncated => truncated(bytes),
        Back::Whole | Back::Late(_) | Back::Lost | Back::With(_) => SdkBody::from(bytes),
    };
    headed(core, status, protocol.content_type(), body)
}

fn headed(
    core: &Core,
    status: u16,
    content_type: &'static str,
    body: SdkBody,
) -> Result<HttpResponse, ConnectorError> {
    let status =
        StatusCode::try_from(status).map_err(|error| ConnectorError::other(error.into(), None))?;
    let mut response = HttpResponse::new(status, body);
    let headers = response.headers_mut();
    headers.insert("content-type", content_type);
    headers.insert("x-amzn-requestid", core.request_id());
    // The SDK corrects its clock by this header: it must come from the clock that it signs with.
    let date = DateTime::from(core.clock.now()).fmt(Format::HttpDate);
    if let Ok(date) = date {
        headers.insert("date", date);
    }
    Ok(response)
}

pub(super) fn reset(what: &'static str) -> ConnectorError {
    ConnectorError::io(connection_reset(what).into())
}

pub(super) fn connection_reset(what: &'static str) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::ConnectionReset, what)
}
