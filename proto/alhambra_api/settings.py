"""How a server is told what to do: one field for each choice, with its default, its flag and its variable.

`--listen` and `ALHAMBRA_LISTEN` are both the field `listen`; a flag wins over the variable. What cannot work is refused
before anything is started, every fault in one sentence. Service and gateway have this in common, and the command line
reads their choices from here; it needs nothing but the standard library.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, ClassVar, NamedTuple, Self

LEVELS = ("debug", "info", "warning", "error")
FEW_ARENAS = {"MALLOC_ARENA_MAX": "2"}
"""For the environment of a server. Without this the C library gives nearly every thread a heap of its own, and what is
free in one is of no use to the others: a process of many threads grows for hours."""
TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")

Network = IPv4Network | IPv6Network


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


def choice(default: Any, text: str, choices: tuple[str, ...] = ()) -> Any:
    """A field of settings: its default, what is said about it, and the words it may be if it may not be any."""
    return field(default=default, metadata={"help": text, "choices": choices})


@dataclass(frozen=True)
class Choices:
    """Everything that one server can be told; a subclass has the fields, made with `choice`."""

    prefix: ClassVar[str]
    """What the names of its variables begin with."""
    may_be_negative: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **given: Any) -> Self:
        """The settings of the variables, and above them those that are given and not None."""
        variables = os.environ if environment is None else environment
        found: dict[str, Any] = {}
        faults = []
        for each in dataclasses.fields(cls):
            text = variables.get(cls.variable(each.name))
            if given.get(each.name) is not None:
                found[each.name] = given[each.name]
            elif text is not None:
                try:
                    found[each.name] = _read(text, type(each.default))
                except ValueError:
                    faults.append(f"The variable {cls.variable(each.name)} cannot be read.")
        if faults:
            raise BadSettings("\n".join(faults))
        return cls(**found)

    @classmethod
    def variable(cls, name: str) -> str:
        """The variable of a field."""
        return cls.prefix + name.upper()

    def check(self) -> None:
        """Raises BadSettings if they cannot work."""
        faults = list(self.faults())
        if faults:
            raise BadSettings("\n".join(faults))

    def faults(self) -> Iterator[str]:
        """What is wrong, a sentence each: here what can be said of any field."""
        for each in dataclasses.fields(self):
            words, value = each.metadata["choices"], getattr(self, each.name)
            if words and value not in words:
                yield f"{flag(each.name)} must be one of {', '.join(words)}."
            if isinstance(value, int | float) and each.name not in self.may_be_negative and value < 0:
                yield f"{flag(each.name)} must not be negative."


def flag(name: str) -> str:
    """The flag of a field."""
    return "--" + name.replace("_", "-")


def names(text: str) -> list[str]:
    """What a comma-separated list holds."""
    return [name.strip() for name in text.split(",") if name.strip()]


def networks(text: str) -> list[Network]:
    """The networks of a comma-separated list; raises ValueError."""
    return [ip_network(name) for name in names(text)]


def cores() -> list[int]:
    """The cores that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def pin(number: int) -> None:
    """Keeps this process on one core, if the platform can: the interpreter's lock changing cores costs a third."""
    if hasattr(os, "sched_setaffinity"):
        available = cores()
        os.sched_setaffinity(0, {available[number % len(available)]})


def _read(text: str, kind: type) -> Any:
    if kind is bool:
        if text.lower() not in TRUE + FALSE:
            raise ValueError(text)
        return text.lower() in TRUE
    return kind(text)
