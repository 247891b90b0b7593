"""The rows that the KCL keeps of a stream, against what they must hold once it has read everything."""


def scan(dynamodb, table):
    """The rows by lease key, as plain values. Rows that are no leases stand in tables of their own since KCL 3."""
    rows = dynamodb.scan(TableName=table, ConsistentRead=True)["Items"]
    return {row["leaseKey"]["S"]: {name: next(iter(value.values())) for name, value in row.items()} for row in rows}


def expected(listing, last):
    """What each row must hold. `last` is the sequence number of the last record that was put to a shard."""
    rows = {}
    for shard in listing:
        id = shard["ShardId"]
        children = [other["ShardId"] for other in listing if other.get("ParentShardId") == id]
        row = {
            "checkpoint": "SHARD_END" if children else last[id],
            "checkpointSubSequenceNumber": "0",
            "startingHashKey": shard["HashKeyRange"]["StartingHashKey"],
            "endingHashKey": shard["HashKeyRange"]["EndingHashKey"],
            "parentShardId": [shard["ParentShardId"]] if "ParentShardId" in shard else None,
            "childShardIds": sorted(children) or None,
        }
        rows[id] = row
    return rows


def differences(rows, listing, last):
    """Every way in which the rows are not as they must be."""
    wanted, found = expected(listing, last), []
    for id in sorted(rows.keys() - wanted.keys()):
        found.append(f"`{id}` is no shard of the stream: {rows[id]}")
    for id, row in wanted.items():
        if id not in rows:
            found.append(f"`{id}` has no row")
            continue
        for name, value in row.items():
            stored = rows[id].get(name)
            stored = sorted(stored) if isinstance(stored, list) else stored
            if stored != value:
                found.append(f"`{id}`: {name} is {stored!r}, not {value!r}")
    # The KCL 3 holds what has ended until it cleans up, minutes later.
    owners = {row.get("leaseOwner") for row in rows.values()}
    if len(owners) != 1 or None in owners:
        found.append(f"the owners are {owners}, not one worker")
    return found


def unmoved(before, after):
    """The leases that were not renewed in between: their counter is where it was."""
    counter = lambda rows, id: int(rows[id]["leaseCounter"])
    return [id for id in after if id not in before or counter(after, id) <= counter(before, id)]
