"""03 The bonus cards: when a card may be revealed, which seats are asked, and that no card is lost."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game
from alhambra.invariants import census
from alhambra.modules.bonus_cards import BonusCards
from alhambra.modules.bonus_cards.cards import SHOWN
from tests.rules.situations import alhambra, display, hold_scoring, market, play, table

GARDEN, TOWER = "bonus_garden-10", "bonus_tower-11"


def holding(*hands: tuple[str, ...]) -> Game:
    """A table where the seats hold these cards, and all others left the game unseen."""
    game = table(3, modules=["bonus_cards"])
    cards = game.module_state(BonusCards)
    cards.unseen, cards.returned, cards.revealed = hands, ((),) * 3, ((),) * 3
    cards.rest = tuple(sorted(set(SHOWN) - {card for own in hands for card in own}))
    display(game, "dukat-1 dukat-2 gulden-1 denar-1")
    return game


def counted(game: Game) -> Counter[str]:
    """How often the census finds each card."""
    return Counter({thing: count for thing, count in census(game).items() if thing in SHOWN})


@pytest.mark.rule("03.1", "03.34", "03.36")
def test_each_card_is_in_one_place_whether_held_turned_up_returned_or_out_of_the_game() -> None:
    once = Counter(dict.fromkeys(SHOWN, 1))
    game = holding((GARDEN,), (TOWER,), ())
    alhambra(game, 0, {(1, 0): "garden-10"})
    assert counted(game) == once
    play(game, f"reveal_bonus {GARDEN}")
    assert counted(game) == once
    play(game, "remove garden-10")
    assert counted(game) == once
    game.resign(0)
    assert counted(game) == once


@pytest.mark.rule("03.28", "03.32")
def test_whoever_holds_a_card_is_shown_that_one_may_be_turned_up_whether_it_fits_or_not() -> None:
    for hands, shown in (((), False), ((GARDEN,), True)):
        view = holding(hands, (), ()).view(0)
        assert ("reveal_bonus" in view["decision"]["verbs"]) == shown


@pytest.mark.rule("03.29", "00.118")
def test_who_passed_before_a_scoring_does_not_take_that_back_once_it_was_held() -> None:
    game = holding((), (GARDEN,), ())
    market(game, gulden="pavilion-8", dirham="garden-11", denar="tower-11", dukat="tower-12")
    hold_scoring(game, 1)
    play(game, "pass")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("action", 1)
    refusal = game.can_undo(1)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"
