"""What a test in Node.js asks of the Python side: faults of the network, servers that stop, stores that lose moves.

`POST /NAME` with a JSON list of arguments calls the method NAME and returns what it returns.
"""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import create_server
from typing import Any

from tests.clients.python.faulty_proxy import FaultyProxy, answer
from tests.gateway.product import gateway, running
from tests.service.lost_moves import keep_for_later, play_otherwise
from tests.service.watchers import Place, Seats

HOST = "127.0.0.1"


class Control:
    """A proxy before a server, and an HTTP server that lets a test tell it what to do."""

    def __init__(self, target: str, folder: Path, place: Place | None = None) -> None:
        self.proxy = FaultyProxy(target)
        self._folder = folder
        self._place = place
        self._own = ExitStack()
        self._server = ThreadingHTTPServer((HOST, 0), _handler(self))
        self.http = f"http://{HOST}:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """End everything that was started."""
        self._server.shutdown()
        self._server.server_close()
        self.proxy.stop()
        self._own.close()

    # -- The network -------------------------------------------------------------------------------------------------

    def faults(self, only: str, faults: list[Any]) -> None:
        """Let these things happen to the next requests whose first line contains a text."""
        self.proxy.only = only
        self.proxy.faults = [each if isinstance(each, str) else answer(each[0], each[1], **each[2]) for each in faults]

    def sent(self, word: str) -> list[dict[str, Any]]:
        """Return the requests whose first line contains a word."""
        return [request._asdict() for request in self.proxy.sent(word)]

    def clear(self) -> None:
        """Forget the requests until now."""
        self.proxy.requests.clear()

    def cut(self) -> int:
        """Cut the streams that are open, and return how many there were."""
        return self.proxy.cut_streams()

    def nowhere(self) -> dict[str, str]:
        """Return an address at which nothing listens."""
        with create_server((HOST, 0)) as free:
            return {"address": f"http://{HOST}:{free.getsockname()[1]}"}

    # -- Servers -----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start a server with data of its own, or with the data of the one that was stopped, behind the proxy."""
        self._product = self._own.enter_context(running("--workers", "1", "--data", str(self._folder)))
        self.proxy.target = self._product.http

    def stop(self) -> None:
        """Stop the server that was started."""
        self._own.close()

    def kill_workers(self) -> None:
        """Kill the workers of the server that was started; it starts others."""
        self._product.kill_service_workers()

    def prepare(self) -> dict[str, Any]:
        """Make a game with five moves, of which the store will lose the last two."""
        assert self._place is not None
        self._seats = Seats(self._place)
        self._seats.play(3)
        self._go_back = keep_for_later(self._place.store, self._seats.game)
        self._seats.play(2)
        front = self._own.enter_context(gateway(f"{HOST}:{self._place.port}"))
        self.proxy.target = front.http
        return {"game": self._seats.game, "tokens": self._seats.tokens}

    def go_back(self, moves: int) -> None:
        """Lose moves, and make others."""
        self._go_back()
        play_otherwise(self._seats, moves)


def _handler(control: Control) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            words = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps(getattr(control, self.path.strip("/"))(*words)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
