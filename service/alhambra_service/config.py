"""The settings of the service. `alhambra_runtime/settings.py` reads them from options and variables, and checks them.

Imports only the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from alhambra_runtime.addresses import Address, read_address
from alhambra_runtime.log_lines import STYLES
from alhambra_runtime.machine import usual_processes
from alhambra_runtime.settings import LEVELS, BadSettings, ServerSettings, setting

from . import limits
from .webhook_addresses import AddressPolicy

__all__ = ["Address", "BadSettings", "Settings"]

DURABILITIES = ("always", "everysec", "replicated")


@dataclass(frozen=True)
class Settings(ServerSettings):
    """The settings of `alhambra serve`."""

    prefix = "ALHAMBRA_"
    may_be_negative = frozenset({"calls_per_second"})
    most_workers = limits.WORKERS

    listen: str = setting("127.0.0.1:50051", "Address and port, or unix:PATH. Anything but loopback needs keys.")
    store: str = setting(
        "embedded:alhambra-data",
        "The store: embedded:FOLDER, redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://.",
    )
    store_memory: int = setting(
        limits.EMBEDDED_MEMORY_MIB, "MiB of memory for the games of an embedded store; 0 for no bound."
    )
    durability: str = setting("always", "What an acknowledged move survives, as the store promises it.", DURABILITIES)
    replicas: int = setting(1, "With durability 'replicated': on the disks of this number of replicas.")
    workers: int = setting(0, "Processes; 0 for one on each core.")
    pin: bool = setting(False, "Keep each process on a core of its own. Not in containers.")
    threads: int = setting(limits.THREADS, "Threads of each process for plain calls.")
    keys: str = setting("", "File of API keys, read again on SIGHUP. Without one, everybody on this machine is host.")
    service_key: str = setting("", "File with a secret of 32 bytes or more from which tokens of seats are made.")
    calls_per_second: float = setting(-1.0, "Of one address without API key; 0 for any number, below for the default.")
    trusted_proxies: str = setting("", "Networks whose x-forwarded-for is believed, separated by commas.")
    tls_certificate: str = setting("", "PEM file with the certificate chain; together with --tls-key.")
    tls_key: str = setting("", "PEM file with the private key.")
    tls_client_authority: str = setting("", "PEM file; only clients with a certificate of this authority are let in.")
    webhook_allow_private: str = setting(
        "", "Networks that webhooks may reach beside public ones, separated by commas; 'all' for any."
    )
    webhook_allow_http: bool = setting(False, "Let webhooks use http beside https.")
    reflection: bool = setting(False, "Let clients ask for the contract.")
    metrics: str = setting("", "Address and port of the Prometheus metrics; empty for none.")
    log_level: str = setting("info", "How much is logged: refusals with 'info', every call with 'debug'.", LEVELS)
    log: str = setting("auto", "The form of the log; 'auto' is text on a terminal and JSON elsewhere.", STYLES)
    forget_finished_days: int = setting(
        limits.FORGET_FINISHED_DAYS, "Days after its end until a finished game is removed; 0 for never."
    )
    forget_abandoned_days: int = setting(
        limits.FORGET_ABANDONED_DAYS, "Days after its last change until any other game is removed; 0 for never."
    )
    audit_days: int = setting(limits.AUDIT_DAYS, "Days that the audit log of hosts goes back; 0 for no bound by age.")
    drain_seconds: float = setting(limits.DRAIN_SECONDS, "How long to say NOT_SERVING before calls are turned away.")
    grace_seconds: float = setting(limits.GRACE_SECONDS, "How long calls may take to end when stopping.")

    @property
    def processes(self) -> int:
        """The number of worker processes."""
        return self.workers or (1 if self.address.path else usual_processes())

    def webhook_policy(self) -> AddressPolicy:
        """Return which addresses webhooks may have. Raises ValueError."""
        return AddressPolicy.read(self.webhook_allow_private, http=self.webhook_allow_http)

    @property
    def embedded_folder(self) -> Path | None:
        """The folder of the embedded store; None if the store is another one."""
        scheme, _, rest = self.store.partition(":")
        return Path(rest.removeprefix("//")).expanduser() if scheme == "embedded" else None

    def faults(self) -> Iterator[str]:
        """Generate a sentence for each fault."""
        yield from self._address_faults()
        yield from super().faults()
        try:
            self.webhook_policy()
        except ValueError:
            yield "--webhook-allow-private must be networks such as 10.0.0.0/8, separated by commas, or 'all'."
        if self.tls_client_authority and not self.tls_certificate:
            yield "--tls-client-authority needs --tls-certificate and --tls-key."

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
