//! From an answer to its body.

use super::writer::{Object, document};
use super::{Protocol, page};
use crate::error::ServiceError;
use crate::limits;
use crate::service::account::{AccountLimits, StreamPage};
use crate::service::alter::{Monitoring, Scaled};
use crate::service::registry::ConsumerView;
use crate::service::request::{Distribution, Mode};
use crate::service::shard::{Child, shard_id};
use crate::service::tags::TagPage;
use crate::service::{
    Answer, Description, HashRange, ListedShard, PutFailure, Receipt, ShardPage, Summary,
};

pub(crate) fn encode_error(protocol: Protocol, error: &ServiceError) -> Vec<u8> {
    document(protocol, |body| {
        body.text("__type", error.code().as_str());
        body.text("message", error.message());
    })
}

pub(crate) fn encode(protocol: Protocol, answer: &Answer) -> Vec<u8> {
    match answer {
        // The operations that answer nothing answer with an empty body; what a subscription answers
        // comes as events.
        Answer::Empty | Answer::Subscribed(_) => Vec::new(),
        Answer::Page(answer) => page::write(protocol, answer),
        answer => document(protocol, |body| members(body, answer)),
    }
}

fn members(body: &mut Object<'_>, answer: &Answer) {
    match answer {
        Answer::Empty | Answer::Page(_) | Answer::Subscribed(_) => {}
        Answer::Receipts(answer) => receipts(body, answer),
        Answer::Description(answer) => {
            body.object("StreamDescription", |body| description(body, answer));
        }
        Answer::Summary(answer) => {
            body.object("StreamDescriptionSummary", |body| summary(body, answer));
        }
        Answer::Shards(answer) => shard_page(body, answer),
        Answer::Receipt(answer) => {
            receipt(body, answer);
            body.text_if("EncryptionType", answer.encryption.shown());
        }
        Answer::Iterator(answer) => body.text("ShardIterator", answer),
        Answer::Streams(answer) => streams(body, answer),
        Answer::AccountLimits(answer) => account_limits(body, *answer),
        Answer::Scaled(answer) => scaled(body, answer),
        Answer::Monitoring(answer) => monitoring(body, answer),
        Answer::Tags(answer) => tags(body, answer),
        Answer::Registered(answer) => body.object("Consumer", |body| consumer(body, answer)),
        Answer::Consumer {
            consumer: answer,
            stream_arn,
        } => body.object("ConsumerDescription", |body| {
            consumer(body, answer);
            body.text("StreamARN", stream_arn);
        }),
        Answer::Consumers(answer) => {
            body.objects("Consumers", &answer.consumers, consumer);
            body.text_if("NextToken", answer.next.as_deref());
        }
    }
}

pub(super) fn child(body: &mut Object<'_>, child: &Child) {
    body.text("ShardId", &shard_id(child.index));
    body.texts("ParentShards", child.parents.iter().copied().map(shard_id));
    range(body, child.range);
}

fn range(body: &mut Object<'_>, range: HashRange) {
    body.object("HashKeyRange", |body| {
        body.shown("StartingHashKey", range.start);
        body.shown("EndingHashKey", range.end);
    });
}

fn shard_page(body: &mut Object<'_>, page: &ShardPage) {
    shards(body, &page.shards);
    body.text_if("NextToken", page.next.as_deref());
}

fn shards(body: &mut Object<'_>, shards: &[ListedShard]) {
    body.objects("Shards", shards, |body, shard| {
        body.text("ShardId", &shard.id);
        body.text_if("ParentShardId", shard.parent.as_deref());
        body.text_if("AdjacentParentShardId", shard.adjacent_parent.as_deref());
        range(body, shard.range);
        body.object("SequenceNumberRange", |body| {
            body.text("StartingSequenceNumber", &shard.starting);
            body.text_if("EndingSequenceNumber", shard.ending.as_deref());
        });
    });
}

fn description(body: &mut Object<'_>, description: &Description) {
    common(body, &description.summary);
    settings(body, &description.summary);
    shards(body, &description.shards);
    body.flag("HasMoreShards", description.more);
}

