"""A server of the games for tests: in this process, or as a process of its own that tells its port.

python -m tests.service.serving unix:///path/of/the/store
"""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import grpc

from alhambra_api.v1 import service_pb2_grpc
from alhambra_service.auth.access import Access
from alhambra_service.auth.tickets import Tickets
from alhambra_service.games.table import Table, decode
from alhambra_service.games.tables import Tables
from alhambra_service.rpc.failed_calls import FailedCalls
from alhambra_service.rpc.game_service import GameServicer
from alhambra_service.rpc.guard import Guard
from alhambra_service.store import GameStore
from alhambra_service.streams.event_streams import EventStreams

THREADS = 16
Clock = Callable[[], float]


class GameServer:
    """Serves the games of a store on a free port of loopback."""

    def __init__(self, store_url: str, *, access: Access | None = None, clock: Clock | None = None) -> None:
        self.store: GameStore[Table] = GameStore.open(store_url, decode)
        more = {"clock": clock} if clock is not None else {}
        self.tables = Tables(self.store, **more)  # type: ignore[arg-type]
        self.refused: list[tuple[str, str]] = []
        self.access = access or Access(None, Tickets(self.store.client))
        self._streams = EventStreams(self.tables, self.access)
        self._server = grpc.server(
            ThreadPoolExecutor(THREADS),
            interceptors=[
                FailedCalls(lambda method, reason: self.refused.append((method, reason))),
                Guard(self.access),
            ],
            options=[("grpc.so_reuseport", 0)],
        )
        servicer = GameServicer(self.tables, self.access, self._streams)
        service_pb2_grpc.add_GameServiceServicer_to_server(servicer, self._server)
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self.address = f"127.0.0.1:{self.port}"
        self._server.start()

    def stop(self) -> None:
        self._streams.stop()
        self._server.stop(0).wait()
        self.store.close()


def main() -> None:
    server = GameServer(sys.argv[1])
    print(server.port, flush=True)
    sys.stdin.read()  # until the parent closes it, or dies
    server.stop()


if __name__ == "__main__":
    main()
