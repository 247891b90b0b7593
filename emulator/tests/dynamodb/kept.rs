//! Tables that are kept in a directory, beside the streams that their leases are about.

use crate::directory::place;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
    KeyType, Projection, ProjectionType, ScalarAttributeType, TableDescription, TableStatus,
    TimeToLiveSpecification,
};
use kinesis_app_emulator::{DataDirectory, Kinesis};
use std::path::Path;
use std::time::Duration;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/v1");

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.into())
}

fn key(name: &str) -> KeySchemaElement {
    let key = KeySchemaElement::builder().attribute_name(name);
    key.key_type(KeyType::Hash).build().unwrap()
}

fn attribute(name: &str) -> AttributeDefinition {
    let attribute = AttributeDefinition::builder().attribute_name(name);
    let attribute = attribute.attribute_type(ScalarAttributeType::S);
    attribute.build().unwrap()
}

/// The table as the Java KCL has it, with an index of owners.
async fn create(client: &Client) {
    let index = GlobalSecondaryIndex::builder().index_name("by-owner");
    let projection = Projection::builder().projection_type(ProjectionType::All);
    let index = index
        .key_schema(key("owner"))
        .projection(projection.build());
    let create = client.create_table().table_name("leases");
    let create = create.billing_mode(BillingMode::PayPerRequest);
    let create = create
        .key_schema(key("lease"))
        .attribute_definitions(attribute("lease"));
    let create = create.attribute_definitions(attribute("owner"));
    create
        .global_secondary_indexes(index.build().unwrap())
        .send()
        .await
        .unwrap();
    let spec = TimeToLiveSpecification::builder()
        .attribute_name("until")
        .enabled(true);
    let ttl = client.update_time_to_live().table_name("leases");
    ttl.time_to_live_specification(spec.build().unwrap())
        .send()
        .await
        .unwrap();
}

async fn put(client: &Client, lease: &str) {
    let put = client
        .put_item()
        .table_name("leases")
        .item("lease", text(lease));
    let put = put
        .item("owner", text("me"))
        .item("counter", AttributeValue::N("7".into()));
    put.condition_expression("attribute_not_exists(lease)")
        .send()
        .await
        .unwrap();
}

async fn described(client: &Client, table: &str) -> TableDescription {
    let described = client.describe_table().table_name(table).send().await;
    described.unwrap().table.unwrap()
}

async fn owned(client: &Client) -> usize {
    let query = client.query().table_name("leases").index_name("by-owner");
    let query = query
        .key_condition_expression("#o = :me")
        .expression_attribute_names("#o", "owner");
    let owned = query
        .expression_attribute_values(":me", text("me"))
        .send()
        .await;
    owned.unwrap().items().len()
}

#[tokio::test(start_paused = true)]
async fn tables_are_kept_with_their_rows_indexes_and_settings() {
    let directory = DataDirectory::open(place("tables")).unwrap();
    let kinesis = Kinesis::builder().load(&directory).unwrap();
    let client = kinesis.dynamodb().client();
    create(&client).await;
    put(&client, "shardId-000000000000").await;
    kinesis.save(&directory).unwrap();
    let before = (
        described(&client, "leases").await,
        kinesis.dynamodb().rows("leases"),
    );

    let kinesis = Kinesis::builder().load(&directory).unwrap();
    let client = kinesis.dynamodb().client();
    assert_eq!(
        (
            described(&client, "leases").await,
            kinesis.dynamodb().rows("leases")
        ),
        before
    );
    assert_eq!(owned(&client).await, 1);
    let ttl = client
        .describe_time_to_live()
        .table_name("leases")
        .send()
        .await;
    let ttl = ttl.unwrap().time_to_live_description.unwrap();
    assert_eq!(ttl.attribute_name.as_deref(), Some("until"));
    // What is conditional goes on from what was kept.
    let again = client.put_item().table_name("leases");
    let again = again.item("lease", text("shardId-000000000000"));
    let again = again
        .condition_expression("attribute_not_exists(lease)")
        .send()
        .await;
    let refused = again.unwrap_err().into_service_error();
    assert!(
        refused.is_conditional_check_failed_exception(),
        "{refused:?}"
    );
    put(&client, "shardId-000000000001").await;
    assert_eq!(owned(&client).await, 2);
}

