"""Hosts that are cut off hear nothing, and the store goes on without them.

`make faults` runs this file, and `make check` does not: on a machine without network namespaces these tests fail, and
say why.

    python -m pytest tests/faults/on_hosts.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.exceptions import TimeoutError as NoReply

from .hosts import HostStore, ip, unavailable
from .processes import await_true
from .schedule import Fault, Schedule
from .simulation import play
from .test_store_faults import store_of, suffering
from .world import World

SECONDS = 12.0


@pytest.fixture(autouse=True)
def machine() -> None:
    """The machine lets us make hosts."""
    reason = unavailable()
    assert not reason, f"this machine cannot have hosts with addresses of their own: {reason}"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with store_of(tmp_path, "hosts", "replicated") as found:
        yield found


def test_a_replica_takes_the_place_of_a_master_whose_host_is_cut_off(world: World) -> None:
    assert isinstance(world.store, HostStore)
    (before,) = world.store.masters()
    heir = world.store.heir(before)
    assert heir is not None
    assert before.host != heir.host
    with suffering(world, "host cut off"):
        with pytest.raises(NoReply):
            before.ask("PING")
        assert before.running
    await_true(world.store.whole, "the store is whole again")
    assert world.store.masters() == [heir]
    assert before.follows(heir)


def test_nothing_acknowledged_is_lost_when_the_host_of_the_master_is_cut_off(tmp_path: Path) -> None:
    fault = Fault(2.0, "host cut off", 0, 2.0, 0.0)
    found = play(Schedule(1, "hosts", "replicated", SECONDS, (fault,)), lambda text: None, folder=tmp_path)
    assert found.defects == []
    assert found.faults["host cut off"] == 1
    assert found.counts["acknowledged"] > 0
    assert found.lost == 0


def test_hosts_and_bridges_are_removed(tmp_path: Path) -> None:
    with store_of(tmp_path, "hosts", "replicated") as world:
        assert isinstance(world.store, HostStore)
        names = world.store.hosts.names
        assert set(names) <= set(ip("netns", "list").split())
    assert not set(names) & set(ip("netns", "list").split())
