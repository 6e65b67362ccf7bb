"""Stored games of every released version are loaded, played on and exported by this one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest

from alhambra import BadState, Game, Options, load_module, register
from alhambra.module import Migration
from alhambra_service.store import EmbeddedStore
from tests.compat.corpus import STORE, archive, read_corpus, released, write_games
from tests.compat.lamps import KEY, V1, V2, V3, forget
from tests.compat.setups import FINISHED, Setup, every_kind, games_of, search, setups
from tests.compat.store_games import store_games
from tests.conformance.results import rules_digest

from .stored import Broken, check_corpus, finish, finish_stored

LOADED, FINISHED_OF = 10, 20
"""Of this many games `make test` loads one and finishes one, others whenever the rules change; `make check`
loads all of them, `make compat` finishes all of them."""
LAMPS = Setup("lamps", (KEY,))


def in_sample(name: str, of: int = FINISHED_OF) -> bool:
    return crc32(f"{rules_digest()} {name}".encode()) % of == 0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path / "store", fsync="always") as found:
        yield found


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """Games that an older version has kept."""
    register(V1)
    path = archive("0.0.1", tmp_path)
    assert write_games(path, ((f"lamps/{kind}", game) for kind, game in games_of(LAMPS))) > 2
    return path


# -- Of released versions ----------------------------------------------------------------------------------------------


def test_a_sample_of_the_games_of_every_released_version_is_played_on_and_exported() -> None:
    for path in released():
        games = check_corpus(path, finished=in_sample, checked=lambda name: name != STORE and in_sample(name, LOADED))
        assert games > 10


@pytest.mark.check_only
def test_every_game_of_every_released_version_is_played_on_and_exported() -> None:
    for path in released():
        assert check_corpus(path, finished=in_sample) > 100


def test_every_kind_of_decision_of_a_module_by_itself_is_wanted() -> None:
    found = setups()
    assert len({setup.name for setup in found}) == len(found)
    assert set().union(*(setup.wanted for setup in found)) | {"action", "place_tiles"} <= every_kind()
    assert {"second_project", "placing_gate", "choose_leftover"} <= set().union(*(setup.wanted for setup in found))


# -- What is kept ------------------------------------------------------------------------------------------------------


def test_games_that_are_kept_stand_at_every_kind_of_decision_and_at_the_end() -> None:
    kept = dict(games_of(Setup("thieves", ("thieves",))))
    assert {kind.name for kind in load_module("thieves").decisions} | {"action", FINISHED} <= set(kept)
    for kind, game in kept.items():
        assert game.over if kind == FINISHED else game.decision is not None and game.decision.kind == kind


def test_a_rare_decision_is_searched_for() -> None:
    setup = Setup("fresh_colours", ("fresh_colours",))
    assert "second_project" in setup.wanted
    decision = search(setup, "second_project").decision
    assert decision is not None
    assert decision.kind == "second_project"


def test_a_decision_that_no_game_meets_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.compat.setups.SEARCHED", 2)
    with pytest.raises(LookupError, match="no game of 2 stands at second_project"):
        search(Setup("base"), "second_project")


def test_games_are_read_as_they_were_written_and_the_file_is_the_same_each_time(tmp_path: Path) -> None:
    one, two = archive("1", tmp_path), archive("2", tmp_path)
    kept = list(games_of(Setup("base")))
    for path in (one, two):
        assert write_games(path, ((f"base/{kind}", game) for kind, game in games_of(Setup("base")))) == len(kept)
    assert one.read_bytes() == two.read_bytes()
    assert [name for name, _ in read_corpus(one)] == [f"base/{kind}.game" for kind, _ in kept]
    assert [Game.from_bytes(data) for _, data in read_corpus(one)] == [game for _, game in kept]


@pytest.mark.check_only
def test_games_of_a_store_are_kept_waiting_running_and_finished(store: EmbeddedStore) -> None:
    assert finish_stored(store, store_games()) == ["over", "running", "running", "waiting"]


@pytest.mark.check_only
def test_games_of_a_store_are_the_same_each_time() -> None:
    assert store_games() == store_games()


# -- Later versions ----------------------------------------------------------------------------------------------------


def test_kept_games_of_an_older_version_are_finished_by_each_later_one(older: Path) -> None:
    for module, seams in ((V1, 0), (V2, 1), (V3, 1)):
        register(module)
        for name, data in read_corpus(older):
            game = finish(data)
            assert name.endswith(f"{FINISHED}.game") or [entry.kind for entry in game.log].count("engine") == seams


def test_a_later_version_whose_migration_does_nothing_fails_and_the_game_is_named(older: Path) -> None:
    register(replace(V2, migrations=(Migration(),)))
    with pytest.raises(Broken, match=r"0\.0\.1\.tar\.xz: lamps/"):
        check_corpus(older, finished=lambda _: False)


def test_a_later_version_without_the_module_fails(older: Path) -> None:
    forget()
    with pytest.raises(Broken, match="lamps/"):
        check_corpus(older, finished=lambda _: False)


def test_a_later_version_whose_migration_forgets_a_field_fails(older: Path) -> None:
    (migration,) = V2.migrations
    register(replace(V2, migrations=(Migration(steps=migration.steps),)))
    with pytest.raises(Broken, match="lamps/"):
        check_corpus(older, finished=lambda _: False)


def test_a_rule_that_changes_without_its_version_is_noticed() -> None:
    register(V2)
    game = Game.new(Options(seats=3, seed="lamps", modules=[KEY]))
    for move in ("take_money", "light", "take_money"):
        game.apply(next(one for one in game.legal_moves() if one.verb == move))
    data = game.to_bytes()
    register(replace(V2, steps=V3.steps))
    with pytest.raises(BadState, match="the log leads to a different state"):
        finish(data)
    register(V1)
