"""39 Extensions: where they are, what is told of a refusal, and when one can be taken."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import TYPES, Game, Move
from alhambra.invariants import census
from alhambra.modules.extensions import Extensions
from tests.rules.modules.extensions_table import PLAYED, extensions
from tests.rules.situations import alhambra, codes, dirk, fact, hand, own, pieces, play, refused


def lying(game: Game) -> Counter[str]:
    """How often the census finds an extension of each type."""
    return Counter({thing: count for thing, count in census(game).items() if thing.startswith("extension-")})


def ready(seats: int = 3, *modules: str) -> Game:
    """Seat 0 has built one pavilion and holds the cards of the first column."""
    game = extensions(seats, *modules)
    own(game, 0, pavilion=1)
    hand(game, 0, PLAYED)
    return game


@pytest.mark.rule("39.2", "39.7")
def test_no_extension_is_lost_on_the_board_in_the_hand_or_on_a_building() -> None:
    two = Counter(dict.fromkeys([f"extension-{name}" for name in TYPES], 2))
    game = extensions()
    alhambra(game, 0, {(1, 0): "pavilion-8", (0, 1): "pavilion-7-e"})
    hand(game, 0, PLAYED)
    assert lying(game) == two
    play(game, f"extend {PLAYED}", slot="extension-1-1")
    assert game.decision is not None
    assert game.decision.kind == "attach_extension"
    assert lying(game) == two
    assert pieces(game, "extensions", seat=0) == [{"kind": "extension", "seat": 0, "type": "pavilion"}]
    play(game, "attach pavilion-8")
    assert lying(game) == two


@pytest.mark.rule("39.3", "39.32")
def test_everybody_sees_twelve_extensions_and_none_in_a_hand_at_the_start() -> None:
    shown = pieces(extensions(), "extensions")
    assert Counter(piece["type"] for piece in shown) == dict.fromkeys(TYPES, 2)


@pytest.mark.rule("39.12", "39.26")
def test_dirk_gets_no_extension_for_a_building_of_another_type() -> None:
    game = ready(2)
    dirk(game, "tower-11")
    found = refused(game, f"extend {PLAYED}", slot="extension-1-1", seat=2)
    assert fact(found, "CONDITION_UNMET")["what"] == "unextended_building"


@pytest.mark.rule("39.27")
def test_with_three_players_there_is_no_dirk_to_give_an_extension_to() -> None:
    found = refused(ready(), f"extend {PLAYED}", slot="extension-1-1", seat=3)
    assert codes(found) == ["NOUN_MALFORMED"]


@pytest.mark.rule("39.25")
def test_of_an_empty_field_nothing_is_told_but_that_nothing_lies_there() -> None:
    game = ready(2)
    kept = game.module_state(Extensions)
    del kept.lying["extension-1-1"]
    found = refused(game, f"extend {PLAYED}", slot="extension-1-1", seat=2)
    assert codes(found) == ["NOT_THERE"]


@pytest.mark.rule("39.4")
def test_a_slot_without_a_field_is_refused_whatever_the_cards() -> None:
    assert codes(refused(ready(), f"extend {PLAYED}", slot="market-denar")) == ["NOT_THERE"]


@pytest.mark.rule("39.21")
def test_a_card_that_is_not_accepted_is_not_compared_with_the_column() -> None:
    game = ready(3, "diamonds")
    hand(game, 0, "gulden-5 gulden-2 diamond-6")
    found = refused(game, "extend gulden-5 gulden-2 diamond-6", slot="extension-1-1")
    assert codes(found) == ["NOT_ACCEPTED"]


@pytest.mark.rule("39.4", "39.6")
@pytest.mark.parametrize(
    ("cards", "pavilions", "possible"),
    [(PLAYED, 1, True), ("gulden-5 gulden-2", 1, False), (PLAYED, 0, False), (f"{PLAYED} denar-1", 1, True)],
)
def test_extending_is_shown_as_possible_with_three_cards_and_a_building(
    cards: str, pavilions: int, possible: bool
) -> None:
    game = extensions()
    own(game, 0, pavilion=pavilions)
    hand(game, 0, cards)
    assert ("extend" in game.view(0)["decision"]["verbs"]) == possible


@pytest.mark.rule("39.4", "39.33")
def test_an_extension_by_chance_may_be_any_that_can_be_taken_with_any_cards() -> None:
    game, rng = extensions(), Random(39)
    own(game, 0, pavilion=1, arcades=1, tower=1)
    hand(game, 0, f"{PLAYED} gulden-1")
    assert game.decision is not None
    sample = game.ruleset.verbs["extend"].sample
    assert sample is not None
    found = {sample(game, game.decision, rng.randrange) for _ in range(300)}
    assert found == {move for move in game.moves() if move.verb == "extend"}
    assert len(found) > 4
    hand(game, 0, "gulden-1")
    assert sample(game, game.decision, rng.randrange) is None


@pytest.mark.rule("39.7")
def test_the_question_about_the_building_takes_no_other_move() -> None:
    game = extensions()
    alhambra(game, 0, {(1, 0): "pavilion-8", (0, 1): "pavilion-7-e"})
    hand(game, 0, PLAYED)
    play(game, f"extend {PLAYED}", slot="extension-1-1")
    assert set(game.moves()) == {Move("attach", "pavilion-8"), Move("attach", "pavilion-7-e")}
