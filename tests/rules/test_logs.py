"""A log as its keeper uses it: lines of text, the last mover, what can no longer be taken back."""

from __future__ import annotations

import pytest

from alhambra import BadNotation, Entry, Game, Move, Options
from alhambra.export import is_game_bytes, read_entry, write_entry


def begun(**rules: object) -> Game:
    return Game.new(Options(seats=3, seed="log", **rules))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "entry", [Entry("move", 1, Move("take_money", display=("denar-5",))), Entry("undo", 2), Entry("resign", 0)]
)
def test_an_entry_survives_as_a_line(entry: Entry) -> None:
    assert read_entry(write_entry(entry)) == entry


@pytest.mark.parametrize("line", ["", "undo", "x undo", "1"])
def test_a_line_that_is_no_entry_is_refused(line: str) -> None:
    with pytest.raises(BadNotation):
        read_entry(line)


def test_a_game_is_resumed_from_its_state_without_a_replay() -> None:
    game = begun()
    game.apply(game.legal_moves()[0])
    resumed = Game.from_state(game.options, game.state_bytes(), list(game.log))
    assert resumed == game


def test_the_last_mover_is_the_seat_of_the_last_move_that_was_not_taken_back() -> None:
    game = begun(confirm_turn=True)
    asked = game.decision
    assert asked is not None
    found = [game.last_mover]
    game.apply(Move("take_money", display=(game.state.display[0],)))
    found.append(game.last_mover)
    game.undo(asked.seat)
    found.append(game.last_mover)
    assert found == [None, asked.seat, None]


def test_after_a_resignation_there_is_no_last_mover() -> None:
    game = begun()
    game.apply(game.legal_moves()[0])
    game.resign(0)
    assert game.last_mover is None


def test_a_game_is_settled_exactly_if_no_seat_can_take_a_move_back() -> None:
    game = begun(undo="by_consent")
    seen = set()
    for _ in range(60):
        settled = game.settled
        seats = range(len(game.options.seats))
        if settled:
            assert all(game.can_undo(seat, consent=True) is not None for seat in seats)
        seen.add(settled)
        game.apply(game.legal_moves()[-1])
    assert seen == {True, False}


def test_the_bytes_of_a_game_are_told_from_a_text() -> None:
    assert is_game_bytes(begun().to_bytes())
    assert not is_game_bytes(b'{"format": "alhambra-game/1"}')
