"""Every seat resigns at every kind of question, and nothing is left that waits for it, is given to it or offers what is
gone. A fixed sample; the long run does the same in many games (`python -m tests.conformance --only resigned`)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from alhambra import Decision, Game, Move, Options, load_module
from alhambra.base import resignation
from alhambra.base.supply import gain
from alhambra.engine import GameEngine
from alhambra.invariants import BrokenInvariant, Invariants
from tests.budget import Spend
from tests.compat.setups import HELD_BACK, every_kind, move_towards, own_modules
from tests.conformance.cases import RESIGNED, Case
from tests.conformance.resigning import Departures

PLAYED_ON = 8
"""Moves that are made after each resignation."""
SEARCHED = 200
"""Games that are played, at most, to meet a kind of question."""


def departures(*modules: str, seats: int = 3, questions: int = 1) -> Departures:
    return Case(RESIGNED, seats, 0, modules).departures(questions, PLAYED_ON)


def standing_at(kind: str) -> Game:
    """Return a game of three that stands at a question of this kind."""

    def is_there(game: Game) -> bool:
        return game.decision is not None and game.decision.kind == kind

    modules = [key for key in own_modules() if kind in {found.name for found in load_module(key).decisions}]
    for number in range(SEARCHED):
        game, chance = Game.new(Options(3, f"resigning at {kind} {number}", modules=modules)), Random(number)
        while not game.over:
            if is_there(game):
                return game
            game.play(move_towards(game, is_there, HELD_BACK.get(kind, ""), chance))
    raise LookupError(f"no game of {SEARCHED} stands at {kind}")


@pytest.mark.rule("00.65")
@pytest.mark.check_only
def test_every_seat_resigns_at_every_kind_of_question_and_is_gone(spend: Spend) -> None:
    with_all = departures(*own_modules(), seats=4)
    with_all.play()
    for kind in sorted(every_kind() - {*with_all.decisions}):
        with_all.leave_at(standing_at(kind))
    assert every_kind() <= {*with_all.decisions}
    spend(RESIGNED, 1, with_all.moves)


# -- The checks notice what they are for: each test breaks the engine in one way ---------------------------------------

Breaking = Callable[[pytest.MonkeyPatch], None]


def it_is_asked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(game: GameEngine, kind: str, seat: int, /, **context: Any) -> None:
        game.state.decision = Decision(kind, seat, context)
        game.emit("decision_opened", seat=seat, decision=kind, **context)

    monkeypatch.setattr(GameEngine, "ask", ask)


def it_keeps_its_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resignation, "give_everything_up", lambda _game, _seat: None)


def it_is_dealt_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    def deal(game: Game, seat: int, cards: list[str], **more: bool) -> None:
        gone, game.state.seats[seat].resigned = game.state.seats[seat].resigned, False
        gain(game, seat, cards, **more)
        game.state.seats[seat].resigned = gone

    monkeypatch.setattr("alhambra.base.setup.gain", deal)
    monkeypatch.setattr("alhambra.base.turn.give_everything_up", lambda _game, _seat: None)


def its_purchase_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alhambra.engine.owner_of", lambda *_about: None)


def others_are_asked_about_its_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        resignation, "_remains_open", lambda game, decision: not game.state.seats[decision.seat].resigned
    )


BROKEN: list[tuple[Breaking, tuple[str, ...], str]] = [
    (it_is_asked_on, ("palace_designers",), "has resigned, but is asked"),
    (it_keeps_its_hand, ("viziers_favour",), "has resigned, but holds"),
    (it_is_dealt_cards, ("master_builders", "palace_designers"), r"has resigned, but holds \('builder-"),
    (its_purchase_goes_on, ("exchange_certificates", "gates_without_end"), "has resigned, but got .*key"),
    (others_are_asked_about_its_pieces, ("treasure_chamber",), "stands open, but .*put_chest.* is refused now"),
]


@pytest.mark.parametrize(
    ("breaking", "modules", "complaint"), BROKEN, ids=[breaking.__name__ for breaking, *_ in BROKEN]
)
def test_a_seat_that_is_not_gone_is_found_out(
    breaking: Breaking, modules: tuple[str, ...], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    departures(*modules, questions=12).play()
    breaking(monkeypatch)
    with pytest.raises(BrokenInvariant, match=complaint):
        departures(*modules, questions=12).play()


@pytest.mark.rule("00.63")
def test_points_of_a_seat_that_is_gone_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new(Options(3, "points", modules=["treasures"]))
    invariants = Invariants(game, Random(1))
    invariants.follow(game.resign(1))
    game.emit("scored", seat=1, scoring=3, frame="S1", reason="wall", points=1)
    invariants.follow(game.events[-1:])
    for scoring, reason in ((0, "wall"), (3, "treasures")):
        game.emit("scored", seat=1, scoring=scoring, frame="S4", reason=reason, points=1)
        with pytest.raises(BrokenInvariant, match="seat 1 has resigned, but scores"):
            invariants.follow(game.events[-1:])


@pytest.mark.rule("00.67")
def test_a_question_about_what_is_gone_is_found_out() -> None:
    game = Game.new(Options(3, "options"))
    invariants = Invariants(game, Random(1))
    tile = game.state.tower[0]
    game.state.decision = Decision("place_tiles", 0, {"tiles": (tile,)})
    invariants.check_options()
    game.state.box = (tile,)
    with pytest.raises(BrokenInvariant, match="a decision about tiles that are not there"):
        invariants.check_options()
    game.state.decision = Decision("place_tiles", 0, {"pieces": ("culture_9", "culture_10")})
    invariants.enumerated = frozenset({Move("take_culture", piece="culture_9")})
    with pytest.raises(BrokenInvariant, match=r"a listed answer is illegal: .*{'culture_10'}"):
        invariants.check_options()
