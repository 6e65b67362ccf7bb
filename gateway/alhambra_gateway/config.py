"""The settings of the gateway. `alhambra_runtime/settings.py` reads them from options and variables, and checks them.

A gateway without an API key of its own is for this machine alone: it listens on loopback only, and calls a service that
does the same. Imports only the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from alhambra_runtime.addresses import Address, read_address
from alhambra_runtime.log_lines import STYLES
from alhambra_runtime.machine import usual_processes
from alhambra_runtime.settings import LEVELS, BadSettings, ServerSettings, flag, names, read_file, setting

from . import limits

__all__ = ["Address", "BadSettings", "Settings"]

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Host names by which a browser on this machine reaches the gateway."""
ANY = "*"
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]")
_ORIGIN = re.compile(r"https?://[a-z0-9.\[\]:-]+")


@dataclass(frozen=True)
class Settings(ServerSettings):
    """The settings of `alhambra gateway`."""

    prefix = "ALHAMBRA_GATEWAY_"
    most_workers = limits.WORKERS

    listen: str = setting(
        "127.0.0.1:8080", "Address to listen on; --key and --hosts are required unless it is loopback."
    )
    service: str = setting(
        "127.0.0.1:50051",
        "Addresses of the service: HOST:PORT, comma-separated, or dns:///NAME:PORT.",
    )
    key: str = setting("", "File with the API key of the gateway.")
    hosts: str = setting("", "Host names of the gateway, comma-separated; not needed on loopback.")
    trusted_proxies: str = setting("", "Networks of trusted proxies, comma-separated.")
    cors_origins: str = setting("", "Origins allowed by CORS, comma-separated, or *.")
    workers: int = setting(0, "Worker processes; 0 for one per core.")
    threads: int = setting(limits.THREADS, "Threads per process for unary calls.")
    streams: int = setting(limits.STREAMS, "Event streams per process; further ones are rejected.")
    pin: bool = setting(False, "Pin each process to a CPU core. Do not use in containers.")
    body_bytes: int = setting(limits.BODY_BYTES, "Maximum size of a request body.")
    gzip: bool = setting(True, "Compress responses with gzip if the client accepts it.")
    tls_authority: str = setting("", "CA certificate (PEM); enables TLS to the service.")
    tls_name: str = setting("", "Name in the certificate of the service, if it differs from the address.")
    tls_certificate: str = setting("", "Client certificate of the gateway (PEM); requires --tls-key.")
    tls_key: str = setting("", "Private key of the client certificate (PEM).")
    metrics: str = setting("", "Address of the Prometheus metrics; empty for /metrics on loopback only.")
    log_level: str = setting("info", "Log level; 'info' logs rejected requests, 'debug' every request.", LEVELS)
    log: str = setting("auto", "Log format; 'auto' is text on a terminal and JSON elsewhere.", STYLES)
    drain_seconds: float = setting(limits.DRAIN_SECONDS, "Seconds of 503 from /readyz before the gateway stops.")
    grace_seconds: float = setting(limits.GRACE_SECONDS, "Seconds for responses to finish when stopping.")

    @property
    def processes(self) -> int:
        """The number of worker processes."""
        return self.workers or usual_processes()

    def allowed_hosts(self) -> frozenset[str]:
        """Return the host names that requests may have, without port."""
        listed = frozenset(name.lower() for name in names(self.hosts))
        return listed | LOOPBACK_HOSTS if self.address.loopback else listed

    def allowed_origins(self) -> frozenset[str]:
        """Return the origins whose pages may call; `*` for all."""
        return frozenset(names(self.cors_origins))

    def own_key(self) -> str:
        """Return the gateway's API key; empty if it has none. Raise BadSettings."""
        if not self.key:
            return ""
        found = read_file(self.key).decode("ascii", "replace").strip()
        if not found.isascii() or len(found.split()) != 1:
            raise BadSettings(f"{self.key} must contain one API key and nothing else.")
        return found

    def faults(self) -> Iterator[str]:
        """Yield a sentence for each fault."""
        yield from self._address_faults()
        yield from super().faults()
        if not all(self.service.split(",")) or self.service != "".join(self.service.split()):
            yield "--service must be HOST:PORT, comma-separated, or dns:///NAME:PORT."
        if not 0 < self.body_bytes <= limits.BODY_BYTES:
            yield f"--body-bytes must be between 1 and {limits.BODY_BYTES}, the limit of the service."
        if not self.tls_authority and (self.tls_certificate or self.tls_name):
            yield "--tls-certificate and --tls-name require --tls-authority."
        if not all(_HOST.fullmatch(name.lower()) for name in names(self.hosts)):
            yield "--hosts must be host names without ports, comma-separated."
        if not all(name == ANY or _ORIGIN.fullmatch(name) for name in names(self.cors_origins)):
            yield "--cors-origins must be origins such as https://example.net, comma-separated, or *."

    def _address_faults(self) -> Iterator[str]:
        for name in ("listen", "metrics"):
            text = getattr(self, name)
            if name == "metrics" and not text:
                continue
            try:
                address = read_address(text)
            except ValueError:
                address = None
            if address is None or address.path:
                yield f"{flag(name)} must be an IP address and a port such as 127.0.0.1:8080."
                continue
            if not address.loopback and not self.key:
                yield (
                    f"{flag(name)} {text} is reachable from other machines: "
                    "set --key to a file with an API key, or listen on 127.0.0.1."
                )
            if name == "listen" and not address.loopback and not self.hosts:
                yield f"{flag(name)} {text} is not loopback: set --hosts to the host names of the gateway."
