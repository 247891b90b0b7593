"""The operations of a lease table, the same on several services: leases.py NAME=ENDPOINT NAME=ENDPOINT..

Seeded steps over a few rows, some with what stands in the row, some with what stood there once. Each request goes to every
service; the first difference in the answers, or in the rows at the end, is told, and the exit code is 1.
"""

import random
import sys
import time

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

STEPS, SEED, TABLE, KEYS = 600, 20_261_129, "leases", [f"app:orders:{n}" for n in range(4)]

# Services that leave the row out of a refusal although `ReturnValuesOnConditionCheckFailure` asks for it.
WITHOUT_ALL_OLD = {"dynalite"}


def client(endpoint):
    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(connect_timeout=5, read_timeout=10, retries={"total_max_attempts": 1}),
    )


def plain(value):
    """A value or row in a form that does not know the order of sets."""
    if isinstance(value, dict):
        return {name: sorted(part) if name == "SS" else plain(part) for name, part in value.items()}
    return value


def create(service):
    service.create_table(
        TableName=TABLE,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "lease_key", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "lease_key", "AttributeType": "S"}],
    )
    while service.describe_table(TableName=TABLE)["Table"]["TableStatus"] != "ACTIVE":
        time.sleep(0.05)


def number(value):
    return {"N": str(value)}


def update(key, expression, condition, **values):
    return "update_item", {
        "TableName": TABLE,
        "Key": {"lease_key": {"S": key}},
        "UpdateExpression": expression,
        "ConditionExpression": condition,
        "ExpressionAttributeValues": {f":{name}": value for name, value in values.items()},
        "ReturnValues": "ALL_NEW",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }


HELD = "lease_owner = :owner AND #session = :session AND lease_counter = :counter"


def held(key, expression, seen, **values):
    operation, request = update(
        key,
        expression,
        HELD.replace("#session", "session_id"),
        owner=seen.get("lease_owner", {"S": "nobody"}),
        session=seen.get("session_id", {"S": "none"}),
        counter=seen.get("lease_counter", number(0)),
        next=number(int(seen.get("lease_counter", number(0))["N"]) + 1),
        **values,
    )
    return operation, request


