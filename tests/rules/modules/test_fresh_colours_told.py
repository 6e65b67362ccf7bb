"""34 Fresh colours: where projects and colour tiles are, who knows what of the stack, and what everybody is told."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import TYPES, Game, Move, Options
from alhambra.invariants import census
from alhambra.modules.fresh_colours.plan import PROJECTS
from tests.rules.modules.characters_table import asked
from tests.rules.modules.colours_table import KEY, colours, have, lay, overpay, own_projects, plan
from tests.rules.situations import codes, events_of, play, refused


def things(game: Game) -> Counter[str]:
    """How often the census finds each project and each kind of colour tile."""
    mine = {thing for thing in census(game) if thing in PROJECTS or thing.startswith("colour-")}
    return Counter({thing: census(game)[thing] for thing in mine})


EVERYTHING = Counter(dict.fromkeys(PROJECTS, 1) | dict.fromkeys([f"colour-{name}" for name in TYPES], 6))


# -- The stack ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("34.5")
def test_chance_decides_the_order_of_the_stack() -> None:
    tops = {plan(Game.new(Options(4, f"stack {number}", modules=[KEY]))).stack[-1] for number in range(12)}
    assert len(tops) > 3


@pytest.mark.rule("34.34")
def test_everybody_knows_the_top_of_the_stack_and_nobody_the_order_below_it() -> None:
    game = colours()
    below, top = plan(game).stack[:-1], plan(game).stack[-1]
    for viewer in (0, None):
        stacks = {plan(game.determinize(viewer, Random(number))).stack for number in range(20)}
        assert len(stacks) > 15
        assert {stack[-1] for stack in stacks} == {top}
        assert {tuple(sorted(stack[:-1])) for stack in stacks} == {tuple(sorted(below))}


@pytest.mark.rule("34.2", "34.3", "34.7", "34.26")
@pytest.mark.parametrize("slot", ["fresh-gulden", "fresh-stack"])
def test_no_project_is_lost_when_one_is_taken_from_a_field_or_from_the_stack(slot: str) -> None:
    game = colours()
    assert things(game) == EVERYTHING
    overpay(game)
    below = plan(game).stack[-2]
    taken = plan(game).fields["fresh-gulden"] if slot == "fresh-gulden" else "fresh_arcades_1"
    events = play(game, "take_project", slot=slot)
    assert events_of(events, "fresh_taken") == [{"seat": 0, "slot": slot, "piece": taken}]
    assert events_of(events, "fresh_turned")[-1] == {"slot": "fresh-stack", "piece": below}
    assert plan(game).stack[-1] == below
    assert things(game) == EVERYTHING


@pytest.mark.rule("34.26", "34.34")
@pytest.mark.parametrize("slot", ["fresh-gulden", "fresh-stack"])
def test_when_the_last_project_of_the_stack_is_gone_none_is_turned_there(slot: str) -> None:
    game = colours()
    kept = plan(game)
    kept.out, kept.stack = (*kept.out, *kept.stack[:-1]), kept.stack[-1:]
    overpay(game)
    events = play(game, "take_project", slot=slot)
    assert plan(game).stack == ()
    assert not [told for told in events_of(events, "fresh_turned") if told["slot"] == "fresh-stack"]


@pytest.mark.rule("34.9", "34.28")
def test_where_no_project_lies_no_limit_is_named() -> None:
    game = colours()
    own_projects(game, 0, "fresh_chambers_1", "fresh_chambers_2")
    lay(game, "", dirham="fresh_tower_1")
    overpay(game)
    assert codes(refused(game, "take_project", slot="fresh-gulden")) == ["NOT_THERE"]


# -- Colours -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("34.2", "34.8")
def test_what_one_seat_takes_and_returns_leaves_the_others_their_colours() -> None:
    game = colours()
    have(game, 0, "garden", "garden", "arcades", "chambers")
    have(game, 1, "pavilion")
    have(game, 2, "seraglio")
    overpay(game)
    play(game, "take_colours", slot="colours-gulden-1")
    assert asked(game) == ("return_colours", 0)
    events = play(game, "return_colour", type="garden")
    assert events_of(events, "colours_returned") == [{"seat": 0, "types": ("garden",)}]
    assert plan(game).colours[1:] == (("pavilion",), ("seraglio",))
    assert things(game) == EVERYTHING


@pytest.mark.rule("34.35")
def test_who_leaves_without_colours_returns_none() -> None:
    assert not events_of(colours().resign(1), "colours_returned")


@pytest.mark.rule("34.31")
def test_declining_can_be_left_as_a_standing_order() -> None:
    game = colours()
    overpay(game)
    assert game.decision is not None
    orders = {order.answer: order for order in game.question().kind.orders}
    assert list(orders["pass"].moves(game, game.decision)) == [Move("pass")]


# -- Completing --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("34.12", "34.13")
def test_everybody_is_told_which_project_is_completed_with_which_colours() -> None:
    game = colours()
    own_projects(game, 0, "fresh_tower_2")
    have(game, 0, *PROJECTS["fresh_tower_2"].requires)
    events = play(game, "complete_project fresh_tower_2")
    (told,) = events_of(events, "fresh_completed")
    assert told == {"seat": 0, "piece": "fresh_tower_2", "types": PROJECTS["fresh_tower_2"].requires}
    assert things(game) == EVERYTHING


@pytest.mark.rule("34.12", "34.13")
def test_completing_is_shown_as_possible_only_with_all_the_colours() -> None:
    for owned, possible in ((PROJECTS["fresh_tower_2"].requires, True), ((), False)):
        game = colours()
        own_projects(game, 0, "fresh_tower_2")
        have(game, 0, *owned)
        assert ("complete_project" in game.view(0)["decision"]["verbs"]) == possible
