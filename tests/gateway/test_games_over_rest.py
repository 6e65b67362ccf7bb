"""Complete games played with nothing but HTTP, and what comes of them afterwards."""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from alhambra import Game as RulesGame
from alhambra import Options, known_modules, read_export, verify_export
from alhambra_api.v1 import events_pb2, nouns_pb2
from alhambra_gateway.json_messages import reader, writer
from alhambra_service.messages.events import event_to
from alhambra_service.messages.translate import move_from

from .product import Product, command
from .rest import good, table

SEVERAL = ["change", "thieves", "viziers_favour", "characters"]


@pytest.mark.parametrize(
    ("seats", "modules"),
    [(2, []), (6, []), (3, SEVERAL)],
    ids=["two players", "six players", "three players and modules"],
)
def test_a_game_played_over_http_verifies_and_ends_as_in_the_library(
    product: Product, seats: int, modules: list[str], tmp_path: Path
) -> None:
    with table(product, seats, modules=modules) as game:
        view = game.play(Random(seats))
        assert view["status"] == "over"
        answer = game.spectator.get(f"{game.path}/replay")
        seen = game.view()
    document = good(answer)
    commitment = game.created["view"]["fairness"]["commitment"]
    assert verify_export(document, commitment).ok
    record = read_export(document)
    replayed = RulesGame.replay(record.options, record.log)
    assert replayed.over
    assert view["version"] == len(record.log)
    assert [seat["score"] for seat in seen["seats"]] == list(replayed.scores[:seats])
    ended = json.loads(json.dumps(replayed.view(None)))
    assert [laid(seat) for seat in seen["seats"]] == [laid(seat) for seat in ended["seats"]]
    assert seen["table"]["deckCount"] == len(replayed.state.deck)
    assert document["fairness"]["chain"][-1] == seen["fairness"]["link"]
    kept = tmp_path / "game.json"
    kept.write_bytes(answer.body)
    subprocess.run([*command("verify"), str(kept)], check=True, capture_output=True, timeout=60)


def laid(seat: dict[str, Any]) -> set[tuple[Any, ...]]:
    """The Alhambra in a view, be it the contract's or the library's."""
    return {(tile["tile"], tile["cell"]["x"], tile["cell"]["y"], tile.get("rotation", 0)) for tile in seat["alhambra"]}


def test_a_game_with_a_given_seed_is_the_librarys_game_move_by_move(product: Product) -> None:
    seed, rng = "the same over http", Random(5)
    modules = known_modules()
    with table(product, 3, seed=seed, modules=modules) as game:
        view = game.view()
        seats = [{"name": seat["name"], "colour": seat["colour"]} for seat in view["seats"]]
        shadow = RulesGame.new(Options(seats, seed, modules=modules))
        for _ in range(40):
            seat = view["decision"]["seat"]
            move = game.random_move(view, rng)
            answer = good(game.apply(seat, move, view["version"]))
            sent = nouns_pb2.Move()
            reader(sent.DESCRIPTOR)(sent, move)
            write = writer(events_pb2.Event.DESCRIPTOR)
            view = answer["view"]
            link = view["fairness"]["link"]
            happened = [write(event_to(event, seat, link)) for event in shadow.apply(move_from(sent), seat)]
            assert answer["events"] == json.loads(json.dumps(happened))
            assert view["version"] == shadow.version
