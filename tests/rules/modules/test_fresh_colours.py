"""34 Fresh colours: what overpaying brings, completing projects, and what decorated types score."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import TYPES, Game, Move, Options
from alhambra.invariants import census
from alhambra.modules.extensions import Extensions
from alhambra.modules.fresh_colours.plan import PROJECTS
from tests.rules.hooks.asking import asked
from tests.rules.modules.colours_table import KEY, colours, have, lay, options_now, overpay, own_projects, plan
from tests.rules.situations import (
    codes,
    dirk,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    own,
    pieces,
    play,
    points,
    refused,
    reserve,
)

GULDEN = {"fresh-gulden", "fresh-stack", "colours-gulden-1", "colours-gulden-2", "colours-gulden-3"}


# -- Setting up --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("34.2", "34.4", "34.6")
@pytest.mark.parametrize(("seats", "count"), [(2, 12), (3, 12), (4, 18), (6, 18)])
def test_with_two_or_three_players_projects_with_a_star_are_left_out(seats: int, count: int) -> None:
    game = Game.new(Options(seats=seats, seed="stars", modules=[KEY]))
    kept = plan(game)
    inside = [*kept.fields.values(), *kept.stack]
    assert len(inside) == count
    assert any(PROJECTS[piece].star for piece in inside) == (count == 18)
    assert Counter(kept.supply) == dict.fromkeys(TYPES, 6)


@pytest.mark.rule("34.5")
def test_the_four_fields_are_filled_from_the_top_of_the_stack_in_their_order() -> None:
    game = Game.new(Options(seats=4, seed="fields", modules=[KEY]))
    kept = plan(game)
    slots = ["fresh-gulden", "fresh-dirham", "fresh-denar", "fresh-dukat"]
    turned = [(event["slot"], event["piece"]) for event in events_of(game.events, "fresh_turned")]
    assert turned == [*((slot, kept.fields[slot]) for slot in slots), ("fresh-stack", kept.stack[-1])]
    assert [piece["slot"] for piece in pieces(game, KEY, None, kind="fresh")] == [*slots, "fresh-stack"]


@pytest.mark.rule("34.2", "34.34")
def test_everybody_sees_plan_supply_and_what_the_seats_have() -> None:
    game = colours()
    have(game, 1, "tower", "tower")
    own_projects(game, 1, "fresh_tower_2")
    own_projects(game, 1, "fresh_chambers_2", completed=True)
    stack = pieces(game, KEY, None, slot="fresh-stack")
    assert stack[0]["piece"] == "fresh_arcades_1"
    assert stack[0]["amount"] == len(plan(game).stack)
    assert {"kind": "paint", "seat": 1, "type": "tower", "amount": 2} in pieces(game, KEY, 0, seat=1)
    shown = [(piece["piece"], piece["choice"]) for piece in pieces(game, KEY, 2, seat=1, kind="fresh")]
    assert shown == [("fresh_tower_2", "uncompleted"), ("fresh_chambers_2", "completed")]
    assert len(pieces(game, KEY, None, kind="colours")) == 12
    assert game.view(None)["slices"][KEY]["requires"]["fresh_tower_2"] == ["tower", "seraglio"]


# -- What overpaying brings --------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("34.7", "34.23")
def test_overpaying_in_gulden_offers_project_stack_and_the_three_colours_of_the_column() -> None:
    """Worked example: the garden project on that field, the top of the stack, 2 purple, 1 blue, or 1 brown."""
    game = colours()
    overpay(game)
    assert asked(game) == ("fresh_choice", 0)
    assert options_now(game) == GULDEN
    assert pieces(game, KEY, None, slot="colours-gulden-1") == [
        {"kind": "colours", "slot": "colours-gulden-1", "type": "tower", "amount": 2}
    ]
    play(game, "take_colours", slot="colours-gulden-1")
    assert plan(game).colours[0] == ("tower", "tower")
    assert asked(game)[0] == "place_tiles"


@pytest.mark.rule("34.31")
def test_only_one_thing_is_taken_and_declining_is_allowed() -> None:
    game = colours()
    before = census(game)
    overpay(game)
    play(game, "pass")
    assert asked(game)[0] == "place_tiles"
    assert plan(game).colours[0] == plan(game).uncompleted[0] == ()
    assert census(game) == before


@pytest.mark.rule("34.7")
def test_an_exact_payment_brings_nothing() -> None:
    game = colours()
    hand(game, 0, "gulden-9 gulden-2")
    play(game, "buy market-gulden gulden-9 gulden-2")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("34.7")
def test_things_of_another_column_cannot_be_taken() -> None:
    game = colours()
    overpay(game)
    assert codes(refused(game, "take_colours", slot="colours-denar-1")) == ["NOT_THERE"]
    assert codes(refused(game, "take_project", slot="fresh-denar")) == ["NOT_THERE"]
    assert codes(refused(game, "take_project", slot="colours-gulden-1")) == ["NOT_THERE"]


@pytest.mark.rule("34.26", "34.27")
def test_a_project_field_is_filled_again_at_once_from_the_stack() -> None:
    game = colours()
    below = plan(game).stack[-2]
    overpay(game)
    events = play(game, "take_project", slot="fresh-gulden")
    assert plan(game).uncompleted[0] == ("fresh_garden_1",)
    assert plan(game).fields["fresh-gulden"] == "fresh_arcades_1"
    turned = [(event["slot"], event["piece"]) for event in events_of(events, "fresh_turned")]
    assert turned == [("fresh-gulden", "fresh_arcades_1"), ("fresh-stack", below)]
    assert game.can_undo(0, consent=True) is not None, "another project was shown"


@pytest.mark.rule("34.7")
def test_the_top_of_the_stack_may_be_taken_instead() -> None:
    game = colours()
    overpay(game)
    play(game, "take_project", slot="fresh-stack")
    assert plan(game).uncompleted[0] == ("fresh_arcades_1",)
    assert plan(game).fields["fresh-gulden"] == "fresh_garden_1"


@pytest.mark.rule("34.26")
def test_with_an_empty_stack_a_field_stays_empty() -> None:
    game = colours()
    lay(game, gulden="fresh_garden_1")
    overpay(game)
    assert options_now(game) == GULDEN - {"fresh-stack"}
    play(game, "take_project", slot="fresh-gulden")
    assert plan(game).fields == {}
    assert not pieces(game, KEY, None, slot="fresh-gulden")


@pytest.mark.rule("34.9", "34.28")
def test_nobody_has_more_than_two_uncompleted_projects() -> None:
    game = colours()
    own_projects(game, 0, "fresh_chambers_1", "fresh_tower_2")
    overpay(game)
    faults = refused(game, "take_project", slot="fresh-gulden")
    assert fact(faults, "LIMIT_REACHED") == {"what": "uncompleted_projects", "limit": 2}
    assert options_now(game) == {slot for slot in GULDEN if slot.startswith("colours")}


@pytest.mark.rule("34.10", "34.29")
@pytest.mark.parametrize("completed", [False, True])
def test_nobody_has_two_projects_of_one_type_completed_ones_included(completed: bool) -> None:
    game = colours()
    own_projects(game, 0, "fresh_garden_2", completed=completed)
    overpay(game)
    faults = refused(game, "take_project", slot="fresh-gulden")
    assert fact(faults, "LIMIT_REACHED") == {"what": "same_type", "limit": 1}
    assert legal(game, "take_project", slot="fresh-stack")


@pytest.mark.rule("34.9")
def test_completed_projects_do_not_count_for_the_limit_of_two() -> None:
    game = colours()
    own_projects(game, 0, "fresh_chambers_1", "fresh_tower_2", completed=True)
    overpay(game)
    assert legal(game, "take_project", slot="fresh-gulden")


# worked example
@pytest.mark.rule("34.8", "34.24")
def test_of_seven_colours_two_of_choice_are_returned() -> None:
    """Worked example: 5 colours and 2 new green ones; two go back, a new one among them."""
    game = colours()
    have(game, 0, "pavilion", "pavilion", "tower", "seraglio", "arcades")
    overpay(game, "dirham")
    play(game, "take_colours", slot="colours-dirham-1")
    assert asked(game) == ("return_colours", 0)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert codes(refused(game, Move("return_colour", type="chambers"))) == ["NOT_THERE"]
    play(game, "return_colour", type="garden")
    assert asked(game) == ("return_colours", 0)
    play(game, "return_colour", type="pavilion")
    assert plan(game).colours[0] == ("pavilion", "seraglio", "arcades", "garden", "tower")
    assert plan(game).supply.count("garden") == 5
    assert asked(game)[0] == "place_tiles"


@pytest.mark.rule("34.30")
def test_a_pair_of_which_one_tile_is_left_gives_one() -> None:
    game = colours()
    have(game, 1, *["tower"] * 5)
    overpay(game)
    events = play(game, "take_colours", slot="colours-gulden-1")
    assert events_of(events, "colours_taken")[0]["types"] == ("tower",)


@pytest.mark.rule("34.30")
def test_an_offer_without_tiles_in_the_supply_is_not_available() -> None:
    game = colours()
    have(game, 1, *["tower"] * 5)
    have(game, 2, "tower")
    overpay(game)
    faults = refused(game, "take_colours", slot="colours-gulden-1")
    assert fact(faults, "CONDITION_UNMET") == {"what": "supply", "need": 1, "have": 0}
    assert "colours-gulden-1" not in options_now(game)


@pytest.mark.rule("34.32")
def test_if_nothing_can_be_taken_nothing_is_asked() -> None:
    game = colours()
    lay(game)
    have(game, 1, *["tower"] * 6, *["pavilion"] * 6, *["arcades"] * 6)
    overpay(game)
    assert asked(game)[0] == "place_tiles"


# -- Completing --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("34.12")
def test_completing_a_project_is_an_action_without_a_further_one() -> None:
    game = colours()
    own_projects(game, 0, "fresh_tower_2")
    have(game, 0, "tower", "seraglio", "garden")
    events = play(game, "complete_project fresh_tower_2")
    assert plan(game).completed[0] == ("fresh_tower_2",)
    assert plan(game).colours[0] == ("garden",)
    assert Counter(plan(game).supply)["tower"] == 6
    assert not events_of(events, "bonus_action")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("34.12", "34.13")
def test_two_projects_may_be_completed_with_one_action() -> None:
    game = colours()
    own_projects(game, 0, "fresh_tower_2", "fresh_garden_2")
    have(game, 0, "tower", "seraglio", "garden", "pavilion")
    play(game, "complete_project fresh_garden_2")
    assert asked(game) == ("second_project", 0)
    play(game, "complete_project fresh_tower_2")
    assert plan(game).completed[0] == ("fresh_garden_2", "fresh_tower_2")
    assert game.state.seats[0].score == 0
    assert asked(game) == ("action", 1)


@pytest.mark.rule("34.33")
def test_the_second_project_may_wait() -> None:
    game = colours()
    own_projects(game, 0, "fresh_tower_2", "fresh_garden_2")
    have(game, 0, "tower", "seraglio", "garden", "pavilion")
    play(game, "complete_project fresh_garden_2")
    play(game, "pass")
    assert plan(game).uncompleted[0] == ("fresh_tower_2",)


@pytest.mark.rule("34.13", "34.33")
def test_a_colour_tile_pays_only_once() -> None:
    game = colours()
    own_projects(game, 0, "fresh_tower_2", "fresh_seraglio_2")
    have(game, 0, "tower", "seraglio", "chambers")
    play(game, "complete_project fresh_tower_2")
    assert asked(game) == ("action", 1), "the seraglio colour is gone"


@pytest.mark.rule("34.13")
def test_all_colours_of_the_own_project_are_needed() -> None:
    game = colours()
    own_projects(game, 0, "fresh_tower_1")
    own_projects(game, 1, "fresh_garden_2")
    have(game, 0, "tower", "pavilion", "garden")
    faults = refused(game, "complete_project fresh_tower_1")
    assert fact(faults, "CONDITION_UNMET") == {"what": "colours", "need": 3, "have": 2}
    assert codes(refused(game, "complete_project fresh_garden_2")) == ["NOT_THERE"]
    assert codes(refused(game, Move("complete_project", piece="bread"))) == ["ID_UNKNOWN"]


# -- Scoring -----------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("34.14", "34.25")
def test_three_pavilions_and_two_chambers_bring_10_points_in_both_scorings() -> None:
    """Worked example: the projects for pavilions and chambers are completed."""
    game = colours()
    own_projects(game, 0, "fresh_pavilion_2", "fresh_chambers_2", completed=True)
    own(game, 0, pavilion=3, chambers=2)
    assert points(hold_scoring(game, 2), "decoration") == {0: 10}
    assert points(hold_scoring(game, 3), "decoration") == {0: 10}


@pytest.mark.rule("34.14")
def test_each_decorated_type_has_a_score_line_with_its_buildings() -> None:
    game = colours()
    own_projects(game, 0, "fresh_pavilion_2", "fresh_chambers_2", completed=True)
    own(game, 0, pavilion=3)
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "decoration"]
    assert [(line["type"], line["count"], line["points"], line["frame"]) for line in lines] == [
        ("pavilion", 3, 6, "S4")
    ]


@pytest.mark.rule("34.15")
def test_uncompleted_projects_colours_and_the_reserve_score_nothing() -> None:
    game = colours()
    own_projects(game, 0, "fresh_pavilion_2")
    own_projects(game, 1, "fresh_tower_2", completed=True)
    have(game, 0, "pavilion", "arcades")
    own(game, 0, pavilion=2)
    reserve(game, 1, "tower-12")
    assert points(hold_scoring(game, 3), "decoration") == {}


@pytest.mark.rule("34.16")
def test_dirk_gets_nothing() -> None:
    game = colours(2)
    own_projects(game, 0, "fresh_tower_2", completed=True)
    dirk(game, "tower-12 tower-10-w")
    own(game, 0, tower=1)
    assert points(hold_scoring(game, 1), "decoration") == {0: 2}
    assert len(plan(game).colours) == 2


def decorations(built: dict[int, list[str]], completed: dict[int, list[str]]) -> dict[int, int]:
    """Goes through the tiles one by one: 2 points for each whose type stands on an own completed project."""
    found = {}
    for seat, tiles in built.items():
        gained = 0
        for tile in tiles:
            words = tile.replace("-", "_").split("_")
            for project in completed[seat]:
                gained += 2 * words.count(project.split("_")[1]) if words[0] not in ("square", "start") else 0
        if gained:
            found[seat] = gained
    return found


@pytest.mark.rule("34.14", "34.22")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_oracle_agrees_on_random_alhambras(seats: int) -> None:
    rng = Random(f"colours {seats}")
    total = 0
    for _ in range(25):
        game = colours(seats, "magical_buildings", "extensions")
        completed = {}
        for seat in range(seats):
            chosen = [name for name in TYPES if rng.random() < 0.5 and name not in ("pavilion", "seraglio")]
            left = [*plan(game).stack, *plan(game).fields.values()]
            mine = [next((piece for piece in left if PROJECTS[piece].type == name), "") for name in chosen]
            completed[seat] = [piece for piece in mine if piece]
            own_projects(game, seat, *completed[seat], completed=True)
            own(game, seat, **{name: rng.randint(0, 2) for name in rng.sample(TYPES[2:], 3)})
        built = {seat: [*game.board(seat).placed] for seat in range(seats)}
        for tile in rng.sample([tile for tiles in built.values() for tile in tiles if "start" not in tile], 2):
            kept = game.module_state(Extensions)
            kept.attached = {**kept.attached, tile: (game.ruleset.tiles[tile].type,)}
        expected = decorations(built, completed)
        assert points(hold_scoring(game, rng.choice((1, 2))), "decoration") == expected
        total += sum(expected.values())
    assert total > 100


def test_the_oracle_counts_the_worked_example() -> None:
    """Three pavilions and two chambers, both decorated: 10; a square or the fountain counts nothing."""
    built = {0: ["start-0", "pavilion-8", "pavilion-6-n", "magical_pavilion", "chambers-10", "chambers-11"], 1: []}
    built[1] = ["square_pavilion_1", "project_pavilion_arcades"]
    completed = {0: ["fresh_pavilion_2", "fresh_chambers_2"], 1: ["fresh_pavilion_1"]}
    assert decorations(built, completed) == {0: 10, 1: 2}
