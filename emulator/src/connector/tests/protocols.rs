//! An answer comes in the protocol of its request, over the wire too.

use super::{CBOR, JSON, headers, post};
use crate::wire::tests::cbor_value::{Form, to_cbor, to_json};
use crate::{Kinesis, Operation};
use serde_json::{Value, json};

#[tokio::test(start_paused = true)]
async fn a_request_in_cbor_is_answered_in_cbor_and_one_in_json_in_json() {
    let kinesis = Kinesis::new();
    kinesis.create_stream("s", 2).unwrap();
    for (stream, status) in [("s", 200), ("absent", 400)] {
        let body = json!({"StreamName": stream});
        let operation = Operation::ListShards;
        let cbor = to_cbor(&body, Form::Indefinite);
        let cbor = post(&kinesis, &headers(operation, CBOR), cbor).await;
        let json = body.to_string().into_bytes();
        let json = post(&kinesis, &headers(operation, JSON), json).await;
        assert_eq!((cbor.status, cbor.content_type.as_str()), (status, CBOR));
        assert_eq!((json.status, json.content_type.as_str()), (status, JSON));
        let said: Value = serde_json::from_slice(&json.body).unwrap();
        assert_eq!(to_json(&cbor.body), said);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_before_it_is_read_is_refused_in_its_protocol() {
    let kinesis = Kinesis::new();
    let mut headers = headers(Operation::ListShards, CBOR);
    headers.retain(|(name, _)| name != "authorization");
    let answered = post(&kinesis, &headers, Vec::new()).await;
    assert_eq!(
        (answered.status, answered.content_type.as_str()),
        (400, CBOR)
    );
    let code = &to_json(&answered.body)["__type"];
    assert_eq!(code, "MissingAuthenticationTokenException");
}

#[tokio::test(start_paused = true)]
async fn what_is_put_in_one_protocol_is_read_in_the_other() {
    let kinesis = Kinesis::new();
    kinesis.create_stream("s", 1).unwrap();
    let put = json!({"StreamName": "s", "PartitionKey": "k", "Data": "AP9/"});
    let put = to_cbor(&put, Form::Definite);
    post(&kinesis, &headers(Operation::PutRecord, CBOR), put).await;
    let ask = json!({"StreamName": "s", "ShardId": "shardId-000000000000",
        "ShardIteratorType": "TRIM_HORIZON"});
    let asked = ask.to_string().into_bytes();
    let asked = post(&kinesis, &headers(Operation::GetShardIterator, JSON), asked).await;
    let iterator: Value = serde_json::from_slice(&asked.body).unwrap();
    let read = iterator.to_string().into_bytes();
    let page = post(&kinesis, &headers(Operation::GetRecords, JSON), read).await;
    let page: Value = serde_json::from_slice(&page.body).unwrap();
    assert_eq!(page["Records"][0]["Data"], "AP9/");
}
