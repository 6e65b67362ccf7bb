"""Schedules: the same seed draws the same faults, and every kind has its turn."""

from itertools import pairwise

import pytest

from .faults import COURSES
from .kinds import CLOCKS, KINDS, VERSIONS
from .schedule import SETTINGS, Schedule, draw

LONG = 600.0


def test_the_same_seed_draws_the_same_faults() -> None:
    assert draw(7, "single", "always", 30.0) == draw(7, "single", "always", 30.0)
    assert draw(7, "single", "always", 30.0).faults != draw(8, "single", "always", 30.0).faults


def test_a_schedule_is_read_as_it_was_written() -> None:
    drawn = draw(7, "cluster", "replicated", 30.0)
    assert Schedule.read(drawn.written()) == drawn


@pytest.mark.parametrize(("store", "durability"), SETTINGS)
def test_every_kind_that_a_store_knows_is_drawn(store: str, durability: str) -> None:
    drawn = {fault.kind for fault in draw(1, store, durability, LONG, versions=True).faults}
    assert drawn == {name for name, kind in KINDS.items() if store in kind.stores}


def test_kinds_that_are_not_possible_here_are_left_out() -> None:
    drawn = {fault.kind for fault in draw(1, "single", "always", LONG, clocks=False).faults}
    assert not drawn & {*CLOCKS, *VERSIONS}


def test_faults_of_one_lane_do_not_overlap() -> None:
    for faults in draw(3, "sentinel", "always", LONG).lanes().values():
        for one, other in pairwise(faults):
            assert one.at + one.seconds < other.at


def test_every_kind_can_be_performed() -> None:
    assert COURSES.keys() == KINDS.keys()


def test_only_a_fail_over_or_a_lazy_disk_may_lose_what_was_acknowledged() -> None:
    losing = {setting for setting in SETTINGS if draw(1, *setting, 1.0).may_lose}
    assert losing == {("single", "everysec"), ("sentinel", "always"), ("cluster", "always")}
