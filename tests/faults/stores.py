"""Stores of a world, as real processes: one server, a master and a replica under three Sentinels, a cluster of three
masters with a replica each. Everybody reaches a server through its line, which can be made worse."""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from contextlib import suppress
from functools import partial
from pathlib import Path

from redis.exceptions import RedisError

from alhambra_service.store.embedded.embedded_store import find_program
from tests.service.store.servers import free_port

from .processes import Program, await_true
from .proxy import HOST, Network, Proxy
from .store_server import SPEAKERS, StoreServer, ask

NODE_TIMEOUT_MS = 1500
SENTINELS = 3
GROUP = "games"
SLOTS = ((0, 5460), (5461, 10922), (10923, 16383))
NODE_WORDS = 8
"""Words of a line about a node of a cluster; its slots follow."""


class Store(ABC):
    """A store of any shape."""

    servers: list[StoreServer]
    clocks_go_back = True
    """Whether the clock of a server may be set back."""

    def __init__(self, folder: Path, library: Path | None, network: Network, durability: str) -> None:
        self.folder = folder
        self.network = network
        self.library = library
        self.fsync = "everysec" if durability == "everysec" else "always"
        self.servers = []
        self.helpers: list[Program] = []
        """Processes of the store that hold no games."""

    def server(self, name: str) -> StoreServer:
        """Make a server, which is not started yet."""
        self.servers.append(StoreServer(name, self.folder, self.library, self.network, self.fsync))
        return self.servers[-1]

    @property
    @abstractmethod
    def url(self) -> str:
        """The address that services use."""

    def address(self, service: int) -> str:
        """The address for one of the services; the same for all unless each has a line of its own."""
        return self.url

    @property
    def lines(self) -> list[Proxy]:
        """The lines between services and servers."""
        return [server.line for server in self.servers]

    @abstractmethod
    def start(self) -> None:
        """Start all processes and wait until the store can be used."""

    def masters(self) -> list[StoreServer]:
        """The servers that call themselves masters now."""
        return [server for server in self.servers if server.is_master]

    def replicas(self) -> list[StoreServer]:
        """The servers that call themselves replicas now."""
        return [server for server in self.servers if server.info().get("role") == "slave"]

    def heal(self) -> None:
        """Start what does not run, and wait until the store is whole."""
        for one in (*self.servers, *self.helpers):
            if self.clocks_go_back:
                one.clock.set(0)
            one.signal_all(signal.SIGCONT)
        for helper in self.helpers:
            if not helper.running:
                helper.launch()
        for server in self.servers:
            if not server.running:
                self.restart(server)
            await_true(server.reset, f"{server.name} has its usual settings")
        self.reunite()
        await_true(self.whole, "the store is whole again")

    @abstractmethod
    def whole(self) -> bool:
        """Whether all servers have their parts and follow each other."""

    def restart(self, server: StoreServer) -> None:
        """Start a server that died, as an operator's scripts do."""
        server.start()

    def reunite(self) -> None:
        """Make a former master follow its heir, where servers do not do so by themselves."""
        return

    def failover(self, master: StoreServer) -> None:
        """Ask for another master in the place of this one."""
        raise NotImplementedError

    def heir(self, master: StoreServer) -> StoreServer | None:
        """The server that follows a master now and would take its place; None if none does."""
        followers = [server for server in self.servers if server is not master and server.follows(master)]
        return followers[0] if followers else None

    @abstractmethod
    def await_promotion(self, heir: StoreServer) -> None:
        """Wait until a server is a master for everybody."""

    def stop(self) -> None:
        """End all processes."""
        for one in (*self.helpers, *self.servers):
            one.kill()


class SingleStore(Store):
    """One server; each service has a line of its own to it."""

    def __init__(self, folder: Path, library: Path | None, network: Network, durability: str) -> None:
        super().__init__(folder, library, network, durability)
        self._lines = [self.server("store").line, network.line(self.servers[0].port, SPEAKERS)]

    @property
    def url(self) -> str:
        return self.address(0)

    def address(self, service: int) -> str:
        return f"redis://127.0.0.1:{self._lines[service % len(self._lines)].port}"

    @property
    def lines(self) -> list[Proxy]:
        return self._lines

    def start(self) -> None:
        self.servers[0].start()

    def reunite(self) -> None:
        """Make the server a master again, if a fault has left it a replica."""
        if not self.servers[0].is_master:
            self.servers[0].ask("REPLICAOF", "NO", "ONE")

    def whole(self) -> bool:
        return self.servers[0].is_master

    def await_promotion(self, heir: StoreServer) -> None:
        raise NotImplementedError


