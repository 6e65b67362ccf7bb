"""Cached lists are those that are found without a cache."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from alhambra import Board, Game, Options
from alhambra.base.payment.card_payments import LISTED
from alhambra.base.payment.listing import listed_payments, payments
from alhambra.base.payment.offers import Offer
from alhambra.components import BASE_TILES, CURRENCIES
from alhambra.module_states import clone_module_state
from alhambra.placement.rules import may_remove, may_swap, places_for, removable_tiles


@pytest.mark.parametrize("never_exact", [False, True])
@pytest.mark.parametrize("exact", [False, True])
def test_cached_card_payments_are_the_undominated_ones(exact: bool, never_exact: bool) -> None:
    game = Game.new(Options(seats=3, seed="cached"))
    cards = [card for card, kind in game.ruleset.cards.items() if kind.value]
    rng = Random(1)
    for _ in range(150):
        game.state.seats[0].hand = tuple(sorted(rng.choices(cards, k=rng.randrange(14))))
        for currency in CURRENCIES:
            offer = Offer("market", rng.randrange(15), currency, exact=exact, never_exact=never_exact)
            listed = list(islice(payments(game, 0, offer, brief=True), LISTED))
            assert listed_payments(game, 0, offer) == listed
            assert listed_payments(game, 0, offer, most=4) == listed[:4]


def test_changing_a_list_of_payments_does_not_change_the_next_one() -> None:
    game = Game.new(Options(seats=3, seed="cached"))
    game.state.seats[0].hand = ("denar-5", "denar-9")
    offer = Offer("market", 3, "denar")
    before = listed_payments(game, 0, offer)
    listed_payments(game, 0, offer).clear()
    assert listed_payments(game, 0, offer) == before != []


def test_cells_and_replacements_of_a_changing_board_are_those_of_a_new_board() -> None:
    rng = Random(2)
    tiles = list(BASE_TILES.values())
    board = Board()
    for number in range(120):
        tile = rng.choice(tiles)
        if tile.id in board.placed:
            if may_remove(board, tile.id):
                board.remove(tile.id)
        elif cells := board.legal_cells(tile):
            board.place(tile, *rng.choice(cells))
        if number % 4 == 0:
            fresh = Board.of(tuple(board.placed.values()))
            leaving = [placed for placed in board.placed.values() if placed.tile.id != board.start.id]
            assert board.cached(removable_tiles) == removable_tiles(fresh)
            for other in rng.sample(tiles, 6):
                assert board.legal_cells(other) == fresh.legal_cells(other)
                assert places_for(board, other, leaving) == {
                    placed.tile.id for placed in leaving if may_swap(fresh, placed.tile.id, other)
                }


def test_changing_a_list_of_cells_does_not_change_the_next_one() -> None:
    board, tile = Board(), BASE_TILES["arcades-8-e"]
    board.legal_cells(tile).clear()
    assert board.legal_cells(tile)


def test_a_copied_module_state_has_the_same_values_and_changes_by_itself() -> None:
    game = Game.new(Options(seats=3, seed="copied", modules=["thieves", "squares", "menagerie"]))
    for kept in game.state.module_states.values():
        copied = clone_module_state(kept)
        assert copied == kept
        assert copied is not kept
        name = type(kept).__slots__[0]
        setattr(copied, name, "changed")
        assert getattr(kept, name) != "changed"
