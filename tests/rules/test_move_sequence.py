"""`Game.all_moves`: every legal move by number; and what `legal_moves` leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from alhambra import Game, Move, Options, known_modules
from alhambra.base.payment import listing
from alhambra.base.payment.combinations import money_combinations
from alhambra.base.payment.counting import MoneyCounts
from alhambra.base.payment.offers import Tender
from alhambra.options import preset_modules

WALKED = 1_000
SETUPS = {
    "base": Options(seats=3, seed="numbered"),
    "two": Options(seats=2, seed="numbered"),
    "evening": Options(seats=4, seed="numbered", modules=preset_modules("evening")),
    "all": Options(seats=3, seed="numbered", modules=known_modules()),
}


def positions(name: str, one_in: int) -> Iterator[Game]:
    """Yield the game now and then while it is played at random."""
    game, rng = Game.new(SETUPS[name]), Random(4)
    while not game.over:
        if rng.randrange(one_in) == 0:
            yield game
        game.play(game.random_move(rng))


@pytest.mark.parametrize("name", SETUPS)
def test_all_moves_are_those_of_moves_in_the_same_order(name: str) -> None:
    rng = Random(5)
    seen = 0
    for game in positions(name, 4 if name != "all" else 60):
        listed = list(islice(game.moves(), WALKED + 1))
        if len(listed) <= WALKED:
            found = game.all_moves()
            assert len(found) == len(listed)
            for at in {0, len(listed) - 1, -1, *(rng.randrange(len(listed)) for _ in range(6))}:
                assert found[at] == listed[at]
            seen += 1
    assert seen


def test_a_rich_hand_is_counted_without_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new(SETUPS["base"])
    assert game.decision is not None
    game.state.seats[game.decision.seat].hand = tuple(
        sorted(f"denar-{value}" for value in range(1, 10) for _ in range(3))
    )
    listed = list(game.moves())
    assert len(listed) > 100_000

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a list was made")

    monkeypatch.setattr(listing, "_List", refuse)
    found = game.all_moves()
    assert len(found) == len(listed)
    for at in (0, 77, 4_711, 99_999, len(listed) - 1):
        assert found[at] == listed[at]


@pytest.mark.parametrize("never_exact", [False, True])
@pytest.mark.parametrize("wanted", ["exact", "over", "rest"])
def test_counted_money_is_listed_money(wanted: str, never_exact: bool) -> None:
    rng = Random(6)
    for _ in range(60):
        values = sorted(rng.sample(range(1, 10), rng.randrange(6)), reverse=True)
        usable = tuple(Tender("cards", f"denar-{v}", rng.randint(1, 3), "denar", v) for v in values)
        due = rng.randrange(14)
        listed = list(
            money_combinations(usable, due, wanted, exact_only=False, fills=0, never_exact=never_exact, kept=False)
        )
        counts = MoneyCounts(usable, due, wanted, never_exact)
        assert [counts.at(n) for n in range(len(counts))] == listed


def test_a_sequence_has_slices_and_ends() -> None:
    game = Game.new(SETUPS["base"])
    found, listed = game.all_moves(), list(game.moves())
    assert list(found[1:4]) == listed[1:4]
    assert list(found) == listed
    for beyond in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            found[beyond]


def test_a_sequence_contains_what_verifies() -> None:
    game = Game.new(SETUPS["base"])
    assert next(game.moves()) in game.all_moves()
    assert Move("pass") not in game.all_moves()


def test_a_game_that_is_over_has_no_moves() -> None:
    game = Game.new(Options(seats=3, seed="short", turn_limit=1))
    rng = Random(1)
    while not game.over:
        game.play(game.random_move(rng))
    assert len(game.all_moves()) == 0
    assert list(game.all_moves()) == game.legal_moves() == []


def test_legal_moves_leave_out_only_payments() -> None:
    fewer = 0
    for game in positions("base", 3):
        found = set(game.legal_moves())
        left_out = [move for move in game.moves() if move not in found]
        assert all(move.verb == "buy" for move in left_out)
        fewer += bool(left_out)
    assert fewer
