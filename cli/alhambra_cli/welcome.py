"""The message of `alhambra run` on a terminal: where to play, where the games are stored, how to stop."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import click

from alhambra_gateway.config import Settings
from alhambra_runtime.settings import names
from alhambra_service.config import Settings as ServiceSettings


def welcome(service: ServiceSettings, gateway: Settings, http: str, seconds: float) -> str:
    """Return the message of a product that listens at `http` and took this long to start."""
    title = click.style(f"Alhambra {version('alhambra-rules')}", bold=True)
    rows = [
        ("Play", click.style(f"{http}/play", bold=True)),
        ("API documentation", f"{http}/docs"),
        ("gRPC", service.listen),
        ("Games are stored in", storage(service)),
        ("Other machines", remote_access(gateway, http)),
        ("Operator guide", f"{http}/guides/operator"),
        ("Stop", "Ctrl-C"),
    ]
    width = max(len(name) for name, _ in rows) + 2
    lines = [f"  {name:<{width}}{text}" for name, text in rows]
    return "\n".join(("", f"{title} started in {seconds:.1f} s.", "", *lines, ""))


def storage(service: ServiceSettings) -> str:
    """Return where the games are stored: a folder, or the address of the store without its password."""
    folder = service.embedded_folder
    if folder is None:
        where = urlsplit(service.store)
        return f"{where.scheme}://{where.netloc.rpartition('@')[2]}{where.path}"
    try:
        return f"{folder.resolve().relative_to(Path.cwd())}/"
    except ValueError:
        return str(folder.resolve())


def remote_access(gateway: Settings, http: str) -> str:
    """Return how other machines reach the product: by its host names, or through a tunnel if it listens on loopback."""
    port = http.rpartition(":")[2]
    if not gateway.address.loopback:
        return ", ".join(f"http://{name}:{port}" for name in names(gateway.hosts))
    return f"ssh -L {port}:127.0.0.1:{port} {platform.node() or 'THIS-MACHINE'}, then open the same addresses"
