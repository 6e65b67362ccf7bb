"""10 The thieves: which cards can be stolen, and where the twelve thieves are."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import CURRENCIES, Game
from alhambra.invariants import census
from tests.rules.hooks.asking import asked
from tests.rules.modules.thieves_table import finish, held, steal, thieves
from tests.rules.situations import codes, deck, display, fact, play, refused


def all_thieves(game: Game) -> Counter[str]:
    """All thieves, wherever they are."""
    return Counter({thing: count for thing, count in census(game).items() if thing.startswith("thief-")})


@pytest.mark.rule("10.1")
def test_twelve_thieves_are_held_played_or_out_of_the_game() -> None:
    game = thieves(4)
    held(game, s2="denar dukat", s3="gulden")
    finish(game)
    steal(game, "denar-9")
    game.resign(3)
    assert all_thieves(game) == {f"thief-{currency}": 3 for currency in CURRENCIES}


@pytest.mark.rule("06.1", "10.14")
def test_an_open_diamond_cannot_be_stolen() -> None:
    game = thieves(3, "diamonds")
    held(game, s2="denar")
    display(game, "diamond-4 denar-9 gulden-1")
    finish(game)
    assert codes(refused(game, "play_thief diamond-4", currency="denar")) == ["NOT_ELIGIBLE"]
    assert [move.display for move in game.moves() if move.verb == "play_thief"] == [("denar-9",)]


@pytest.mark.rule("10.14")
def test_an_open_bureau_cannot_be_stolen() -> None:
    game = thieves(3, "bureaux_de_change")
    held(game, s2="denar")
    bureau = next(card for card in game.ruleset.cards if game.ruleset.cards[card].kind == "bureau")
    display(game, f"{bureau} denar-9 gulden-1")
    finish(game)
    assert codes(refused(game, f"play_thief {bureau}", currency="denar")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("10.14", "10.32")
def test_nobody_is_asked_while_only_diamonds_lie_open() -> None:
    game = thieves(3, "diamonds")
    held(game, s0="denar", s2="denar")
    display(game, "diamond-4 gulden-1")
    deck(game, only=True)
    finish(game)
    assert game.state.display == ("diamond-4",)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.9", "10.34")
def test_a_thief_is_refused_because_its_owner_is_due_next() -> None:
    game = thieves(4)
    held(game, s2="denar")
    finish(game)
    game.resign(1)
    refusal = refused(game, "play_thief denar-9", currency="denar")
    assert fact(refusal, "CONDITION_UNMET") == {"what": "due_next", "need": False, "have": True}
    play(game, "pass")
    assert asked(game) == ("action", 2)
