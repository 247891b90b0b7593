"""Exits 0 if a Kinesis answers at the endpoint: answers.py ENDPOINT"""

import sys

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

kinesis = boto3.client(
    "kinesis",
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id="test",
    aws_secret_access_key="test",
    config=Config(connect_timeout=2, read_timeout=2, retries={"total_max_attempts": 1}),
)
try:
    kinesis.list_streams(Limit=1)
except (BotoCoreError, ClientError) as error:
    sys.exit(f"answers.py: {error}")
