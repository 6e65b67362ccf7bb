"""One scoring with many modules: declarations, walls, majorities, chests, gains, staff, medinas, attack, Dirk."""

from __future__ import annotations

from itertools import pairwise

import pytest

from alhambra import Event, Game
from alhambra.modules.bonus_cards import BonusCards
from alhambra.modules.falconers import Falcons
from alhambra.modules.orchards import Orchards
from tests.rules.interactions.story import go_on, order
from tests.rules.modules.characters_table import give
from tests.rules.modules.colours_table import own_projects
from tests.rules.modules.falconers_table import GARDEN_TOWER
from tests.rules.modules.handymen_table import employ
from tests.rules.modules.menagerie_table import put as put_animals
from tests.rules.modules.powers_table import put_die
from tests.rules.modules.street_trader_table import house
from tests.rules.modules.test_arts_of_the_moors import holding
from tests.rules.modules.test_orchards import FIELDS, planted
from tests.rules.modules.test_treasure_chamber import put as put_chests
from tests.rules.situations import alhambra, display, end_game, events_of, hold_scoring, market, own, table

STRENGTH = "power_strength_chambers-11"
ALHAMBRA = {
    (1, 0): "garden-10",
    (0, -1): "power_architecture_arcades-9",
    (1, -1): STRENGTH,
    (2, -1): "tower-9-ne",
    (2, 0): "tower-9-es",
    (-1, 0): "tower-9-nw",
    (3, 0): "camp_W",
    (0, 1): "bathhouse_1",
    (0, 2): "well_3_1",
    (1, 1): "bazaar_1",
}
"""A wall of four segments and one of two; a camp, a bathhouse, a well and a bazaar that score."""
ARROW_NORTH = 180
MODULES = (
    *("bonus_cards", "characters", "military_camps", "street_trader", "treasure_chamber", "invaders", "bazaars"),
    *("arts_of_the_moors", "falconers", "medina", "palace_staff", "orchards", "bathhouses", "wishing_well"),
    *("fresh_colours", "menagerie", "buildings_of_power", "handymen", "treasures", "caliphs_guidelines"),
)
PROCEDURES = ("S1", "S2", "S3", "S4", "S4b", "S4c", "S5")
GAINS = ("camp", "residents", "culture", "falcons", "bathhouse", "well", "decoration", "animals", "handymen")
LAST_GAINS = ("bazaar", "orchard_group", "treasures")


def full_table() -> Game:
    """Seat 0 of two has something that scores for every module."""
    game = table(2, modules=list(MODULES))
    market(game, gulden="tower-11", dirham="seraglio-7-w", denar="garden-10-n", dukat="chambers-5-nsw")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    alhambra(game, 0, ALHAMBRA, turned={"well_3_1": ARROW_NORTH})
    own(game, 1, garden=2)
    give(game, 0, "wise_man", "city_watch")
    cards = game.module_state(BonusCards)
    cards.rest = tuple(sorted((*cards.rest, *(card for held in cards.unseen for card in held))))
    cards.rest = tuple(card for card in cards.rest if card != "bonus_garden-10")
    cards.unseen = (("bonus_garden-10",), ())
    put_die(game, 0, STRENGTH, 3)
    put_chests(game, "garden-10")
    house(game, "garden-10")
    holding(game, 0, culture_9=(2, 2))
    game.module_state(Falcons).sitting = {GARDEN_TOWER: (0, (0, 0))}
    own_projects(game, 0, "fresh_garden_1", completed=True)
    put_animals(game, "garden-10", "dove")
    employ(game, 0, "garden-10")
    planted(game, 0, {1: FIELDS[game.module_state(Orchards).boards[0]][1]})
    return game


def first_scoring() -> list[Event]:
    """The events of the first scoring, from the money that was taken before it to the next action."""
    game = full_table()
    events = hold_scoring(game, 1)
    return [*events, *go_on(game, "action")]


def last_scoring() -> list[Event]:
    """The events from the last action to the end of the game."""
    game = full_table()
    game.state.market, game.state.box = ("", "", "", ""), (*game.state.box, *game.state.market)
    events = end_game(game)
    return [*events, *go_on(game, "nothing more")]


@pytest.fixture(scope="module")
def first() -> list[Event]:
    return first_scoring()


@pytest.fixture(scope="module")
def last() -> list[Event]:
    return last_scoring()


def procedures(events: list[Event], number: int) -> list[str]:
    """The frames of the score lines of a scoring, as they came."""
    return [line["frame"] for line in events_of(events, "scored") if line["scoring"] == number]


@pytest.mark.rule("99.71", "03.19")
def test_declarations_come_first_the_wise_man_before_the_bonus_cards(first: list[Event]) -> None:
    wanted = ("scoring_began", "asked wise_man", "asked reveals", "scored wall")
    assert order(first, wanted) == list(wanted)


@pytest.mark.rule("99.70")
def test_the_score_lines_of_the_first_scoring_come_frame_by_frame(first: list[Event]) -> None:
    found = procedures(first, 1)
    assert list(dict.fromkeys(found)) == list(PROCEDURES)
    assert all(PROCEDURES.index(one) <= PROCEDURES.index(next_one) for one, next_one in pairwise(found))


@pytest.mark.rule("99.72")
def test_walls_have_the_watch_and_the_second_wall_beside_them(first: list[Event]) -> None:
    lines = {line["reason"] for line in events_of(first, "scored") if line["frame"] == "S1"}
    assert lines == {"wall", "wall_guard", "wall_second"}


@pytest.mark.rule("99.74")
def test_every_module_with_gains_scores_them_before_anything_is_lost(first: list[Event]) -> None:
    lines = {line["reason"] for line in events_of(first, "scored") if line["frame"] == "S4"}
    assert lines == set(GAINS)


@pytest.mark.rule("99.12", "99.75", "15.34")
def test_staff_medinas_attack_scouts_and_dirk_come_last_in_this_order(first: list[Event]) -> None:
    wanted = (
        *("scored handymen", "scored staff_missing", "scored medina_fewest", "scored medina_none", "scored attack"),
        *("scouts_turned", "dirk_received"),
    )
    assert order(first, wanted) == list(wanted)


@pytest.mark.rule("99.76", "15.12")
def test_a_deduction_stops_at_zero_and_the_next_one_begins_there(first: list[Event]) -> None:
    """Dirk has no points when his medinas are judged."""
    lines = [line for line in events_of(first, "scored") if line["seat"] == 2]
    assert [(line["points"], line["due"]) for line in lines] == [(0, -1), (0, -1)]


@pytest.mark.rule("99.70", "99.74", "99.82", "43.20")
def test_the_last_scoring_has_further_gains_and_missing_servants_cost_points_before_it(last: list[Event]) -> None:
    lines = [line for line in events_of(last, "scored") if line["scoring"] == 3]
    gains = {line["reason"] for line in lines if line["frame"] == "S4"}
    assert gains - {reason for reason in gains if reason.startswith("task_")} == {*GAINS, *LAST_GAINS}
    assert any(reason.startswith("task_") for reason in gains)
    assert list(dict.fromkeys(procedures(last, 3))) == [
        "E2",
        *(procedure for procedure in PROCEDURES if procedure != "S4b"),
    ]


@pytest.mark.rule("99.87", "15.14")
def test_the_attack_after_the_last_scoring_comes_before_the_result(last: list[Event]) -> None:
    assert order(last, ("scored attack", "scouts_turned", "game_ended")) == ["scored attack", "game_ended"]
