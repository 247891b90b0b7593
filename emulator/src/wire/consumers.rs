//! The requests about consumers with enhanced fan-out.

use super::check::{self, required};
use super::decode::Decoded;
use super::input::{
    ConsumerInput, DeleteStreamInput, ListConsumersInput, RegisterConsumerInput, StartingPosition,
    SubscribeInput,
};
use super::{settings, tags};
use crate::error::ServiceError;
use crate::limits;
use crate::service::fanout::ConsumerRequest;
use crate::service::registry::{ConsumerDeletion, ConsumerRef, ConsumersFrom};
use crate::service::request::{Request, Start};
use crate::service::run::Run;

pub(super) fn delete_stream(input: DeleteStreamInput) -> Decoded<Request> {
    Ok(Request::DeleteStream {
        stream: check::stream(input.stream)?,
        consumers: match input.enforce_consumer_deletion {
            Some(true) => ConsumerDeletion::Enforced,
            Some(false) | None => ConsumerDeletion::Refused,
        },
    })
}

pub(super) fn register(input: RegisterConsumerInput) -> Decoded<Request> {
    let stream = settings::by_arn(input.stream_arn)?;
    let name = check::name(
        required(input.consumer_name, "consumerName")?,
        "consumerName",
    )?;
    let tags = input.tags.map(|tags| tags::new(tags, &name)).transpose()?;
    Ok(Request::Consumer(ConsumerRequest::Register {
        stream,
        name,
        tags: tags.unwrap_or_default(),
    }))
}

pub(super) fn reference(input: ConsumerInput) -> Decoded<ConsumerRef> {
    let stream = input.stream_arn.map(check::arn).transpose()?;
    let name = input.consumer_name;
    let name = name
        .map(|name| check::name(name, "consumerName"))
        .transpose()?;
    let arn = input.consumer_arn.map(check::consumer_arn).transpose()?;
    match (arn, stream, name) {
        (Some(arn), stream, name) => Ok(ConsumerRef::Arn { arn, stream, name }),
        (None, Some(stream), Some(name)) => Ok(ConsumerRef::Named { stream, name }),
        (None, ..) => Err(ServiceError::invalid(
            "Either ConsumerARN, or both StreamARN and ConsumerName should be provided.",
        )),
    }
}

pub(super) fn subscribe(input: SubscribeInput) -> Decoded<Request> {
    let arn = check::consumer_arn(required(input.consumer_arn, "consumerARN")?)?;
    let shard = check::name(required(input.shard_id, "shardId")?, "shardId")?;
    let start = start(required(input.starting_position, "startingPosition")?)?;
    Ok(Request::Consumer(ConsumerRequest::Subscribe {
        consumer: ConsumerRef::Arn {
            arn,
            stream: None,
            name: None,
        },
        shard,
        start,
        run: Run::of(input.dry_run),
    }))
}

fn start(input: StartingPosition) -> Decoded<Start> {
    let at = "startingPosition.type";
    let kind = required(input.kind, at)?;
    let number = input
        .sequence_number
        .map(|text| check::sequence_number(text, "startingPosition.sequenceNumber"))
        .transpose()?;
    let time = input
        .timestamp
        .map(|time| check::timestamp(time, "startingPosition.timestamp"))
        .transpose()?;
    match (kind.as_str(), number, time) {
        ("TRIM_HORIZON", None, None) => Ok(Start::TrimHorizon),
        ("LATEST", None, None) => Ok(Start::Latest),
        ("AT_SEQUENCE_NUMBER", Some(number), None) => Ok(Start::AtSequence(number)),
        ("AFTER_SEQUENCE_NUMBER", Some(number), None) => Ok(Start::AfterSequence(number)),
        ("AT_TIMESTAMP", None, Some(time)) => Ok(Start::AtTimestamp(time)),
        (
            "TRIM_HORIZON"
            | "LATEST"
            | "AT_SEQUENCE_NUMBER"
            | "AFTER_SEQUENCE_NUMBER"
            | "AT_TIMESTAMP",
            number,
            time,
        ) => {
            let given = |there, name| if there { name } else { "" };
            Err(ServiceError::invalid(format!(
                "Invalid StartingPosition: AT_SEQUENCE_NUMBER and AFTER_SEQUENCE_NUMBER go with a SequenceNumber alone, AT_TIMESTAMP with a Timestamp alone, TRIM_HORIZON and LATEST with neither. Request specified {kind}{}{}.",
                given(number.is_some(), ", a SequenceNumber"),
                given(time.is_some(), ", a Timestamp")
            )))
        }
        _ => {
            let rule = "Member must satisfy enum value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_TIMESTAMP, AT_SEQUENCE_NUMBER, TRIM_HORIZON]";
            Err(ServiceError::validation(at, Some(&kind), rule))
        }
    }
}

pub(super) fn list(input: ListConsumersInput) -> Decoded<Request> {
    let limit = check::page(input.max_results, limits::LIST_CONSUMERS_PAGE, "maxResults")?;
    let stream = settings::by_arn(input.stream_arn)?;
    let created = input
        .stream_creation_timestamp
        .map(|time| check::timestamp(time, "streamCreationTimestamp"))
        .transpose()?;
    let from = match (input.next_token, created) {
        (None, created) => ConsumersFrom::First { created },
        (Some(token), None) => {
            check::length(&token, 1, limits::NEXT_TOKEN_CHARS, "nextToken")?;
            ConsumersFrom::Token(token)
        }
        (Some(_), Some(_)) => {
            return Err(ServiceError::invalid(
                "NextToken and StreamCreationTimestamp cannot be provided together.",
            ));
        }
    };
    Ok(Request::Consumer(ConsumerRequest::List {
        stream,
        from,
        limit,
    }))
}
