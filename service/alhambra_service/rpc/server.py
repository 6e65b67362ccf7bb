"""The gRPC server of one process: its port, limits, wrappers, certificates and orderly stop.

Several processes listen on the same port (SO_REUSEPORT), and the kernel distributes connections over them; a client
that wants to use all of them opens several channels. A call waits for its message (`pending_calls.py`), then a thread
of its pool answers it (`pools.py`). Calls above the limit are refused at once.

The server stops in five steps: it reports NOT_SERVING and goes on answering; it tells streams to resume elsewhere; it
refuses new calls for a moment; it accepts no more calls and lets running calls end; it closes the connections.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from alhambra_api.v1 import service_pb2
from alhambra_runtime.settings import read_file

from .. import limits
from ..auth.access import Access, Rule
from ..auth.api_keys import BadKeys
from ..config import BadSettings, Settings
from ..metrics import count_refusal
from .call_log import CallLog, note_reason
from .failed_calls import FailedCalls
from .guard import Guard
from .health import Health
from .pending_calls import PendingCalls
from .pools import BorrowedPool, CallPool, QuickPool
from .wrappers import WrappedServer

_log = logging.getLogger(__name__)

Register = Callable[[grpc.Server], None]
"""Adds services to a server."""
OPTIONS: Sequence[tuple[str, int]] = (
    ("grpc.so_reuseport", 1),
    ("grpc.max_receive_message_length", limits.REQUEST_BYTES),
    ("grpc.max_send_message_length", limits.ANSWER_BYTES),
    ("grpc.max_metadata_size", limits.METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", limits.METADATA_BYTES),
    ("grpc.max_concurrent_streams", limits.CALLS_PER_CONNECTION),
    ("grpc.max_connection_age_ms", limits.CONNECTION_AGE_MS),
    ("grpc.max_connection_age_grace_ms", limits.CONNECTION_GRACE_MS),
    ("grpc.server_handshake_timeout_ms", limits.HANDSHAKE_MS),
    ("grpc.keepalive_time_ms", limits.KEEPALIVE_MS),
    ("grpc.keepalive_timeout_ms", limits.KEEPALIVE_ANSWER_MS),
    ("grpc.http2.ping_timeout_ms", limits.KEEPALIVE_ANSWER_MS),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_ping_strikes", limits.PING_STRIKES),
)

QUICK = frozenset({"ValidatePlacement"})
"""The most frequent call, which hardly ever needs the store."""
FETCH = frozenset(
    {"ListGames", "ListAuditEntries", "ExportGame", "GetReview", "ListWebhooks", "GetWebhook", "ListDeliveries"}
)
"""Reads that always need the store."""
WRITE = frozenset(
    {
        "ApplyMove",
        "ClaimSeat",
        "CreateEventTicket",
        "CreateGame",
        "CreateNoticeTicket",
        "CreateWebhook",
        "DeleteGame",
        "DeleteWebhook",
        "LeaseBotDecision",
        "CancelGame",
        "LeaveSeat",
        "React",
        "ReplayDeliveries",
        "Resign",
        "RevealEntropy",
        "RotateWebhookSecret",
        "SetOrders",
        "SuggestMoves",
        "TestWebhook",
        "Undo",
        "UpdateWebhook",
    }
)
"""Changes. A method in none of these sets is a read, which is answered from memory if possible."""
HEALTH_CHECK = f"/{health_pb2.DESCRIPTOR.services_by_name['Health'].full_name}/Check"
REFLECTION = f"/{reflection.SERVICE_NAME}/ServerReflectionInfo"


class Server:
    """A server of the contract. `register` adds the services; `leave` is called before calls are refused."""

    def __init__(
        self,
        settings: Settings,
        access: Access,
        health: Health,
        register: Register,
        *,
        leave: Callable[[], None] | None = None,
        rules: Mapping[str, Rule] | None = None,
    ) -> None:
        self._settings = settings
        self._access = access
        self._health = health
        self._leave = leave
        self._certificates = Certificates(settings) if settings.tls_certificate else None
        self.pending = PendingCalls(count_refusal)
        self.pools = CallPools(self.pending, settings.threads)
        self._server = grpc.server(self.pools.read, options=OPTIONS, maximum_concurrent_rpcs=limits.CALLS_AT_ONCE)
        around = [CallLog(), FailedCalls(note_reason), Guard(access, rules)]
        guarded = cast(grpc.Server, WrappedServer(self._server, around, self.pools.of))
        register(guarded)
        health_pb2_grpc.add_HealthServicer_to_server(health.servicer, guarded)
        if settings.reflection:
            services = [service.full_name for service in service_pb2.DESCRIPTOR.services_by_name.values()]
            health_service = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
            reflection.enable_server_reflection((*services, health_service, reflection.SERVICE_NAME), guarded)

    def start(self, address: str | None = None) -> int:
        """Start listening and answering. Return the port."""
        where = address or str(self._settings.address)
        try:
            if self._certificates is not None:
                port = self._server.add_secure_port(where, self._certificates.credentials)
            else:
                port = self._server.add_insecure_port(where)
        except RuntimeError:
            fault = f"Cannot listen on {where}: address already in use, or not an address of this machine."
            raise BadSettings(fault) from None
        self._health.start()
        self._server.start()
        return port

    def reload(self) -> None:
        """Read keys and certificates again. If they are faulty, log it and keep the old ones."""
        try:
            if self._access.keys is not None:
                self._access.keys.reload()
                _log.info("%d API keys were read.", len(self._access.keys))
            if self._certificates is not None:
                self._certificates.reload()
        except (BadKeys, BadSettings) as fault:
            _log.error("%s Keeping the old ones.", fault)

    def stop(self, drain: float | None = None, grace: float | None = None) -> None:
        """Stop gracefully. Return when the last call has ended, or after `grace` seconds."""
        self._health.drain()
        time.sleep(self._settings.drain_seconds if drain is None else drain)
        if self._leave is not None:
            self._leave()
        self.pending.refuse_new_calls()
        self._server.stop(self._settings.grace_seconds if grace is None else grace).wait()
        self.pools.close()
        self.pending.close()


class CallPools:
    """The pools of a server, by the names of methods."""

    def __init__(self, pending: PendingCalls, threads: int) -> None:
        self._pending = pending
        self.fetch = CallPool(pending, threads, "fetch")
        self.read = CallPool(pending, threads, "read", fetch=self.fetch)
        self.write = CallPool(pending, threads, "write")
        self.quick = QuickPool(pending, limits.QUICK_THREADS, "quick", fetch=self.fetch)
        self._health = CallPool(pending, limits.HEALTH_THREADS, "health")
        self._reflection = CallPool(pending, limits.REFLECTION_THREADS, "reflection")
        self._reflection.most_seconds = limits.REFLECTION_SECONDS
        ours = dict.fromkeys(QUICK, self.quick) | dict.fromkeys(FETCH, self.fetch) | dict.fromkeys(WRITE, self.write)
        self._by_method: dict[str, CallPool] = {HEALTH_CHECK: self._health, REFLECTION: self._reflection}
        for service in service_pb2.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                if method.name in ours:
                    self._by_method[f"/{service.full_name}/{method.name}"] = ours[method.name]

    def of(self, method: str, threads: ThreadPoolExecutor | None) -> CallPool | None:
        """Return the pool of a method whose handler asks for these threads; None for the default pool."""
        return BorrowedPool(self._pending, threads) if threads is not None else self._by_method.get(method)

    def close(self) -> None:
        """Let the threads end when their calls are answered."""
        for pool in (self.quick, self.read, self.fetch, self.write, self._health, self._reflection):
            pool.shutdown(wait=False)


class Certificates:
    """The certificate of the server, and the authority of clients if they need certificates; from PEM files."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        first = self._read()
        self._fresh: grpc.ServerCertificateConfiguration | None = None
        self.credentials = grpc.dynamic_ssl_server_credentials(
            first, cast(Any, self._renewed), require_client_authentication=bool(settings.tls_client_authority)
        )

    def reload(self) -> None:
        """Read the files again. New connections use them."""
        self._fresh = self._read()
        _log.info("Reloaded the certificate.")

    def _renewed(self) -> grpc.ServerCertificateConfiguration | None:
        fresh, self._fresh = self._fresh, None
        return fresh

    def _read(self) -> grpc.ServerCertificateConfiguration:
        settings = self._settings
        key, chain = _pem(settings.tls_key), _pem(settings.tls_certificate)
        roots = _pem(settings.tls_client_authority) if settings.tls_client_authority else None
        return grpc.ssl_server_certificate_configuration([(key, chain)], root_certificates=roots)


def _pem(path: str) -> bytes:
    data = read_file(path)
    if b"-----BEGIN" not in data:
        raise BadSettings(f"The file {path} is not PEM.")
    return data
