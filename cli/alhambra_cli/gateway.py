"""The commands `gateway` and `run`: a gateway in front of a service, and the whole product.

They need the extra `[server]`, as the commands of `serve.py` do.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from typing import Any

import click

from alhambra_gateway.config import BadSettings, Settings
from alhambra_runtime import log_lines
from alhambra_runtime.log_lines import JSON, STYLES
from alhambra_service.config import Settings as ServiceSettings

from .bots import BotSettings
from .files import BadInput
from .product import HTTP_AT, run_product
from .serve import SERVED_AT, server_extra, settings_options
from .welcome import kept_in, welcome


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
@click.option("--log", type=click.Choice(STYLES), help="The form of the log, as `serve --log`.")
def run(
    listen: str | None,
    http: str | None,
    store: str | None,
    data: str | None,
    pin: bool | None,
    workers: int | None,
    reflection: bool | None,
    log: str | None,
) -> None:
    """Serve games over gRPC and over HTTP: a service, a gateway and a process for bots, which end together."""
    if store and data:
        raise BadInput("Either --store or --data, not both.")
    began = time.monotonic()
    with server_extra():
        import gunicorn  # noqa: F401 - a missing package is reported before anything is started
        import redis  # noqa: F401
    store = f"embedded:{data}" if data else store
    try:
        service = ServiceSettings.from_environment(
            listen=listen, store=store, pin=pin, workers=workers, reflection=reflection, log=log
        )
        front = Settings.from_environment(listen=http, pin=pin, workers=workers, log=log)
        for_person = sys.stdout.isatty() and service.log != JSON
        log_lines.begin(service.log_level, service.log, (), str)

        def announce(grpc_at: str, http_at: str) -> None:
            if for_person:
                there = dataclasses.replace(service, listen=grpc_at)
                click.echo(welcome(there, front, http_at, time.monotonic() - began))
            else:
                click.echo(f"{SERVED_AT}{grpc_at}\n{HTTP_AT}{http_at}")
            sys.stdout.flush()

        # For a person, each refusal is one line, that of the gateway; programs get those of the service as well.
        level = "warning" if for_person and service.log_level == ServiceSettings.log_level else service.log_level
        quiet = dataclasses.replace(service, log_level=level)
        code = run_product(quiet, front, BotSettings.from_environment(log=log), announce)
        if for_person:
            click.echo(f"\rStopped. The games are kept in {kept_in(service)}")
    except BadSettings as fault:
        raise BadInput(str(fault)) from None
    sys.exit(code)


COMMANDS = (gateway, run)
