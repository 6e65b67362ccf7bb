"""Only the asked seat sees what a question is about."""

from __future__ import annotations

from random import Random

from alhambra import Game, Move, Options
from tests.rules.example_modules.fortunes import Fortunes
from tests.rules.hooks.asking import asked
from tests.rules.situations import codes, display, end_game, hand, market, play, points, refused, table, take_turn

# -- what only the asked seat sees -------------------------------------------------------------------------------------


def looking() -> Game:
    """Seat 0 looks at two fortunes."""
    game = table(modules=["example_fortunes"])
    game.module_state(Fortunes).stack = ("fortune-1", "fortune-9", "fortune-4")
    display(game, "gulden-1 gulden-2")
    take_turn(game)
    assert asked(game) == ("after", 0)
    play(game, "look")
    assert asked(game) == ("fortune", 0)
    return game


def test_only_the_asked_seat_sees_the_private_part_of_a_question() -> None:
    game = looking()
    shown = game.view(0)["decision"]
    assert shown["context"] == {"count": 2}
    assert shown["private"] == {"pieces": ["fortune-9", "fortune-4"]}
    for viewer in (1, 2, None):
        seen = game.view(viewer)
        assert "private" not in seen["decision"]
        assert seen["decision"]["context"] == {"count": 2}
        assert "fortune-9" not in str(seen)


def test_a_question_without_a_private_part_shows_none() -> None:
    game = looking()
    play(game, "keep_fortune fortune-9")
    assert "private" not in game.view(game.state.active)["decision"]


def test_what_a_seat_looks_at_is_not_dealt_anew_for_itself() -> None:
    game = looking()
    mine = {game.determinize(0, Random(n)).module_state(Fortunes).looked for n in range(20)}
    others = {game.determinize(1, Random(n)).module_state(Fortunes).looked for n in range(20)}
    assert mine == {("fortune-9", "fortune-4")}
    assert len(others) > 1


def test_what_was_seen_cannot_be_taken_back() -> None:
    game = Game.new(Options(seats=3, seed="fortune", modules=["example_fortunes"]))
    take_turn(game)
    seat = asked(game)[1]
    game.apply(Move("look"))
    reason = game.can_undo(seat)
    assert reason is not None
    assert reason.metadata == {"because": "revealed"}


def test_the_answer_is_known_to_its_owner_and_to_others_when_it_is_shown() -> None:
    game = looking()
    assert codes(refused(game, "keep_fortune fortune-1")) == ["NOT_THERE"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    events = play(game, "keep_fortune fortune-9")
    (kept,) = [event for event in events if event.kind == "fortune_kept"]
    assert "fortune-9" in str(kept.seen_by(0))
    assert "fortune-9" not in str(kept.seen_by(1))
    assert game.view(0)["slices"]["example_fortunes"]["own"] == ["fortune-9"]
    assert game.view(1)["slices"]["example_fortunes"] == {"stack": 2, "kept": [1, 0, 0], "own": []}
    assert asked(game) == ("action", 1)
    hand(game, 0)
    market(game)
    assert points(end_game(game), "fortunes") == {0: 9, 1: 0, 2: 0}


def test_what_a_question_is_about_survives_bytes() -> None:
    game = looking()
    again = game.with_state(game.state_bytes())
    assert again.view(0) == game.view(0)
    play(again, "keep_fortune fortune-4")
    assert again.module_state(Fortunes).kept[0] == ("fortune-4",)
