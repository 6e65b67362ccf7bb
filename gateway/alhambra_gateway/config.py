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
from alhambra_runtime.machine import cores
from alhambra_runtime.settings import LEVELS, BadSettings, ServerChoices, choice, flag, names, read_file

from . import limits

__all__ = ["Address", "BadSettings", "Settings"]

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Host names by which a browser on this machine reaches the gateway."""
ANY = "*"
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]")
_ORIGIN = re.compile(r"https?://[a-z0-9.\[\]:-]+")


@dataclass(frozen=True)
class Settings(ServerChoices):
    """The settings of `alhambra gateway`."""

    prefix = "ALHAMBRA_GATEWAY_"
    most_workers = limits.WORKERS

    listen: str = choice("127.0.0.1:8080", "Address and port. Anything but loopback needs --key and --hosts.")
    service: str = choice(
        "127.0.0.1:50051",
        "Where the service is: addresses with ports, separated by commas, or dns:///NAME:PORT.",
    )
    key: str = choice("", "File with the gateway's own API key, which it shows to the service.")
    hosts: str = choice("", "Names by which clients reach the gateway, separated by commas; on loopback not needed.")
    trusted_proxies: str = choice("", "Networks whose forwarding headers are believed, separated by commas.")
    cors_origins: str = choice("", "Origins whose pages may call the gateway, separated by commas, or *.")
    workers: int = choice(0, "Processes; 0 for one on each core.")
    threads: int = choice(limits.THREADS, "Threads of each process for unary calls.")
    streams: int = choice(limits.STREAMS, "Streams of events of each process; further ones are refused.")
    pin: bool = choice(False, "Keep each process on a core of its own. Not in containers.")
    body_bytes: int = choice(limits.BODY_BYTES, "The largest body of a request.")
    gzip: bool = choice(True, "Pack answers for clients that can unpack them.")
    tls_authority: str = choice("", "PEM file: speak TLS to the service, trusting this authority.")
    tls_name: str = choice("", "The name in the service's certificate, if it is not the address.")
    tls_certificate: str = choice("", "PEM file with the gateway's own certificate; together with --tls-key.")
    tls_key: str = choice("", "PEM file with its private key.")
    metrics: str = choice("", "Address and port of the Prometheus metrics; empty for /metrics on loopback only.")
    log_level: str = choice("info", "How much is logged: refusals with 'info', every request with 'debug'.", LEVELS)
    log: str = choice("auto", "The form of the log; 'auto' is text on a terminal and JSON elsewhere.", STYLES)
    drain_seconds: float = choice(limits.DRAIN_SECONDS, "How long /readyz says no before connections are turned away.")
    grace_seconds: float = choice(limits.GRACE_SECONDS, "How long answers may take to end when stopping.")

    @property
    def processes(self) -> int:
        """The number of worker processes."""
        return self.workers or len(cores())

    def allowed_hosts(self) -> frozenset[str]:
        """Return the host names that requests may have, without port."""
        listed = frozenset(name.lower() for name in names(self.hosts))
        return listed | LOOPBACK_HOSTS if self.address.loopback else listed

    def allowed_origins(self) -> frozenset[str]:
        """Return the origins whose pages may call; `*` for all."""
        return frozenset(names(self.cors_origins))

    def own_key(self) -> str:
        """Return the gateway's API key; empty if it has none. Raises BadSettings."""
        if not self.key:
            return ""
        found = read_file(self.key).decode("ascii", "replace").strip()
        if not found.isascii() or len(found.split()) != 1:
            raise BadSettings(f"The file {self.key} must hold one API key and nothing else.")
        return found

    def faults(self) -> Iterator[str]:
        """Generate a sentence for each fault."""
        yield from self._address_faults()
        yield from super().faults()
        if not all(self.service.split(",")) or self.service != "".join(self.service.split()):
            yield "--service must be addresses with ports, or names such as dns:///NAME:PORT, separated by commas."
        if not 0 < self.body_bytes <= limits.BODY_BYTES:
            yield f"--body-bytes must be between 1 and {limits.BODY_BYTES}, which is what the service reads."
        if not self.tls_authority and (self.tls_certificate or self.tls_name):
            yield "--tls-certificate and --tls-name need --tls-authority."
        if not all(_HOST.fullmatch(name.lower()) for name in names(self.hosts)):
            yield "--hosts must be names without ports, separated by commas."
        if not all(name == ANY or _ORIGIN.fullmatch(name) for name in names(self.cors_origins)):
            yield "--cors-origins must be origins such as https://example.net, separated by commas, or *."

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
                    f"{flag(name)} {text} could be reached from other machines: "
                    "name a file with the gateway's API key with --key, or listen on 127.0.0.1."
                )
            if name == "listen" and not address.loopback and not self.hosts:
                yield f"{flag(name)} {text} is not loopback: name the hosts that it is reached by with --hosts."
