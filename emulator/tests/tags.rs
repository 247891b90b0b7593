//! Tags of a stream, by both families of operations.

mod common;

use aws_sdk_kinesis::Client;
use common::*;
use std::collections::HashMap;

async fn tags(client: &Client) -> Vec<String> {
    let listed = client
        .list_tags_for_stream()
        .stream_name("s")
        .send()
        .await
        .unwrap();
    assert!(!listed.has_more_tags());
    let shown = |tag: &aws_sdk_kinesis::types::Tag| {
        format!("{}={}", tag.key(), tag.value().unwrap_or_default())
    };
    listed.tags().iter().map(shown).collect()
}

fn numbered(range: std::ops::Range<u32>) -> HashMap<String, String> {
    range
        .map(|n| (format!("key-{n:02}"), n.to_string()))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn what_one_family_adds_the_other_lists_and_removes() {
    let (kinesis, client) = unlimited(1);
    let arn = kinesis.stream_arn("s");
    client
        .add_tags_to_stream()
        .stream_name("s")
        .tags("team", "a")
        .tags("env", "")
        .send()
        .await
        .unwrap();
    client
        .tag_resource()
        .resource_arn(&arn)
        .tags("team", "b")
        .tags("Größe", "x:y/z")
        .send()
        .await
        .unwrap();
    assert_eq!(tags(&client).await, ["Größe=x:y/z", "env=", "team=b"]);
    let listed = client
        .list_tags_for_resource()
        .resource_arn(&arn)
        .send()
        .await
        .unwrap();
    assert_eq!(listed.tags().len(), 3);
    client
        .untag_resource()
        .resource_arn(&arn)
        .tag_keys("env")
        .tag_keys("absent")
        .send()
        .await
        .unwrap();
    client
        .remove_tags_from_stream()
        .stream_arn(&arn)
        .tag_keys("Größe")
        .send()
        .await
        .unwrap();
    assert_eq!(tags(&client).await, ["team=b"]);
}

#[tokio::test(start_paused = true)]
async fn a_stream_can_be_created_with_tags_and_keeps_fifty() {
    let (_, client) = unlimited(1);
    let create = client.create_stream().stream_name("t").shard_count(1);
    let create = create.set_tags(Some(numbered(0..51))).send().await;
    assert_eq!(code(create), "InvalidArgumentException");
    let create = client.create_stream().stream_name("t").shard_count(1);
    create.set_tags(Some(numbered(0..50))).send().await.unwrap();
    let add = |range| {
        let add = client.add_tags_to_stream().stream_name("t");
        add.set_tags(Some(numbered(range))).send()
    };
    let (code, words) = refusal(add(50..51).await);
    assert_eq!(code, "InvalidArgumentException");
    assert!(words.contains("more than 50 tags"), "{words}");
    add(0..50).await.unwrap();
    assert_eq!(common::code(add(0..201).await), "ValidationException");
}

#[tokio::test(start_paused = true)]
async fn a_list_of_tags_is_paged_by_the_last_key() {
    let (_, client) = unlimited(1);
    let add = client.add_tags_to_stream().stream_name("s");
    add.set_tags(Some(numbered(0..5))).send().await.unwrap();
    let (mut seen, mut after) = (Vec::new(), None);
    for more in [true, true, false] {
        let list = client.list_tags_for_stream().stream_name("s").limit(2);
        let page = list
            .set_exclusive_start_tag_key(after)
            .send()
            .await
            .unwrap();
        assert_eq!(page.has_more_tags(), more);
        seen.extend(page.tags().iter().map(|tag| tag.key().to_owned()));
        after = seen.last().cloned();
    }
    assert_eq!(seen, ["key-00", "key-01", "key-02", "key-03", "key-04"]);
    for limit in [0, 51] {
        let list = client.list_tags_for_stream().stream_name("s").limit(limit);
        assert_eq!(code(list.send().await), "ValidationException");
    }
}

#[tokio::test(start_paused = true)]
async fn keys_and_values_keep_their_rules() {
    let (kinesis, client) = unlimited(1);
    let add = |key: &str, value: &str| {
        client
            .add_tags_to_stream()
            .stream_name("s")
            .tags(key, value)
            .send()
    };
    let long = "x".repeat(257);
    for (key, value) in [("", "v"), (&long[..129], "v"), ("k", &long)] {
        assert_eq!(code(add(key, value).await), "ValidationException", "{key}");
    }
    for (key, value) in [("k!", "v"), ("k", "v;"), ("aws:k", "v"), ("AWS:k", "v")] {
        assert_eq!(
            code(add(key, value).await),
            "InvalidArgumentException",
            "{key}"
        );
    }
    add(&long[..128], &long[..256]).await.unwrap();
    let none = client
        .add_tags_to_stream()
        .stream_name("s")
        .set_tags(Some(HashMap::new()));
    assert_eq!(code(none.send().await), "ValidationException");
    let remove = client.remove_tags_from_stream().stream_name("s");
    let remove = remove.set_tag_keys(Some((0..51).map(|n| n.to_string()).collect()));
    assert_eq!(code(remove.send().await), "ValidationException");
    let list = client.list_tags_for_resource();
    let absent = list.resource_arn(kinesis.stream_arn("absent")).send().await;
    assert_eq!(code(absent), "ResourceNotFoundException");
}
