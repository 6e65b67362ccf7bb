"""The load model: what grows with what, where it ends, and that its page is fresh."""

from dataclasses import replace

import pytest

from bench.report import read
from bench.scale_model import PAGE, Costs, most_games, needed, simulated, with_tables

COSTS = Costs(
    move=2_000,
    list_moves=1_000,
    read=600,
    watcher=200,
    gateway=900,
    commit=400,
    listener_at_store=5,
    listener=10,
    bytes_in=2_000,
    bytes_out=200,
    bytes_on_disk=2_000,
    game=20_000,
    disk_ms=1.0,
)


def test_the_page_shows_what_was_measured() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_tables(page, read()) == page, "run  python -m bench.scale_model"


def test_without_messages_everything_grows_in_proportion() -> None:
    deaf = replace(COSTS, listener=0, listener_at_store=0)
    small, large = needed(100_000, deaf), needed(1_000_000, deaf)
    assert large.processes == pytest.approx(10 * small.processes)
    assert large.shards == pytest.approx(10 * small.shards)


def test_hearing_of_every_move_ends_an_installation_whatever_it_is_given() -> None:
    assert needed(1_000_000, COSTS).processes == float("inf")  # 100,000 moves a second × 10 µs: a whole core
    assert most_games(10_000, COSTS) < 600_000


def test_more_shards_serve_more_games_but_not_in_proportion() -> None:
    one, ten, hundred = (most_games(shards, COSTS) for shards in (1, 10, 100))
    assert one < ten < hundred
    assert hundred < 5 * ten


def test_a_commit_waits_longer_on_a_busy_shard() -> None:
    calm = simulated(1, 250, 400, 1.0, 2_500)
    busy = simulated(1, 2_250, 400, 1.0, 22_500)
    assert calm.busiest == pytest.approx(0.1, rel=0.05)
    assert busy.busiest == pytest.approx(0.9, rel=0.05)
    assert busy.p99_ms > 3 * calm.p99_ms


def test_a_lone_commit_takes_its_own_time_and_that_of_the_disk() -> None:
    assert simulated(1, 0.1, 400, 1.0, 1).median_ms == pytest.approx(1.4)


def test_games_fall_on_shards_unevenly_and_less_so_the_more_there_are() -> None:
    few, many = (simulated(100, 1_000, 400, 1.0, games).unevenness for games in (1_000, 1_000_000))
    assert 1.3 < few < 3
    assert 1 < many < 1.1
