"""Puts records with boto3, a client that others wrote, for the tests in runtime/tests/live.

    put.py ENDPOINT STREAM plain FIRST COUNT KEYS
    put.py ENDPOINT STREAM aggregate KEY COUNT

`plain` puts COUNT JSON records {"id": FIRST..} in order, over KEYS partition keys, and prints how many the service
acknowledged. `aggregate` puts one record that holds COUNT user records in the format of the Kinesis Producer Library.
"""

import hashlib
import json
import sys

import boto3
from botocore.config import Config

REQUEST_RECORDS = 200
KPL_MAGIC = b"\xf3\x89\x9a\xc2"


def client(endpoint):
    return boto3.client(
        "kinesis",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(connect_timeout=5, read_timeout=30),
    )


def put(kinesis, stream, records):
    # One request after the other, and any refusal is fatal: so the order of the records is the order in the stream.
    acknowledged = 0
    for at in range(0, len(records), REQUEST_RECORDS):
        answer = kinesis.put_records(StreamName=stream, Records=records[at : at + REQUEST_RECORDS])
        if answer["FailedRecordCount"]:
            sys.exit(f"put.py: the service refused {answer['FailedRecordCount']} records: {answer['Records']}")
        acknowledged += len(answer["Records"])
    return acknowledged


def plain(first, count, keys):
    return [
        {"Data": json.dumps({"id": number}).encode(), "PartitionKey": f"key-{number % keys}"}
        for number in range(first, first + count)
    ]


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, payload):
    """A length-delimited protobuf field."""
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def aggregate(key, count):
    """KPL's AggregatedRecord: a table of keys (1), records (3) with the index of their key (1) and data (3)."""
    message = field(1, key.encode())
    for number in range(count):
        record = varint(1 << 3) + varint(0) + field(3, json.dumps({"id": number}).encode())
        message += field(3, record)
    return KPL_MAGIC + message + hashlib.md5(message).digest()


def main(endpoint, stream, what, *rest):
    kinesis = client(endpoint)
    if what == "plain":
        first, count, keys = map(int, rest)
        print(put(kinesis, stream, plain(first, count, keys)))
    elif what == "aggregate":
        key, count = rest[0], int(rest[1])
        print(put(kinesis, stream, [{"Data": aggregate(key, count), "PartitionKey": key}]))
    else:
        sys.exit(f"put.py: `{what}` is neither `plain` nor `aggregate`")


if __name__ == "__main__":
    main(*sys.argv[1:])
