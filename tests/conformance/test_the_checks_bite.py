"""The checks notice what they are for: a game that is broken on purpose is found out, each way by its check.

Every test breaks the engine in one way and plays a game that is sound otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any

import pytest

from alhambra import Board, Event, Game, Move, Options, Violation
from alhambra.codec import unpack
from alhambra.invariants import BrokenInvariant, Invariants
from alhambra.players import Peer, Resigner, Undoer
from alhambra.ruleset import Question
from alhambra.state import State
from tests.conformance.invariants import MILESTONE, Watch
from tests.conformance.stuck import NotEnded

OPTIONS = Options(seats=3, seed="the checks bite")
BY_CONSENT = Options(seats=3, seed="the checks bite", undo="by_consent")
Breaking = Callable[[pytest.MonkeyPatch], None]


def after_every_move(monkeypatch: pytest.MonkeyPatch, change: Callable[[Game], None]) -> None:
    """Whatever is applied, this happens too."""
    apply = Game.apply

    def broken(game: Game, move: Move, seat: int | None = None) -> list[Event]:
        events = apply(game, move, seat)
        change(game)
        return events

    monkeypatch.setattr(Game, "apply", broken)


def answering(monkeypatch: pytest.MonkeyPatch, name: str, change: Callable[[Game, Any], Any]) -> None:
    """A question is answered, but not as before."""
    answer = getattr(Game, name)

    def broken(game: Game, *given: Any, **more: Any) -> Any:
        return change(game, answer(game, *given, **more))

    monkeypatch.setattr(Game, name, broken)


# -- Ways to break a game ----------------------------------------------------------------------------------------------


def a_card_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(game: Game) -> None:
        game.state.discard = game.state.discard[1:]

    after_every_move(monkeypatch, lose)


def a_tile_is_there_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    def double(game: Game) -> None:
        game.state.box = (*game.state.box, *game.state.tower[:1])

    after_every_move(monkeypatch, double)


def points_without_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def give(game: Game) -> None:
        game.state.seats[1].score += 1

    after_every_move(monkeypatch, give)


def a_tile_in_the_air(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(game: Game) -> None:
        seat, state = game.state.seats[0], game.state
        if state.tower:
            board: Board = seat.board.copy()
            board.put(game.ruleset.tiles[state.tower[-1]], 40 + len(state.tower), 40)
            state.tower, seat.board = state.tower[:-1], board

    after_every_move(monkeypatch, build)


def the_bytes_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(_game: Game, restored: Game) -> Game:
        restored.state.taken = ()
        return restored

    answering(monkeypatch, "with_state", forget)


def the_bytes_forget_a_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(_game: Game, restored: Game) -> Game:
        for seat in restored.state.seats:
            if len(seat.board.placed) > 1:
                seat.board.remove(list(seat.board.placed)[-1])
        return restored

    answering(monkeypatch, "with_state", forget)


def a_part_comes_back_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(value: Any) -> Any:
        back = unpack(value)
        return back[:-1] if isinstance(back, tuple) and len(back) > 50 else back

    monkeypatch.setattr("tests.conformance.round_trip.unpack", forget)


def a_move_depends_on_more_than_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[Game] = []

    def count(game: Game) -> None:
        applied.append(game)
        game.state.passes = len(applied)

    after_every_move(monkeypatch, count)


def an_event_depends_on_more_than_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[Game] = []

    def count(game: Game) -> None:
        applied.append(game)
        game.emit("counted", amount=len(applied))

    after_every_move(monkeypatch, count)


def a_dictionary_is_changed_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(game: Game) -> None:
        game.state.draws["broken"] = game.version

    after_every_move(monkeypatch, change)


def a_board_is_changed_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(game: Game) -> None:
        seat, state = game.state.seats[0], game.state
        if state.tower:
            seat.board.put(game.ruleset.tiles[state.tower[-1]], 40 + len(state.tower), 40)
            state.tower = state.tower[:-1]

    after_every_move(monkeypatch, change)


def a_state_long_past_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    boards: list[Board] = []
    states: list[State] = []

    def change(game: Game) -> None:
        own = game.state.seats[0].board
        if game.version == MILESTONE and not boards:
            boards.append(own)
            states.append(game.state)
        elif boards and own is not boards[0] and game.state is states[0] and game.version > 3 * MILESTONE:
            boards[0].put(game.ruleset.tiles[game.state.box[0]] if game.state.box else next(iter(unused(game))), 40, 40)
            states.clear()
            states.append(State([]))

    after_every_move(monkeypatch, change)


def unused(game: Game) -> Iterator[Any]:
    return (tile for tile in game.ruleset.tiles.values() if tile.id in game.state.tower)


def the_view_shows_the_next_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def show(game: Game, view: dict[str, Any]) -> dict[str, Any]:
        return {**view, "next": game.state.deck[-1:]}

    answering(monkeypatch, "view", show)


def the_list_of_moves_follows_the_next_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    def turn(game: Game, moves: list[Move]) -> list[Move]:
        return moves[::-1] if game.state.tower[-1:] < ("m",) else moves

    answering(monkeypatch, "legal_moves", turn)


def a_refusal_names_the_next_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def name(game: Game, violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
        return tuple(Violation(v.code, card="".join(game.state.deck[-1:])) for v in violations)

    answering(monkeypatch, "verify", name)


def some_moves_are_not_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave_out(_game: Game, moves: Iterator[Move]) -> Iterator[Move]:
        return (move for number, move in enumerate(moves) if not number or number % 3)

    answering(monkeypatch, "moves", leave_out)


def a_move_is_enumerated_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    def repeat(_game: Game, moves: Iterator[Move]) -> Iterator[Move]:
        found = list(moves)
        return chain(found, found[:1])

    answering(monkeypatch, "moves", repeat)


def an_illegal_move_is_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    def add(_game: Game, moves: Iterator[Move]) -> Iterator[Move]:
        return chain(moves, [Move("undo")])

    answering(monkeypatch, "moves", add)


def an_illegal_move_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def add(_game: Game, moves: list[Move]) -> list[Move]:
        return [*moves, Move("place", "start-0", cell=(0, 0))]

    answering(monkeypatch, "legal_moves", add)


def verify_lets_anything_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    verify = Game.verify

    def broken(game: Game, move: Move, seat: int | None = None) -> tuple[Violation, ...]:
        found = verify(game, move, seat)
        return () if move.verb == "take_money" else found

    monkeypatch.setattr(Game, "verify", broken)


def an_undo_goes_back_too_far(monkeypatch: pytest.MonkeyPatch) -> None:
    undo = Game.undo

    def broken(game: Game, seat: int, *, consent: bool = False, before: State | None = None) -> list[Event]:
        if before is not None:
            before.passes += 1
        return undo(game, seat, consent=consent, before=before)

    monkeypatch.setattr(Game, "undo", broken)


def an_undo_leaves_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    undo = Game.undo

    def broken(game: Game, seat: int, **more: Any) -> list[Event]:
        events = undo(game, seat, **more)
        game.state.seats[seat].score += 1
        return events

    monkeypatch.setattr(Game, "undo", broken)


def a_resignation_throws_the_hand_away(monkeypatch: pytest.MonkeyPatch) -> None:
    resign = Game.resign

    def broken(game: Game, seat: int) -> list[Event]:
        game.state.seats[seat].hand = ("denar-1",)
        return resign(game, seat)

    monkeypatch.setattr(Game, "resign", broken)


WITH_HABITS: list[tuple[Breaking, str]] = [
    (an_undo_goes_back_too_far, "the shadow went another way: passes"),
    (an_undo_leaves_the_points, "points, but its score lines say"),
    (a_resignation_throws_the_hand_away, "pieces are not conserved"),
]
"""What only players who take back and resign come across."""

BROKEN: list[tuple[Breaking, str]] = [
    (a_card_is_lost, "pieces are not conserved: gained {}, lost {'\\w+-"),
    (a_tile_is_there_twice, "pieces are not conserved: gained {'"),
    (points_without_a_line, "seat 1 has 1 points, but its score lines say 0"),
    (a_tile_in_the_air, "the Alhambra of seat 0 is illegal: "),
    (the_bytes_forget, "the round trip through bytes changed the state: taken"),
    (the_bytes_forget_a_tile, "the round trip through bytes changed the state: seats"),
    (a_part_comes_back_otherwise, "the round trip through bytes changed the state: (deck|tower)"),
    (a_move_depends_on_more_than_the_state, "the shadow went another way: passes"),
    (an_event_depends_on_more_than_the_state, "the shadow tells other events after .*counted"),
    (a_dictionary_is_changed_in_place, "an earlier state was changed by .* draws"),
    (a_board_is_changed_in_place, "an earlier state was changed by .* seats"),
    (a_state_long_past_is_changed, "was changed later"),
    (the_view_shows_the_next_card, "can distinguish the determinization by view"),
    (the_list_of_moves_follows_the_next_tile, "can distinguish the determinization by moves"),
    (a_refusal_names_the_next_card, "can distinguish the determinization by refusal"),
    (some_moves_are_not_enumerated, "but not enumerated"),
    (a_move_is_enumerated_twice, "enumerated twice"),
    (an_illegal_move_is_enumerated, "enumerated, but refused"),
    (an_illegal_move_is_listed, "listed, but not enumerated"),
    (verify_lets_anything_be_taken, "verifies, but is not enumerated"),
]


@pytest.mark.parametrize(("breaking", "complaint"), BROKEN, ids=lambda given: getattr(given, "__name__", ""))
def test_a_broken_game_is_found_out(breaking: Breaking, complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch)
    with pytest.raises(BrokenInvariant, match=complaint):
        Watch(OPTIONS, 1).play()


def test_the_same_game_unbroken_keeps_everything() -> None:
    assert Watch(OPTIONS, 1).play().over


def test_a_game_whose_order_depends_on_its_past_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options(seats=3, seed="the checks bite", modules=("building_sites", "treasure_chamber"))
    assert Watch(options, 1, players=(Peer,)).play().over
    monkeypatch.setattr("alhambra.game.sort_mappings", lambda *_given: None)
    with pytest.raises(BrokenInvariant, match="in another order"):
        Watch(options, 1, players=(Peer,)).play()


@pytest.mark.parametrize(("breaking", "complaint"), WITH_HABITS, ids=lambda given: getattr(given, "__name__", ""))
def test_a_game_that_breaks_by_undo_or_resignation_is_found_out(
    breaking: Breaking, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaking(monkeypatch)
    with pytest.raises(BrokenInvariant, match=complaint):
        Watch(BY_CONSENT, 1, every=25, players=(Undoer, Resigner)).play()


def test_the_same_game_with_habits_unbroken_keeps_everything() -> None:
    watch = Watch(BY_CONSENT, 1, every=25, players=(Undoer, Resigner))
    assert watch.play().over
    assert watch.undos > 0
    assert watch.resignations > 0


def test_a_game_without_end_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.conformance.invariants.LONGEST", 40)
    with pytest.raises(NotEnded, match="not ended after 40 entries"):
        Watch(OPTIONS, 1, every=25).play()


def test_a_move_that_does_not_come_back_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def loop(_game: Game) -> None:
        while True:
            pass

    after_every_move(monkeypatch, loop)
    monkeypatch.setattr("tests.conformance.stuck.MOVE_SECONDS", 0.2)
    with pytest.raises(NotEnded, match="a move did not come back"):
        Watch(OPTIONS, 1).play()


# -- The library's own checks, as `alhambra simulate --check` uses them ------------------------------------------------

OF_THE_LIBRARY = {
    *(a_card_is_lost, a_tile_is_there_twice, points_without_a_line, a_tile_in_the_air, a_move_is_enumerated_twice),
    *(an_illegal_move_is_enumerated, an_illegal_move_is_listed, the_view_shows_the_next_card),
    *(the_list_of_moves_follows_the_next_tile, a_refusal_names_the_next_card),
}


@pytest.mark.parametrize(
    ("breaking", "complaint"),
    [pair for pair in BROKEN if pair[0] in OF_THE_LIBRARY],
    ids=lambda given: getattr(given, "__name__", ""),
)
def test_a_broken_game_is_found_out_without_a_shadow(
    breaking: Breaking, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaking(monkeypatch)
    game, rng = Game.new(OPTIONS), Random(1)
    invariants = Invariants(game, rng, leaks_every=1)
    with pytest.raises(BrokenInvariant, match=complaint):
        while not game.over:
            invariants.check()
            invariants.follow(game.apply(game.random_move(rng)))


def test_bytes_that_forget_a_tile_are_found_out_without_a_shadow(monkeypatch: pytest.MonkeyPatch) -> None:
    the_bytes_forget_a_tile(monkeypatch)
    game, rng = Game.new(OPTIONS), Random(1)
    invariants = Invariants(game, rng)
    with pytest.raises(BrokenInvariant, match="the round trip through bytes changed the state"):
        while not game.over:
            invariants.check()
            invariants.follow(game.apply(game.random_move(rng)))


def test_a_finished_game_that_can_be_taken_back_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "can_undo", lambda *_given, **_more: None)
    with pytest.raises(BrokenInvariant, match="the game is over, but seat 0 can undo its last move"):
        Watch(Options(seats=2, seed="the end", turn_limit=3), 1).play()


def test_the_score_lines_of_a_move_that_was_taken_back_no_longer_count() -> None:
    game = Game.new(OPTIONS)
    invariants = Invariants(game, Random(1))
    game.state.seats[2].score = 5
    invariants.follow([Event("scored", {"seat": 2, "points": 5}, None, 1, 0)])
    invariants.check_scores()
    invariants.follow([Event("undone", {"seat": 2, "to_version": 0}, None, 2, 0)])
    with pytest.raises(BrokenInvariant, match="seat 2 has 5 points, but its score lines say 0"):
        invariants.check_scores()


def test_an_alhambra_may_be_unsound_only_for_the_seat_that_is_asked_about_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new(OPTIONS)
    assert game.decision is not None
    own, kind = game.decision.seat, game.question().kind
    invariants = Invariants(game, Random(1))
    game.ruleset = copy(game.ruleset)
    game.ruleset.questions = {kind.name: Question(replace(kind, unsettled=True), game.question().verbs)}
    tower = [game.ruleset.tiles[name] for name in game.state.tower[:2]]
    for seat, tile in zip((own, (own + 1) % 3), tower, strict=True):
        invariants.check_boards()
        board = game.state.seats[seat].board.copy()
        board.put(tile, 40, 40)
        game.state.seats[seat].board = board
    with pytest.raises(BrokenInvariant, match=f"the Alhambra of seat {(own + 1) % 3} is illegal"):
        invariants.check_boards()
