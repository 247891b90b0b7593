//! From an answer to its body.

use super::page;
use crate::error::ServiceError;
use crate::service::request::{Distribution, Mode};
use crate::service::shard::{Child, shard_id};
use crate::service::{
    Answer, Description, HashRange, Page, PutFailure, Receipt, ShardPage, Summary,
};
use serde::Serialize;
use serde_json::{Map, Number, Value, json};

pub(crate) fn encode_error(error: &ServiceError) -> Vec<u8> {
    let body = json!({"__type": error.code().as_str(), "message": error.message()});
    body.to_string().into_bytes()
}

pub(crate) fn encode(answer: &Answer) -> Vec<u8> {
    let body = match answer {
        // The operations that answer nothing answer with an empty body.
        Answer::Empty => return Vec::new(),
        Answer::Page(page) => return encode_page(page),
        Answer::Receipts(receipts) => return encode_receipts(receipts),
        Answer::Description(description) => encode_description(description),
        Answer::Summary(summary) => json!({"StreamDescriptionSummary": encode_summary(summary)}),
        Answer::Shards(page) => encode_shards(page),
        Answer::Receipt(receipt) => json!({
            "ShardId": receipt.shard_id,
            "SequenceNumber": receipt.sequence_number,
        }),
        Answer::Iterator(iterator) => json!({"ShardIterator": iterator}),
    };
    body.to_string().into_bytes()
}

fn encode_page(answer: &Page) -> Vec<u8> {
    let mut members = Map::new();
    members.insert("MillisBehindLatest".into(), answer.millis_behind.into());
    // Absent, not null, at the end of a closed shard.
    if let Some(next) = &answer.next {
        members.insert("NextShardIterator".into(), next.as_str().into());
    }
    if !answer.children.is_empty() {
        let children: Vec<Value> = answer.children.iter().map(encode_child).collect();
        members.insert("ChildShards".into(), children.into());
    }
    let mut prefix = Value::Object(members).to_string();
    prefix.pop();
    prefix.push(',');
    page::write(prefix.as_bytes(), answer)
}

fn encode_child(child: &Child) -> Value {
    let parents: Vec<String> = child.parents.iter().copied().map(shard_id).collect();
    json!({
        "ShardId": shard_id(child.index),
        "ParentShards": parents,
        "HashKeyRange": encode_range(child.range),
    })
}

fn encode_range(range: HashRange) -> Value {
    json!({
        "StartingHashKey": range.start.to_string(),
        "EndingHashKey": range.end.to_string(),
    })
}

fn encode_shards(page: &ShardPage) -> Value {
    let mut body = json!({"Shards": shards(&page.shards)});
    if let Some(next) = &page.next {
        body["NextToken"] = next.as_str().into();
    }
    body
}

fn shards(listed: &[crate::service::ListedShard]) -> Vec<Value> {
    let encode = |shard: &crate::service::ListedShard| {
        let mut sequences = json!({"StartingSequenceNumber": shard.starting});
        if let Some(ending) = &shard.ending {
            sequences["EndingSequenceNumber"] = ending.as_str().into();
        }
        let mut body = json!({
            "ShardId": shard.id,
            "HashKeyRange": encode_range(shard.range),
            "SequenceNumberRange": sequences,
        });
        if let Some(parent) = &shard.parent {
            body["ParentShardId"] = parent.as_str().into();
        }
        if let Some(parent) = &shard.adjacent_parent {
            body["AdjacentParentShardId"] = parent.as_str().into();
        }
        body
    };
    listed.iter().map(encode).collect()
}

fn encode_description(description: &Description) -> Value {
    let summary = &description.summary;
    let mut body = common(summary);
    body["Shards"] = shards(&description.shards).into();
    body["HasMoreShards"] = description.more.into();
    json!({"StreamDescription": body})
}

fn encode_summary(summary: &Summary) -> Value {
    let mut body = common(summary);
    body["OpenShardCount"] = summary.open_shards.into();
    body["ConsumerCount"] = 0.into();
    body["MaxRecordSizeInKiB"] = summary.record_kib.into();
    body["RecordDistributionStrategy"] = match summary.distribution {
        Distribution::UserPartitionKey => "USER_PARTITION_KEY",
        Distribution::Auto => "AUTO",
    }
    .into();
    body
}

fn common(summary: &Summary) -> Value {
    let mode = match summary.mode {
        Mode::Provisioned => "PROVISIONED",
        Mode::OnDemand => "ON_DEMAND",
    };
    // By way of text: adding the milliseconds as a number would round twice.
    let created: Option<Number> = serde_json::from_str(&summary.created.wire()).ok();
    json!({
        "StreamName": summary.name,
        "StreamARN": summary.arn,
        "StreamStatus": summary.status,
        "StreamModeDetails": {"StreamMode": mode},
        "RetentionPeriodHours": summary.retention_hours,
        "StreamCreationTimestamp": created,
        "EnhancedMonitoring": [{"ShardLevelMetrics": []}],
        "EncryptionType": "NONE",
    })
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct ReceiptsBody<'a> {
    failed_record_count: usize,
    records: Vec<EntryBody<'a>>,
}

/// One of 500: without a tree of values for each.
#[derive(Serialize)]
#[serde(untagged)]
enum EntryBody<'a> {
    #[serde(rename_all = "PascalCase")]
    Stored {
        sequence_number: &'a str,
        shard_id: &'a str,
    },
    #[serde(rename_all = "PascalCase")]
    Failed {
        error_code: &'a str,
        error_message: &'a str,
    },
}

impl<'a> EntryBody<'a> {
    fn of(receipt: &'a Result<Receipt, PutFailure>) -> Self {
        match receipt {
            Ok(receipt) => Self::Stored {
                sequence_number: &receipt.sequence_number,
                shard_id: &receipt.shard_id,
            },
            Err(failure) => Self::Failed {
                error_code: failure.code,
                error_message: &failure.message,
            },
        }
    }
}

fn encode_receipts(receipts: &[Result<Receipt, PutFailure>]) -> Vec<u8> {
    let body = ReceiptsBody {
        failed_record_count: receipts.iter().filter(|receipt| receipt.is_err()).count(),
        records: receipts.iter().map(EntryBody::of).collect(),
    };
    serde_json::to_vec(&body).expect("text and numbers are always JSON")
}
