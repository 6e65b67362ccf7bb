"""A process of the gateway with additional routes that only forward a call: the floors of REST.

    POST /floor/flask     a route of a separate Flask application. It reads the body, forwards an empty call of the same
                          length as the real one, and answers with the same number of bytes. It does nothing else.
    POST /floor/gateway   the same route in the gateway's own application, with its checks, metrics and logs
    … /floor/<name>       further routes of the separate application. Each forwards the call that the input names, which
                          may have an exchange with the store

Both applications run in the same worker of gunicorn, which the gateway's own server sets up. With `share` false,
clients of events do not share a stream of the service: each has its own.

The process reads its settings as one line of JSON, prints its address and process id, and ends when its input ends.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection
from typing import Any

from flask import Flask, Response, request
from google.protobuf.wrappers_pb2 import BytesValue

from . import cores
from .floor_service import FLOOR, padding

BARE, BEHIND_CHECKS = "/floor/flask", "/floor/gateway"
EMPTY = "rest"
"""The name of the empty call that is forwarded."""
QUESTION = 60
"""Approximate bytes of a request about a placement."""


def main() -> None:
    """Run the process until its input ends."""
    orders = json.loads(sys.stdin.readline())
    cores.pin(os.getpid(), orders["cores"])
    from alhambra_gateway.config import Settings
    from alhambra_gateway.process import app as gateway_app  # after pinning, as a worker of the product does
    from alhambra_gateway.process import server
    from alhambra_gateway.streams.event_streams import EventStream

    made = gateway_app.create_app

    def with_floor(settings: Settings, accounts: Any = None) -> Any:
        app = made(settings)
        forward = forwarding(orders["service"], f"/{FLOOR}/plain_{EMPTY}", QUESTION, orders["answer"].encode())
        app.add_url_rule(BEHIND_CHECKS, "floor", forward, methods=["POST"])
        routes = {BARE: forward}
        for path, (call, question, answer) in orders["floors"].items():
            routes[path] = forwarding(orders["service"], call, question, answer.encode())
        bare = Flask("floor")
        for path, route in routes.items():
            bare.add_url_rule(path, path.replace("/", "-"), route, methods=["GET", "POST"])
        app.wsgi_app = either(routes, bare.wsgi_app, app.wsgi_app)  # type: ignore[method-assign]
        return app

    gateway_app.create_app = with_floor
    if not orders["share"]:
        EventStream.sharing_key = lambda self, first: None  # type: ignore[method-assign]
    settings = Settings(listen="127.0.0.1:0", service=orders["service"], workers=1, log_level="warning")
    threading.Thread(target=_end_with_input, daemon=True).start()
    server.serve(settings, _announce)


def either(paths: Collection[str], bare: Callable[..., Any], gateway: Callable[..., Any]) -> Callable[..., Any]:
    """Return an application that answers these paths with the bare application and all others with the gateway's."""

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        return (bare if environ["PATH_INFO"] in paths else gateway)(environ, start_response)

    return answer


def forwarding(service: str, method: str, question: int, answer: bytes) -> Callable[[], Response]:
    """Return a route that makes one call of the floor with a message of this length, and answers with these bytes."""
    import grpc

    channel = grpc.insecure_channel(service)
    call = channel.unary_unary(
        method,
        request_serializer=BytesValue.SerializeToString,
        response_deserializer=BytesValue.FromString,
    )
    message = BytesValue(value=padding(question))

    def forward() -> Response:
        request.get_data()
        call(message, timeout=10)
        return Response(answer, content_type="application/json")

    return forward


def _announce(address: str) -> None:
    (worker,) = (int(pid) for pid in _children(os.getpid()))
    print(json.dumps([address.removeprefix("http://"), worker]), flush=True)


def _children(pid: int) -> list[int]:
    import psutil

    return [child.pid for child in psutil.Process(pid).children()]


def _end_with_input() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
