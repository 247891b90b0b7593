"""Drives the Java KCL through a split and compares what it read and what it stored.

    check.py KINESIS_ENDPOINT DYNAMODB_ENDPOINT WORK_FOLDER JARS

Creates a stream of two shards, puts 100 records, starts the KCL, waits until it has handed them out, splits a shard, puts
100 more, waits again. Then the records that it handed out are compared with those that were put: each came, as it was put, to
its shard, in the order of its key, none twice, none of a child before the end of its parent. And the lease table is compared with
the stream, row by row (rows.py): the parent at SHARD_END, every open shard at its last record, ranges, parents and children as
they are listed, one owner, every counter moving. Any other outcome ends with exit code 1 and the reason.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import boto3
import rows

STREAM, APPLICATION = "kcl-orders", "kcl-app"
PATIENCE = 150


def client(service, endpoint):
    return boto3.client(
        service, endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test"
    )


def fail(text):
    print(f"kcl: {text}", file=sys.stderr)
    raise SystemExit(1)


def until(what, condition, why=lambda: ""):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.5)
    fail(f"not within {PATIENCE} s: {what}: {why()}")


def properties(work, kinesis, dynamodb):
    processor = pathlib.Path(__file__).with_name("processor.py")
    script = work / "app.sh"
    script.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{processor}' '{work / 'records.jsonl'}'\n")
    script.chmod(0o755)
    path = work / "app.properties"
    path.write_text(
        f"""executableName = {script}
streamName = {STREAM}
applicationName = {APPLICATION}
AwsCredentialsProvider = DefaultCredentialsProvider
initialPositionInStream = TRIM_HORIZON
regionName = us-east-1
kinesisEndpoint = {kinesis}
dynamoDBEndpoint = {dynamodb}
metricsLevel = NONE
retrievalMode = POLLING
idleTimeBetweenReadsInMillis = 500
shardSyncIntervalMillis = 2000
failoverTimeMillis = 3000
parentShardPollIntervalMillis = 1000
"""
    )
    return path


def notes(work):
    path = work / "records.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def main():
    kinesis_endpoint, dynamodb_endpoint, work, jars = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    (work / "records.jsonl").unlink(missing_ok=True)
    kinesis, dynamodb = client("kinesis", kinesis_endpoint), client("dynamodb", dynamodb_endpoint)

    kinesis.create_stream(StreamName=STREAM, ShardCount=2)
    until("the stream is active", lambda: status(kinesis) == "ACTIVE")
    put = []

    def put_more(count):
        records = [{"Data": str(len(put) + n).encode(), "PartitionKey": f"key-{(len(put) + n) % 7}"} for n in range(count)]
        answer = kinesis.put_records(StreamName=STREAM, Records=records)
        if answer["FailedRecordCount"]:
            fail(f"records refused: {answer}")
        put.extend(zip(records, answer["Records"]))

    put_more(100)
    environment = {**os.environ, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
    command = ["java", "-Xmx512m", "-cp", f"{jars}/*", "software.amazon.kinesis.multilang.MultiLangDaemon"]
    with open(work / "kcl.log", "w") as log:
        daemon = subprocess.Popen(
            [*command, "--properties-file", str(properties(work, kinesis_endpoint, dynamodb_endpoint))],
            env=environment, stdout=log, stderr=log, start_new_session=True,
        )
    try:
        seen = lambda: sum(note["kind"] == "record" for note in notes(work))
        until("the KCL hands out the first 100 records", lambda: seen() >= 100 or daemon.poll() is not None)
        parent = shards(kinesis)[0]
        low, high = (int(parent["HashKeyRange"][end]) for end in ("StartingHashKey", "EndingHashKey"))
        kinesis.split_shard(StreamName=STREAM, ShardToSplit=parent["ShardId"], NewStartingHashKey=str((low + high) // 2 + 1))
        until("the split is done", lambda: status(kinesis) == "ACTIVE" and len(shards(kinesis)) == 4)
        put_more(100)
        until("the KCL hands out the other 100 records", lambda: seen() >= 200 or daemon.poll() is not None)
        last = {answer["ShardId"]: answer["SequenceNumber"] for _, answer in put}
        differ = lambda: rows.differences(rows.scan(dynamodb, APPLICATION), shards(kinesis), last)
        until("the lease table says so", lambda: not differ(), lambda: "; ".join(differ()))
        before = rows.scan(dynamodb, APPLICATION)
        unmoved = lambda: rows.unmoved(before, rows.scan(dynamodb, APPLICATION))
        until("every lease is renewed", lambda: not unmoved(), lambda: f"not {unmoved()}")
    finally:
        os.killpg(daemon.pid, signal.SIGTERM)
        try:
            daemon.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(daemon.pid, signal.SIGKILL)
    judge(put, notes(work), parent["ShardId"], shards(kinesis))
    print(f"kcl: {len(put)} records through a split, each once and in order; the lease rows as the stream is")


def status(kinesis):
    return kinesis.describe_stream_summary(StreamName=STREAM)["StreamDescriptionSummary"]["StreamStatus"]


def shards(kinesis):
    return kinesis.list_shards(StreamName=STREAM)["Shards"]


def judge(put, seen, parent, listing):
    expected = {answer["SequenceNumber"]: (record, answer["ShardId"]) for record, answer in put}
    records = [note for note in seen if note["kind"] == "record"]
    for note in records:
        record, shard = expected.get(note["sequence"], (None, None))
        if record is None or record["Data"].decode() != note["data"] or record["PartitionKey"] != note["key"] or shard != note["shard"]:
            fail(f"a record that was not put like this: {note}")
        if note["arrival"] is None or abs(note["arrival"] - time.time()) > 3600:
            fail(f"a record with a wrong arrival time: {note}")
    first = {}
    for place, note in enumerate(records):
        first.setdefault(note["sequence"], place)
    missing = [answer for _, answer in put if answer["SequenceNumber"] not in first]
    if missing:
        fail(f"{len(missing)} records were never handed out, the first of them {missing[0]}")
    # A lease that was lost, on a machine that stood still, is read again from its checkpoint.
    if len(records) != len(first) and not any(note["kind"] == "lost" for note in seen):
        fail(f"{len(records)} records were handed out for the {len(first)} that were put")
    for key in {record["PartitionKey"] for record, _ in put}:
        places = [first[answer["SequenceNumber"]] for record, answer in put if record["PartitionKey"] == key]
        if places != sorted(places):
            fail(f"the records of `{key}` came out of order")
    kinds = [(note["kind"], note["shard"]) for note in seen]
    children = {shard["ShardId"] for shard in listing if shard.get("ParentShardId") == parent}
    starts = [kinds.index(("started", child)) for child in children if ("started", child) in kinds]
    if ("ended", parent) not in kinds or min(starts, default=-1) < kinds.index(("ended", parent)):
        fail(f"a child of {parent} started before its end")


if __name__ == "__main__":
    main()