#[tokio::test(start_paused = true)]
async fn a_table_that_is_being_created_is_kept_so_and_then_ready() {
    let directory = DataDirectory::open(place("creating-table")).unwrap();
    let settings = || Kinesis::builder().create_table_duration(Duration::from_secs(10));
    let kinesis = settings().load(&directory).unwrap();
    let client = kinesis.dynamodb().client();
    let create = client.create_table().table_name("leases");
    let create = create.billing_mode(BillingMode::PayPerRequest);
    let create = create
        .key_schema(key("lease"))
        .attribute_definitions(attribute("lease"));
    create.send().await.unwrap();
    kinesis.save(&directory).unwrap();

    let client = settings().load(&directory).unwrap().dynamodb().client();
    let status = async || described(&client, "leases").await.table_status;
    assert_eq!(status().await, Some(TableStatus::Creating));
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(status().await, Some(TableStatus::Active));
}

#[tokio::test(start_paused = true)]
async fn an_emulator_without_tables_leaves_none_of_an_earlier_one_behind() {
    let directory = DataDirectory::open(place("no-tables")).unwrap();
    let kinesis = Kinesis::builder().load(&directory).unwrap();
    create(&kinesis.dynamodb().client()).await;
    kinesis.save(&directory).unwrap();
    Kinesis::new().save(&directory).unwrap();
    let client = Kinesis::builder()
        .load(&directory)
        .unwrap()
        .dynamodb()
        .client();
    let listed = client.list_tables().send().await.unwrap();
    assert!(listed.table_names().is_empty());
}

fn refused(name: &str, change: impl FnOnce(&Path)) -> String {
    let path = place(name);
    let directory = DataDirectory::open(&path).unwrap();
    for file in ["kinesis.jsonl", "dynamodb.jsonl"] {
        std::fs::copy(Path::new(SAMPLE).join(file), path.join(file)).unwrap();
    }
    change(&path);
    let refused = Kinesis::builder().load(&directory).unwrap_err();
    refused
        .to_string()
        .replace(&path.display().to_string(), "DIR")
}

#[tokio::test(start_paused = true)]
async fn bad_files_of_tables_are_refused_by_name() {
    let help = "help: to begin anew, mv 'DIR/dynamodb.jsonl' 'DIR/dynamodb.jsonl.old'";
    let edit = |from: &'static str, to: &'static str| {
        move |path: &Path| {
            let file = path.join("dynamodb.jsonl");
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(text.contains(from));
            std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
        }
    };
    for (name, change, problem) in [
        (
            "tables-foreign",
            edit("\"tables\"", "\"streams\""),
            "line 1: it is no file of the tables of kinesis-app-emulator",
        ),
        (
            "tables-newer",
            edit("\"version\":1", "\"version\":9"),
            "line 1: version `9` of the file is newer than `1`, which this program writes",
        ),
        (
            "tables-damaged",
            edit("\"born\":1", "\"born\":2"),
            "line 4: the lines before are not those that were written",
        ),
    ] {
        let told = format!("`DIR/dynamodb.jsonl`, {problem}\n{help}");
        assert_eq!(refused(name, change), told, "{name}");
    }
    let told = refused("tables-alone", |path| {
        std::fs::remove_file(path.join("kinesis.jsonl")).unwrap();
    });
    let alone = "its tables belong to the streams of `kinesis.jsonl`, which is not there";
    assert_eq!(
        told,
        format!("`DIR/dynamodb.jsonl`, line 1: {alone}\n{help}")
    );
}

#[tokio::test(start_paused = true)]
async fn tables_of_version_1_are_loaded() {
    let path = place("tables-of-version-1");
    let directory = DataDirectory::open(&path).unwrap();
    for file in ["kinesis.jsonl", "dynamodb.jsonl"] {
        std::fs::copy(Path::new(SAMPLE).join(file), path.join(file)).unwrap();
    }
    let kinesis = Kinesis::builder().load(&directory).unwrap();
    let rows = kinesis.dynamodb().rows("leases");
    assert_eq!(rows[0]["lease"], text("shardId-000000000000"));
    assert_eq!(rows[0]["counter"], AttributeValue::N("7".into()));
    assert_eq!(owned(&kinesis.dynamodb().client()).await, 1);
}
