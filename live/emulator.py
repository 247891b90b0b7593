"""Kinesis and DynamoDB of the emulator on its port, as boto3 sees them: emulator.py ENDPOINT

Exits 0 if everything is as the services document it. A stream is written, split and read to the end of every shard; a consumer is
pushed records until its shard ends; a row is written under conditions.
"""

import sys
import time

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

RECORDS = 400


def client(service, endpoint):
    return boto3.client(
        service,
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(connect_timeout=5, read_timeout=10),
    )


def refused(code, call, **arguments):
    """The error that a call must end in."""
    try:
        answer = call(**arguments)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error
        return error.response
    raise AssertionError(f"not refused with {code}: {answer}")


def put(kinesis, stream, ids):
    entries = [{"Data": str(n).encode(), "PartitionKey": f"key-{n % 37}"} for n in ids]
    answer = kinesis.put_records(StreamName=stream, Records=entries)
    assert answer["FailedRecordCount"] == 0, answer


def read(kinesis, stream, shard, follow):
    """The payloads of a shard, and the ids of the children that its last page names."""
    iterator = kinesis.get_shard_iterator(StreamName=stream, ShardId=shard, ShardIteratorType="TRIM_HORIZON")
    iterator, found = iterator["ShardIterator"], []
    while iterator:
        page = kinesis.get_records(ShardIterator=iterator)
        found += [record["Data"] for record in page["Records"]]
        iterator = page.get("NextShardIterator")
        if not iterator:
            return found, [child["ShardId"] for child in page["ChildShards"]]
        if not follow and not page["Records"]:
            return found, []
    raise AssertionError("no iterator")


def streams(kinesis):
    stream = "boto3"
    kinesis.create_stream(StreamName=stream, ShardCount=2)
    kinesis.get_waiter("stream_exists").wait(StreamName=stream, WaiterConfig={"Delay": 1})
    put(kinesis, stream, range(RECORDS // 2))
    first = kinesis.list_shards(StreamName=stream)["Shards"][0]
    low, high = (int(first["HashKeyRange"][end]) for end in ("StartingHashKey", "EndingHashKey"))
    middle = str((low + high) // 2 + 1)
    kinesis.split_shard(StreamName=stream, ShardToSplit=first["ShardId"], NewStartingHashKey=middle)
    kinesis.get_waiter("stream_exists").wait(StreamName=stream, WaiterConfig={"Delay": 1})
    put(kinesis, stream, range(RECORDS // 2, RECORDS))

    shards = kinesis.list_shards(StreamName=stream)["Shards"]
    assert len(shards) == 4, shards
    children = [shard["ShardId"] for shard in shards if shard.get("ParentShardId") == first["ShardId"]]
    found = []
    for shard in shards:
        closed = "EndingSequenceNumber" in shard["SequenceNumberRange"]
        assert closed == (shard["ShardId"] == first["ShardId"]), shard
        records, named = read(kinesis, stream, shard["ShardId"], follow=closed)
        assert named == (children if closed else []), named
        found += records
    assert sorted(map(int, found)) == list(range(RECORDS)), f"{len(found)} of {RECORDS} records"
    refused("ResourceNotFoundException", kinesis.list_shards, StreamName="absent")
    kinesis.delete_stream(StreamName=stream)


def fan_out(kinesis):
    stream = "fan-out"
    kinesis.create_stream(StreamName=stream, ShardCount=1)
    kinesis.get_waiter("stream_exists").wait(StreamName=stream, WaiterConfig={"Delay": 1})
    arn = kinesis.describe_stream_summary(StreamName=stream)["StreamDescriptionSummary"]["StreamARN"]
    consumer = kinesis.register_stream_consumer(StreamARN=arn, ConsumerName="boto3")["Consumer"]["ConsumerARN"]
    while kinesis.describe_stream_consumer(ConsumerARN=consumer)["ConsumerDescription"]["ConsumerStatus"] != "ACTIVE":
        time.sleep(0.2)
    put(kinesis, stream, range(3))
    shard = kinesis.list_shards(StreamName=stream)["Shards"][0]["ShardId"]
    subscribe = {"ConsumerARN": consumer, "ShardId": shard, "StartingPosition": {"Type": "TRIM_HORIZON"}}
    events = (event["SubscribeToShardEvent"] for event in kinesis.subscribe_to_shard(**subscribe)["EventStream"])
    assert [record["Data"] for record in next(events)["Records"]] == [b"0", b"1", b"2"]
    refused("ResourceInUseException", kinesis.subscribe_to_shard, **subscribe)
    put(kinesis, stream, [3])
    kinesis.split_shard(StreamName=stream, ShardToSplit=shard, NewStartingHashKey=str(2**127))
    rest = list(events)
    assert [record["Data"] for event in rest for record in event["Records"]] == [b"3"], rest
    assert len(rest[-1]["ChildShards"]) == 2, rest
    refused("ResourceInUseException", kinesis.delete_stream, StreamName=stream)
    kinesis.delete_stream(StreamName=stream, EnforceConsumerDeletion=True)


def tables(dynamodb):
    table = "boto3"
    dynamodb.create_table(
        TableName=table,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "lease_key", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "lease_key", "AttributeType": "S"}],
    )
    dynamodb.get_waiter("table_exists").wait(TableName=table, WaiterConfig={"Delay": 1})
    key = {"lease_key": {"S": "a"}}
    row = {**key, "lease_counter": {"N": "1"}}
    absent = "attribute_not_exists(lease_key)"
    dynamodb.put_item(TableName=table, Item=row, ConditionExpression=absent)
    refused("ConditionalCheckFailedException", dynamodb.put_item, TableName=table, Item=row, ConditionExpression=absent)
    beat = {
        "TableName": table,
        "Key": key,
        "UpdateExpression": "SET lease_counter = lease_counter + :one",
        "ConditionExpression": "lease_counter = :seen",
        "ExpressionAttributeValues": {":one": {"N": "1"}, ":seen": {"N": "1"}},
        "ReturnValues": "ALL_NEW",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    assert dynamodb.update_item(**beat)["Attributes"]["lease_counter"] == {"N": "2"}
    error = refused("ConditionalCheckFailedException", dynamodb.update_item, **beat)
    assert error["Item"] == {**row, "lease_counter": {"N": "2"}}, error
    got = dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True, ReturnConsumedCapacity="TOTAL")
    assert got["Item"]["lease_counter"] == {"N": "2"}
    assert got["ConsumedCapacity"]["CapacityUnits"] == 1.0, got
    dynamodb.delete_table(TableName=table)
    refused("ResourceNotFoundException", dynamodb.describe_table, TableName=table)


streams(client("kinesis", sys.argv[1]))
fan_out(client("kinesis", sys.argv[1]))
tables(client("dynamodb", sys.argv[1]))
