"""What is hidden stays hidden: from every seat that must not know it, in all that such a seat can observe.

Three proofs, each for every hidden thing:

    by its name     where the secret has a name of its own, that name stands nowhere
    by twins        where everything hidden was dealt anew, the seat observes the same
    by two stories  two games that differ in nothing but the secret are played on with the same moves; the seat observes
                    the same all along, who is asked what included
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from alhambra import Game, Move, Options
from alhambra.export import export_view
from alhambra.modules.characters import CHARACTERS, Characters
from alhambra.modules.city_walls import SHOWN as WALL_CARDS
from alhambra.modules.invaders import Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.power_of_the_sultan import CARDS as SULTAN_CARDS
from alhambra.modules.squares import Stacks
from tests.rules.hidden_things import EVERYBODY, SITUATIONS, Situation, squares_hidden, with_beggar, with_squares
from tests.rules.observation import Viewer, as_text, observed, probes, reaching, shown

TWINS = 10
each_situation = pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)


def plain_move(game: Game) -> Move:
    """A pass if that is possible, else the lowest open card, else whatever comes first."""
    if not game.verify(Move("pass")):
        return Move("pass")
    for card in sorted(game.state.display):
        move = Move("take_money", display=(card,))
        if not game.verify(move):
            return move
    return game.legal_moves()[0]


# -- By its name -------------------------------------------------------------------------------------------------------


def names_in(text: str, words: Iterable[str]) -> list[str]:
    """Those of the words that stand in the text as a whole string."""
    return [word for word in words if f'"{word}"' in text]


@each_situation
def test_the_name_of_a_hidden_thing_stands_nowhere(situation: Situation) -> None:
    for variant in (0, 1):
        game, events = situation.build(variant)
        for _ in range(situation.plays):
            for viewer in situation.viewers:
                text = as_text([shown(game, viewer), reaching(viewer, events)])
                assert names_in(text, situation.words(game, viewer)) == [], f"seen by {viewer}"
            events = game.apply(plain_move(game))


ALL = (
    *("characters", "city_gates", "city_walls", "invaders", "major_construction_projects"),
    *("power_of_the_sultan", "squares", "street_trader", "thieves"),
)


def face_down(game: Game, viewer: Viewer) -> set[str]:
    """Every name that the viewer cannot have seen yet, of all modules that are on."""
    names = {*CHARACTERS, *WALL_CARDS, *SULTAN_CARDS}
    found = {card for card in game.state.deck if card in names}
    for kept in game.state.module_states.values():
        if isinstance(kept, Characters):
            found.update(kept.aside)
        elif isinstance(kept, Stacks):
            found.update(squares_hidden(game))
        elif isinstance(kept, Projects):
            found.update(kept.hidden)
        elif isinstance(kept, Invaders):
            knows = viewer is not None and kept.informed[viewer]
            found.update((*kept.attacks[int(knows) :], *kept.scouts))
    return found


NAMED = ("characters", "city_walls", "invaders", "major_construction_projects", "power_of_the_sultan", "squares")
"""Modules whose hidden things have names of their own."""
LISTED_EVERY = 10
"""In a rich game listing moves takes longer than everything else."""


@pytest.mark.parametrize(("modules", "seats"), [*(((key,), 2 + n % 3) for n, key in enumerate(NAMED)), (ALL, 2)])
def test_in_a_whole_game_no_name_is_seen_before_its_time(modules: tuple[str, ...], seats: int) -> None:
    """Told or shown; the moves of whoever is asked included."""
    game = Game.new(Options(seats=seats, seed=f"{modules} {seats}", modules=modules))
    rng, events = Random(seats), game.events
    viewers: list[Viewer] = [None, *range(seats)]
    while not game.over:
        assert game.decision is not None
        for viewer in viewers:
            texts: list[Any] = [game.view(viewer), reaching(viewer, events)]
            if viewer == game.decision.seat and game.version % LISTED_EVERY == 0:
                texts += [move.as_dict() for move in game.legal_moves()]
            assert names_in(as_text(texts), face_down(game, viewer)) == [], f"seen by {viewer}"
        events = game.apply(game.random_move(rng))


def test_what_a_seat_may_export_of_a_running_game_names_nothing_hidden() -> None:
    game = Game.new(Options(seats=3, seed="export", modules=ALL))
    rng = Random(4)
    for _ in range(120):
        game.apply(game.random_move(rng))
    assert not game.over
    for viewer in EVERYBODY:
        text = as_text(export_view(game, viewer))
        assert names_in(text, face_down(game, viewer)) == []
        assert game.options.seed not in text


def test_thieves_are_dealt_to_their_owners_eyes_only() -> None:
    game = Game.new(Options(seats=4, seed="thieves", modules=["thieves"]))
    dealt = [event for event in game.events if event.kind == "thieves_dealt"]
    assert len(dealt) == 4
    for event in dealt:
        assert event.private is not None
        assert set(event.private) == {event.public["seat"]}
        assert "thief-" not in as_text(event.public)
    assert "thief-" not in as_text([game.view(None), reaching(None, game.events)])


# -- By twins ----------------------------------------------------------------------------------------------------------


@each_situation
def test_where_hidden_things_are_dealt_anew_a_seat_observes_the_same(situation: Situation) -> None:
    game, _ = situation.build(0)
    for viewer in situation.viewers:
        samples = [game.determinize(viewer, Random(number)) for number in range(TWINS)]
        secrets = {situation.secret(sample) for sample in samples}
        assert len(secrets) > 1, f"nothing was hidden from {viewer}"
        mine = observed(game, viewer)
        for sample in samples:
            assert observed(sample, viewer) == mine, f"seen by {viewer}"


@each_situation
def test_twins_stay_alike_at_every_later_question(situation: Situation) -> None:
    """Twins of later moments, when other seats are asked and the viewer too."""
    game, _ = situation.build(0)
    for number in range(situation.plays):
        for viewer in situation.viewers:
            sample = game.determinize(viewer, Random(number))
            assert observed(sample, viewer) == observed(game, viewer), f"seen by {viewer} after {number} moves"
        game.apply(plain_move(game))


# -- By two stories ----------------------------------------------------------------------------------------------------


@each_situation
def test_two_games_that_differ_in_a_secret_only_go_on_alike_for_whoever_must_not_know(situation: Situation) -> None:
    (one, told), (two, told_otherwise) = situation.build(0), situation.build(1)
    assert situation.secret(one) != situation.secret(two)
    for _ in range(situation.plays):
        for viewer in situation.viewers:
            assert reaching(viewer, told) == reaching(viewer, told_otherwise), f"told to {viewer}"
            assert observed(one, viewer) == observed(two, viewer), f"seen by {viewer}"
        assert one.decision == two.decision
        move = plain_move(one)
        told, told_otherwise = one.apply(move), two.apply(move)
    assert situation.secret(one) != situation.secret(two), "the secret came out: play less"


@each_situation
def test_both_games_hold_the_same_things(situation: Situation) -> None:
    """Control: the two games of a situation differ in where things lie, not in what there is."""
    found = []
    for variant in (0, 1):
        game, _ = situation.build(variant)
        things = [*game.state.deck, *game.state.tower, *game.state.discard, *game.state.display]
        things += [card for seat in game.state.seats for card in seat.hand]
        for module in game.ruleset.modules:
            things += module.census(game) if module.census else ()
        found.append(sorted(thing for thing in things if not thing.startswith("resident-")))
    assert found[0] == found[1]


def test_those_who_know_can_tell_the_two_games_apart() -> None:
    """Control: the owner of the thieves, the beggar, the picker and the informed seat do see a difference."""
    who_knows = {
        "thieves of another seat": 2,
        "the card that the beggar drew": 1,
        "residents picked in secret": 0,
        "the attack card that one seat saw": 0,
        "site markers to choose from": 0,
        "the marker on a building site": 0,
        "a tile hidden under the market": 0,
        "the order of tiles returned": 0,
        "a card kept by wisdom": 1,
    }
    for situation in SITUATIONS:
        if situation.name in who_knows:
            seat = who_knows[situation.name]
            assert observed(situation.build(0)[0], seat) != observed(situation.build(1)[0], seat)


# -- Refusals ----------------------------------------------------------------------------------------------------------


@each_situation
def test_whoever_is_not_asked_hears_only_who_is(situation: Situation) -> None:
    game, _ = situation.build(0)
    assert game.decision is not None
    expected = {"seat": game.decision.seat, "decision": game.decision.kind}
    for seat in {0, 1, 2} - {game.decision.seat}:
        for move in probes(game):
            faults = game.verify(move, seat)
            assert [(fault.code, dict(fault.metadata)) for fault in faults] == [("NOT_YOUR_DECISION", expected)]


@each_situation
def test_the_public_part_of_a_question_names_nothing_hidden(situation: Situation) -> None:
    game, _ = situation.build(0)
    for _ in range(situation.plays):
        assert game.decision is not None
        for viewer in situation.viewers:
            assert names_in(as_text(game.decision.context), situation.words(game, viewer)) == []
            question = game.view(viewer)["decision"]
            assert ("verbs" in question) == (viewer == game.decision.seat)
            assert "private" not in question or viewer == game.decision.seat
        game.apply(plain_move(game))


@pytest.mark.rule("04.4")
def test_the_turned_up_square_is_shown_and_the_one_below_it_is_not() -> None:
    game, events = with_squares(0)
    top, *_ = [event.public["tile"] for event in events if event.kind == "square_turned"]
    stack = game.module_state(Stacks).stacks["garden"]
    assert stack[-1] == top
    for viewer in EVERYBODY:
        text = as_text([shown(game, viewer), reaching(viewer, events)])
        assert names_in(text, [top]) == [top]
        assert names_in(text, stack[:-1]) == []


def test_whether_a_seat_could_bid_on_with_a_card_drawn_unseen_shows_in_no_question() -> None:
    """The beggar's owner is asked in the auction whatever was drawn, and only that seat sees how much it can pay."""
    most = []
    for variant in (0, 1):
        game, _ = with_beggar(variant)
        while game.decision is not None and game.decision.kind != "auction":
            game.apply(plain_move(game))
        while game.decision is not None and game.decision.seat != 1:
            game.apply(Move("pass"))
        assert game.decision is not None
        assert game.decision.kind == "auction"
        for viewer in (None, 0, 2):
            view = as_text(game.view(viewer))
            assert "dukat-9" not in view
            assert "gulden-9" not in view
        most.append(len(game.legal_moves()))
    assert most[0] != most[1]