class SentinelStore(Store):
    """A master and a replica, and three Sentinels that decide which is which."""

    def __init__(self, folder: Path, library: Path | None, network: Network, durability: str) -> None:
        super().__init__(folder, library, network, durability)
        self._ports: dict[str, int] = {}

    @property
    def url(self) -> str:
        found = (f"{self.host_of(name)}:{port}" for name, port in self._ports.items())
        return f"redis+sentinel://{','.join(found)}/{GROUP}"

    def host_of(self, name: str) -> str:
        """The address of the host on which a process runs."""
        return HOST

    def prefix_for(self, name: str) -> list[str]:
        """The words before a command that run it on its host."""
        return []

    def start(self) -> None:
        for name in ("store-1", "store-2"):
            server = self.server(name)
            server.settings |= {"replica-announce-ip": server.host, "replica-announce-port": str(server.public_port)}
        master, replica = self.servers
        master.start()
        replica.settings["replicaof"] = f"{master.host} {master.public_port}"
        replica.start()
        del replica.settings["replicaof"]  # who follows whom is written in the file from here on
        for number in range(1, SENTINELS + 1):
            self._sentinel(f"sentinel-{number}", master)
        for sentinel in self.helpers:
            await_true(partial(self._sees_all, sentinel), f"{sentinel.name} knows the others")
        await_true(self.whole, "the replica follows its master")

    def _sentinel(self, name: str, master: StoreServer) -> None:
        port = self._ports[name] = free_port()
        sentinel = Program(name, self.folder, self.library, [])
        settings = (
            *(f"port {port}", f"bind {self.host_of(name)}", "protected-mode no", f"dir {sentinel.folder}"),
            f"sentinel monitor {GROUP} {master.host} {master.public_port} 2",
            f"sentinel down-after-milliseconds {GROUP} {NODE_TIMEOUT_MS}",
            f"sentinel failover-timeout {GROUP} 2000",
        )
        file = sentinel.folder / "sentinel.conf"
        file.write_text("\n".join(settings) + "\n", "utf-8")
        sentinel.command = [*self.prefix_for(name), str(find_program()), str(file), "--sentinel"]
        sentinel.launch()
        self.helpers.append(sentinel)

    def _about(self, sentinel: Program) -> dict[str, str]:
        with suppress(RedisError, OSError):
            flat = ask(self._ports[sentinel.name], "SENTINEL", "MASTER", GROUP, host=self.host_of(sentinel.name))
            return dict(zip(flat[::2], flat[1::2], strict=True))
        return {}

    def _sees_all(self, sentinel: Program) -> bool:
        about = self._about(sentinel)
        return (about.get("num-slaves"), about.get("num-other-sentinels")) == ("1", str(SENTINELS - 1))

    def witnesses(self) -> list[Program]:
        """The Sentinels that can be asked."""
        return [one for one in self.helpers if one.running]

    def _named(self) -> set[int]:
        """The ports that the Sentinels call the master's."""
        return {int(self._about(one).get("port", 0)) for one in self.witnesses()}

    def masters(self) -> list[StoreServer]:
        """The server that the Sentinels agree on."""
        named = self._named()
        return [server for server in self.servers if {server.public_port} == named]

    def replicas(self) -> list[StoreServer]:
        """The server that is not the master."""
        masters = self.masters()
        return [server for server in self.servers if masters and server not in masters]

    def whole(self) -> bool:
        masters = self.masters()
        return len(masters) == 1 and masters[0].is_followed

    def await_promotion(self, heir: StoreServer) -> None:
        await_true(lambda: self._named() == {heir.public_port}, f"the Sentinels name {heir.name} as the master")

    def restart(self, server: StoreServer) -> None:
        """Start a server as a replica of the master that the Sentinels name, if that is another one."""
        masters = self.masters()
        if masters and server not in masters:
            server.settings["replicaof"] = f"{masters[0].host} {masters[0].public_port}"
        server.start()
        server.settings.pop("replicaof", None)

    def reunite(self) -> None:
        """Make a former master follow the server that the Sentinels name. They would do it themselves after about ten
        seconds."""
        await_true(self.masters, "the Sentinels agree on a master")
        (master,) = self.masters()
        for server in self.servers:
            if server is not master and server.running and server.is_master:
                with suppress(RedisError, OSError):
                    server.ask("REPLICAOF", master.host, master.public_port)

    def failover(self, master: StoreServer) -> None:
        with suppress(RedisError, OSError):  # refused while one is under way
            first = self.helpers[0].name
            ask(self._ports[first], "SENTINEL", "FAILOVER", GROUP, host=self.host_of(first))


