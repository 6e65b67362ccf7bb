"""What is written by hand although a library exists, against that library, in one run (decisions 26 to 30).

python -m bench.by_hand [json|cache|store|worker|openapi]...

Times are seconds on a core, medians of interleaved rounds; what counts is the ratio of two rows of the same run.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from google.protobuf.message import Message

from .measure import side_by_side

SLOW_CLIENTS = 16
PATIENCE = 5.0
CLIENTS = 8
REQUESTS = 2_000


def shown(title: str, works: dict[str, Callable[[], object]]) -> None:
    """Measure works side by side; the last one is what the product does."""
    found = side_by_side(works)
    own = list(found.values())[-1]
    print(f"{title}:")
    for name, seconds in found.items():
        print(f"  {name:<46} {1e6 * seconds:9.1f} us  {seconds / own:6.2f}")


# -- JSON of messages --------------------------------------------------------------------------------------------------


def measure_json() -> None:
    """The gateway's readers and writers against google.protobuf.json_format."""
    from google.protobuf import json_format

    from alhambra import Game, Options
    from alhambra_api.v1 import boards_pb2, views_pb2
    from alhambra_gateway.json_messages import dumps, loads, reader, writer
    from alhambra_service.messages.encoded_views import view_to
    from tests.service.random_games import seated

    view = view_to(seated(Game.new(Options(seats=3, seed="by hand"))), 0, game_id="abcdefghijkl")
    legal = boards_pb2.ValidatePlacementResponse(version=7, legal=True)
    asked = boards_pb2.ValidatePlacementRequest(game="abcdefghijkl", seat=1)
    asked.placement.tile, asked.placement.cell.x = "garden-8-ne", 1
    body = json_format.MessageToJson(asked).encode()

    def written(message: Message) -> dict[str, Callable[[], object]]:
        write = writer(message.DESCRIPTOR)
        every = partial(json_format.MessageToJson, indent=None, always_print_fields_with_no_presence=True)
        return {"json_format.MessageToJson": lambda: every(message), "json_messages": lambda: dumps(write(message))}

    shown("write a view as JSON", written(view))
    shown("write a verdict as JSON", written(legal))
    read = reader(boards_pb2.ValidatePlacementRequest.DESCRIPTOR)
    shown(
        "read a question about a placement",
        {
            "json_format.Parse": lambda: json_format.Parse(body, boards_pb2.ValidatePlacementRequest()),
            "json_messages": lambda: read(boards_pb2.ValidatePlacementRequest(), loads(body)),
        },
    )
    standard = json_format.MessageToDict(view)
    ours = writer(views_pb2.View.DESCRIPTOR)(view)
    print(f"  members of the view: {len(standard)} by the standard, {len(ours)} here")


# -- Games in memory ---------------------------------------------------------------------------------------------------


def measure_cache() -> None:
    """A decoded game in memory against a reply in memory, which a client of Redis can keep, and against no cache."""
    from alhambra import Game, Options
    from alhambra_service.games.loaded_game import LoadedGame, decode, encode
    from alhambra_service.store import EmbeddedStore, GameStore, new_game
    from alhambra_service.store.checks import Durability
    from alhambra_service.store.keys import state_key
    from alhambra_service.store.stored_game import read_stored_game
    from tests.service.random_games import seated

    with TemporaryDirectory() as folder, EmbeddedStore(Path(folder), fsync="everysec") as embedded:
        store: GameStore[LoadedGame] = GameStore.open(embedded.url, decode, durability=Durability.EVERYSEC)
        game, loaded = new_game(), seated(Game.new(Options(seats=3, seed="by hand")))
        store.create(game, encode(loaded))
        store.load(game)
        key = state_key(game)
        reply = store.client.read(key, "GET", key)
        shown(
            "one read of a game",
            {
                "GET, then decode": lambda: decode(read_stored_game(store.client.read(key, "GET", key))),
                "reply in memory, then decode": lambda: decode(read_stored_game(reply)),
                "store/memory": lambda: store.cached(game, 0),
            },
        )
        store.close()


