//! The table: there, or made.

use aws_sdk_dynamodb::{
    Client,
    types::{
        AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType,
        TableStatus,
    },
};
use kinesis_app_rules::defaults;
use tokio::time::{Instant, sleep};

use super::item::KEY;
use crate::{
    leases::store::StoreError,
    service_error::{Class, ServiceError},
    spec::MissingTable,
};

/// Returns when the table can be used.
pub(super) async fn prepare(
    client: &Client,
    table: &str,
    missing: MissingTable,
) -> Result<(), StoreError> {
    let end = Instant::now() + defaults::TABLE_CREATION;
    let mut asked = false;
    loop {
        match status(client, table).await {
            Ok(TableStatus::Active | TableStatus::Updating) => return Ok(()),
            Ok(status) if Instant::now() >= end => {
                return Err(StoreError::Fatal(
                    format!("the lease table `{table}` is still {}", status.as_str()).into(),
                ));
            }
            Ok(_) => sleep(defaults::CREATION_POLL).await,
            Err(error)
                if error.class() == Class::NotFound
                    && missing == MissingTable::Created
                    && !asked =>
            {
                create(client, table).await?;
                asked = true;
            }
            // The service may not know for a moment what it just created.
            Err(error)
                if (error.is_retryable() || (asked && error.class() == Class::NotFound))
                    && Instant::now() < end =>
            {
                sleep(defaults::CREATION_POLL).await;
            }
            Err(error) if error.class() == Class::NotFound => {
                let help =
                    "create it with the string hash key `lease_key`, or say `create_if_missing`";
                return Err(StoreError::Fatal(
                    format!("the lease table `{table}` does not exist\nhelp: {help}").into(),
                ));
            }
            Err(error) => return Err(StoreError::Fatal(error.into())),
        }
    }
}

async fn status(client: &Client, table: &str) -> Result<TableStatus, ServiceError> {
    let answer = client.describe_table().table_name(table).send().await;
    let answer = answer.map_err(|error| ServiceError::new("DescribeTable", error))?;
    Ok(answer
        .table
        .and_then(|table| table.table_status)
        .unwrap_or(TableStatus::Creating))
}

async fn create(client: &Client, table: &str) -> Result<(), StoreError> {
    let incomplete = |error| StoreError::Fatal(Box::new(error));
    let key = KeySchemaElement::builder()
        .attribute_name(KEY)
        .key_type(KeyType::Hash)
        .build()
        .map_err(incomplete)?;
    let definition = AttributeDefinition::builder()
        .attribute_name(KEY)
        .attribute_type(ScalarAttributeType::S)
        .build()
        .map_err(incomplete)?;
    let call = client
        .create_table()
        .table_name(table)
        .billing_mode(BillingMode::PayPerRequest);
    match call
        .key_schema(key)
        .attribute_definitions(definition)
        .send()
        .await
    {
        Ok(_) => {
            tracing::info!(table, "lease table created");
            Ok(())
        }
        // Another instance is faster.
        Err(error) => match ServiceError::new("CreateTable", error) {
            error if error.class() == Class::InUse => Ok(()),
            error => Err(StoreError::Fatal(error.into())),
        },
    }
}
