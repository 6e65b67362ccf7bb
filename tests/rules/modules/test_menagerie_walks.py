"""36 The menagerie: where the animals are, and what a walk costs and tells."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game
from alhambra.invariants import census
from alhambra.modules.menagerie import SPECIES, Menagerie
from tests.rules.modules.characters_table import give
from tests.rules.modules.menagerie_table import FULL, at_late, menagerie, on, put
from tests.rules.situations import events_of, fact, hand, market, pieces, play, refused, take_turn, tower

KEY = "menagerie"


def animals(game: Game) -> Counter[str]:
    """All animals, wherever they are."""
    return Counter({thing: count for thing, count in census(game).items() if thing in SPECIES})


@pytest.mark.rule("36.1", "36.2")
def test_twenty_four_animals_are_face_down_on_tiles_or_out_of_the_game() -> None:
    game = menagerie()
    put(game, "garden-10", "monkey monkey")
    assert animals(game) == Counter([*SPECIES] * 3)


@pytest.mark.rule("36.2", "36.33")
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_everybody_sees_how_many_animals_lie_face_down_and_nothing_else_of_them(viewer: int | None) -> None:
    game = menagerie()
    assert pieces(game, KEY, viewer) == [{"kind": "animal", "amount": 22, "choice": "face_down"}]


@pytest.mark.rule("36.32", "36.33")
def test_when_all_animals_have_come_none_is_shown_face_down() -> None:
    game = menagerie()
    kept = game.module_state(Menagerie)
    game.state.box, kept.supply = (*game.state.box, *kept.supply), ()
    assert pieces(game, KEY) == []


@pytest.mark.rule("36.5", "36.28")
def test_the_card_that_is_handed_in_leaves_the_hand_for_the_discard() -> None:
    game = at_late("denar-2 denar-3")
    play(game, "lead_animals denar-2")
    assert game.state.seats[0].hand.count("denar-2") == 0
    assert "denar-3" in game.state.seats[0].hand
    assert game.state.discard.count("denar-2") == 1


@pytest.mark.rule("36.7")
def test_every_step_is_told_with_animal_and_cell() -> None:
    game = at_late("denar-2", "dove")
    play(game, "lead_animals denar-2")
    events = play(game, "step dove @1,0", side="E")
    assert events_of(events, "animal_moved") == [{"seat": 0, "piece": "dove", "cell": (2, 0)}]
    assert on(game, "arcades-9") == ["dove"]


@pytest.mark.rule("36.28")
def test_one_card_is_handed_in_and_only_once_in_a_turn() -> None:
    game = at_late("denar-4 builder-denar", "dove", "master_builders")
    assert fact(refused(game, "lead_animals", cards=("builder-denar", "denar-4")), "CARD_COUNT") == {
        "need": 1,
        "got": 2,
    }
    play(game, "lead_animals denar-4")
    play(game, "pass")
    used_up = fact(refused(game, "lead_animals dukat-5"), "USED_UP")
    assert used_up == {"what": "animals", "limit": 1, "per": "turn"}


@pytest.mark.rule("36.3", "36.4")
def test_the_animals_that_come_with_a_garden_lie_on_it_when_it_is_built() -> None:
    game = menagerie()
    market(game, **{**FULL, "denar": ""})
    tower(game, "garden-10")
    take_turn(game)
    drawn = on(game, "garden-10")
    hand(game, 1, "denar-9 denar-2")
    play(game, "buy market-denar denar-9 denar-2")
    play(game, "place garden-10 @1,0")
    shown = pieces(game, KEY, seat=1)
    assert [piece["piece"] for piece in shown] == drawn
    assert {piece["cell"] for piece in shown} == {(1, 0)}


@pytest.mark.rule("36.10", "36.31")
def test_nothing_is_told_of_animals_when_a_tile_without_any_leaves_the_game() -> None:
    game = menagerie(2)
    market(game, **{**FULL, "denar": "garden-10"})
    hand(game, 0, "denar-9 denar-2")
    play(game, "buy market-denar denar-9 denar-2")
    assert not events_of(play(game, "give_to_dirk garden-10"), "animals_boxed")


@pytest.mark.rule("36.23")
def test_nothing_is_told_of_animals_when_a_tile_without_any_is_sunk() -> None:
    game = menagerie(3, "characters")
    give(game, 1, "dancer")
    tower(game, "tower-12")
    play(game, "take_money dukat-5")
    assert not events_of(play(game, "dance market-denar"), "animals_returned")
