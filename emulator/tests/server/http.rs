//! What is answered below and beside the services' protocols.

use crate::client::{Hyper, Served, Version, hyper};
use crate::sdk::{config, server};
use aws_sdk_kinesis::Client;
use aws_smithy_types::body::SdkBody;
use http::{Method, Request};
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Status and body.
async fn ask(client: &Hyper, method: Method, url: String, body: &str) -> (u16, String) {
    let request = Request::builder().method(method).uri(url);
    let request = request
        .header("content-type", "application/x-amz-json-1.1")
        .header("x-amz-target", "Kinesis_20131202.ListStreams")
        .body(SdkBody::from(body))
        .unwrap();
    let answer = client.request(request).await.unwrap();
    let status = answer.status().as_u16();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn a_reset_leaves_the_streams_to_begin_with_and_nothing_else() {
    let served = Served::start(server()).await;
    let streams = Client::new(&config(&served, Version::Http1));
    let create = streams.create_stream().stream_name("other").shard_count(1);
    create.send().await.unwrap();
    let put = streams
        .put_record()
        .stream_name("orders")
        .partition_key("k");
    let put = put.data(aws_sdk_kinesis::primitives::Blob::new("x"));
    put.send().await.unwrap();

    let client = hyper(Version::Http1);
    let url = format!("{}/_emulator/reset", served.url());
    let (status, _) = ask(&client, Method::POST, url, "").await;
    assert_eq!(status, 204);

    let other = streams.list_shards().stream_name("other").send().await;
    assert!(other.is_err(), "{other:?}");
    let iterator = streams
        .get_shard_iterator()
        .stream_name("orders")
        .shard_id("shardId-000000000000")
        .shard_iterator_type(aws_sdk_kinesis::types::ShardIteratorType::TrimHorizon);
    let iterator = iterator.send().await.unwrap().shard_iterator;
    let page = streams.get_records().set_shard_iterator(iterator).send();
    assert!(page.await.unwrap().records().is_empty());
    served.stop().await;
}

#[tokio::test]
async fn health_is_told_to_get_and_unknown_paths_are_explained() {
    let served = Served::start(server()).await;
    for version in [Version::Http1, Version::Http2] {
        let client = hyper(version);
        let ask = |method, path| ask(&client, method, format!("{}{path}", served.url()), "");
        let (status, health) = ask(Method::GET, "/_emulator/health").await;
        assert_eq!(status, 200);
        assert!(health.contains(r#""status":"ok""#), "{health}");
        assert_eq!(ask(Method::POST, "/_emulator/health").await.0, 405);
        assert_eq!(ask(Method::GET, "/_emulator/reset").await.0, 405);
        let (status, explained) = ask(Method::GET, "/_emulator/nonsense").await;
        assert_eq!(status, 404);
        assert!(explained.contains("/_emulator/reset"), "{explained}");
    }
    served.stop().await;
}

#[tokio::test]
async fn an_unsigned_request_is_refused_as_in_process() {
    let served = Served::start(server()).await;
    let client = hyper(Version::Http1);
    let (status, body) = ask(&client, Method::POST, served.url(), "{}").await;
    assert_eq!(status, 400);
    assert!(body.contains("MissingAuthenticationToken"), "{body}");
    served.stop().await;
}

#[tokio::test]
async fn a_body_beyond_reason_is_refused() {
    let served = Served::start(server()).await;
    let client = hyper(Version::Http2);
    let body = " ".repeat((32 << 20) + 1);
    let (status, _) = ask(&client, Method::POST, served.url(), &body).await;
    assert_eq!(status, 413);
    served.stop().await;
}

#[tokio::test]
async fn a_stop_closes_the_port_and_lets_the_call_under_way_end() {
    let served = Served::start(server()).await;
    let address = served.address;
    let mut socket = TcpStream::connect(address).await.unwrap();
    let head = "POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\
        x-amz-target: Kinesis_20131202.ListStreams\r\nexpect: 100-continue\r\n\r\n";
    socket.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body when the call has begun.
    let mut asked = [0; 25];
    socket.read_exact(&mut asked).await.unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
    let call = async {
        while TcpStream::connect(address).await.is_ok() {}
        socket.write_all(b"{}").await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        answer
    };
    let ((), answer) = tokio::join!(served.stop(), call);
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert!(answer.contains("MissingAuthenticationToken"), "{answer}");
}
