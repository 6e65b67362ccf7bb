"""A real cluster of three masters with a replica each, on loopback."""

import os
import signal
from functools import partial

from ..store.servers import RealCluster, RealServer, await_true, free_port, whole

REPLICA = (
    *("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"),
    *("--cluster-replica-validity-factor", "0"),  # however long it heard nothing, it may take its master's place
)
PATIENCE = 60.0


class ReplicatedCluster(RealCluster):
    """Three masters and the replica of each. A replica can be held still and cut off from what its master does."""

    def __init__(self) -> None:
        super().__init__()
        self.replicas: dict[RealServer, RealServer] = {}
        door = _nodes(self.masters[0])[_id(self.masters[0])]
        for master in self.masters:
            replica = RealServer(*REPLICA, "--cluster-port", str(free_port()))
            self.replicas[master] = replica
            replica.ask("CLUSTER", "MEET", "127.0.0.1", self.masters[0].port, door)
        for master, replica in self.replicas.items():
            await_true(partial(_knows, replica, _id(master)), "the replica knows its master", PATIENCE)
            replica.ask("CLUSTER", "REPLICATE", _id(master))
        for server in self.servers:
            await_true(partial(whole, server), "the cluster is whole", PATIENCE)
        for master in self.masters:
            await_true(partial(replicated, master), "the replica follows", PATIENCE)

    @property
    def servers(self) -> list[RealServer]:
        return [*self.masters, *self.replicas.values()]

    def cut_off(self, master: RealServer) -> None:
        """The replica of a master stands still and hears nothing any more."""
        os.kill(self.replicas[master].pid, signal.SIGSTOP)
        master.ask("CLIENT", "KILL", "TYPE", "replica")

    def let_go(self, master: RealServer) -> None:
        """The replica wakes up, with what it heard before."""
        os.kill(self.replicas[master].pid, signal.SIGCONT)

    def await_promotion(self, master: RealServer) -> None:
        """Waits until the replica has taken its master's place and the cluster serves every slot."""
        heir = self.replicas[master]
        await_true(lambda: about(heir)["role"] == "master", "the replica is promoted", PATIENCE)
        for server in self.servers:
            if server is not master:
                await_true(partial(whole, server), "every slot is served", PATIENCE)

    def return_as_replica(self, master: RealServer) -> None:
        """The dead master comes back and follows the one who took its place; they change their parts here too."""
        heir = self.replicas.pop(master)
        master.start()
        await_true(lambda: about(master)["role"] == "slave", "the old master follows", PATIENCE)
        await_true(partial(replicated, heir), "the old master has caught up", PATIENCE)
        self.masters[self.masters.index(master)] = heir
        self.replicas[heir] = master

    def stop(self) -> None:
        for server in self.servers:
            server.stop()


def about(server: RealServer) -> dict[str, str]:
    """What a server says about who follows whom."""
    found = server.ask("INFO", "replication")
    assert isinstance(found, bytes)
    return dict(line.split(":", 1) for line in found.decode().splitlines() if ":" in line)


def replicated(master: RealServer) -> bool:
    """Whether the master has a replica that hears it."""
    return "state=online" in about(master).get("slave0", "")


def _id(server: RealServer) -> str:
    found = server.ask("CLUSTER", "MYID")
    assert isinstance(found, bytes)
    return found.decode()


def _knows(server: RealServer, other: str) -> bool:
    return other in _nodes(server)


def _nodes(server: RealServer) -> dict[str, str]:
    """Whom a server knows: the port of each one's bus, by id."""
    found = server.ask("CLUSTER", "NODES")
    assert isinstance(found, bytes)
    lines = [line.split() for line in found.decode().splitlines()]
    return {words[0]: words[1].partition("@")[2].partition(",")[0] for words in lines}