# -- Connections to the store ------------------------------------------------------------------------------------------


class ForgetfulServer:
    """A cluster of one server that takes every SET and never answers it."""

    def __init__(self) -> None:
        self.taken = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            client, _ = self._socket.accept()
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, client.makefile("rb") as lines:
            while head := lines.readline():
                words = []
                for _ in range(int(head[1:])):
                    length = int(lines.readline()[1:])
                    words.append(lines.read(length + 2)[:-2].upper())
                if words[0] == b"SET":
                    self.taken += 1
                    return
                client.sendall(self._answer(words))

    def _answer(self, words: list[bytes]) -> bytes:
        if words[:2] == [b"CLUSTER", b"SLOTS"]:
            host = b"$9\r\n127.0.0.1\r\n"
            return b"*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n" + host + b":%d\r\n$1\r\na\r\n" % self.port
        if words[0] == b"COMMAND":
            return b"*1\r\n*6\r\n$3\r\nset\r\n:-3\r\n*1\r\n+write\r\n:1\r\n:1\r\n:1\r\n"
        return b"+OK\r\n"


def measure_store() -> None:
    """Whether the library sends a command twice whose reply was lost, what it then says, and what an exchange costs."""
    import redis
    from redis.backoff import NoBackoff
    from redis.cluster import RedisCluster
    from redis.retry import Retry

    from alhambra_service.store import EmbeddedStore
    from alhambra_service.store.connection.wire import Server, settings_of

    never = Retry(NoBackoff(), 0)
    print("a reply is lost: how often the server took the command, and what the caller is told")
    for name, kind, settings in (
        ("redis.Redis, as it comes", redis.Redis, {}),
        ("redis.Redis, retries off", redis.Redis, {"retry": never}),
        ("RedisCluster, as it comes", RedisCluster, {}),
        ("RedisCluster, retries off", RedisCluster, {"retry": never}),
    ):
        server = ForgetfulServer()
        print(f"  {name:<46} {_lost(kind, server, settings)}")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    try:
        redis.Redis(port=port, protocol=2, retry=never).set("a", "b")
    except redis.RedisError as fault:
        print(f"  {'no server at all: nothing was sent':<46} {type(fault).__name__}")
    with TemporaryDirectory() as folder, EmbeddedStore(Path(folder), fsync="everysec") as embedded:
        path = embedded.url.removeprefix("unix://")
        client: Any = redis.Redis(unix_socket_path=path, protocol=2, retry=never)
        server_ours = Server("store", settings_of(embedded.url))
        shown(
            "one GET",
            {
                "redis.Redis, retries off": lambda: client.execute_command("GET", "absent"),
                "store/connection": lambda: server_ours.exchange(("GET", "absent")),
            },
        )


def _lost(kind: Any, server: ForgetfulServer, settings: dict[str, Any]) -> str:
    import redis

    try:
        kind(host="127.0.0.1", port=server.port, protocol=2, socket_timeout=1, **settings).set("a", "b")
    except redis.RedisError as fault:
        return f"{server.taken} times, {type(fault).__name__}"
    return f"{server.taken} times, no error"


# -- The worker of gunicorn --------------------------------------------------------------------------------------------


def measure_worker() -> None:
    """gunicorn's threaded worker against ours, with the same application and as many threads."""
    for kind in ("gthread", "ours"):
        with _gateway(kind) as port:
            times = sorted(_throughput(port) for _ in range(5))
            began = time.monotonic()
            slow = [_half_a_request(port) for _ in range(SLOW_CLIENTS)]
            try:
                _get(_connect(port), f"/{kind}")
                answered = f"answered after {1000 * (time.monotonic() - began):.0f} ms"
            except TimeoutError:
                answered = f"not answered within {PATIENCE:.0f} s"
            for client in slow:
                client.close()
        rate = f"{times[len(times) // 2]:.0f} requests a second"
        print(f"  {kind:<10} {rate}; beside {SLOW_CLIENTS} unfinished ones: {answered}")


