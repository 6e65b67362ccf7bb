"""The commands of the service: serve, healthcheck, new-key.

They need the extra `[server]`; most other commands do not. Its packages are therefore imported when one of these
commands runs, and a missing package is reported in one sentence.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click

from alhambra_runtime.settings import BaseSettings, flag
from alhambra_service import limits
from alhambra_service.config import BadSettings, Settings

from .bad_input import BadInput

NOT_SERVING, UNREACHABLE = 1, 3
"""Exit codes of the health check; 2 is for wrong arguments."""
GRPC_AT = "Alhambra is served at "
EXTRA_PACKAGES = (
    *("flask", "flask_swagger_ui", "google", "grpc", "grpc_health", "grpc_reflection", "grpc_status", "gunicorn"),
    *("markdown_it", "prometheus_client", "redis", "werkzeug"),
)

Command = TypeVar("Command", bound=Callable[..., Any])


@contextmanager
def server_extra() -> Iterator[None]:
    """Raise BadInput with the command to install the extra `[server]` if this block imports a missing package of it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in EXTRA_PACKAGES:
            raise
        command = "pip install 'alhambra-rules[server,embedded]'"
        raise BadInput(f"This command needs the package '{package}': run  {command}  first.") from None


def settings_options(settings: type[BaseSettings]) -> Callable[[Command], Command]:
    """Return a decorator that gives a command an option for each setting."""

    def add(command: Command) -> Command:
        for field in reversed(dataclasses.fields(settings)):
            kind: Any = click.Choice(field.metadata["choices"]) if field.metadata["choices"] else type(field.default)
            option = flag(field.name)
            variable = settings.variable(field.name)
            if kind is bool:
                kind, option = None, f"{option}/{flag(f'no_{field.name}')}"
            shown = field.default if field.default not in ("", False, -1.0) else None
            text = f"{field.metadata['help']}  [{variable}{f'; default: {shown}' if shown is not None else ''}]"
            command = click.option(option, field.name, type=kind, default=None, help=text)(command)
        return command

    return add


@click.command()
@settings_options(Settings)
def serve(**given: Any) -> None:
    """Run the gRPC service."""
    with server_extra():
        from alhambra_service.process.supervisor import serve as serve_games
    try:
        serve_games(Settings.from_environment(**given), _announce)
    except BadSettings as fault:
        raise BadInput(str(fault)) from None


def _announce(address: str) -> None:
    click.echo(f"{GRPC_AT}{address}")
    sys.stdout.flush()


@click.command()
@click.option(
    "--address",
    envvar="ALHAMBRA_LISTEN",
    default=Settings.listen,
    show_default=True,
    help="Address of the service; http://HOST:PORT for a gateway.",
)
@click.option("--service", default="", help="Full name of a gRPC service; all services by default.")
@click.option("--timeout", type=float, default=limits.HEALTHCHECK_SECONDS, show_default=True, help="Seconds to wait.")
@click.option("--tls-authority", type=click.Path(path_type=Path), help="CA certificate (PEM); enables TLS.")
@click.option("--tls-name", help="Name in the certificate of the service, if it differs from the address.")
@click.option("--tls-certificate", type=click.Path(path_type=Path), help="Client certificate (PEM).")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Private key of the client certificate (PEM).")
def healthcheck(
    address: str,
    service: str,
    timeout: float,
    tls_authority: Path | None,
    tls_name: str | None,
    tls_certificate: Path | None,
    tls_key: Path | None,
) -> None:
    """Check the health of a service or gateway. Exits with 0 if it is healthy, 1 if not, 3 if it does not respond."""
    if address.startswith("http://"):
        _ask_gateway(address, timeout)
        return
    with server_extra():
        import grpc
        from grpc_health.v1 import health_pb2, health_pb2_grpc
    options = [("grpc.ssl_target_name_override", tls_name)] if tls_name else []
    if tls_authority is not None:
        pem = [path.read_bytes() if path else None for path in (tls_authority, tls_key, tls_certificate)]
        channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(*pem), options)
    else:
        channel = grpc.insecure_channel(address, options)
    statuses = health_pb2.HealthCheckResponse.ServingStatus
    with channel:
        try:
            question = health_pb2.HealthCheckRequest(service=service)
            stub: Any = health_pb2_grpc.HealthStub(channel)
            answer = stub.Check(question, timeout=timeout)
            status = statuses.Name(answer.status)
        except grpc.RpcError as fault:
            if fault.code() is not grpc.StatusCode.NOT_FOUND:
                click.echo(f"Could not connect to {address}: {fault.code().name}.", err=True)
                sys.exit(UNREACHABLE)
            status = "SERVICE_UNKNOWN"
    click.echo(status)
    if status != "SERVING":
        sys.exit(NOT_SERVING)


def _ask_gateway(address: str, timeout: float) -> None:
    """Print whether a gateway is alive, and exit with a code other than 0 if not. `/healthz` does not check whether the
    gateway can reach a service; `/readyz` does."""
    where = urlsplit(address)
    connection = HTTPConnection(where.hostname or "", where.port, timeout=timeout)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        status = answer.status
        answer.read()
    except (OSError, HTTPException):
        click.echo(f"Could not connect to {address}.", err=True)
        sys.exit(UNREACHABLE)
    finally:
        connection.close()
    click.echo("ALIVE" if status == HTTPStatus.OK else f"HTTP {status}")
    if status != HTTPStatus.OK:
        sys.exit(NOT_SERVING)


@click.command("new-key")
@click.argument("name")
@click.option("--tenant", help="Tenant of the key; NAME by default.")
@click.option("--scope", "scopes", multiple=True, help="Scope of the key, repeatable; all scopes by default.")
@click.option("--gateway", is_flag=True, help="Create a key for a gateway.")
def new_key(name: str, tenant: str | None, scopes: tuple[str, ...], gateway: bool) -> None:
    """Create an API key. Its entry for the file of keys goes to standard output, the key itself to standard error."""
    with server_extra():
        from alhambra_service.auth.api_keys import entry_text, known_scopes
        from alhambra_service.auth.credentials import KEY, digest, new_secret
    key = new_secret(KEY)
    granted = () if gateway else scopes or tuple(sorted(known_scopes()))
    try:
        text = entry_text(name, digest(key), "" if gateway else tenant or name, granted, gateway=gateway)
    except ValueError as fault:
        raise BadInput(str(fault)) from None
    click.echo(text)
    click.echo(f"API key (shown only once):  {key}", err=True)


COMMANDS = (serve, healthcheck, new_key)
