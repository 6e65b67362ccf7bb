"""The standard health service of gRPC, for load balancers.

Boards and catalogue need no store. Games, and the process as a whole (the empty name), are NOT_SERVING while the store
cannot be written to. Before a process stops, it reports NOT_SERVING for everything and answers calls for some more
seconds, so that load balancers have time to choose another process.

The standard answer has no field for a reason. An answer about a service that needs the store has the reason in its
trailing metadata, under FAULT_METADATA, as UTF-8. Every answer has the name of this process there, under
PROCESS_METADATA: a random text by which a gateway tells the processes apart that share a port, so that it can send all
calls about a game to the same one. How many share the port is there under PROCESSES_METADATA.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2

from alhambra_api.v1 import service_pb2

from .. import limits
from ..messages.refusals import Refusal

_log = logging.getLogger(__name__)

SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
GAMES = service_pb2.DESCRIPTOR.services_by_name["GameService"].full_name
NEED_STORE = ("", GAMES)
FAULT_METADATA = "alhambra-fault-bin"
PROCESS_METADATA, PROCESSES_METADATA = "alhambra-process", "alhambra-processes"
NEED_NOTHING = tuple(
    service.full_name for service in service_pb2.DESCRIPTOR.services_by_name.values() if service.full_name != GAMES
)


class Servicer(health.HealthServicer):
    """The standard servicer with a limited number of streams. Each stream has its own thread and gets only the newest
    status, so a watcher that does not read delays no other watcher."""

    def __init__(self, processes: int = 1) -> None:
        spare = limits.HEALTH_THREADS  # for refusing streams above the limit
        pool = ThreadPoolExecutor(limits.HEALTH_WATCHERS + spare, thread_name_prefix="health watcher")
        super().__init__(experimental_non_blocking=False, experimental_thread_pool=pool)
        self._places = threading.BoundedSemaphore(limits.HEALTH_WATCHERS)
        self.fault = ""
        """Why services that need the store do not serve, in a sentence; empty if they do."""
        name = secrets.token_hex(limits.PROCESS_NAME_BYTES)
        self._process = ((PROCESS_METADATA, name), (PROCESSES_METADATA, str(processes)))

    def Check(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Return the status of one service."""
        if context is not None:
            fault = self.fault if request.service in NEED_STORE else ""
            reason = ((FAULT_METADATA, fault.encode()),) if fault else ()
            context.set_trailing_metadata((*self._process, *reason))
        return super().Check(request, context)

    def Watch(self, request: Any, context: grpc.ServicerContext, send_response_callback: Any = None) -> Any:  # noqa: N802
        """Stream the status of one service."""
        if not self._places.acquire(blocking=False):
            message = f"Only {limits.HEALTH_WATCHERS} streams of health can be open at once."
            raise Refusal("WATCHERS_EXCEEDED", message, {"limit": limits.HEALTH_WATCHERS})
        if not context.add_callback(self._places.release):
            self._places.release()
            return iter(())
        return super().Watch(request, context)


class Health:
    """Checks the store every HEALTH_SECONDS, and reports the status to the health service."""

    def __init__(
        self,
        unready: Callable[[], str | None],
        *,
        every: float = limits.HEALTH_SECONDS,
        also: Callable[[], None] | None = None,
        processes: int = 1,
    ) -> None:
        """`processes` share the port of this one, which is counted too."""
        self._unready = unready
        self._every = every
        self._also = also
        self._fault: str | None = "not asked yet"
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="health", daemon=True)
        self.servicer = Servicer(processes)
        for service in NEED_STORE:
            self.servicer.set(service, NOT_SERVING)
        for service in NEED_NOTHING:
            self.servicer.set(service, SERVING)

    def start(self) -> None:
        """Check the store now, and start the thread that checks it regularly."""
        self._ask()
        self._thread.start()

    def drain(self) -> None:
        """Report NOT_SERVING from now on, whatever the state of the store."""
        self._stopping.set()
        self.servicer.enter_graceful_shutdown()

    def _watch(self) -> None:
        while not self._stopping.wait(self._every):
            self._ask()

    def _ask(self) -> None:
        try:
            fault = self._unready()
            if self._also is not None:
                self._also()
        except Exception:
            _log.exception("Health check of the store failed.")
            fault = "The health check of the store failed."
        if fault == self._fault:
            return
        if fault:
            _log.warning("Not serving games: %s", fault)
        else:
            _log.info("Serving games.")
        self._fault = fault
        self.servicer.fault = fault or ""
        for service in NEED_STORE:
            self.servicer.set(service, NOT_SERVING if fault else SERVING)
