"""Undo, verb by verb: which answers show something hidden, and which the same seat can take back.

Every verb of every decision has a mark. SHOWS: the answer always draws, rolls or shows something, so nobody takes it
back. FREE: it can be taken back as long as nothing that followed showed anything and no other seat was asked. OTHERS:
it concerns other seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from alhambra import Event, Game, Move, Options, known_modules, rules_for

FREE, SHOWS, OTHERS = "free", "shows", "others"
LONGEST = 700
"""A game is watched for at most this many moves."""

OWN_MARKS: dict[str, dict[str, str]] = {
    "action": {
        **dict.fromkeys(("take_money", "buy", "add", "remove", "swap", "pass", "end_actions"), FREE),
        **dict.fromkeys(("wake_vizier", "take_square", "build_wall", "bid_project", "buy_chests"), FREE),
        **dict.fromkeys(("buy_falcon", "complete_site", "extend", "complete_project", "develop_culture"), FREE),
        **dict.fromkeys(("swap_market", "move_tile"), FREE),
        "enlarge_display": SHOWS,
    },
    "site_marker": {"keep_marker": FREE},
    "more_falcons": {"buy_falcon": FREE, "pass": FREE},
    "start": {
        **dict.fromkeys(("pass", "change_money", "advance_marker", "cut_stone"), FREE),
        **dict.fromkeys(("dance", "draw_card", "roll_dice"), SHOWS),
    },
    "dice": {"put_handyman": FREE, "pass": FREE, "roll_dice": SHOWS},
    "take_back": {"take_back": OTHERS},
    "late": dict.fromkeys(("add", "remove", "swap", "lead_animals", "pass"), FREE),
    "animal_walk": {"step": FREE, "pass": FREE},
    "staff_walk": {"step": FREE, "pass": FREE},
    "after": {"pass": FREE, "use_key": SHOWS, "use_function": SHOWS},
    "turn_key": {"turn_key": OTHERS},
    "key_bonus": {
        **dict.fromkeys(("add", "remove", "swap", "move_tile", "swap_market", "take_open", "buy", "pass"), OTHERS),
        **dict.fromkeys(("add_wall", "take_half", "take_plaza"), OTHERS),
    },
    "architecture": dict.fromkeys(("hide_tile", "return_tile", "pass"), FREE),
    "wisdom": {**dict.fromkeys(("keep_card", "return_card", "pass"), FREE), "play_scoring": SHOWS},
    "choose_leftover": {"choose_tile": SHOWS},
    "end_turn": {"pass": FREE},
    "place_tiles": dict.fromkeys(("place", "reserve", "give_to_dirk", "place_watchtower", "box", "lay_brick"), FREE),
    "place_now": dict.fromkeys(("place", "reserve", "give_to_dirk", "place_watchtower", "box"), OTHERS),
    "leftover_tiles": {"place": FREE, "leave": FREE},
    "stow": {"reserve": FREE, "box": FREE},
    "placing_gate": {"set_gate": FREE},
    "save_certificate": {"save": FREE, "pass": FREE},
    "ground_building": {"choose_building": FREE},
    "attach_extension": {"attach": FREE},
    "fresh_choice": {"take_colours": FREE, "take_project": SHOWS, "pass": FREE},
    "return_colours": {"return_colour": FREE},
    "second_project": {"complete_project": FREE, "pass": FREE},
    "face_designer": {"face_designer": FREE},
    "move_designer": {"move_designer": FREE},
    "plant_fruit": {"plant_fruit": FREE},
    "culture": {"take_culture": FREE, "pass": FREE},
    "miser": {"take_open": FREE, "pass": FREE},
    "juggler": {"choose keep": FREE, "choose exchange": SHOWS},
    "remark": {"choose keep": FREE, "choose reroll": SHOWS},
    "mark": {"mark": FREE},
    "pick_residents": {"pick_resident": FREE, "lay_disc": FREE},
    "resident": {"move_in": FREE, "swap_resident": FREE, "pass": FREE},
    "take_resident": {"take_resident": FREE},
    "lay_disc": {"lay_disc": FREE},
    "swap_second": {"swap_with": FREE},
    "pass_craftsman": {"pass_craftsman": FREE},
    "window": {"buy": OTHERS, "pass": OTHERS, "play_thief": SHOWS},
    "auction": {"bid": OTHERS, "pass": OTHERS},
    "pay_bid": {"pay": OTHERS},
    "wise_man": {"declare": OTHERS, "pass": OTHERS},
    "reveals": {"pass": OTHERS},
    "claim": {"claim": OTHERS, "pass": OTHERS},
    "put_chests": {"put_chest": OTHERS, "pass": OTHERS},
}
"""By decision and verb, with the choice where it matters. What a vizier bought is placed freely, what was claimed is
not; a buyer puts chests freely, a neighbour does not: `place_now` and `put_chests` carry the stricter mark."""
ANYWHERE = {"reveal_bonus": SHOWS}
"""Verbs that can be made beside every question."""
MARKS = {decision: {**ANYWHERE, **marks} for decision, marks in OWN_MARKS.items()}

SOMETIMES = ("place_now", "put_chests")

TELLING = {
    *("card_revealed", "card_drawn", "deck_reshuffled", "tile_drawn", "dirk_received", "coins_drawn"),
    *("square_turned", "project_revealed", "scout_won", "scouts_turned", "attack", "sultan_rolled", "thief_played"),
    *("leftover_awarded", "room_filled", "animals_drawn", "fruit_drawn", "dice_rolled", "staff_filled"),
    *("site_started", "sites_revealed", "fresh_turned", "bonus_revealed", "craftsman_shown", "key_shown"),
    *("die_rolled", "tiles_looked", "cards_looked", "hidden_tile_turned"),
}
"""Events that tell of something hidden before, or left to chance."""


class Answer(NamedTuple):
    """One move of a game, and what could be taken back after it."""

    decision: str
    verb: str
    told: frozenset[str]
    same_seat_goes_on: bool
    refused: str
    """Why the seat cannot take it back although all agree; empty if it can."""
    refused_alone: str
    """Why it cannot without asking the others."""

    @property
    def mark(self) -> str:
        """The mark of this answer."""
        return MARKS[self.decision][self.verb]


def because(game: Game, seat: int, *, consent: bool) -> str:
    """Why the seat cannot take back its last move; empty if it can."""
    refusal = game.can_undo(seat, consent=consent)
    return "" if refusal is None else str(refusal.metadata["because"])


def spelled(decision: str, move: Move) -> str:
    """The verb, with its choice where the mark depends on it."""
    return f"{move.verb} {move.choice}" if f"{move.verb} {move.choice}" in MARKS[decision] else move.verb


@cache
def answers(seats: int, seed: str) -> tuple[Answer, ...]:
    """Everything that was answered in a random game with all modules."""
    options = Options(seats, seed, modules=known_modules(), undo="by_consent", confirm_turn=True)
    game, rng = Game.new(options), Random(seed)
    return tuple(_play(game, rng))


def _play(game: Game, rng: Random) -> Iterator[Answer]:
    while game.decision is not None and game.version < LONGEST:
        kind, seat = game.decision.kind, game.decision.seat
        move = game.random_move(rng)
        events: list[Event] = game.apply(move)
        if game.decision is not None:
            told = frozenset(event.kind for event in events)
            alone, agreed = because(game, seat, consent=False), because(game, seat, consent=True)
            yield Answer(kind, spelled(kind, move), told, game.decision.seat == seat, agreed, alone)


GAMES = pytest.mark.parametrize(("seats", "seed"), [(2, "undo two"), (3, "undo three"), (4, "undo four")])


def test_every_verb_of_every_decision_has_a_mark() -> None:
    ruleset = rules_for(Options(3, "marks", modules=known_modules()))
    for kind, question in ruleset.questions.items():
        marked = {verb.split()[0] for verb in MARKS[kind]}
        assert marked >= set(question.named) - {"pass"}, kind
        assert marked <= set(question.named), kind
        assert ("pass" in marked) == (question.kind.passing is not None) or kind == "pay_bid", kind


@pytest.mark.rule("00.118", "00.119", "99.90")
@GAMES
def test_what_shows_something_hidden_is_never_taken_back_even_if_all_agree(seats: int, seed: str) -> None:
    found = [answer for answer in answers(seats, seed) if answer.mark == SHOWS or answer.told & TELLING]
    assert len(found) > 50
    assert [answer for answer in found if answer.refused != "revealed"] == []


@pytest.mark.rule("00.118")
@GAMES
def test_what_is_free_and_showed_nothing_can_be_taken_back_by_the_seat_that_goes_on(seats: int, seed: str) -> None:
    found = [
        answer
        for answer in answers(seats, seed)
        if answer.mark == FREE and answer.same_seat_goes_on and not answer.told & TELLING
    ]
    assert len(found) > 50
    assert [answer for answer in found if answer.refused_alone] == []


@pytest.mark.rule("00.118", "00.119")
@GAMES
def test_nothing_is_taken_back_without_consent_once_another_seat_is_asked(seats: int, seed: str) -> None:
    found = [answer for answer in answers(seats, seed) if not answer.same_seat_goes_on]
    assert len(found) > 50
    assert [answer for answer in found if not answer.refused_alone] == []


@pytest.mark.rule("00.119")
@GAMES
def test_what_concerns_others_is_never_taken_back_without_their_consent(seats: int, seed: str) -> None:
    found = [answer for answer in answers(seats, seed) if answer.mark == OTHERS and answer.decision not in SOMETIMES]
    assert len(found) > 20
    assert [answer for answer in found if not answer.refused_alone] == []


@pytest.mark.rule("00.120")
@GAMES
def test_the_end_of_a_game_is_a_reveal(seats: int, seed: str) -> None:
    game, rng = Game.new(Options(seats, seed, undo="by_consent")), Random(seed)
    while not game.over:
        game.apply(game.random_move(rng))
    assert because(game, game.log[-1].seat, consent=True) == "revealed"
