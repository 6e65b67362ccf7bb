"""Settings of a process: one field for each setting, with its default, its option and its variable.

The field `listen` is set by `--listen` or `ALHAMBRA_LISTEN`; an option wins over the variable. Settings that cannot
work are rejected before anything is started, with one sentence for each fault. The service, the gateway and the bots
declare their settings as subclasses of `BaseSettings`, and the command line makes its options from them.
"""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any, ClassVar, Self

from .addresses import Address, Network, read_address

LEVELS = ("debug", "info", "warning", "error")
TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")
_KINDS = {bool: "true or false", int: "an integer", float: "a number"}


class BadSettings(ValueError):
    """The settings cannot work. The message has one sentence a line."""


def setting(default: Any, text: str, choices: tuple[str, ...] = ()) -> Any:
    """Declare a setting: its default, its help text, and its allowed values; without `choices` any value is allowed."""
    return field(default=default, metadata={"help": text, "choices": choices})


@dataclass(frozen=True)
class BaseSettings:
    """The settings of one kind of process. A subclass declares the fields with `setting`."""

    prefix: ClassVar[str]
    """The first part of the names of the variables."""
    may_be_negative: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **given: Any) -> Self:
        """Read the settings from variables. A value in `given` wins over its variable, unless it is None."""
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
                    faults.append(f"Invalid value of {cls.variable(each.name)}: must be {_KINDS[type(each.default)]}.")
        if faults:
            raise BadSettings("\n".join(faults))
        return cls(**found)

    @classmethod
    def variable(cls, name: str) -> str:
        """Return the name of the variable of a field."""
        return cls.prefix + name.upper()

    def arguments(self) -> Iterator[str]:
        """Yield the options that pass these settings to a child process, except those that have the value of their
        variable or their default."""
        usual = type(self).from_environment()
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            if value == getattr(usual, each.name):
                continue
            if isinstance(value, bool):
                yield flag(each.name) if value else flag(f"no_{each.name}")
            else:
                yield f"{flag(each.name)}={value}"

    def check(self) -> None:
        """Raise BadSettings if the settings cannot work."""
        faults = list(self.faults())
        if faults:
            raise BadSettings("\n".join(faults))

    def faults(self) -> Iterator[str]:
        """Yield a sentence for each fault. This method checks allowed values and negative numbers; subclasses add to
        it."""
        for each in dataclasses.fields(self):
            words, value = each.metadata["choices"], getattr(self, each.name)
            if words and value not in words:
                yield f"{flag(each.name)} must be one of {', '.join(words)}."
            if isinstance(value, int | float) and each.name not in self.may_be_negative and value < 0:
                yield f"{flag(each.name)} must not be negative."


class ServerSettings(BaseSettings):
    """Settings that all servers have. A subclass declares the fields that are named here."""

    most_workers: ClassVar[int]
    listen: str
    workers: int
    threads: int
    trusted_proxies: str
    tls_certificate: str
    tls_key: str

    @property
    def address(self) -> Address:
        """The address to listen on."""
        return read_address(self.listen)

    def proxies(self) -> list[Network]:
        """Return the networks of trusted proxies. Raise ValueError."""
        return networks(self.trusted_proxies)

    def faults(self) -> Iterator[str]:
        """Yield a sentence for each fault."""
        yield from super().faults()
        if self.workers > self.most_workers:
            yield f"--workers must be at most {self.most_workers}."
        if self.threads == 0:
            yield "--threads must be at least 1."
        if bool(self.tls_certificate) != bool(self.tls_key):
            yield "--tls-certificate and --tls-key must be used together."
        try:
            self.proxies()
        except ValueError:
            yield "--trusted-proxies must be networks such as 10.0.0.0/8, comma-separated."


def flag(name: str) -> str:
    """Return the option of a field."""
    return "--" + name.replace("_", "-")


def names(text: str) -> list[str]:
    """Return the members of a comma-separated list, without blanks around them. Empty members are left out."""
    return [name.strip() for name in text.split(",") if name.strip()]


def networks(text: str) -> list[Network]:
    """Return the networks of a comma-separated list. Raise ValueError."""
    return [ip_network(name) for name in names(text)]


def read_file(path: str) -> bytes:
    """Return the bytes of a file that a setting names. Raise BadSettings."""
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise BadSettings(f"Cannot read {path}: {(fault.strerror or str(fault)).lower()}.") from None


def exposed(*paths: str) -> Iterator[str]:
    """Yield a sentence for each file with a secret that every user of the machine can read, because it and all folders
    above it are open to them. Empty paths are skipped."""
    for path in filter(None, paths):
        with suppress(OSError):  # reported when the file is read
            file = Path(path).resolve(strict=True)
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & stat.S_IROTH and all(folder.stat().st_mode & stat.S_IXOTH for folder in file.parents):
                yield f"Permissions 0{mode:03o} of {path} are too open for a secret: run chmod 600 {path}"


def _read(text: str, kind: type) -> Any:
    if kind is bool:
        if text.lower() not in TRUE + FALSE:
            raise ValueError(text)
        return text.lower() in TRUE
    return kind(text)
