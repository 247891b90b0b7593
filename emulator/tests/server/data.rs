//! A server that keeps what it holds, through a stop, a kill and a reset.

use crate::client::{Served, Version, hyper};
use crate::directory::place;
use crate::program::{run, start, terminate};
use crate::sdk::{config_of, put, server};
use aws_sdk_kinesis::Client;
use aws_sdk_kinesis::types::ShardIteratorType;
use aws_smithy_types::body::SdkBody;
use http::{Method, Request};
use std::path::Path;

const SHARD: &str = "shardId-000000000000";

fn client(address: &str) -> Client {
    Client::new(&config_of(&format!("http://{address}"), Version::Http1))
}

async fn horizon(client: &Client) -> String {
    let iterator = client
        .get_shard_iterator()
        .stream_name("orders")
        .shard_id(SHARD)
        .shard_iterator_type(ShardIteratorType::TrimHorizon);
    iterator.send().await.unwrap().shard_iterator.unwrap()
}

/// The payloads, and the next iterator.
async fn read(client: &Client, iterator: &str) -> (Vec<Vec<u8>>, String) {
    let page = client.get_records().shard_iterator(iterator).send().await;
    let page = page.unwrap();
    let records = page.records().iter();
    let data = records.map(|record| record.data().as_ref().to_vec());
    (data.collect(), page.next_shard_iterator.clone().unwrap())
}

/// The options of a program with this directory.
fn options(path: &Path) -> Vec<&str> {
    let path = path.to_str().unwrap();
    vec!["--port", "0", "--data", path, "--stream", "orders:1"]
}

#[tokio::test]
async fn a_stopped_program_goes_on_with_all_that_it_was_given() {
    let path = place("stopped");
    let (program, address) = start(&options(&path));
    let first = client(&address);
    let number = put(&first, b"first").await;
    let (data, next) = read(&first, &horizon(&first).await).await;
    assert_eq!(data, [b"first"]);
    put(&first, b"second").await;
    terminate(program);

    let (program, address) = start(&options(&path));
    let again = client(&address);
    let (data, next) = read(&again, &next).await;
    assert_eq!(
        data,
        [b"second"],
        "the old iterator goes on behind what it had read"
    );
    assert!(put(&again, b"third").await > number);
    assert_eq!(read(&again, &next).await.0, [b"third"]);
    terminate(program);
}

#[tokio::test]
async fn a_killed_program_loses_nothing_that_is_older_than_its_last_save() {
    let path = place("killed");
    let (mut program, address) = start(&options(&path));
    let first = client(&address);
    put(&first, b"first").await;
    let file = path.join("kinesis.jsonl");
    // The payload in base64: it is on the disk about 2 s later.
    while !std::fs::read_to_string(&file).unwrap().contains("Zmlyc3Q=") {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    program.kill().unwrap();
    program.wait().unwrap();

    let (program, address) = start(&options(&path));
    let again = client(&address);
    let (data, _) = read(&again, &horizon(&again).await).await;
    assert_eq!(data, [b"first"]);
    terminate(program);
}

#[test]
fn a_second_program_on_the_same_directory_is_refused_and_so_is_a_bad_file() {
    let path = place("second-program");
    let (program, _) = start(&options(&path));
    let (code, told) = run(&options(&path));
    terminate(program);
    assert_eq!(code, Some(1));
    let shown = path.display();
    let in_use = format!(
        "error: `{shown}` is in use by another emulator\nhelp: give each a directory of its own\n"
    );
    assert_eq!(told, in_use);

    std::fs::write(path.join("kinesis.jsonl"), "not ours").unwrap();
    let (code, told) = run(&options(&path));
    assert_eq!(code, Some(1));
    let bad = format!("error: `{shown}/kinesis.jsonl`, line 1: it is no file of the streams");
    assert!(told.starts_with(&bad), "{told}");
    assert_eq!(
        std::fs::read(path.join("kinesis.jsonl")).unwrap(),
        b"not ours"
    );
}

#[tokio::test]
async fn a_reset_forgets_what_was_kept_as_well() {
    let path = place("reset");
    let served = Served::start(server().data(&path)).await;
    let config = config_of(&served.url(), Version::Http1);
    let streams = Client::new(&config);
    let old = horizon(&streams).await;
    put(&streams, b"x").await;
    #[cfg(feature = "dynamodb")]
    crate::sdk::create_table(&aws_sdk_dynamodb::Client::new(&config)).await;
    let reset = Request::builder()
        .method(Method::POST)
        .uri(format!("{}/_emulator/reset", served.url()))
        .body(SdkBody::empty())
        .unwrap();
    let answer = hyper(Version::Http1).request(reset).await.unwrap();
    assert_eq!(answer.status(), 204);
    let read_on = streams.get_records().shard_iterator(old).send().await;
    let refused = read_on.unwrap_err().into_service_error();
    assert!(refused.is_resource_not_found_exception(), "{refused:?}");
    served.stop().await;
    assert!(!path.join("dynamodb.jsonl").exists());

    let served = Served::start(server().data(&path)).await;
    let streams = Client::new(&config_of(&served.url(), Version::Http1));
    assert!(read(&streams, &horizon(&streams).await).await.0.is_empty());
    served.stop().await;
}

/// Leases that were gone while their streams are still there would start everything anew.
#[cfg(feature = "dynamodb")]
#[tokio::test]
async fn leases_are_kept_beside_the_streams_that_they_are_about() {
    let path = place("leases");
    let served = Served::start(server().data(&path)).await;
    let tables = aws_sdk_dynamodb::Client::new(&config_of(&served.url(), Version::Http2));
    crate::sdk::create_table(&tables).await;
    crate::sdk::put_item(&tables).await.unwrap();
    served.stop().await;

    let served = Served::start(server().data(&path)).await;
    let tables = aws_sdk_dynamodb::Client::new(&config_of(&served.url(), Version::Http2));
    let refused = crate::sdk::put_item(&tables).await.unwrap_err();
    let refused = refused.into_service_error();
    assert!(
        refused.is_conditional_check_failed_exception(),
        "{refused:?}"
    );
    served.stop().await;
}
