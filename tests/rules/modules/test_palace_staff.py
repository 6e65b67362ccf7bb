"""29 The palace staff: little money lets the major-domo bring servants; buildings without one cost points."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import Decision, Move, Options
from alhambra.components import TYPES, Cell
from alhambra.modules.palace_staff import OPEN, Staff, penalise
from alhambra.modules.thieves import Thieves
from alhambra.players import Hoarder, NoveltySeeker, Peer, Player, RandomPlayer, Resigner, Spoiler, Undoer
from tests.conformance.invariants import Watch
from tests.rules.modules.characters_table import asked, give
from tests.rules.modules.palace_staff_table import KEY, LINE, house, sent, served, staffed, stand_at
from tests.rules.modules.watchtowers_table import stand
from tests.rules.situations import (
    alhambra,
    codes,
    dirk,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    own,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
)

RICH = 50

# -- Setting up --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("29.1", "29.2", "29.3")
def test_six_of_fifty_four_servants_lie_open_and_every_major_domo_is_at_the_fountain() -> None:
    game = table(modules=[KEY], dealt=True)
    staff = game.module_state(Staff)
    assert len(staff.display) == OPEN == 6
    counts = Counter((*staff.display, *staff.supply))
    assert [counts[name] for name in TYPES] == [7, 7, 9, 9, 11, 11]
    assert staff.cells == ((0, 0),) * 3
    assert pieces(game, KEY, kind="servant", choice="face_down")[0]["amount"] == 48
    assert len(pieces(game, KEY, kind="major_domo")) == 3


# -- Walking -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("29.4", "29.6", "29.14")
def test_a_walk_brings_a_servant_into_each_building_whose_colour_lies_open() -> None:
    """Worked example T1: 2 denars taken give 4 steps; the chambers get no servant."""
    game = sent("denar-2")
    assert asked(game) == ("staff_walk", 0)
    assert game.decision is not None
    assert game.decision.context == {"steps": 4}
    events = [event for _ in range(4) for event in play(game, "step", side="E")]
    assert events_of(events, "servant_placed") == [
        {"seat": 0, "type": "garden", "cell": (1, 0)},
        {"seat": 0, "type": "arcades", "cell": (3, 0)},
        {"seat": 0, "type": "tower", "cell": (4, 0)},
    ]
    assert served(game) == {"garden-10": ["garden"], "arcades-9": ["arcades"], "tower-12": ["tower"]}
    assert asked(game) == ("action", 1)


@pytest.mark.rule("29.4", "29.15")
@pytest.mark.parametrize(("cards", "steps"), [("denar-1 dukat-3", 2), ("denar-1 dukat-4", 1), ("denar-5", 1)])
def test_the_whole_value_taken_counts_against_six_steps(cards: str, steps: int) -> None:
    """Worked example T2."""
    game = sent(cards)
    assert game.decision == Decision("staff_walk", 0, {"steps": steps})


@pytest.mark.rule("29.4", "29.15")
@pytest.mark.parametrize("card", ["denar-6", "denar-9"])
def test_much_money_gives_no_step(card: str) -> None:
    """Worked example T2: a single 6 gives none."""
    assert asked(sent(card)) == ("action", 1)


@pytest.mark.rule("29.18")
@pytest.mark.parametrize(("module", "kind"), [("bureaux_de_change", "exchange"), ("city_gates", "gate")])
def test_a_card_that_is_no_money_gives_no_step(module: str, kind: str) -> None:
    game = staffed(3, module)
    alhambra(game, 0, LINE)
    card = next(card for card in game.ruleset.cards if card.startswith(kind))
    game.state.deck = tuple(other for other in game.state.deck if other != card)
    game.state.display = (card,)
    play(game, f"take_money {card}")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("29.18")
def test_diamonds_and_builder_cards_count_with_their_value() -> None:
    assert sent("diamond-4", None, "diamonds").decision == Decision("staff_walk", 0, {"steps": 2})
    assert sent("builder-denar", None, "master_builders").decision == Decision("staff_walk", 0, {"steps": 3})


@pytest.mark.rule("29.19")
def test_the_traders_larger_limit_gives_no_further_steps() -> None:
    game = staffed(3, "characters")
    give(game, 0, "trader")
    alhambra(game, 0, LINE)
    display(game, "denar-3 dukat-3")
    play(game, "take_money denar-3 dukat-3")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("29.20", "10.21")
def test_money_of_a_thief_gives_no_step() -> None:
    game = staffed(3, "thieves")
    alhambra(game, 2, LINE)
    thieves = game.module_state(Thieves)
    thieves.held, thieves.rest = ((), (), ("thief-denar",)), ()
    display(game, "denar-1 dukat-6 dukat-7 dukat-8")
    play(game, "take_money dukat-8")
    assert asked(game) == ("window", 2)
    play(game, "play_thief denar-1", currency="denar")
    assert asked(game)[0] != "staff_walk"


@pytest.mark.rule("29.17", "29.22")
def test_fewer_steps_may_be_made_and_none_is_possible_without_a_tile() -> None:
    game = sent("denar-2")
    play(game, "step", side="E")
    play(game, "pass")
    assert game.module_state(Staff).cells[0] == (1, 0)
    assert asked(game) == ("action", 1)
    assert asked(sent("denar-2", {})) == ("action", 1), "around the fountain is nothing"


@pytest.mark.rule("29.17")
def test_stepping_back_and_forth_is_allowed_and_a_served_building_gets_no_second_servant() -> None:
    game = sent("denar-1", open_servants="garden garden")
    for side in ("E", "W", "E"):
        play(game, "step", side=side)
    assert served(game) == {"garden-10": ["garden"]}
    assert game.module_state(Staff).display == ("garden",)


@pytest.mark.rule("29.25")
def test_the_first_of_two_buildings_gets_the_only_servant_and_nothing_is_refilled_on_the_way() -> None:
    game = sent("denar-2", {(1, 0): "garden-10", (2, 0): "garden-11"}, open_servants="garden")
    play(game, "step", side="E")
    play(game, "step", side="E")
    assert served(game) == {"garden-10": ["garden"]}
    assert game.module_state(Staff).display == ()


@pytest.mark.rule("29.21")
def test_the_walk_comes_before_a_further_action_and_tiles_bought_this_turn_cannot_be_entered() -> None:
    game = staffed()
    alhambra(game, 0, {})
    hand(game, 0, "gulden-9 gulden-2")
    play(game, "buy market-gulden gulden-2 gulden-9")
    play(game, "take_money denar-1")
    assert asked(game) == ("place_tiles", 0), "the tower is not placed yet, so there is no step"


def test_the_major_domo_goes_on_from_where_he_stands() -> None:
    game = staffed()
    alhambra(game, 0, LINE)
    stand_at(game, (2, 0))
    play(game, "take_money denar-1")
    play(game, "step", side="E")
    assert served(game) == {"arcades-9": ["arcades"]}


@pytest.mark.rule("29.5", "29.26")
def test_a_wall_stops_him_and_a_gate_lets_him_through() -> None:
    tiles: dict[Cell, str] = {(1, 0): "garden-9-e", (1, 1): "arcades-9", (2, 1): "tower-12", (2, 0): "chambers-9-w"}
    game = sent("denar-1", tiles, "city_gates", open_servants="chambers")
    play(game, "step", side="E")
    assert fact(refused(game, "step", side="E"), "STEP_BLOCKED")["because"] == "wall"
    game.state.seats[0].board.add_passage(1, 0, "E")
    play(game, "step", side="E")
    assert served(game) == {"chambers-9-w": ["chambers"]}


@pytest.mark.rule("29.27", "22.41")
def test_a_watchtower_costs_a_step_receives_no_servant_and_no_walk_ends_there() -> None:
    game = staffed(3, "watchtowers", open_servants="garden garden")
    alhambra(game, 0, {(1, 0): "garden-10"})
    stand(game, 0, "garden", (2, 0), "NW")
    display(game, "dukat-3")
    play(game, "take_money dukat-3")
    play(game, "step", side="E")
    play(game, "step", side="E")
    assert served(game) == {"garden-10": ["garden"]}
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert list(game.moves()) == [Move("step", side="W")]


@pytest.mark.rule("29.23")
def test_the_fountain_and_tiles_without_a_type_receive_no_servant() -> None:
    game = staffed(3, "bazaars", "medina", "squares", open_servants=" ".join(TYPES))
    board = alhambra(game, 0, {(1, 0): "medina_10", (0, 1): "bazaar_1"})
    square = next(tile for tile in game.ruleset.tiles.values() if tile.kind == "square")
    board.put(square, 0, -1)
    display(game, "denar-1")
    play(game, "take_money denar-1")
    board = game.state.seats[0].board
    for side in ("E", "W", "S", "N"):
        play(game, "step", side=side)
    assert served(game) == {}


@pytest.mark.rule("25.20", "27.21", "29.23")
def test_magical_buildings_and_occupied_grounds_receive_servants() -> None:
    game = staffed(3, "magical_buildings", "new_building_grounds", open_servants="tower garden")
    alhambra(game, 0, {(1, 0): "ground_9_1", (2, 0): "magical_garden"})
    game.state.types = {"ground_9_1": "tower"}
    play(game, "take_money denar-1")
    play(game, "step", side="E")
    play(game, "step", side="E")
    assert served(game) == {"ground_9_1": ["tower"], "magical_garden": ["garden"]}


@pytest.mark.rule("28.35", "28.36", "29.23")
def test_each_half_of_a_project_receives_a_servant_of_its_own_colour() -> None:
    project = "project_garden_pavilion"
    game = staffed(3, "major_construction_projects", open_servants="garden pavilion")
    alhambra(game, 0, {}).place(game.ruleset.tiles[project], 1, 0)
    play(game, "take_money denar-1")
    play(game, "step", side="E")
    play(game, "step", side="E")
    assert served(game) == {project: ["garden", "pavilion"]}


@pytest.mark.rule("23.40", "29.23")
def test_an_unfinished_building_can_be_entered_but_receives_no_servant() -> None:
    game = staffed()
    alhambra(game, 0, LINE)
    game.state.covered = ("garden-10",)
    play(game, "take_money denar-1")
    play(game, "step", side="E")
    assert served(game) == {}


def test_a_standing_order_passes_the_walk() -> None:
    game = sent("denar-1")
    assert game.decision is not None
    kind = game.ruleset.questions["staff_walk"].kind
    assert [order.answer for order in kind.orders] == ["pass"]
    assert legal(game, "pass")


@pytest.mark.rule("29.33")
def test_a_seat_that_resigns_on_a_watchtower_walks_back() -> None:
    game = staffed(3, "watchtowers")
    alhambra(game, 0, {(1, 0): "garden-10"})
    stand(game, 0, "garden", (2, 0), "NW")
    display(game, "dukat-3")
    play(game, "take_money dukat-3")
    play(game, "step", side="E")
    play(game, "step", side="E")
    game.resign(0)
    assert game.module_state(Staff).cells[0] == (1, 0)
    assert asked(game) == ("action", 1)


# -- The display -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("29.7")
def test_the_open_servants_are_filled_up_to_six_after_every_turn() -> None:
    game = staffed(open_servants="garden tower")
    display(game, "denar-6")
    events = play(game, "take_money denar-6")
    assert len(events_of(events, "staff_filled")[0]["types"]) == 4
    assert len(game.module_state(Staff).display) == 6
    assert not events_of(take_turn(game), "staff_filled"), "six lie there"


@pytest.mark.rule("29.30")
def test_with_an_empty_supply_the_display_keeps_its_gaps() -> None:
    game = staffed(open_servants="garden tower")
    game.module_state(Staff).supply = ("pavilion",)
    assert events_of(take_turn(game), "staff_filled") == [{"types": ("pavilion",)}]
    assert game.module_state(Staff).display == ("pavilion", "garden", "tower")
    assert not events_of(take_turn(game), "staff_filled")


# -- The tile under the major-domo -------------------------------------------------------------------------------------


@pytest.mark.rule("29.8", "29.28")
def test_the_tile_under_the_major_domo_is_neither_removed_nor_exchanged() -> None:
    game = staffed()
    alhambra(game, 0, LINE)
    reserve(game, 0, "garden-11")
    stand_at(game, (4, 0))
    stand_at(game, (3, 0), seat=1)
    assert fact(refused(game, "remove tower-12"), "LOCKED") == {"tile": "tower-12", "by": "major_domo"}
    assert codes(refused(game, "swap garden-11 @4,0")) == ["LOCKED"]
    stand_at(game, (0, 0))
    assert legal(game, "remove tower-12")
    assert legal(game, "swap garden-11 @3,0"), "the major-domo of another seat locks nothing"


@pytest.mark.rule("29.29")
def test_the_major_domo_on_either_half_locks_the_whole_project() -> None:
    project = "project_garden_pavilion"
    game = staffed(3, "major_construction_projects")
    alhambra(game, 0, {}).place(game.ruleset.tiles[project], 1, 0)
    for cell in ((1, 0), (2, 0)):
        stand_at(game, cell)
        assert codes(refused(game, f"remove {project}")) == ["LOCKED"]


# -- Scoring -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("29.10")
@pytest.mark.parametrize("number", [1, 2])
def test_each_standard_building_without_a_servant_costs_a_point_after_all_other_points(number: int) -> None:
    game = staffed()
    display(game, "denar-6")
    alhambra(game, 0, LINE)
    house(game, "garden-10", "garden")
    game.state.seats[0].score = RICH
    events = hold_scoring(game, number)
    assert points(events, "staff_missing", count=3) == {0: -3}
    lines = [line for line in events_of(events, "scored") if line["seat"] == 0]
    assert [line["reason"] for line in lines][-1] == "staff_missing"
    assert lines[-1]["frame"] == "S4b"


@pytest.mark.rule("29.11", "29.16")
def test_no_score_falls_below_zero() -> None:
    """Worked example T3: 4 points and 6 unserved buildings leave 0."""
    game = staffed()
    own(game, 0, garden=3, tower=3)
    game.state.seats[0].score = 4
    game.events = []
    penalise(game, 1)
    assert game.state.seats[0].score == 0
    assert [(line["points"], line["due"]) for line in events_of(game.events, "scored")] == [(-4, -6)]


@pytest.mark.rule("25.19", "29.24")
def test_only_finished_standard_buildings_are_missed() -> None:
    others = ("magical_buildings", "medina", "new_building_grounds", "major_construction_projects")
    game = staffed(3, *others)
    display(game, "denar-6")
    tiles = {(1, 0): "garden-10", (0, 1): "medina_10", (2, 0): "magical_garden", (-1, 0): "tower-12"}
    board = alhambra(game, 0, {**tiles, (1, 1): "ground_9_1"})
    game.state.types = {"ground_9_1": "tower"}
    board.put(game.ruleset.tiles["project_garden_pavilion"], 0, -1)
    reserve(game, 0, "garden-11")
    game.state.covered = ("tower-12",)
    game.state.seats[0].score = RICH
    assert points(hold_scoring(game, 1), "staff_missing") == {0: -1}


@pytest.mark.rule("29.13")
def test_at_the_end_the_points_are_lost_before_leftover_tiles_are_given_out() -> None:
    game = staffed()
    display(game, "denar-6")
    alhambra(game, 2, {(1, 0): "garden-10"})
    game.state.seats[2].score = RICH
    market(game, denar="garden-11")
    hand(game, 2, "denar-9")
    events = end_game(game)
    assert points(events, "staff_missing", scoring=3, frame="E2") == {2: -1}
    order = kinds(events)
    assert order.index("end_began") < order.index("scored") < order.index("leftover_awarded")
    events = play(game, "place garden-11 @2,0")
    assert not points(events, "staff_missing"), "leftover tiles are never penalised, and nothing is lost twice"


@pytest.mark.rule("29.9")
def test_servants_in_the_reserve_serve_again_when_their_building_returns() -> None:
    game = staffed()
    reserve(game, 0, "garden-10")
    house(game, "garden-10", "garden")
    game.state.seats[0].score = RICH
    play(game, "add garden-10 @1,0")
    assert not points(hold_scoring(game, 1), "staff_missing")


@pytest.mark.rule("29.12")
def test_dirk_loses_nothing() -> None:
    game = staffed(2)
    display(game, "denar-6")
    dirk(game, "garden-10", "tower-12")
    game.state.dirk_score = RICH
    assert not points(hold_scoring(game, 1), "staff_missing")


@pytest.mark.rule("26.23")
def test_medinas_come_after_the_staff() -> None:
    game = staffed(3, "medina")
    display(game, "denar-6")
    alhambra(game, 0, LINE)
    game.state.seats[0].score = RICH
    reasons = [line["reason"] for line in events_of(hold_scoring(game, 1), "scored")]
    assert reasons.index("staff_missing") < reasons.index("medina_fewest")


@pytest.mark.rule("29.10")
@pytest.mark.parametrize("seed", range(10))
def test_random_alhambras_lose_what_the_text_says(seed: int) -> None:
    rng = Random(seed)
    game = staffed(3, "magical_buildings")
    expected = {}
    for seat in range(3):
        board = own(game, seat, **{name: rng.randrange(3) for name in TYPES})
        game.state.seats[seat].score = RICH
        standard = [tile for tile in board.placed if "-" in tile and not tile.startswith(("start", "magical"))]
        lucky = [tile for tile in standard if rng.random() < 0.4]
        for tile in lucky:
            house(game, tile, tile.split("-")[0])
        if len(lucky) < len(standard):
            expected[seat] = len(lucky) - len(standard)
    game.events = []
    penalise(game, 1 + seed % 2)
    assert points(game.events, "staff_missing") == expected


# -- What is hidden ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("29.32")
def test_a_bot_cannot_learn_which_servants_come_next() -> None:
    game = staffed(open_servants="garden")
    drawn = set()
    for number in range(20):
        sample = game.determinize(0, Random(number))
        assert sample.view(0) == game.view(0)
        take_turn(sample)
        if asked(sample)[0] == "staff_walk":
            play(sample, "pass")
        drawn.add(sample.module_state(Staff).display)
    assert len(drawn) > 5


@pytest.mark.rule("29.32")
@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_what_lies_face_down_is_told_as_a_number_only(seat: int | None) -> None:
    game = table(modules=[KEY], dealt=True)
    hidden = [piece for piece in pieces(game, KEY, viewer=seat) if piece.get("choice") == "face_down"]
    assert hidden == [{"kind": "servant", "amount": 48, "choice": "face_down"}]
    assert KEY not in game.view(seat)["slices"] or not game.view(seat)["slices"][KEY]


HABITS: tuple[type[Player], ...] = (NoveltySeeker, Resigner)
FURTHER_HABITS: tuple[type[Player], ...] = (RandomPlayer, Hoarder, Undoer, Peer, Spoiler)
"""Played by `make check` alone."""


@pytest.mark.parametrize(
    "habit",
    [*HABITS, *(pytest.param(habit, marks=pytest.mark.check_only) for habit in FURTHER_HABITS)],
    ids=lambda habit: habit.__name__,
)
def test_nothing_leaks_whatever_the_habits_of_players_are(habit: type[Player]) -> None:
    options = Options(4, f"staff {habit.__name__}", modules=[KEY, "menagerie"], undo="by_consent")
    watch = Watch(options, 3, every=12, players=(habit, NoveltySeeker, NoveltySeeker))
    watch.invariants.leaks_every = 1
    watch.play()
    assert watch.decisions["staff_walk"] > 3
