"""Hosts with addresses of their own on one machine: network namespaces of Linux, joined by a bridge.

A host whose link is down is cut off as a machine is whose cable was pulled: nothing arrives, nothing is refused, no
connection is reset. A proxy cannot do that, because it always answers for the other side. Needs root and iproute2.

The store on hosts: a server and a Sentinel on the first and on the second host, a Sentinel on the third. The services
stay on the machine itself, which reaches all hosts over the bridge.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil

from .processes import Program
from .proxy import Network, Proxy
from .store_server import StoreServer
from .stores import SentinelStore

HOSTS = 3
PREFIX = "alh"
COMMAND_SECONDS = 10.0


class NoHosts(Exception):
    """This machine does not let us make hosts. The message is the reason."""


def ip(*words: str) -> str:
    """Run `ip` and return what it prints; NoHosts if it refuses."""
    try:
        done = subprocess.run(["ip", *words], capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise NoHosts(f"ip {words[0]}: {fault}") from None
    if done.returncode:
        raise NoHosts(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Hosts:
    """Some hosts and the bridge between them. The names hold the id of this process."""

    def __init__(self, count: int = HOSTS) -> None:
        remove_leftovers()
        self._bridge = f"{PREFIX}{os.getpid()}"
        self._net = f"10.213.{os.getpid() % 250}"
        self.names = [f"{self._bridge}-{number}" for number in range(1, count + 1)]
        try:
            self._make()
        except NoHosts:
            self.remove()
            raise

    def _make(self) -> None:
        ip("link", "add", self._bridge, "type", "bridge")
        ip("address", "add", f"{self._net}.254/24", "dev", self._bridge)
        ip("link", "set", self._bridge, "up")
        for number, name in enumerate(self.names, 1):
            ip("netns", "add", name)
            ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("link", "set", name, "master", self._bridge, "up")
            ip("-n", name, "address", "add", f"{self._net}.{number}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "lo", "up")
            ip("-n", name, "link", "set", "eth0", "up")

    def address(self, host: int) -> str:
        """The address of a host; they are counted from 0."""
        return f"{self._net}.{host + 1}"

    def on(self, host: int, command: list[str]) -> list[str]:
        """The command that runs another one on a host, as the same process."""
        return [shutil.which("ip") or "ip", "netns", "exec", self.names[host], *command]

    def cut_off(self, host: int) -> None:
        """Take the link of a host down."""
        ip("link", "set", self.names[host], "down")

    def connect(self, host: int) -> None:
        """Take the link of a host up again."""
        ip("link", "set", self.names[host], "up")

    def remove(self) -> None:
        """Remove hosts and bridge."""
        _remove(self._bridge, self.names)


def _remove(bridge: str, names: list[str]) -> None:
    for name in names:
        for words in (("link", "delete", name), ("netns", "delete", name)):
            with suppress(NoHosts):  # it was not made, or is gone already
                ip(*words)
    with suppress(NoHosts):
        ip("link", "delete", bridge)


def remove_leftovers() -> None:
    """Remove the hosts of runs that were killed."""
    names = [line.split()[0] for line in ip("netns", "list").splitlines() if line.startswith(PREFIX)]
    for bridge in {name.partition("-")[0] for name in names}:
        number = bridge.removeprefix(PREFIX)
        if number.isdecimal() and not psutil.pid_exists(int(number)):
            _remove(bridge, [name for name in names if name.startswith(f"{bridge}-")])


def unavailable() -> str:
    """Why hosts cannot be made on this machine; empty if they can."""
    try:
        Hosts(1).remove()
    except NoHosts as fault:
        return str(fault)
    return ""


class HostStore(SentinelStore):
    """A master and a replica under three Sentinels, on three hosts."""

    def __init__(self, folder: Path, library: Path | None, network: Network, durability: str) -> None:
        super().__init__(folder, library, network, durability)
        self.hosts = Hosts()
        self._cut_off: set[int] = set()

    def server(self, name: str) -> StoreServer:
        """Make a server on its host, which is not started yet. It has no line: the link of its host is one."""
        server = super().server(name)
        server.host, server.public_port = self.host_of(name), server.port
        server.settings |= {"bind": server.host, "protected-mode": "no"}
        server.prefix = self.prefix_for(name)
        return server

    def host_of(self, name: str) -> str:
        return self.hosts.address(_number(name))

    def prefix_for(self, name: str) -> list[str]:
        return self.hosts.on(_number(name), [])

    @property
    def lines(self) -> list[Proxy]:
        """None: links take their place."""
        return []

    def witnesses(self) -> list[Program]:
        """The Sentinels that run on hosts which can be reached."""
        return [one for one in super().witnesses() if _number(one.name) not in self._cut_off]

    def cut_off(self, server: StoreServer) -> None:
        """Cut off the host of a server, and the Sentinel on it."""
        self._cut_off.add(_number(server.name))
        self.hosts.cut_off(_number(server.name))

    def reconnect(self) -> None:
        """Connect every host again."""
        for host in sorted(self._cut_off):
            self.hosts.connect(host)
        self._cut_off.clear()

    def heal(self) -> None:
        self.reconnect()
        super().heal()

    def stop(self) -> None:
        super().stop()
        self.hosts.remove()


def _number(name: str) -> int:
    """The host of `store-1` or `sentinel-1` is the first."""
    return int(name.rpartition("-")[2]) - 1
