"""13 The treasure chamber: where the chests are, and which moves can be undone."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import TYPES, Game
from alhambra.invariants import census
from tests.rules.modules.characters_table import asked
from tests.rules.modules.test_treasure_chamber import CHESTS, RICH, buy, chamber, leave_in_bag, put, putting, treasury
from tests.rules.situations import alhambra, dirk, events_of, hand, legal, own, pieces, play


def all_chests(game: Game) -> dict[str, int]:
    """All chests, wherever they are, by colour."""
    found = Counter({thing: count for thing, count in census(game).items() if thing.startswith("chest-")})
    return {name: found[f"chest-{name}"] for name in TYPES}


@pytest.mark.rule("13.1", "13.9")
def test_forty_two_chests_are_in_the_bag_in_rooms_bought_or_in_buildings() -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 1, {(1, 0): "garden-10", (2, 0): "garden-11"})
    assert all_chests(game) == CHESTS
    buy(game)
    assert asked(game) == ("put_chests", 1)
    play(game, "put_chest garden-11", type="garden")
    assert all_chests(game) == CHESTS


@pytest.mark.rule("13.6", "13.39")
@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_everybody_sees_the_chests_in_buildings_and_those_just_bought(viewer: int | None) -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 1, {(1, 0): "garden-10", (2, 0): "garden-11"})
    buy(game)
    play(game, "put_chest garden-11", type="garden")
    assert pieces(game, "treasure_chamber", viewer, tile="garden-11") == [
        {"kind": "chest", "seat": 1, "tile": "garden-11", "type": "garden"}
    ]
    assert pieces(game, "treasure_chamber", viewer, choice="bought") == [
        {"kind": "chest", "choice": "bought", "type": "garden", "amount": 3}
    ]


@pytest.mark.rule("13.16", "13.35")
def test_dirk_takes_a_chest_even_if_he_has_more_buildings_for_it_than_there_are_chests() -> None:
    game = treasury(2, "garden tower tower tower")
    dirk(game, "garden-11", "garden-10")
    assert putting(buy(game)) == [(2, "garden", "garden-10")]


@pytest.mark.rule("13.11")
def test_that_no_room_is_filled_any_more_is_told_once() -> None:
    game = treasury(3, "tower tower tower tower", "tower tower tower tower")
    own(game, 0, tower=4)
    leave_in_bag(game, 0)
    kept = chamber(game)
    kept.bag, kept.put = kept.put["nowhere"][:3], {"nowhere": kept.put["nowhere"][3:]}
    assert len(events_of(buy(game), "refilling_stopped")) == 1
    kept.bag, kept.put = (), {**kept.put, "elsewhere": kept.bag}
    hand(game, 1, RICH)
    own(game, 1, garden=4)
    kept.rooms = {**kept.rooms, "room-2": ("garden",) * 4, "room-3": ()}
    events = buy(game, "room-2")
    assert len(putting(events)) == 4
    assert kept.bag == ()
    assert not events_of(events, "refilling_stopped")


@pytest.mark.rule("13.12")
def test_nothing_returns_to_the_bag_when_a_building_without_a_chest_is_taken_out() -> None:
    game = treasury()
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "tower-11"})
    put(game, "garden-10")
    before = chamber(game).bag
    assert not events_of(play(game, "remove tower-11"), "chests_returned")
    assert chamber(game).bag == before
    assert chamber(game).put == {"garden-10": ("garden",)}


@pytest.mark.rule("13.8", "13.34")
def test_the_buyer_takes_back_a_chest_without_asking_anybody() -> None:
    game = treasury(3, "garden garden garden seraglio", undo="by_consent")
    gardens = {(1, 0): "garden-10", (2, 0): "garden-11", (3, 0): "garden-10-n", (1, 1): "garden-9-e"}
    alhambra(game, 0, gardens)
    buy(game)
    play(game, "put_chest garden-11", type="garden")
    assert asked(game) == ("put_chests", 0)
    assert game.can_undo(0) is None


@pytest.mark.rule("13.34")
def test_the_standing_orders_about_chests_are_to_put_all_and_to_decline() -> None:
    game = treasury(3, "garden garden garden garden")
    alhambra(game, 1, {(1, 0): "garden-10"})
    buy(game)
    assert [order.answer for order in game.question().kind.orders] == ["place_all", "pass"]
    assert legal(game, "pass")


@pytest.mark.rule("13.8", "13.34")
def test_a_neighbour_takes_back_a_chest_only_if_the_others_agree() -> None:
    game = treasury(3, "garden garden garden garden", undo="by_consent")
    alhambra(game, 1, {(1, 0): "garden-10", (2, 0): "garden-11"})
    buy(game)
    play(game, "put_chest garden-11", type="garden")
    assert asked(game) == ("put_chests", 1)
    refusal = game.can_undo(1)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"
    assert game.can_undo(1, consent=True) is None
