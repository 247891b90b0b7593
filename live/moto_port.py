"""A DynamoDB that others wrote, on a port of the loopback interface that the system chooses; told on standard output.

One request at a time: moto looks at a condition and writes in two steps, and of many who race for a row several win.
"""

import threading

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

moto = DomainDispatcherApplication(create_backend_app)
turn = threading.Lock()


def one_at_a_time(environ, start_response):
    with turn:
        return moto(environ, start_response)


server = make_server("127.0.0.1", 0, one_at_a_time, threaded=True)
print(f"http://127.0.0.1:{server.port}", flush=True)
server.serve_forever()
