"""What `alhambra run` says on a terminal: where to play, where the games are kept, how to stop."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import click

from alhambra_gateway.config import Settings
from alhambra_runtime.settings import names
from alhambra_service.config import Settings as ServiceSettings


def welcome(service: ServiceSettings, front: Settings, http: str, seconds: float) -> str:
    """Return the lines for a product that answers at the address `http`, this long after it was started."""
    title = click.style(f"Alhambra {version('alhambra-rules')}", bold=True)
    rows = [
        ("Play", click.style(f"{http}/play", bold=True)),
        ("API documentation", f"{http}/docs"),
        ("gRPC", service.listen),
        ("Games are kept in", kept_in(service)),
        ("From elsewhere", from_elsewhere(front, http)),
        ("Run it for others", f"{http}/guides/operator"),
        ("Stop", "Ctrl-C"),
    ]
    width = max(len(name) for name, _ in rows) + 2
    lines = [f"  {name:<{width}}{text}" for name, text in rows]
    return "\n".join(("", f"{title} is ready after {seconds:.1f} s.", "", *lines, ""))


def kept_in(service: ServiceSettings) -> str:
    """Return where the games are: a folder, or the store without its password."""
    folder = service.embedded_folder
    if folder is None:
        where = urlsplit(service.store)
        return f"{where.scheme}://{where.netloc.rpartition('@')[2]}{where.path}"
    try:
        return f"{folder.resolve().relative_to(Path.cwd())}/"
    except ValueError:
        return str(folder.resolve())


def from_elsewhere(front: Settings, http: str) -> str:
    """Return how to reach the product from another machine: by its names, or through a tunnel while it listens on
    loopback only."""
    port = http.rpartition(":")[2]
    if not front.address.loopback:
        return ", ".join(f"http://{name}:{port}" for name in names(front.hosts))
    return f"ssh -L {port}:127.0.0.1:{port} {platform.node() or 'THIS-MACHINE'}, then open the same addresses"
