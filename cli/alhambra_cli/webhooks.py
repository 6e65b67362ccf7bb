"""The commands `webhooks …`: the process that sends webhooks, and what operators see and do of them.

`webhooks serve` works on the store, beside the service; several may run at the same time. It stores everything that it
has to remember, so that it can be killed at any time. The other commands read the same store.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from alhambra_runtime import log_lines
from alhambra_runtime.addresses import read_address
from alhambra_runtime.log_lines import STYLES
from alhambra_runtime.settings import BadSettings, BaseSettings, setting
from alhambra_runtime.signals import received
from alhambra_runtime.sockets import cannot_listen
from alhambra_service.config import Settings
from alhambra_service.webhook_addresses import AddressPolicy

from .bad_input import BadInput
from .serve import server_extra, settings_options
from .stores import open_store, store_option

if TYPE_CHECKING:
    from alhambra_service.store.connection.store_client import StoreClient
    from alhambra_service.webhooks.registry import Webhook

_log = logging.getLogger(__name__)

SENDING_FOR = "Alhambra sends webhooks for "
STOP_SECONDS = 20.0
"""How long deliveries may take to end when the process stops."""


@dataclass(frozen=True)
class WebhookSettings(BaseSettings):
    """The settings of `alhambra webhooks serve`."""

    prefix = "ALHAMBRA_"

    store: str = setting(Settings.store, "The store of the service. An embedded store is run by the service.")
    webhook_allow_private: str = setting(
        "", "Networks that webhooks may reach beside public ones, separated by commas; 'all' for any."
    )
    webhook_allow_http: bool = setting(False, "Let webhooks use http beside https.")
    webhook_authority: str = setting("", "CA certificates (PEM) of receivers; those of the system by default.")
    webhook_metrics: str = setting("", "Address and port of the sender's Prometheus metrics; empty for none.")
    log: str = setting("auto", "Log format; 'auto' is text on a terminal and JSON elsewhere.", STYLES)

    @property
    def store_address(self) -> str:
        """The address of the store. That of an embedded store is its socket, because the service runs the store."""
        folder = Settings(store=self.store).embedded_folder
        return self.store if folder is None else f"unix://{(folder / 'store.sock').absolute()}"

    def policy(self) -> AddressPolicy:
        """Return which addresses webhooks may have. Raise ValueError if the networks cannot be read."""
        return AddressPolicy.read(self.webhook_allow_private, http=self.webhook_allow_http)

    def faults(self) -> Iterator[str]:
        """Yield a sentence for each fault."""
        yield from super().faults()
        try:
            self.policy()
        except ValueError:
            yield "--webhook-allow-private must be networks such as 10.0.0.0/8, separated by commas, or 'all'."
        try:
            socket_path = read_address(self.webhook_metrics).path if self.webhook_metrics else ""
        except ValueError:
            socket_path = self.webhook_metrics
        if socket_path:
            yield "--webhook-metrics must be an IP address and a port such as 127.0.0.1:9466."

    @contextmanager
    def metrics(self) -> Iterator[None]:
        """Serve the metrics of this process while the block runs, if an address for them is given. Raise BadSettings if
        the address cannot be used."""
        if not self.webhook_metrics:
            yield
            return
        from prometheus_client import start_http_server

        address = read_address(self.webhook_metrics)
        try:
            server, _ = start_http_server(address.port, address.host)
        except OSError as fault:
            raise cannot_listen(self.webhook_metrics, fault) from None
        _log.info("Metrics are at %s:%d.", *server.server_address[:2])
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()


@click.group()
def webhooks() -> None:
    """Send notices to webhooks, and see what was sent."""


@webhooks.command()
@settings_options(WebhookSettings)
def serve(**given: Any) -> None:
    """Send notices to the webhooks of all tenants until a signal arrives."""
    with server_extra():
        from alhambra_service.store.connection.connect import connect
        from alhambra_service.webhooks.http_post import Poster
        from alhambra_service.webhooks.sender import Sender
    try:
        settings = WebhookSettings.from_environment(**given)
        settings.check()
        log_lines.begin("info", settings.log, (), str)
        poster = Poster(settings.policy(), authority=settings.webhook_authority)
    except (BadSettings, OSError) as fault:
        raise BadInput(str(fault)) from None
    try:
        with received() as signals, settings.metrics(), closing(connect(settings.store_address)) as client:
            sender = Sender(client, poster)
            click.echo(f"{SENDING_FOR}{settings.store}")
            sys.stdout.flush()
            sender.run(signals.wait_to_stop, lambda: bool(signals.stopping))
    except BadSettings as fault:
        raise BadInput(str(fault)) from None


@contextmanager
def _found(store: str, tenant: str, webhook: str) -> Iterator[tuple[StoreClient, Webhook]]:
    """Open the store, and find a webhook in it. Raise BadInput if there is none."""
    with open_store(store) as client:
        from alhambra_service.webhooks.registry import Webhooks

        found = Webhooks(client).get(tenant, webhook)
        if found is None:
            raise BadInput(f"The tenant {tenant} has no webhook {webhook}: see `alhambra webhooks list`.")
        yield client, found


def _now(client: StoreClient) -> int:
    from alhambra_service.store.clock import StoreClock

    return int(1000 * StoreClock(client).now())


tenant_option = click.option("--tenant", default="local", show_default=True, help="Tenant of the webhook.")


@webhooks.command("list")
@store_option
def list_all(store: str) -> None:
    """List the webhooks of all tenants, with what waits, is parked and was left out."""
    with open_store(store) as client:
        from alhambra_service.notices.feed import FOR_EVER, NoticeFeed
        from alhambra_service.webhooks.deliveries import Deliveries
        from alhambra_service.webhooks.registry import Webhooks

        count = 0
        for tenant in NoticeFeed(client).wanting(FOR_EVER):
            for webhook in Webhooks(client).all(tenant):
                counts = Deliveries(client).counts(tenant, webhook.id)
                state = f"disabled ({webhook.disabled})" if webhook.disabled else "enabled"
                click.echo(
                    f"{tenant}  {webhook.id}  {webhook.address}  {state}  pending {counts.pending}, "
                    f"parked {counts.parked}, dropped {counts.dropped}"
                )
                count += 1
    click.echo(f"Webhooks: {count}.", err=True)


@webhooks.command()
@click.argument("webhook")
@tenant_option
@store_option
def parked(webhook: str, tenant: str, store: str) -> None:
    """List the deliveries of a webhook that were given up."""
    with _found(store, tenant, webhook) as (client, found):
        from alhambra_service.webhooks.deliveries import Deliveries

        deliveries = Deliveries(client)
        for notice in deliveries.parked(tenant, found.id):
            delivery = deliveries.get(tenant, found.id, notice)
            if delivery is not None:
                click.echo(f"{notice}  {delivery.notice['kind']}  attempts {delivery.attempts}  {delivery.error}")


@webhooks.command()
@click.argument("webhook")
@click.option("--delivery", default="", help="One notice, by its id; all parked ones by default.")
@tenant_option
@store_option
def replay(webhook: str, delivery: str, tenant: str, store: str) -> None:
    """Deliver again what was given up."""
    with _found(store, tenant, webhook) as (client, found):
        from alhambra_service.webhooks.deliveries import Deliveries

        made = Deliveries(client).replay(tenant, found.id, _now(client), delivery)
    if made is None:
        raise BadInput(f"There is no delivery {delivery} that was made or given up.")
    click.echo(f"Deliveries queued again: {made.text}.")


@webhooks.command()
@click.argument("webhook")
@tenant_option
@store_option
def test(webhook: str, tenant: str, store: str) -> None:
    """Queue a test for a webhook. The sender process sends it."""
    with _found(store, tenant, webhook) as (client, found):
        from alhambra_service.notices.game_notices import PING
        from alhambra_service.store import new_game
        from alhambra_service.webhooks.deliveries import Deliveries

        notice = {"id": f"msg_{new_game()}", "kind": PING, "time": _now(client)}
        if Deliveries(client).test(tenant, found.id, notice) is None:
            raise BadInput("Too many deliveries wait: nothing was queued.")
    click.echo(f"Queued {notice['id']}.")


COMMANDS = (webhooks,)
