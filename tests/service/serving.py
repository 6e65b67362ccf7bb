"""A server of the games for tests: in this process, or as a process of its own that tells its port.

python -m tests.service.serving unix:///path/of/the/store
"""

import sys
from collections.abc import Callable

from alhambra_service.auth.access import Access
from alhambra_service.auth.tickets import Tickets
from alhambra_service.config import Settings
from alhambra_service.games.game_commands import GameCommands
from alhambra_service.games.loaded_game import LoadedGame, decode
from alhambra_service.process.service import register
from alhambra_service.rpc.grpc_internals import StreamSender
from alhambra_service.rpc.health import Health
from alhambra_service.rpc.server import Server
from alhambra_service.rpc.services.game_service import GameServicer
from alhambra_service.rpc.services.table_service import TableServicer
from alhambra_service.rpc.services.webhook_service import WebhookServicer
from alhambra_service.store import GameStore
from alhambra_service.streams.event_streams import EventStreams
from alhambra_service.webhook_addresses import AddressPolicy

Clock = Callable[[], float]


class GameServer:
    """Serves the games of a store on a free port of loopback, with the server that production uses."""

    def __init__(
        self,
        store_url: str,
        *,
        access: Access | None = None,
        clock: Clock | None = None,
        policy: AddressPolicy | None = None,
    ) -> None:
        self.store: GameStore[LoadedGame] = GameStore.open(store_url, decode)
        self.commands = GameCommands(self.store, clock=clock)
        self.access = access or Access(None, Tickets(self.store.client))
        self._streams = EventStreams(self.commands, self.access, sender_of=StreamSender)
        games = GameServicer(self.commands, self.access, self._streams)
        tables = TableServicer(self.commands, self.access)
        webhooks = WebhookServicer(self.commands, self.access, policy)
        self._server = Server(
            Settings(listen="127.0.0.1:0"),
            self.access,
            Health(self.store.unready),
            lambda server: register(server, games, tables, webhooks),
            leave=self._streams.stop,
        )
        self.port = self._server.start()
        self.address = f"127.0.0.1:{self.port}"

    def stop(self) -> None:
        self._server.stop(drain=0, grace=0)
        self._streams.close()
        self.store.close()


def main() -> None:
    server = GameServer(sys.argv[1])
    print(server.port, flush=True)
    sys.stdin.read()  # until the parent closes it, or dies
    server.stop()


if __name__ == "__main__":
    main()
