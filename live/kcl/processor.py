"""A record processor of the Java KCL (its MultiLangDaemon): writes every record that it is given to a file, in order.

    processor.py FILE
"""

import json
import sys

from amazon_kclpy import kcl
from amazon_kclpy.v3 import processor


class Writer(processor.RecordProcessorBase):
    def __init__(self, path):
        self.path = path
        self.shard = None

    def note(self, kind, **fields):
        # One write call a line: several processes append to the file.
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, "shard": self.shard, **fields}) + "\n")

    def initialize(self, initialize_input):
        self.shard = initialize_input.shard_id
        self.note("started", sequence=initialize_input.sequence_number)

    def process_records(self, process_records_input):
        for record in process_records_input.records:
            arrival = record.approximate_arrival_timestamp
            self.note(
                "record",
                key=record.partition_key,
                data=record.binary_data.decode("utf-8"),
                sequence=record.sequence_number,
                arrival=arrival.timestamp() if arrival else None,
            )
        process_records_input.checkpointer.checkpoint()

    def lease_lost(self, lease_lost_input):
        self.note("lost")

    def shard_ended(self, shard_ended_input):
        self.note("ended")
        shard_ended_input.checkpointer.checkpoint()

    def shutdown_requested(self, shutdown_requested_input):
        self.note("stopped")
        shutdown_requested_input.checkpointer.checkpoint()


if __name__ == "__main__":
    kcl.KCLProcess(Writer(sys.argv[1])).run()