def step(chance, key, seen):
    """A name, an operation and its request. `seen` is the row as it is, or was."""
    name = chance.choice(["create", "take", "beat", "checkpoint", "request", "grant", "release", "end", "delete", "get"])
    counter = seen.get("lease_counter", number(0))
    after = number(int(counter["N"]) + 1)
    worker = f"w{chance.randrange(3)}"
    if name == "create":
        item = {
            "lease_key": {"S": key},
            "shard_id": {"S": key.rsplit(":", 1)[1]},
            "parents": {"SS": ["shardId-000000000000", "shardId-000000000001"]},
            "lease_counter": number(0),
            "generation": number(0),
        }
        request = {"TableName": TABLE, "Item": item, "ConditionExpression": "attribute_not_exists(lease_key)"}
        return name, "put_item", {**request, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    if name == "take":
        free = "attribute_not_exists(session_id)"
        values = {"seen": counter, "next": after, "owner": {"S": worker}, "session": {"S": f"s-{worker}"}}
        if "session_id" in seen:
            free = "session_id = :old"
            values["old"] = seen["session_id"]
        expression = "SET lease_owner = :owner, session_id = :session, lease_counter = :next REMOVE wanted_by"
        return name, *update(key, expression, f"attribute_exists(lease_key) AND lease_counter = :seen AND {free}", **values)
    if name == "request":
        wanted = {"M": {"owner": {"S": worker}, "session": {"S": f"s-{worker}"}}}
        condition = "lease_owner = :seen AND attribute_not_exists(wanted_by)"
        owner = seen.get("lease_owner", {"S": "nobody"})
        return name, *update(key, "SET wanted_by = :wanted", condition, wanted=wanted, seen=owner)
    if name == "grant":
        expression = "SET lease_owner = :new, session_id = :given, lease_counter = :next REMOVE wanted_by"
        return name, *held(key, expression, seen, new={"S": worker}, given={"S": f"s-{worker}"})
    if name == "beat":
        return name, *held(key, "SET lease_counter = :next", seen)
    if name == "checkpoint":
        position = {"S": str(chance.randrange(10**9))}
        expression = "SET lease_counter = :next, checkpoint_at = :position, bell = if_not_exists(bell, :zero) + :one"
        return name, *held(key, expression, seen, position=position, zero=number(0), one=number(1))
    if name == "release":
        return name, *held(key, "SET lease_counter = :next REMOVE lease_owner, session_id", seen)
    if name == "end":
        expression = "SET lease_counter = :next, checkpoint_at = :end REMOVE lease_owner, session_id"
        return name, *held(key, expression, seen, end={"S": "SHARD_END"})
    if name == "delete":
        request = {
            "TableName": TABLE,
            "Key": {"lease_key": {"S": key}},
            "ConditionExpression": "lease_counter = :seen AND checkpoint_at IN (:end, :trimmed)",
            "ExpressionAttributeValues": {":seen": counter, ":end": {"S": "SHARD_END"}, ":trimmed": {"S": "TRIMMED"}},
            "ReturnValues": "ALL_OLD",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
        return name, "delete_item", request
    return name, "get_item", {"TableName": TABLE, "Key": {"lease_key": {"S": key}}, "ConsistentRead": True}


def answer(service, operation, request):
    try:
        told = getattr(service, operation)(**request)
    except ClientError as error:
        return error.response["Error"]["Code"], plain(error.response.get("Item"))
    return "ok", plain(told.get("Attributes") or told.get("Item"))


def rows(service):
    """The table by pages of three, with a filter that all rows pass."""
    found, start = {}, {}
    while True:
        page = service.scan(
            TableName=TABLE,
            Limit=3,
            ConsistentRead=True,
            FilterExpression="begins_with(lease_key, :app)",
            ExpressionAttributeValues={":app": {"S": "app:"}},
            **start,
        )
        found.update({row["lease_key"]["S"]: plain(row) for row in page["Items"]})
        if "LastEvaluatedKey" not in page:
            return found
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}


def main():
    services = {}
    for argument in sys.argv[1:]:
        name, endpoint = argument.split("=", 1)
        services[name] = client(endpoint)
        create(services[name])
    chance, first = random.Random(SEED), next(iter(services))
    history = {key: [{}] for key in KEYS}
    met = {}
    for at in range(STEPS):
        key = chance.choice(KEYS)
        # Mostly the row as it stands: a chain of refusals would test little.
        seen = history[key][-1] if chance.random() < 0.8 else chance.choice(history[key])
        name, operation, request = step(chance, key, seen)
        answers = {service: answer(services[service], operation, request) for service in services}
        code, item = answers[first]
        met[name, code] = met.get((name, code), 0) + 1
        for service, (other, shown) in answers.items():
            blind = service in WITHOUT_ALL_OLD and other == "ConditionalCheckFailedException"
            if other != code or (shown != item and not blind):
                sys.exit(f"leases.py: step {at}, {name}: {request}\n{first}: {answers[first]}\n{service}: {answers[service]}")
        stands = services[first].get_item(TableName=TABLE, Key={"lease_key": {"S": key}}, ConsistentRead=True)
        history[key].append(stands.get("Item", {}))
    tables = {service: rows(services[service]) for service in services}
    for service, table in tables.items():
        if table != tables[first]:
            sys.exit(f"leases.py: the rows at the end\n{first}: {tables[first]}\n{service}: {table}")
    for name in {name for name, _ in met}:
        expected = ["ok"] if name == "get" else ["ok", "ConditionalCheckFailedException"]
        missing = [code for code in expected if (name, code) not in met]
        if missing:
            sys.exit(f"leases.py: `{name}` never ended in {missing}: the steps test too little")
    print(f"leases: {STEPS} steps alike on {', '.join(services)}")


main()
