"""The whole product on one machine: a service, a gateway in front of it, and a process that plays for bots, as children
of one parent.

Gateway and bots are started when the service serves, and stopped before it. The service and the gateway restart their
own workers; a child that ends by itself is started again at the same address. SIGTERM stops the children one after the
other, SIGINT without waiting for load balancers, a second signal at once; SIGHUP is passed on to the children. If the
parent is killed, the kernel ends the children (`alhambra_runtime/die_with_parent.py`).

If the service has API keys or TLS, the process for bots is started only if its settings have a key and an authority.
"""

from __future__ import annotations

import dataclasses
import logging
import sys
from collections.abc import Callable
from contextlib import ExitStack

from alhambra_gateway import limits
from alhambra_gateway.config import Settings
from alhambra_runtime.addresses import Address
from alhambra_runtime.child import Child, await_end, await_ready, keep_running
from alhambra_runtime.die_with_parent import leashed
from alhambra_runtime.settings import BadSettings, Choices
from alhambra_runtime.signals import Signals, received
from alhambra_runtime.sockets import next_free, require_free
from alhambra_service.config import Settings as ServiceSettings

from .bots import CALL_SECONDS, PLAYS_FOR, BotSettings
from .serve import SERVED_AT

HTTP_AT = "Alhambra speaks HTTP at "

_log = logging.getLogger(__name__)


def run_product(
    service: ServiceSettings, front: Settings, bots: BotSettings, announce: Callable[[str, str], None]
) -> int:
    """Serve until a signal ends it, and return the exit code. Raises BadSettings if it cannot start."""
    service.check()
    front.check()
    bots.check()
    _require_free(service.address, "--grpc", service.variable("listen"))
    _require_free(front.address, "--http", front.variable("listen"))
    with ExitStack() as stack:
        signals = stack.enter_context(received())

        def child(name: str, settings: Choices, says: str) -> Server:
            found = Server(name, settings, says)
            stack.callback(found.end)
            return found

        games = child("serve", service, SERVED_AT)
        games.start(signals)
        service = dataclasses.replace(service, listen=games.address)
        games.settings = service
        front = dataclasses.replace(front, service=games.address)
        rest = child("gateway", front, HTTP_AT)
        if games.address and not signals.stopping:
            rest.start(signals)
            rest.settings = dataclasses.replace(front, listen=rest.address.removeprefix("http://"))
        if signals.stopping:
            return 0
        announce(games.address, rest.address)
        players = child("bots", dataclasses.replace(bots, service=games.address), PLAYS_FOR)
        if _can_reach(bots, service):
            players.launch()  # the product does not wait for it, and does not end with it
            keep_running((games, rest, players), signals)
            players.stop(signals, CALL_SECONDS)
        else:
            keep_running((games, rest), signals)
        rest.stop(signals, front.drain_seconds + front.grace_seconds)
        games.stop(signals, service.drain_seconds + service.grace_seconds)
    return 0


class Server(Child):
    """One command of the product as a child process. It is started again with the address that it had."""

    def __init__(self, name: str, settings: Choices, says: str) -> None:
        super().__init__()
        self.settings = settings
        self.address = ""
        """The address that the command announced last; empty before the first time."""
        self._announced = False
        self._name = name
        self._says = says

    def command(self) -> list[str]:
        """Return the command to run."""
        return leashed(sys.executable, "-P", "-m", "alhambra_cli", self._name, *self.settings.arguments())

    def hear(self, line: str) -> None:
        """Note the address that the command announces when it is ready."""
        if line.startswith(self._says):
            self.address = line.removeprefix(self._says).strip()
            self._announced = True

    @property
    def ready(self) -> bool:
        """Whether the process has announced its address."""
        return self._announced

    def launch(self) -> None:
        """Start a process without waiting until it is ready."""
        self._announced = False
        super().launch()

    def start_fault(self) -> str:
        """Return the sentence for a command that did not start. The command itself prints why."""
        return f"`alhambra {self._name}` did not start."

    def died(self, pause: float) -> None:
        """Tell the operator that the command is started again."""
        _log.error("`alhambra %s` ended and is started again in %.1f s.", self._name, pause)

    def start(self, signals: Signals) -> None:
        """Start the command and wait until it is ready, or a signal to stop comes. Raises BadSettings if it fails."""
        self.launch()
        await_ready([self], signals, limits.CHILD_START_SECONDS)

    def stop(self, signals: Signals, seconds: float) -> None:
        """Pass the signal to stop on, and wait until the command has ended or another signal comes. A process that is
        not ready has nothing to end in good order, and might complain that it was interrupted: it is killed."""
        if not self.ready:
            self.end()
            return
        self.send(signals.stopping[0])
        await_end([self], signals, seconds + limits.CHILD_STOP_SECONDS)


def _require_free(address: Address, option: str, variable: str) -> None:
    """Raise BadSettings if the port is in use, with a sentence that names one that is not."""
    try:
        require_free(address)
    except BadSettings as fault:
        other = next_free(address)
        raise BadSettings(f"{fault} Choose another port with {option} {other}, or {variable}={other}.") from None


def _can_reach(bots: BotSettings, service: ServiceSettings) -> bool:
    """Return whether the bots have what the service asks of its callers: a key and the authority of its certificate."""
    return bool(bots.key or not service.keys) and bool(bots.tls_authority or not service.tls_certificate)
