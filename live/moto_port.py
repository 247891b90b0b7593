"""A DynamoDB that others wrote, on a port of the loopback interface that the system chooses; told on standard output."""

import threading

from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
print(f"http://{host}:{port}", flush=True)
threading.Event().wait()
