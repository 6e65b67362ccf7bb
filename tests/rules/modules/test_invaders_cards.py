"""15 The invaders: what lies where, and who knows what of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from alhambra import Game, Options
from alhambra.invariants import census
from alhambra.modules.bonus_cards import BonusCards
from alhambra.modules.invaders import DIRECTIONS, SCOUTS, Invaders
from tests.rules.situations import end_game, events_of, give_turn, hand, hold_scoring, market, pieces, play, table


def invaded(*modules: str, attacks: str = "NESW", scouts: str = "garden tower", **options: Any) -> Game:
    """A table at which the attacks come in this order and these scouts lie open."""
    game = table(3, modules=["invaders", *modules], **options)
    kept = game.module_state(Invaders)
    kept.attacks = tuple(f"invasion_{side}" for side in attacks)
    kept.open = tuple(f"scout_{name}" for name in scouts.split())
    kept.scouts = tuple(scout for scout in SCOUTS if scout not in kept.open) if kept.open else ()
    return game


def next_attack(game: Game, viewer: int | None) -> str | None:
    found: str | None = game.view(viewer)["slices"]["invaders"]["next"]
    return found


@pytest.mark.rule("15.3")
def test_chance_decides_the_order_of_the_attacks_and_which_scouts_lie_open() -> None:
    games = [Game.new(Options(3, f"invaders {number}", modules=["invaders"])) for number in range(12)]
    kept = [game.module_state(Invaders) for game in games]
    assert len({each.attacks for each in kept}) > 3
    assert len({each.open for each in kept}) > 3


@pytest.mark.rule("15.1", "15.2", "15.33", "15.37")
def test_no_card_is_lost_when_scouts_are_won_and_attacks_come() -> None:
    once = Counter(dict.fromkeys((*DIRECTIONS, *SCOUTS), 1))
    game = invaded()
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    for act in ("buy market-denar denar-9", "", "reserve garden-9-e"):
        play(game, act) if act else hold_scoring(game, 1)
        assert Counter({thing: count for thing, count in census(game).items() if thing in once}) == once


@pytest.mark.rule("15.4", "15.39")
def test_who_won_a_scout_still_knows_the_attack_when_another_wins_one() -> None:
    game = invaded(attacks="SNEW")
    market(game, denar="garden-9-e", dukat="tower-11")
    hand(game, 0, "denar-9")
    hand(game, 1, "dukat-9 dukat-2")
    play(game, "buy market-denar denar-9")
    give_turn(game, 1)
    play(game, "buy market-dukat dukat-9 dukat-2")
    assert [next_attack(game, viewer) for viewer in (0, 1, 2, None)] == ["S", "S", None, None]


@pytest.mark.rule("15.8", "15.39", "00.118")
def test_an_answer_that_lets_an_attack_come_is_never_taken_back() -> None:
    game = invaded("bonus_cards", undo="by_consent")
    game.module_state(BonusCards).unseen = ((), ("bonus_garden-10",), ())
    market(game, gulden="pavilion-8", dirham="garden-11", denar="tower-11", dukat="tower-12")
    hold_scoring(game, 1)
    assert events_of(play(game, "pass"), "attack")
    refusal = game.can_undo(1, consent=True)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


@pytest.mark.rule("15.39")
def test_after_the_last_attack_nobody_is_shown_the_card_that_was_never_used() -> None:
    game = invaded()
    game.module_state(Invaders).informed = (True, False, False)
    assert next_attack(game, 0) == "N"
    end_game(game)
    assert game.over
    assert next_attack(game, 0) is None
    assert {piece["choice"] for piece in pieces(game, "invaders", 0, kind="invasion")} == {"past", "face_down"}


@pytest.mark.rule("15.10", "15.41")
@pytest.mark.parametrize(("number", "directions"), [(1, ["N"]), (2, ["N"]), (3, ["N", "W", "E"])])
def test_the_score_line_names_the_open_sides_of_the_directions_that_cost_something(
    number: int, directions: list[str]
) -> None:
    game = invaded()
    game.state.seats[0].score = 20
    events = hold_scoring(game, number)
    line = next(line for line in events_of(events, "scored") if line["reason"] == "attack" and line["seat"] == 0)
    assert [side for side, _ in line["parts"]] == directions


@pytest.mark.rule("15.7", "15.33", "15.39")
def test_open_scouts_past_attacks_and_the_number_of_those_to_come_are_shown_to_all() -> None:
    game = invaded(attacks="SNEW")
    hold_scoring(game, 1)
    scouts = game.module_state(Invaders).open
    assert pieces(game, "invaders") == [
        *({"kind": "scout", "piece": scout, "type": SCOUTS[scout]} for scout in scouts),
        {"kind": "invasion", "side": "S", "choice": "past"},
        {"kind": "invasion", "amount": 3, "choice": "face_down"},
    ]


@pytest.mark.rule("15.40")
def test_with_open_attack_the_next_card_lies_open_and_three_are_face_down() -> None:
    game = invaded(attacks="SNEW", scouts="", variants=["invaders.open_attack"])
    assert pieces(game, "invaders") == [
        {"kind": "invasion", "side": "S", "choice": "next"},
        {"kind": "invasion", "amount": 3, "choice": "face_down"},
    ]
