"""The whole product on one machine: a service, a gateway in front of it, a process that plays for bots, and one that
sends webhooks, as children of one parent.

Gateway, bots and sender are started when the service serves, and stopped before it. The service and the gateway restart
their own workers; a child that ends by itself is restarted at the same address. SIGTERM stops the children one after
the other, SIGINT without waiting for load balancers, a second signal at once; SIGHUP is passed on to the children. If
the parent is killed, the kernel ends the children (`alhambra_runtime/die_with_parent.py`).

If the service has API keys or TLS, the process for bots is started only if its settings have a key and an authority.
"""

from __future__ import annotations

import dataclasses
import logging
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack

from alhambra_gateway import limits
from alhambra_gateway.config import Settings
from alhambra_runtime.addresses import Address
from alhambra_runtime.child import Child, await_end, await_ready, keep_running
from alhambra_runtime.die_with_parent import dies_with_parent
from alhambra_runtime.settings import BadSettings, BaseSettings
from alhambra_runtime.signals import Signals, received
from alhambra_runtime.sockets import next_free, require_free
from alhambra_service.config import Settings as ServiceSettings

from .bots import CALL_SECONDS, PLAYING_AT, BotSettings
from .serve import GRPC_AT
from .webhooks import SENDING_FOR, STOP_SECONDS, WebhookSettings

HTTP_AT = "Alhambra speaks HTTP at "

_log = logging.getLogger(__name__)


def run_product(
    service: ServiceSettings,
    gateway: Settings,
    bots: BotSettings,
    webhooks: WebhookSettings,
    announce: Callable[[str, str], None],
) -> int:
    """Run until a signal to stop arrives, and return the exit code. Raise BadSettings if a process cannot start."""
    service.check()
    gateway.check()
    bots.check()
    webhooks.check()
    _require_free(service.address, "--grpc", service.variable("listen"))
    _require_free(gateway.address, "--http", gateway.variable("listen"))
    with ExitStack() as stack:
        signals = stack.enter_context(received())

        def child(name: str, settings: BaseSettings, announcement: str) -> Server:
            found = Server(name, settings, announcement)
            stack.callback(found.end)
            return found

        service_process = child("serve", service, GRPC_AT)
        service_process.start(signals)
        service = dataclasses.replace(service, listen=service_process.address)
        service_process.settings = service
        gateway = dataclasses.replace(gateway, service=service_process.address)
        gateway_process = child("gateway", gateway, HTTP_AT)
        bots_process = child("bots", dataclasses.replace(bots, service=service_process.address), PLAYING_AT)
        sender = child("webhooks serve", _for_store(webhooks, service), SENDING_FOR)
        players = [bots_process] if _can_reach(bots, service) else []
        if not signals.stopping:
            sender.launch()  # beside the gateway, so that the first caller of the gateway can register a webhook
            gateway_process.start(signals)
            gateway_process.settings = dataclasses.replace(
                gateway, listen=gateway_process.address.removeprefix("http://")
            )
        if not signals.stopping:
            announce(service_process.address, gateway_process.address)
            for player in players:
                player.launch()  # the product neither waits for it nor ends with it
            keep_running((service_process, gateway_process, sender, *players), signals)
        sender.stop(signals, STOP_SECONDS)
        for player in players:
            player.stop(signals, CALL_SECONDS)
        gateway_process.stop(signals, gateway.drain_seconds + gateway.grace_seconds)
        service_process.stop(signals, service.drain_seconds + service.grace_seconds)
    return 0


class Server(Child):
    """One command of the product as a child process. It is started again with the address that it had."""

    def __init__(self, name: str, settings: BaseSettings, announcement: str) -> None:
        super().__init__()
        self.settings = settings
        self.address = ""
        """The address that the command announced last; empty before the first time."""
        self._announced = False
        self._name = name
        self._announcement = announcement

    def command(self) -> list[str]:
        """Return the command to run."""
        return dies_with_parent(
            sys.executable, "-P", "-m", "alhambra_cli", *self._name.split(), *self.settings.arguments()
        )

    def read_line(self, line: str) -> None:
        """Read the address that the command prints when it is ready."""
        if line.startswith(self._announcement):
            self.address = line.removeprefix(self._announcement).strip()
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
        """Return the message for a command that did not start. The command itself prints why."""
        return f"`alhambra {self._name}` failed to start."

    def died(self, pause: float) -> None:
        """Log that the command is restarted."""
        _log.error("`alhambra %s` exited; restarting in %.1f s.", self._name, pause)

    def start(self, signals: Signals) -> None:
        """Start the command and wait until it is ready or a signal to stop arrives. Raise BadSettings if it fails."""
        self.launch()
        await_ready([self], signals, limits.CHILD_START_SECONDS)

    def stop(self, signals: Signals, seconds: float) -> None:
        """Forward the signal to stop, and wait until the command has ended or another signal arrives. A process that is
        not ready gets SIGTERM: it ends its own children if it has some, and prints nothing. Killed, it would leave them
        behind to find out and complain; SIGINT might make it print that it was interrupted."""
        self.send(signals.stopping[0] if self.ready else signal.SIGTERM)
        await_end([self], signals, seconds + limits.CHILD_STOP_SECONDS)


def _require_free(address: Address, option: str, variable: str) -> None:
    """Raise BadSettings if the port is in use, and suggest a free one."""
    try:
        require_free(address)
    except BadSettings as fault:
        other = next_free(address)
        raise BadSettings(f"{fault} Use another port: {option} {other} or {variable}={other}.") from None


def _for_store(webhooks: WebhookSettings, service: ServiceSettings) -> WebhookSettings:
    """Return the settings of the sender with the store of the service, and what the service allows."""
    return dataclasses.replace(
        webhooks,
        store=service.store,
        webhook_allow_private=service.webhook_allow_private,
        webhook_allow_http=service.webhook_allow_http,
    )


def _can_reach(bots: BotSettings, service: ServiceSettings) -> bool:
    """Return whether the bots have what the service requires: an API key and the CA of its certificate."""
    return bool(bots.key or not service.keys) and bool(bots.tls_authority or not service.tls_certificate)
