//! One request to DynamoDB and its answer, with what goes wrong on the way.

use super::body::{collect, stalled, truncated};
use super::exchange::{check_signature, reset, still_linked, wait_until};
use super::signature::Signature;
use crate::dynamodb::{
    Asked, Call, CallId, Capacity, ErrorCode, FaultKind, Operation, Outcome, Refusal, Reply, Scope,
    TARGET_PREFIX,
};
use crate::hub::Core;
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::date_time::{DateTime, Format};
use serde_json::Value;
use std::future::pending;
use std::time::Duration;
use tokio::time::Instant;

const CONTENT_TYPE: &str = "application/x-amz-json-1.0";

const THROTTLED: &str = "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.";

/// How an answer travels back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Back {
    Whole,
    Late(Duration),
    Stalled(Duration),
    Truncated,
    Lost,
}

pub(super) fn is_for(request: &HttpRequest) -> bool {
    let target = request.headers().get("x-amz-target");
    target.is_some_and(|target| target.starts_with(TARGET_PREFIX))
}

pub(super) async fn exchange(
    core: &Core,
    link: &str,
    request: HttpRequest,
) -> Result<HttpResponse, ConnectorError> {
    let sent = Instant::now();
    let target = request.headers().get("x-amz-target").map(str::to_owned);
    let signature = Signature::of(&request);
    let body = collect(request.into_body()).await;
    let body = body.map_err(ConnectorError::io)?;

    let operation = target.as_deref().and_then(Operation::of_target);
    let asked = read(core, &signature, operation, &body);
    let scope = asked.as_ref().ok().map(|asked| core.tables.scope(asked));
    let scope = scope.unwrap_or_default();
    let mut ticket = Ticket::begin(core, link, operation, &scope);
    still_linked(core, link)?;
    let fault = operation.and_then(|operation| {
        let kind = core.tables.strike(operation, &scope, link)?;
        Some((operation, kind))
    });
    if matches!(fault, Some((_, FaultKind::Hang))) {
        pending::<()>().await;
    }
    wait_until(sent + core.latency / 2).await;
    still_linked(core, link)?;
    let Some((answer, back)) = arrive(core, link, &mut ticket, asked, fault) else {
        return Err(reset("connection reset by peer"));
    };
    ticket.outcome = Outcome::AnswerLost;
    let late = match back {
        Back::Late(span) => span,
        _ => Duration::ZERO,
    };
    wait_until(sent + core.latency + late).await;
    still_linked(core, link)?;
    match back {
        Back::Lost => return Err(reset("connection reset by peer")),
        Back::Truncated => {}
        Back::Whole | Back::Late(_) | Back::Stalled(_) => {
            ticket.outcome = match &answer {
                Ok(_) => Outcome::Ok,
                Err(refusal) => Outcome::Refused(refusal.code),
            };
        }
    }
    drop(ticket);
    respond(core, answer, back)
}

fn read(
    core: &Core,
    signature: &Signature,
    operation: Option<Operation>,
    body: &[u8],
) -> Result<Asked, Refusal> {
    // Both services stand behind one check of signatures, and word it alike.
    check_signature(core, signature).map_err(|error| {
        Refusal::new(ErrorCode::of_type(error.code().as_str()), error.message())
    })?;
    let Some(operation) = operation else {
        return Err(Refusal::new(ErrorCode::UnknownOperation, ""));
    };
    core.tables.read(operation, body)
}

/// The service's answer and how it travels; `None` for a request that does not arrive.
fn arrive(
    core: &Core,
    link: &str,
    ticket: &mut Ticket<'_>,
    asked: Result<Asked, Refusal>,
    fault: Option<(Operation, FaultKind)>,
) -> Option<(Result<Value, Refusal>, Back)> {
    let refused = |code, message| Some((Err(Refusal::new(code, message)), Back::Whole));
    let (lag, back) = match fault {
        None => (None, Back::Whole),
        Some((operation, kind)) => match kind {
            FaultKind::Reset | FaultKind::Hang => return None,
            FaultKind::Late(late) => {
                if let Ok(asked) = asked {
                    core.tables.answer_later(asked, late, link);
                    ticket.outcome = Outcome::AnswerLost;
                }
                return None;
            }
            FaultKind::Throttle => return refused(operation.throttle(), THROTTLED),
            FaultKind::InternalFailure => {
                return refused(ErrorCode::InternalServerError, "Internal server error");
            }
            FaultKind::Refuse(error) => return refused(error, "Refused by an injected fault."),
            FaultKind::Stale(lag) => (Some(lag), Back::Whole),
            FaultKind::Delay(span) => (None, Back::Late(span)),
            FaultKind::StalledBody(span) => (None, Back::Stalled(span)),
            FaultKind::TruncatedBody => (None, Back::Truncated),
            FaultKind::AnswerLost => (None, Back::Lost),
        },
    };
    let asked = match asked {
        Ok(asked) => asked,
        Err(refusal) => return Some((Err(refusal), back)),
    };
    let operation = asked.operation;
    let Reply { answer, consumed } = core.tables.answer(asked, lag, link);
    ticket.consume(operation, &consumed);
    Some((answer, back))
}

fn respond(
    core: &Core,
    answer: Result<Value, Refusal>,
    back: Back,
) -> Result<HttpResponse, ConnectorError> {
    let (status, body) = match answer {
        Ok(answer) => (200, answer),
        Err(refusal) => (refusal.code.http_status(), refusal.body),
    };
    let bytes = body.to_string().into_bytes();
    let body = match back {
        Back::Stalled(span) => stalled(bytes, span),
        Back::Truncated => truncated(bytes),
        Back::Whole | Back::Late(_) | Back::Lost => SdkBody::from(bytes),
    };
    let status =
        StatusCode::try_from(status).map_err(|error| ConnectorError::other(error.into(), None))?;
    let mut response = HttpResponse::new(status, body);
    let headers = response.headers_mut();
    headers.insert("content-type", CONTENT_TYPE);
    headers.insert("x-amzn-requestid", core.request_id());
    // The SDK corrects its clock by this header: it must come from the clock that it signs with.
    if let Ok(date) = DateTime::from(core.clock.now()).fmt(Format::HttpDate) {
        headers.insert("date", date);
    }
    Ok(response)
}

/// Writes the outcome into the log when the exchange ends, also when the caller gives it up.
struct Ticket<'a> {
    core: &'a Core,
    id: Option<CallId>,
    outcome: Outcome,
}

impl<'a> Ticket<'a> {
    fn begin(core: &'a Core, link: &str, operation: Option<Operation>, scope: &Scope) -> Self {
        let call = operation.map(|operation| Call {
            at: core.clock.now(),
            link: link.to_owned(),
            operation,
            tables: scope.tables.clone(),
            key: scope.key.clone(),
            consumed: Capacity::default(),
            outcome: Outcome::Pending,
        });
        Self {
            core,
            id: call.map(|call| core.tables.begin(call)),
            outcome: Outcome::Lost,
        }
    }

    fn consume(&self, operation: Operation, consumed: &[(String, Capacity)]) {
        if let Some(id) = self.id {
            self.core.tables.consume(id, operation, consumed);
        }
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.core.tables.finish(id, self.outcome);
        }
    }
}
