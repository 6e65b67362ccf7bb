"""What an operator can choose: one field for each choice, with its default, its flag and its variable.

`--listen` and `ALHAMBRA_LISTEN` are both the field `listen`; a flag wins over the variable. What cannot work is refused
before anything is started, every fault in one sentence. Needs nothing but the standard library.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, NamedTuple

from . import limits

PREFIX = "ALHAMBRA_"
DURABILITIES = ("always", "everysec", "replicated")
LEVELS = ("debug", "info", "warning", "error")


class BadSettings(ValueError):
    """The settings cannot work. The message has one sentence a line."""


class Address(NamedTuple):
    """Where a server listens: an address and a port, or the path of a socket."""

    host: str
    port: int
    path: str = ""

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return bool(self.path) or ip_address(self.host).is_loopback

    def __str__(self) -> str:
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_address(text: str) -> Address:
    """`127.0.0.1:50051`, `[::]:50051`, `localhost:50051` or `unix:/path/of/a.sock`; raises ValueError."""
    if text.startswith("unix:") and len(text) > len("unix:"):
        return Address("", 0, text.removeprefix("unix:").removeprefix("//"))
    host, _, port = text.rpartition(":")
    host = "127.0.0.1" if host == "localhost" else host
    if host.startswith("[") != host.endswith("]"):
        raise ValueError(text)
    found = str(ip_address(host.strip("[]")))
    if not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise ValueError(text)
    return Address(found, int(port))


def _choice(default: Any, text: str, choices: tuple[str, ...] = ()) -> Any:
    return field(default=default, metadata={"help": text, "choices": choices})


@dataclass(frozen=True)
class Settings:
    """Everything that `alhambra serve` can be told."""

    listen: str = _choice("127.0.0.1:50051", "Address and port, or unix:PATH. Anything but loopback needs keys.")
    store: str = _choice(
        "embedded:alhambra-data",
        "The store: embedded:FOLDER, redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://.",
    )
    durability: str = _choice("always", "What an acknowledged move survives, as the store promises it.", DURABILITIES)
    replicas: int = _choice(1, "With durability 'replicated': on the disks of so many replicas.")
    workers: int = _choice(0, "Processes; 0 for one on each core.")
    pin: bool = _choice(False, "Keep each process on a core of its own. Not in containers.")
    threads: int = _choice(limits.THREADS, "Threads of each process for plain calls.")
    keys: str = _choice("", "File of API keys, read again on SIGHUP. Without one, everybody on this machine is host.")
    service_key: str = _choice("", "File with a secret of 32 bytes or more from which tokens of seats are made.")
    calls_per_second: float = _choice(-1.0, "Of one address without API key; 0 for any number, below for the default.")
    trusted_proxies: str = _choice("", "Networks whose x-forwarded-for is believed, separated by commas.")
    tls_certificate: str = _choice("", "PEM file with the certificate chain; together with --tls-key.")
    tls_key: str = _choice("", "PEM file with the private key.")
    tls_client_authority: str = _choice("", "PEM file; only clients with a certificate of this authority are let in.")
    reflection: bool = _choice(False, "Let clients ask for the contract.")
    metrics: str = _choice("", "Address and port of the Prometheus metrics; empty for none.")
    log_level: str = _choice("info", "How much is logged: refusals with 'info', every call with 'debug'.", LEVELS)
    forget_after: int = _choice(0, "Seconds after which a game that nobody touches is removed; 0 for never.")
    drain_seconds: float = _choice(limits.DRAIN_SECONDS, "How long to say NOT_SERVING before calls are turned away.")
    grace_seconds: float = _choice(limits.GRACE_SECONDS, "How long calls may take to end when stopping.")

    @property
    def address(self) -> Address:
        """Where to listen."""
        return read_address(self.listen)

    @property
    def processes(self) -> int:
        """How many workers there are."""
        return self.workers or (1 if self.address.path else len(cores()))

    @property
    def embedded_folder(self) -> Path | None:
        """Where the embedded store keeps its data; None if the store is another one."""
        scheme, _, rest = self.store.partition(":")
        return Path(rest.removeprefix("//")).expanduser() if scheme == "embedded" else None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **given: Any) -> Settings:
        """The settings of the variables, and above them those that are given and not None."""
        variables = os.environ if environment is None else environment
        found: dict[str, Any] = {}
        faults = []
        for choice in dataclasses.fields(cls):
            text = variables.get(PREFIX + choice.name.upper())
            if given.get(choice.name) is not None:
                found[choice.name] = given[choice.name]
            elif text is not None:
                try:
                    found[choice.name] = _read(text, type(choice.default))
                except ValueError:
                    faults.append(f"The variable {PREFIX}{choice.name.upper()} cannot be read.")
        if faults:
            raise BadSettings("\n".join(faults))
        return cls(**found)

    def check(self) -> None:
        """Raises BadSettings if they cannot work."""
        faults = list(self._faults())
        if faults:
            raise BadSettings("\n".join(faults))

    def _faults(self) -> Iterator[str]:
        yield from self._address_faults()
        for choice in dataclasses.fields(self):
            choices, value = choice.metadata["choices"], getattr(self, choice.name)
            if choices and value not in choices:
                yield f"{_flag(choice.name)} must be one of {', '.join(choices)}."
            if isinstance(value, int | float) and choice.name != "calls_per_second" and value < 0:
                yield f"{_flag(choice.name)} must not be negative."
        if self.workers > limits.WORKERS:
            yield f"There are at most {limits.WORKERS} workers."
        if self.threads == 0:
            yield "A process needs at least one thread."
        if bool(self.tls_certificate) != bool(self.tls_key):
            yield "--tls-certificate and --tls-key go together."
        if self.tls_client_authority and not self.tls_certificate:
            yield "--tls-client-authority needs --tls-certificate and --tls-key."
        try:
            self.proxies()
        except ValueError:
            yield "--trusted-proxies must be networks such as 10.0.0.0/8, separated by commas."

    def _address_faults(self) -> Iterator[str]:
        for name in ("listen", "metrics"):
            text = getattr(self, name)
            if name == "metrics" and not text:
                continue
            try:
                address = read_address(text)
            except ValueError:
                yield f"--{name} must be an IP address and a port such as 127.0.0.1:50051, or unix:PATH."
                continue
            if not address.loopback and not self.keys:
                yield (
                    f"--{name} {text} could be reached from other machines: "
                    "name a file of API keys with --keys, or listen on 127.0.0.1."
                )
            if address.path and name == "metrics":
                yield "--metrics must be an address and a port."
            if address.path and self.workers > 1:
                yield "A unix socket cannot be shared between workers: use --workers 1, or a port."

    def proxies(self) -> list[Any]:
        """The networks of trusted proxies."""
        return [ip_network(text.strip()) for text in self.trusted_proxies.split(",") if text.strip()]


def cores() -> list[int]:
    """The cores that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _read(text: str, kind: type) -> Any:
    if kind is bool:
        if text.lower() not in ("1", "true", "yes", "on", "0", "false", "no", "off", ""):
            raise ValueError(text)
        return text.lower() in ("1", "true", "yes", "on")
    return kind(text)
