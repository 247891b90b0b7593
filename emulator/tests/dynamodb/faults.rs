//! What goes wrong on the way, as the SDK sees it.

use crate::common::*;
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextMut;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::{BoxError, SdkError};
use kinesis_app_emulator::dynamodb::{ErrorCode, Fault, FaultKind, Operation, Outcome};
use kinesis_app_emulator::{Kinesis, Skew};
use std::time::Duration;
use tokio::time::Instant;

const UPDATE: Operation = Operation::UpdateItem;

#[tokio::test(start_paused = true)]
async fn throttles_and_failures_have_the_services_names_and_change_nothing() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 1).await;
    let faults = [
        (
            FaultKind::Throttle,
            "ProvisionedThroughputExceededException",
        ),
        (FaultKind::InternalFailure, "InternalServerError"),
        (
            FaultKind::Refuse(ErrorCode::Throttling),
            "ThrottlingException",
        ),
        (
            FaultKind::Refuse(ErrorCode::RequestLimitExceeded),
            "RequestLimitExceeded",
        ),
    ];
    for (kind, name) in faults {
        tables.fault(Fault::new(UPDATE, kind));
        assert_eq!(code(beat(&client, "a", 1).await), name);
    }
    tables.fault(Fault::new(Operation::ListTables, FaultKind::Throttle));
    assert_eq!(
        code(client.list_tables().send().await),
        "ThrottlingException"
    );
    assert_eq!(counter(&client, "a", true).await, Some(1));
    beat(&client, "a", 1).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_sdk_retries_what_it_should() {
    let (kinesis, tables, client) = leases().await;
    put(&client, "a", 1).await;
    let retrying = kinesis.link("").dynamodb_client();
    for (n, kind) in [
        FaultKind::Throttle,
        FaultKind::InternalFailure,
        FaultKind::Reset,
        FaultKind::TruncatedBody,
    ]
    .into_iter()
    .enumerate()
    {
        tables.fault(Fault::new(Operation::GetItem, kind));
        let before = tables.calls(Operation::GetItem);
        assert_eq!(counter(&retrying, "a", true).await, Some(1));
        assert_eq!(tables.calls(Operation::GetItem) - before, 2, "fault {n}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_reset_is_not_carried_out() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 1).await;
    tables.fault(Fault::new(UPDATE, FaultKind::Reset));
    let met = beat(&client, "a", 1).await;
    assert!(matches!(met, Err(SdkError::DispatchFailure(_))), "{met:?}");
    assert_eq!(counter(&client, "a", true).await, Some(1));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_lost_was_carried_out() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 1).await;
    for (seen, kind) in [(1, FaultKind::AnswerLost), (2, FaultKind::TruncatedBody)] {
        tables.fault(Fault::new(UPDATE, kind));
        beat(&client, "a", seen).await.unwrap_err();
        assert_eq!(counter(&client, "a", true).await, Some(seen + 1));
    }
    // The retry of a lost write meets its own work.
    assert_eq!(
        code(beat(&client, "a", 2).await),
        "ConditionalCheckFailedException"
    );
    let outcomes: Vec<_> = tables
        .call_log()
        .into_iter()
        .filter(|call| call.operation == UPDATE)
        .map(|call| call.outcome)
        .collect();
    let refused = Outcome::Refused(ErrorCode::ConditionalCheckFailed);
    assert_eq!(
        outcomes,
        [Outcome::AnswerLost, Outcome::AnswerLost, refused]
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_ends_at_the_attempt_timeout_and_did_nothing() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 1).await;
    tables.fault(Fault::new(UPDATE, FaultKind::Hang));
    let start = Instant::now();
    let met = beat(&client, "a", 1).await;
    assert!(matches!(met, Err(SdkError::TimeoutError(_))), "{met:?}");
    assert_eq!(start.elapsed(), Duration::from_secs(10));
    assert_eq!(counter(&client, "a", true).await, Some(1));
    let log = tables.call_log();
    assert!(
        log.iter().any(|call| call.outcome == Outcome::Lost),
        "{log:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_delayed_answer_was_carried_out_at_once() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 1).await;
    tables.fault(Fault::new(UPDATE, FaultKind::Delay(Duration::from_secs(4))));
    let start = Instant::now();
    let read = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        counter(&client, "a", true).await
    };
    let (beaten, read) = tokio::join!(beat(&client, "a", 1), read);
    beaten.unwrap();
    assert_eq!(read, Some(2));
    assert_eq!(start.elapsed(), Duration::from_millis(4_010));
}

#[tokio::test(start_paused = true)]
async fn a_stalled_body_is_given_up_by_the_sdk() {
    let (_, tables, client) = leases().await;
    put(&client, "a", 1).await;
    let stall = FaultKind::StalledBody(Duration::from_mins(1));
    tables.fault(Fault::new(UPDATE, stall));
    let start = Instant::now();
    beat(&client, "a", 1).await.unwrap_err();
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(counter(&client, "a", true).await, Some(2));
}

#[tokio::test(start_paused = true)]
async fn a_client_whose_clock_is_wrong_is_refused_and_corrects_itself() {
    let behind = Skew::Behind(Duration::from_mins(10));
    let kinesis = Kinesis::builder().skew(behind).build();
    let once = crate::common::client(&kinesis.link(""));
    let refused = once.list_tables().send().await;
    assert_eq!(code(refused), "InvalidSignatureException");
    let retrying = kinesis.link("").dynamodb_client();
    retrying.list_tables().send().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_fault_strikes_the_row_and_the_link_that_it_names() {
    let (kinesis, tables, client) = leases().await;
    put(&client, "a", 1).await;
    put(&client, "b", 1).await;
    let (one, two) = (kinesis.link("one"), kinesis.link("two"));
    let (one, two) = (crate::common::client(&one), crate::common::client(&two));
    let fault = Fault::new(UPDATE, FaultKind::Reset).key("a").link("one");
    tables.fault(fault.table("leases").always());
    assert!(beat(&one, "b", 1).await.is_ok());
    assert!(beat(&two, "a", 1).await.is_ok());
    assert!(beat(&one, "a", 2).await.is_err());
    tables.clear_faults();
    assert!(beat(&one, "a", 2).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_cut_link_reaches_neither_tables_nor_streams() {
    let (kinesis, tables, client) = leases().await;
    kinesis.create_stream("orders", 1).unwrap();
    put(&client, "a", 1).await;
    let link = kinesis.link("one");
    let linked = crate::common::client(&link);
    link.cut();
    assert!(beat(&linked, "a", 1).await.is_err());
    let shards = link
        .client()
        .list_shards()
        .stream_name("orders")
        .send()
        .await;
    assert!(shards.is_err());
    assert!(beat(&client, "a", 1).await.is_ok());
    link.restore();
    // Cut after the request was carried out (5 ms) and before its answer (10 ms).
    let cut = async {
        tokio::time::sleep(Duration::from_millis(7)).await;
        link.cut();
    };
    let (met, ()) = tokio::join!(beat(&linked, "a", 2), cut);
    met.unwrap_err();
    assert_eq!(counter(&client, "a", true).await, Some(3));
    let log = tables.call_log();
    let outcomes = log.iter().filter(|call| call.link == "one");
    let outcomes: Vec<_> = outcomes.map(|call| call.outcome).collect();
    assert_eq!(outcomes, [Outcome::Lost, Outcome::AnswerLost]);
}

/// Gives the request another body before it is signed.
#[derive(Debug)]
struct Body(&'static str);

impl Intercept for Body {
    fn name(&self) -> &'static str {
        "Body"
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let request = context.request_mut();
        *request.body_mut() = self.0.into();
        let length = self.0.len().to_string();
        request.headers_mut().insert("content-length", length);
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_no_request_is_refused_and_still_meets_its_fault() {
    let (_, tables, client) = leases().await;
    for body in [
        "",
        "[]",
        "{",
        "null",
        r#"{"TableName":7,"Key":[]}"#,
        r#"{"TableName":"leases","Key":{"lease_key":{"S":1}}}"#,
        r#"{"TableName":"leases","Key":{"lease_key":{}},"UpdateExpression":{}}"#,
        r#"{"TransactItems":[1,{"Put":3}],"RequestItems":[],"TableName":"leases"}"#,
    ] {
        let call = || {
            let update = client.update_item().table_name("leases");
            update
                .key(KEY, text("a"))
                .customize()
                .interceptor(Body(body))
        };
        let refused = code(call().send().await);
        let expected = ["SerializationException", "ValidationException"];
        assert!(expected.contains(&refused.as_str()), "{body}: {refused}");
        tables.fault(Fault::new(UPDATE, FaultKind::Reset));
        let met = call().send().await;
        assert!(
            matches!(met, Err(SdkError::DispatchFailure(_))),
            "{body}: {met:?}"
        );
    }
    put(&client, "a", 1).await;
    assert_eq!(counter(&client, "a", true).await, Some(1));
}