fn summary(body: &mut Object<'_>, summary: &Summary) {
    common(body, summary);
    settings(body, summary);
    body.count("OpenShardCount", summary.open_shards);
    body.count("ConsumerCount", summary.consumers);
    body.count("MaxRecordSizeInKiB", summary.record_kib);
    body.text(
        "RecordDistributionStrategy",
        match summary.distribution {
            Distribution::UserPartitionKey => "USER_PARTITION_KEY",
            Distribution::Auto => "AUTO",
        },
    );
}

/// What every account of a stream has.
fn common(body: &mut Object<'_>, summary: &Summary) {
    body.text("StreamName", &summary.name);
    body.text("StreamARN", &summary.arn);
    body.text("StreamStatus", summary.status);
    body.object("StreamModeDetails", |body| {
        body.text(
            "StreamMode",
            match summary.mode {
                Mode::Provisioned => "PROVISIONED",
                Mode::OnDemand => "ON_DEMAND",
            },
        );
    });
    body.time("StreamCreationTimestamp", summary.created);
}

fn settings(body: &mut Object<'_>, summary: &Summary) {
    body.integer("RetentionPeriodHours", summary.retention_hours);
    body.objects("EnhancedMonitoring", [summary.metrics], |body, metrics| {
        body.texts("ShardLevelMetrics", metrics.names());
    });
    match &summary.key {
        Some(key) => {
            body.text("EncryptionType", "KMS");
            body.text("KeyId", key);
        }
        None => body.text("EncryptionType", "NONE"),
    }
}

fn receipts(body: &mut Object<'_>, receipts: &[Result<Receipt, PutFailure>]) {
    let failed = receipts.iter().filter(|receipt| receipt.is_err()).count();
    body.count("FailedRecordCount", failed);
    body.objects("Records", receipts, |body, entry| match entry {
        Ok(stored) => receipt(body, stored),
        Err(failure) => {
            body.text("ErrorCode", failure.code);
            body.text("ErrorMessage", &failure.message);
        }
    });
    let mut stored = receipts.iter().flatten();
    let encryption = stored.find_map(|receipt| receipt.encryption.shown());
    body.text_if("EncryptionType", encryption);
}

fn consumer(body: &mut Object<'_>, consumer: &ConsumerView) {
    body.text("ConsumerName", &consumer.name);
    body.text("ConsumerARN", &consumer.arn);
    body.text("ConsumerStatus", consumer.status);
    body.time("ConsumerCreationTimestamp", consumer.created);
}

fn receipt(body: &mut Object<'_>, receipt: &Receipt) {
    body.text("SequenceNumber", &receipt.sequence_number);
    body.text("ShardId", &receipt.shard_id);
}

fn streams(body: &mut Object<'_>, page: &StreamPage) {
    body.texts(
        "StreamNames",
        page.streams.iter().map(|stream| &stream.name),
    );
    body.flag("HasMoreStreams", page.next.is_some());
    body.text_if("NextToken", page.next.as_deref());
    body.objects("StreamSummaries", &page.streams, common);
}

fn account_limits(body: &mut Object<'_>, account: AccountLimits) {
    body.count("ShardLimit", limits::ACCOUNT_SHARDS);
    body.count("OpenShardCount", account.open_shards);
    body.count("OnDemandStreamCount", account.on_demand_streams);
    body.count("OnDemandStreamCountLimit", limits::ON_DEMAND_STREAMS);
}

fn scaled(body: &mut Object<'_>, scaled: &Scaled) {
    body.text("StreamName", &scaled.name);
    body.count("CurrentShardCount", scaled.current);
    body.integer("TargetShardCount", scaled.target.into());
    body.text("StreamARN", &scaled.arn);
}

fn monitoring(body: &mut Object<'_>, monitoring: &Monitoring) {
    body.text("StreamName", &monitoring.name);
    body.texts("CurrentShardLevelMetrics", monitoring.current.names());
    body.texts("DesiredShardLevelMetrics", monitoring.desired.names());
    body.text("StreamARN", &monitoring.arn);
}

fn tags(body: &mut Object<'_>, page: &TagPage) {
    body.objects("Tags", &page.tags, |body, (key, value)| {
        body.text("Key", key);
        body.text("Value", value);
    });
    if let Some(more) = page.more {
        body.flag("HasMoreTags", more);
    }
}
