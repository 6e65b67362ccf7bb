"""The commands `gateway` and `run`.

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

from .bad_input import BadInput
from .bots import BotSettings
from .product import HTTP_AT, run_product
from .serve import GRPC_AT, server_extra, settings_options
from .webhooks import WebhookSettings
from .welcome import storage, welcome


@click.command()
@settings_options(Settings)
def gateway(**given: Any) -> None:
    """Run the HTTP gateway in front of a service."""
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
    epilog="Other settings are environment variables: see `alhambra serve --help` and `alhambra gateway --help`."
)
@click.option("--grpc", "listen", metavar="ADDRESS", help="Address for gRPC, as `serve --listen`.")
@click.option("--http", metavar="ADDRESS", help="Address for HTTP, as `gateway --listen`.")
@click.option("--store", metavar="URL", help="The store, as `serve --store`.")
@click.option("--data", metavar="FOLDER", help="Folder of the embedded store; short for --store embedded:FOLDER.")
@click.option("--pin/--no-pin", default=None, help="Pin each process to a CPU core. Do not use in containers.")
@click.option("--workers", type=int, help="Worker processes of service and gateway, each; 0 for one per core.")
@click.option("--reflection/--no-reflection", default=None, help="Enable gRPC server reflection.")
@click.option("--log", type=click.Choice(STYLES), help="Log format, as `serve --log`.")
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
    """Run service, gateway and bots together, for gRPC and HTTP."""
    if store and data:
        raise BadInput("--store and --data are mutually exclusive.")
    began = time.monotonic()
    with server_extra():
        import gunicorn  # noqa: F401 - a missing package is reported before anything is started
        import redis  # noqa: F401
    store = f"embedded:{data}" if data else store
    try:
        service = ServiceSettings.from_environment(
            listen=listen, store=store, pin=pin, workers=workers, reflection=reflection, log=log
        )
        gateway_settings = Settings.from_environment(listen=http, pin=pin, workers=workers, log=log)
        on_terminal = sys.stdout.isatty() and service.log != JSON
        log_lines.begin(service.log_level, service.log, (), str)

        def announce(grpc_at: str, http_at: str) -> None:
            if on_terminal:
                there = dataclasses.replace(service, listen=grpc_at)
                click.echo(welcome(there, gateway_settings, http_at, time.monotonic() - began))
            else:
                click.echo(f"{GRPC_AT}{grpc_at}\n{HTTP_AT}{http_at}")
            sys.stdout.flush()

        # On a terminal each refusal is logged once, by the gateway; otherwise by the service, too.
        level = "warning" if on_terminal and service.log_level == ServiceSettings.log_level else service.log_level
        quiet = dataclasses.replace(service, log_level=level)
        code = run_product(
            quiet,
            gateway_settings,
            BotSettings.from_environment(log=log),
            WebhookSettings.from_environment(log=log),
            announce,
        )
        if on_terminal:
            click.echo(f"\rStopped. Games are stored in {storage(service)}")
    except BadSettings as fault:
        raise BadInput(str(fault)) from None
    sys.exit(code)


COMMANDS = (gateway, run)
