"""Stored games of every released version are loaded, played to their end and exported by this one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from alhambra import BadState, Game, Options, load_module, register
from alhambra_service.store import EmbeddedStore
from tests.compat.corpus import games_of, pack, released, store_games, unpack
from tests.compat.lamps import KEY, V1, V2, V3

from .stored import finish, finish_stored


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path / "store", fsync="always") as found:
        yield found


def test_every_game_of_every_released_version_is_finished(store: EmbeddedStore) -> None:
    for folder in released():
        for path in sorted(folder.glob("*.game")):
            assert finish(unpack(path.read_bytes())).over, path
        finish_stored(store, (folder / "store.jsonl").read_text(encoding="utf-8"))


def test_games_that_are_kept_stand_at_every_kind_of_decision_and_at_the_end() -> None:
    kept = dict(games_of("thieves", ("thieves",)))
    assert {kind.name for kind in load_module("thieves").decisions} | {"action", "finished"} <= set(kept)
    for kind, game in kept.items():
        assert game.over if kind == "finished" else game.decision is not None and game.decision.kind == kind


def test_a_kept_game_of_this_version_is_finished() -> None:
    _, game = next(games_of("base", ()))
    assert Game.from_bytes(unpack(pack(game))) == game
    finish(unpack(pack(game)))


def test_kept_games_of_an_older_version_are_finished_by_each_later_one() -> None:
    register(V1)
    kept = [pack(game) for _, game in games_of("lamps", (KEY,))]
    for module, seams in ((V1, 0), (V2, 1), (V3, 1)):
        register(module)
        for data in kept:
            game = finish(unpack(data))
            ended = Game.from_bytes(unpack(data)).log == game.log
            assert ended or [entry.kind for entry in game.log].count("engine") == seams


def test_a_rule_that_changes_without_its_version_is_noticed() -> None:
    register(V2)
    game = Game.new(Options(seats=3, seed="lamps", modules=[KEY]))
    for move in ("take_money", "light", "take_money"):
        game.apply(next(one for one in game.legal_moves() if one.verb == move))
    data = game.to_bytes()
    register(replace(V2, steps=V3.steps))
    with pytest.raises(BadState, match="the log leads to another game"):
        finish(data)
    register(V1)


def test_games_of_a_store_are_kept_waiting_running_and_finished(store: EmbeddedStore) -> None:
    assert finish_stored(store, store_games()) == ["over", "running", "waiting"]
