"""Undo: inside the own turn, never across a reveal or another seat's decision; an entry of the log."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from alhambra import Entry, Game, IllegalMove, Move, Options
from alhambra.base.supply import SLOTS
from tests.rules.situations import dealt_where, deck, display, end_game, events_of, hand, market, play, table


def purchase_where(game: Game, *, exact: bool) -> Move | None:
    """A purchase for exactly the price, or for more, if the seat to move can make one."""
    for move in game.legal_moves():
        if move.verb == "buy" and move.slot is not None:
            price = game.ruleset.tiles[game.state.market[SLOTS.index(move.slot)]].price
            if (sum(game.ruleset.cards[card].value for card in move.cards) == price) == exact:
                return move
    return None


def exact_purchase(game: Game) -> Move | None:
    return purchase_where(game, exact=True)


def overpaid(game: Game) -> Move | None:
    return purchase_where(game, exact=False)


def seller(**options: Any) -> tuple[Game, Move]:
    """An untouched game in which the first player can pay exactly, and that purchase."""
    game = dealt_where(exact_purchase, **options)
    move = exact_purchase(game)
    assert move is not None
    return game, move


def refusal(game: Game, seat: int, *, consent: bool = False) -> str:
    """Why the seat cannot take back; the refusal changes nothing."""
    before = game.to_bytes()
    reason = game.can_undo(seat, consent=consent)
    assert reason is not None
    with pytest.raises(IllegalMove) as error:
        game.undo(seat, consent=consent)
    assert list(error.value) == [reason]
    assert reason.code == "UNDO_REFUSED"
    assert game.to_bytes() == before
    because = reason.metadata["because"]
    assert isinstance(because, str)
    return because


def mover(game: Game) -> int:
    assert game.decision is not None
    return game.decision.seat


def situation(game: Game) -> tuple[object, ...]:
    """All that a player could notice, apart from the log."""
    view = game.view(mover(game))
    return tuple(value for key, value in view.items() if key != "version")


@pytest.mark.rule("00.118")
def test_a_purchase_that_revealed_nothing_can_be_taken_back() -> None:
    game, purchase = seller()
    seat, before = mover(game), situation(game)
    game.apply(purchase)
    assert game.can_undo(seat) is None
    events = game.undo(seat)
    assert [event["seat"] for event in events_of(events, "undone")] == [seat]
    assert situation(game) == before
    game.apply(purchase)


@pytest.mark.rule("00.118")
def test_several_moves_can_be_taken_back_one_by_one() -> None:
    game, purchase = seller(confirm_turn=True)
    seat = mover(game)
    stages = [situation(game)]
    game.apply(purchase)
    stages.append(situation(game))
    game.apply(next(move for move in game.legal_moves() if move.verb == "take_money"))
    stages.append(situation(game))
    game.apply(next(move for move in game.legal_moves() if move.verb == "reserve"))
    for stage in reversed(stages):
        game.undo(seat)
        assert situation(game) == stage
    assert refusal(game, seat) == "not_last"


@pytest.mark.rule("00.118")
def test_the_tile_just_placed_can_be_taken_back_while_another_waits() -> None:
    def two(game: Game) -> bool:
        first = exact_purchase(game)
        if first is None:
            return False
        sample = game.clone()
        sample.apply(first)
        return overpaid(sample) is not None

    game = dealt_where(two)
    seat = mover(game)
    first = exact_purchase(game)
    assert first is not None
    game.apply(first)
    second = overpaid(game)
    assert second is not None
    game.apply(second)
    before = situation(game)
    game.apply(next(move for move in game.legal_moves() if move.verb == "reserve"))
    game.undo(seat)
    assert situation(game) == before


def test_an_undo_is_an_entry_of_the_log_and_the_version_only_grows() -> None:
    game, purchase = seller()
    seat = mover(game)
    game.apply(purchase)
    game.undo(seat)
    assert game.log == [Entry("move", seat, purchase), Entry("undo", seat)]
    assert game.version == 2
    game.apply(purchase)
    assert game.version == 3


def test_events_after_an_undo_carry_the_new_version() -> None:
    game, purchase = seller()
    ids = [event.id for event in game.events]
    ids += [event.id for event in game.apply(purchase)]
    ids += [event.id for event in game.undo(mover(game))]
    ids += [event.id for event in game.apply(purchase)]
    assert len(set(ids)) == len(ids)


def test_a_log_with_an_undo_replays_to_the_same_game() -> None:
    game, purchase = seller()
    game.apply(purchase)
    game.undo(mover(game))
    game.apply(purchase)
    assert Game.replay(game.options, game.log) == game


def test_what_was_taken_back_leaves_clones_as_they_were() -> None:
    game, purchase = seller()
    game.apply(purchase)
    sample = game.clone()
    bytes_then = sample.to_bytes()
    game.undo(mover(game))
    assert sample.to_bytes() == bytes_then


@pytest.mark.rule("00.118")
def test_nothing_can_be_taken_back_before_the_first_move() -> None:
    game, _ = seller()
    assert refusal(game, mover(game)) == "not_last"


@pytest.mark.rule("00.118")
def test_only_the_seat_that_moved_last_can_take_back() -> None:
    game, purchase = seller()
    seat = mover(game)
    game.apply(purchase)
    for other in {0, 1, 2} - {seat}:
        assert refusal(game, other) == "not_last"


@pytest.mark.rule("00.118")
def test_undo_never_crosses_a_reveal() -> None:
    game, _ = seller()
    seat = mover(game)
    game.apply(next(move for move in game.legal_moves() if move.verb == "take_money"))
    assert refusal(game, seat) == "revealed"


@pytest.mark.rule("00.119")
def test_undo_never_crosses_a_reveal_even_by_consent() -> None:
    game, _ = seller(undo="by_consent")
    seat = mover(game)
    game.apply(next(move for move in game.legal_moves() if move.verb == "take_money"))
    assert refusal(game, seat, consent=True) == "revealed"


def quiet_turn(**options: Any) -> tuple[Game, int]:
    """Somebody has just ended a turn in which nothing was drawn: a tile went from reserve to Alhambra."""
    game = dealt_where(overpaid, seats=2, **options)
    seat = mover(game)
    step: list[Callable[[Move], bool]] = [lambda m: m.verb == "buy", lambda m: m.verb == "reserve"]
    for wanted in step:
        while mover(game) != seat or not any(wanted(m) for m in game.legal_moves()):
            game.apply(next(m for m in game.legal_moves() if m.verb in ("take_money", "reserve")))
        game.apply(next(m for m in game.legal_moves() if wanted(m)))
    while game.state.seats[seat].pending:
        game.apply(next(m for m in game.legal_moves() if m.verb == "reserve"))
    while mover(game) != seat or not any(m.verb == "add" for m in game.legal_moves()):
        game.apply(next(m for m in game.legal_moves() if m.verb in ("take_money", "reserve")))
    game.apply(next(m for m in game.legal_moves() if m.verb == "add"))
    assert mover(game) != seat
    return game, seat


@pytest.mark.rule("00.118")
def test_undo_does_not_go_back_once_it_is_another_seats_turn() -> None:
    game, seat = quiet_turn()
    assert refusal(game, seat) == "other_seat"
    assert refusal(game, seat, consent=True) == "other_seat"


@pytest.mark.rule("00.119")
def test_by_consent_undo_crosses_the_turn_if_nothing_was_revealed() -> None:
    game, seat = quiet_turn(undo="by_consent")
    assert refusal(game, seat) == "other_seat"
    game.undo(seat, consent=True)
    assert mover(game) == seat


@pytest.mark.rule("00.119")
def test_with_confirm_turn_the_last_placement_can_be_taken_back() -> None:
    game, _ = seller(confirm_turn=True)
    seat = mover(game)
    game.apply(next(move for move in game.legal_moves() if move.verb == "take_money"))
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("end_turn", seat)
    shown = game.state.display
    game.undo(seat)
    assert len(game.state.display) == len(shown) + 1 == 4
    game.apply(next(move for move in game.legal_moves() if move.verb == "take_money"))
    game.apply(Move("pass"))
    assert mover(game) != seat
    assert refusal(game, seat) == "revealed"


def test_without_confirm_turn_the_turn_ends_by_itself() -> None:
    game, _ = seller()
    seat = mover(game)
    game.apply(next(move for move in game.legal_moves() if move.verb == "take_money"))
    assert mover(game) != seat


@pytest.mark.rule("00.119")
def test_the_option_none_forbids_undo() -> None:
    game, purchase = seller(undo="none")
    game.apply(purchase)
    assert refusal(game, mover(game)) == "option"


# -- The end of the game ---------------------------------------------------------------------------------------------


def played_to_the_end(seed: int, **options: Any) -> tuple[Game, int]:
    """A finished game, and the seat that made its last move."""
    game = Game.new(Options(seats=3, seed=f"to the end {seed}", **options))
    rng, last = Random(seed), -1
    while not game.over:
        last = mover(game)
        game.play(game.random_move(rng))
    return game, last


@pytest.mark.rule("00.120")
@pytest.mark.parametrize("policy", ["free_moves", "by_consent", "none"])
@pytest.mark.parametrize("limit", [1000, 6], ids=["scored", "stopped"])
def test_nothing_is_taken_back_once_the_game_is_over(policy: str, limit: int) -> None:
    for seed in range(5):
        game, _ = played_to_the_end(seed, undo=policy, turn_limit=limit)
        reasons = {"option"} if policy == "none" else {"revealed", "not_last"}
        assert {refusal(game, seat, consent=True) for seat in range(3)} <= reasons


@pytest.mark.rule("00.120")
@pytest.mark.parametrize("limit", [1000, 6], ids=["scored", "stopped"])
def test_the_end_is_a_reveal_for_the_seat_that_moved_last(limit: int) -> None:
    for seed in range(5):
        game, last = played_to_the_end(seed, undo="by_consent", turn_limit=limit, confirm_turn=True)
        assert refusal(game, last, consent=True) == "revealed"


def test_the_last_leftover_tile_is_not_taken_back() -> None:
    game = table(undo="by_consent")
    market(game, denar="garden-10", dukat="garden-11")
    hand(game, 1, "denar-9 dukat-9")
    display(game, "gulden-1")
    end_game(game)
    play(game, "leave garden-10")
    assert game.can_undo(1) is None
    play(game, "leave garden-11")
    assert game.over
    assert refusal(game, 1, consent=True) == "revealed"


@pytest.mark.rule("00.118")
def test_the_move_that_shows_who_has_most_money_is_not_taken_back() -> None:
    game = table(2, undo="by_consent", confirm_turn=True)
    market(game, denar="garden-10", dukat="garden-11", gulden="tower-11", dirham="tower-12")
    hand(game, 0, "dukat-1")
    deck(game, only=True)
    for _ in range(2):
        play(game, "pass")
        play(game, "pass")
    assert game.decision is not None
    assert game.decision.kind == "leftover_tiles"
    assert refusal(game, 1, consent=True) == "revealed"