@contextmanager
def _gateway(kind: str) -> Iterator[int]:
    command = [sys.executable, "-m", "bench.by_hand", f"serve-{kind}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(30)


def serve(kind: str) -> None:
    """Serve an application that answers at once, until a signal comes."""
    from gunicorn.workers.gthread import ThreadWorker

    from alhambra_gateway.config import Settings
    from alhambra_gateway.process import app, server

    body = json.dumps({"legal": True}).encode()

    def answer(environ: Any, start_response: Any) -> list[bytes]:
        start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [body]

    class Gthread(ThreadWorker):
        """gunicorn's own, which says that it is ready."""

        ready = True
        settings: Settings

        def load_wsgi(self) -> None:
            self.wsgi = answer

    if kind == "gthread":
        setattr(server, "Worker", Gthread)  # noqa: B010
    else:
        made = app.create_app

        def with_answer(settings: Settings, accounts: Any = None) -> Any:
            found = made(settings)
            found.wsgi_app = answer  # type: ignore[method-assign]
            return found

        app.create_app = with_answer
    settings = Settings(listen="127.0.0.1:0", service="127.0.0.1:9", workers=1, log_level="error", drain_seconds=0)
    server.serve(settings, lambda address: print(address.rpartition(":")[2], flush=True))


def _connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE)


def _get(client: socket.socket, path: str) -> bytes:
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    answer = client.recv(4096)
    if not answer:
        raise TimeoutError
    return answer


def _half_a_request(port: int) -> socket.socket:
    client = _connect(port)
    client.sendall(b"GET / HTTP/1.1\r\nHost: 127")
    return client


def _throughput(port: int) -> float:
    def ask() -> None:
        with _connect(port) as client:
            for _ in range(REQUESTS // CLIENTS):
                _get(client, "/")

    threads = [threading.Thread(target=ask) for _ in range(CLIENTS)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return REQUESTS / (time.monotonic() - began)


# -- The API document --------------------------------------------------------------------------------------------------


def measure_openapi() -> None:
    """What of the document a generator cannot know that reads the standard options only."""
    began = time.process_time()
    from alhambra_api.v1 import annotations_pb2, service_pb2
    from alhambra_gateway.json_messages import word_of
    from alhambra_gateway.openapi import document
    from alhambra_gateway.openapi.schemas import is_always_there, reached
    from alhambra_gateway.routing.routes import compile_routes

    found = document()
    seconds = time.process_time() - began
    routes = compile_routes()
    messages = reached([*(r.descriptor.input_type for r in routes), *(r.descriptor.output_type for r in routes)])
    messages = {message for message in messages if message.file.package == service_pb2.DESCRIPTOR.package}
    fields = [field for message in messages for field in message.fields]
    enums = {field.enum_type for field in fields if field.enum_type is not None}
    named = [(value.name, word_of(enum)[value.number]) for enum in enums for value in enum.values if value.number]
    options = [message.GetOptions().Extensions for message in messages]
    special = [one for one in options if one[annotations_pb2.sparse] or one[annotations_pb2.plain]]
    problems = [answer for path in found["paths"].values() for one in path.values() for answer in one["responses"]]
    print(f"  {len(found['paths'])} addresses, {len(found['components']['schemas'])} schemas, made in {seconds:.2f} s")
    print(f"  words of enums that are not their names: {sum(name != word for name, word in named)}")
    print(f"  sparse or plain messages: {len(special)}")
    print(f"  members that are always there: {sum(map(is_always_there, fields))} of {len(fields)}")
    print(f"  answers that are problems: {sum(status >= '400' for status in problems)}")


MEASURED = {
    "json": measure_json,
    "cache": measure_cache,
    "store": measure_store,
    "worker": measure_worker,
    "openapi": measure_openapi,
}


def main() -> None:
    """Measure what is named, or everything."""
    wanted = sys.argv[1:] or list(MEASURED)
    if wanted[0].startswith("serve-"):
        serve(wanted[0].removeprefix("serve-"))
        return
    for name in wanted:
        print(f"== {name}")
        MEASURED[name]()


if __name__ == "__main__":
    main()