class ClusterStore(Store):
    """Three masters that share the games, each with a replica."""

    clocks_go_back = False
    """A server that was in a minority waits some seconds by its clock before it serves its slots as a master. If the
    clock is set back in the meantime, it waits until the clock is there again: for ten minutes here."""

    def __init__(self, folder: Path, library: Path | None, network: Network, durability: str) -> None:
        super().__init__(folder, library, network, durability)
        self.buses: dict[StoreServer, Proxy] = {}
        self._ids: dict[StoreServer, str] = {}
        for number in range(1, 2 * len(SLOTS) + 1):
            server, bus = self.server(f"store-{number}"), free_port()
            self.buses[server] = network.line(bus)
            server.settings |= {
                **{"cluster-enabled": "yes", "cluster-node-timeout": str(NODE_TIMEOUT_MS), "cluster-port": str(bus)},
                **{"cluster-announce-ip": "127.0.0.1", "cluster-announce-port": str(server.line.port)},
                **{"cluster-announce-bus-port": str(self.buses[server].port), "cluster-replica-validity-factor": "0"},
            }

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{server.line.port}" for server in self.servers)

    def start(self) -> None:
        for server in self.servers:
            server.start()
            self._ids[server] = server.ask("CLUSTER", "MYID")
        for bus in self.buses.values():
            bus.names = [(own.encode(), server.name) for server, own in self._ids.items()]
        masters, replicas = self.servers[: len(SLOTS)], self.servers[len(SLOTS) :]
        for epoch, (server, slots) in enumerate(zip(masters, SLOTS, strict=True), 1):
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", epoch)
            server.ask("CLUSTER", "ADDSLOTSRANGE", *slots)
        for server in self.servers[1:]:
            self.servers[0].ask("CLUSTER", "MEET", "127.0.0.1", server.line.port, self.buses[server].port)
        for server in self.servers:
            await_true(partial(self._sees_all, server), "the servers know each other")
        for master, replica in zip(masters, replicas, strict=True):
            replica.ask("CLUSTER", "REPLICATE", self._ids[master])
        await_true(self.whole, "every master has its replica")

    def _sees_all(self, server: StoreServer) -> bool:
        with suppress(RedisError, OSError):
            return str(server.ask("CLUSTER", "NODES")).count("connected") >= len(self.servers)
        return False

    def _covered(self, server: StoreServer) -> bool:
        with suppress(RedisError, OSError):
            lines = str(server.ask("CLUSTER", "INFO")).split()
            return "cluster_state:ok" in lines and "cluster_slots_ok:16384" in lines
        return False

    def _is_master_with_slots(self, server: StoreServer) -> bool:
        """Whether a server has slots by its own word: one that came back without them is about to become a replica."""
        with suppress(RedisError, OSError):
            (own,) = (line for line in str(server.ask("CLUSTER", "NODES")).splitlines() if "myself" in line)
            return "master" in own and len(own.split()) > NODE_WORDS
        return False

    def masters(self) -> list[StoreServer]:
        """The servers that have slots by their own word."""
        return [server for server in self.servers if self._is_master_with_slots(server)]

    def whole(self) -> bool:
        masters = self.masters()
        return (
            len(masters) == len(SLOTS)
            and all(map(self._covered, self.servers))
            and all(master.is_followed for master in masters)
        )

    def await_promotion(self, heir: StoreServer) -> None:
        await_true(lambda: self._is_master_with_slots(heir), f"{heir.name} becomes a master")
        await_true(lambda: self._covered(heir), "all slots are served again")

    def failover(self, master: StoreServer) -> None:
        heir = self.heir(master)
        if heir is not None:
            with suppress(RedisError, OSError):
                heir.ask("CLUSTER", "FAILOVER")


SHAPES: dict[str, type[Store]] = {
    "single": SingleStore,
    "sentinel": SentinelStore,
    "cluster": ClusterStore,
}
"""Stores on loopback, by their names."""
