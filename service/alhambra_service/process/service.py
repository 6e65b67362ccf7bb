"""The parts of one worker: store, access, health, the services of the contract, one server."""

from __future__ import annotations

import logging
from pathlib import Path

import grpc

from alhambra_api.v1 import service_pb2_grpc
from alhambra_runtime.settings import read_file

from .. import limits
from ..auth.access import Access
from ..auth.api_keys import BadKeys, KeyRing
from ..auth.tickets import Tickets
from ..config import BadSettings, Settings
from ..games.game_commands import GameCommands
from ..games.loaded_game import LoadedGame, decode
from ..games.retention import Retention
from ..metrics import flush_calls
from ..rpc.grpc_internals import StreamSender
from ..rpc.health import Health
from ..rpc.server import Server
from ..rpc.services.board_service import BoardServicer
from ..rpc.services.catalog_service import CatalogServicer
from ..rpc.services.game_service import GameServicer
from ..rpc.services.table_service import TableServicer
from ..rpc.services.webhook_service import WebhookServicer
from ..store import Durability, StoreError
from ..store.checks import require
from ..store.connection.connect import connect
from ..store.measured_store import MeasuredStore
from ..streams.event_streams import EventStreams

_log = logging.getLogger(__name__)


class StartFault(Exception):
    """The service cannot start. The message is a sentence that says why."""


class Service:
    """The parts of one process. Create it after forking, start it once, stop it once."""

    def __init__(self, settings: Settings, store_url: str) -> None:
        self._settings = settings
        try:
            self._keys = KeyRing(Path(settings.keys)) if settings.keys else None
            key = read_secret(settings.service_key) if settings.service_key else None
            self._store = open_store(settings, store_url)
        except (BadKeys, BadSettings, StoreError) as fault:
            raise StartFault(str(fault)) from None
        access = Access(
            self._keys,
            Tickets(self._store.client, key, self._store.now),
            calls_per_second=settings.calls_per_second if settings.calls_per_second >= 0 else None,
            trusted_proxies=settings.proxies(),
        )
        try:
            commands = GameCommands(
                self._store, key=key, retention=Retention.chosen(settings), audit_days=settings.audit_days
            )
            self._streams = EventStreams(commands, access, sender_of=StreamSender)
            games = GameServicer(commands, access, self._streams)
            tables = TableServicer(commands, access)
            webhooks = WebhookServicer(commands, access, settings.webhook_policy())
            health = Health(self._store.unready, also=self._every_second, processes=settings.processes)
            self._server = Server(
                settings,
                access,
                health,
                lambda server: register(server, games, tables, webhooks),
                leave=self._streams.stop,
            )
        except (BadSettings, StoreError) as fault:
            self._store.close()
            raise StartFault(str(fault)) from None

    def start(self) -> int:
        """Start answering calls. Return the port."""
        try:
            return self._server.start()
        except BadSettings as fault:
            self._store.close()
            raise StartFault(str(fault)) from None

    def reload(self) -> None:
        """Read keys and certificates again."""
        self._server.reload()

    def stop(self, drain: float, grace: float) -> None:
        """Stop gracefully: drain, let running calls end, close the store."""
        self._server.stop(drain, grace)
        self._streams.close()
        self._flush_metrics()
        self._store.close()

    def _every_second(self) -> None:
        """Do the work that is due every second."""
        self._flush_metrics()
        if self._keys is not None:
            self._keys.refresh()

    def _flush_metrics(self) -> None:
        """Add the counted calls and reads to the metrics."""
        flush_calls()
        self._store.flush_reads()


def register(server: grpc.Server, games: GameServicer, tables: TableServicer, webhooks: WebhookServicer) -> None:
    """Add the services of the contract to a server."""
    service_pb2_grpc.add_TableServiceServicer_to_server(tables, server)
    service_pb2_grpc.add_WebhookServiceServicer_to_server(webhooks, server)
    service_pb2_grpc.add_GameServiceServicer_to_server(games, server)
    service_pb2_grpc.add_BoardServiceServicer_to_server(BoardServicer(), server)
    service_pb2_grpc.add_CatalogServiceServicer_to_server(CatalogServicer(), server)


def open_store(settings: Settings, url: str) -> MeasuredStore[LoadedGame]:
    """Open the store at this URL, check it, and start tracking changes."""
    durability = Durability(settings.durability)
    replicas = settings.replicas if durability is Durability.REPLICATED else 0
    client = connect(url)
    try:
        require(client, durability, replicas)
        store = MeasuredStore(client, decode, replicas=replicas, over=lambda loaded: loaded.over)
        store.listen()
    except BaseException:
        client.close()
        raise
    return store


def read_secret(path: str) -> bytes:
    """Return the secret in a file. Raises BadSettings, whose message contains nothing of the secret."""
    secret = read_file(path).strip()
    if len(secret) < limits.SECRET_BYTES:
        raise BadSettings(f"The secret in {path} must have at least {limits.SECRET_BYTES} bytes.")
    return secret
