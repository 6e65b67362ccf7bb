"""03 The bonus card of a building, for every way in which its tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.bonus_cards import BonusCards
from tests.rules.overlays.fates import Overlay, check, go, moved, ready
from tests.rules.overlays.table import cells_of, ways_of
from tests.rules.overlays.ways import WAYS, in_alhambra
from tests.rules.situations import codes, events_of, give_turn, pieces, play, refused

CARD = "bonus_garden-10"


def hold(game: Game, seat: int, *, revealed: bool) -> None:
    """The seat has the card of the garden, turned up or face down, and no seat has another one."""
    cards = game.module_state(BonusCards)
    seats = range(len(game.state.seats))
    every = (*cards.rest, *(card for kept in (cards.unseen, cards.revealed) for own in kept for card in own))
    own, none = tuple((CARD,) if number == seat else () for number in seats), tuple(() for _ in seats)
    cards.unseen, cards.returned, cards.revealed = none if revealed else own, none, own if revealed else none
    cards.rest = tuple(sorted(card for card in every if card != CARD))


def turned_up(game: Game, _tile: str) -> bool:
    """By the state, the card is turned up."""
    return any(CARD in own for own in game.module_state(BonusCards).revealed)


def in_hand(game: Game) -> bool:
    """The card is in a hand, and everybody sees one card lying face down."""
    cards = game.module_state(BonusCards)
    lying = [piece for piece in pieces(game, "bonus_cards") if piece.get("choice") == "face_down"]
    return len(lying) == 1 and any(CARD in own for kept in (cards.unseen, cards.returned) for own in kept)


OVERLAY = Overlay(
    modules=("bonus_cards",),
    put=lambda game, seat, tile: hold(game, seat, revealed=in_alhambra(game, tile) is not None),
    lies=turned_up,
    seen=lambda game, _tile: bool(pieces(game, "bonus_cards", piece=CARD)),
    home=in_hand,
)


@pytest.mark.rule("03.10")
@pytest.mark.parametrize(("way", "expected"), cells_of("bonus_card", "test_bonus_card_fares_as_its_cell_says"))
def test_bonus_card_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)


@pytest.mark.rule("03.18")
@pytest.mark.parametrize("way", ways_of("bonus_card", "test_bonus_card_of_a_tile_just_built"))
def test_bonus_card_of_a_tile_just_built(way: str) -> None:
    """The owner may turn it up as soon as it is asked anything."""
    game = moved(OVERLAY, way)
    owner = WAYS[way].owner
    for _ in range(6):
        if game.decision is not None and game.decision.seat == owner:
            break
        game.apply(next(move for move in game.moves() if move.verb in ("pass", "take_money")))
    play(game, f"reveal_bonus {CARD}")
    assert turned_up(game, OVERLAY.tile)


@pytest.mark.parametrize("way", ways_of("bonus_card", "test_bonus_card_of_a_tile_elsewhere"))
def test_bonus_card_of_a_tile_elsewhere(way: str) -> None:
    """The card stays in the hand: its owner has not built what it shows."""
    game, owner = moved(OVERLAY, way), WAYS[way].owner
    give_turn(game, owner)
    assert codes(refused(game, f"reveal_bonus {CARD}")) == ["CONDITION_UNMET"]
    assert in_hand(game)


@pytest.mark.rule("03.31")
def test_bonus_card_of_a_leftover_tile_is_turned_up_in_the_last_scoring() -> None:
    game = ready(OVERLAY, "left_over")
    events = go(game, "left_over", OVERLAY.tile)
    assert [told["piece"] for told in events_of(events, "bonus_revealed")] == [CARD]
    assert turned_up(game, OVERLAY.tile)
