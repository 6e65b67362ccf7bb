"""The commands `gateway` and `run`: a gateway in front of a service, and the whole product.

They need the extra `[server]`, as the commands of `serve.py` do.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from alhambra_gateway.config import BadSettings, Settings
from alhambra_service.config import Settings as ServiceSettings

from .bots import BotSettings
from .files import BadInput
from .product import HTTP_AT, run_product
from .serve import SERVED_AT, server_extra, settings_options


@click.command()
@settings_options(Settings)
def gateway(**given: Any) -> None:
    """Answer plain HTTP in front of a service until a signal ends it."""
    with server_extra():
        from alhambra_gateway.process.server import serve
    try:
        serve(Settings.from_environment(**given), _announce)
    except BadSettings as fault:
        raise BadInput(str(fault)) from None


def _announce(address: str) -> None:
    click.echo(f"{HTTP_AT}{address}")
    sys.stdout.flush()


@click.command(
    epilog="All other settings are variables: `alhambra serve --help` and `alhambra gateway --help` list them."
)
@click.option("--grpc", "listen", metavar="ADDRESS", help="Where to speak gRPC, as `serve --listen`.")
@click.option("--http", metavar="ADDRESS", help="Where to speak HTTP, as `gateway --listen`.")
@click.option("--store", metavar="URL", help="The store, as `serve --store`.")
@click.option("--data", metavar="FOLDER", help="Where the embedded store keeps its games: --store embedded:FOLDER.")
@click.option("--pin/--no-pin", default=None, help="Keep each process on a core of its own. Not in containers.")
@click.option("--workers", type=int, help="Processes of the service, and of the gateway; 0 for one on each core.")
@click.option("--reflection/--no-reflection", default=None, help="Let clients of gRPC ask for the contract.")
def run(
    listen: str | None,
    http: str | None,
    store: str | None,
    data: str | None,
    pin: bool | None,
    workers: int | None,
    reflection: bool | None,
) -> None:
    """Serve games over gRPC and over HTTP: a service, a gateway and a process for bots, which end together."""
    if store and data:
        raise BadInput("Either --store or --data, not both.")
    with server_extra():
        import gunicorn.arbiter  # noqa: F401 - a missing package is reported before anything is started
        import redis  # noqa: F401
    store = f"embedded:{data}" if data else store
    try:
        service = ServiceSettings.from_environment(
            listen=listen, store=store, pin=pin, workers=workers, reflection=reflection
        )
        front = Settings.from_environment(listen=http, pin=pin, workers=workers)
        code = run_product(service, front, BotSettings.from_environment(), _announce_both)
    except BadSettings as fault:
        raise BadInput(str(fault)) from None
    sys.exit(code)


def _announce_both(service: str, front: str) -> None:
    click.echo(f"{SERVED_AT}{service}")
    click.echo(f"{HTTP_AT}{front}")
    sys.stdout.flush()


COMMANDS = (gateway, run)
