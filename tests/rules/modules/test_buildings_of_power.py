"""38 Buildings of power: the tiles, and their dice."""

from __future__ import annotations

from random import Random

import pytest

from alhambra.components import BASE_TILES, Cell
from alhambra.invariants import census
from alhambra.modules.buildings_of_power import Powers
from alhambra.modules.buildings_of_power.dice import score_second_walls, strength
from alhambra.modules.buildings_of_power.powers import BUILDINGS, REPLACED
from alhambra.placement.outline import Run
from tests.rules.caliphs_guidelines_oracle import walls
from tests.rules.hooks.asking import asked
from tests.rules.modules.powers_table import ARCHITECTURE, STRENGTH, WEALTH, load, powers, put_die
from tests.rules.oracles import random_growth, walls_of
from tests.rules.situations import (
    alhambra,
    codes,
    end_game,
    events_of,
    hand,
    hold_scoring,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
    tower,
)

# -- The tiles ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.1", "38.3")
def test_twelve_tiles_take_the_place_of_base_tiles_like_them() -> None:
    game = table(3, modules=["buildings_of_power"])
    assert len(game.state.tower) == len(BASE_TILES)
    for building, replaced in REPLACED.items():
        ours, base = BUILDINGS[building], BASE_TILES[replaced]
        assert (ours.kind, ours.type, ours.price) == (base.kind, base.type, base.price)
        assert ours.parts[0].edges == base.parts[0].edges
        assert building in game.state.tower
        assert replaced not in game.state.tower


@pytest.mark.rule("38.4")
def test_a_building_of_power_counts_as_its_type() -> None:
    game = powers()
    alhambra(game, 0, {(1, 0): STRENGTH})
    assert points(hold_scoring(game, 1), "majority", type="chambers") == {0: 4}


# -- Rolling at once ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.11", "38.12", "38.50")
@pytest.mark.parametrize(("tile", "die"), [(STRENGTH, "black_die"), (WEALTH, "white_die")])
def test_a_die_is_rolled_at_once_and_put_on_the_tile(tile: str, die: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load(monkeypatch, 4)
    game = powers()
    market(game, denar=tile)
    hand(game, 0, "denar-9 denar-8")
    events = play(game, "buy market-denar denar-8 denar-9")
    assert events_of(events, "die_rolled") == [{"seat": 0, "die": die, "value": 4}]
    assert events_of(events, "die_placed") == [{"seat": 0, "tile": tile, "value": 4}]
    assert pieces(game, "buildings_of_power", tile=tile) == [{"kind": die, "seat": 0, "tile": tile, "sum": 4}]
    undo = game.can_undo(0)
    assert undo is not None
    assert undo.metadata["because"] == "revealed"


@pytest.mark.rule("38.2")
def test_the_supply_has_three_black_and_three_white_dice() -> None:
    assert pieces(powers(), "buildings_of_power") == [
        {"kind": "black_die", "amount": 3},
        {"kind": "white_die", "amount": 3},
    ]


@pytest.mark.rule("38.33")
def test_without_a_die_left_nothing_happens() -> None:
    game = powers()
    game.module_state(Powers).supply = ()
    market(game, denar=WEALTH)
    hand(game, 0, "denar-9")
    assert not events_of(play(game, "buy market-denar denar-9"), "die_rolled")


@pytest.mark.rule("38.36")
def test_leftover_tiles_at_the_end_bring_no_die_and_no_function() -> None:
    game = powers()
    market(game, denar=STRENGTH, gulden=ARCHITECTURE)
    hand(game, 1, "denar-9 gulden-9")
    end_game(game)
    assert game.module_state(Powers).dice == {}
    assert game.module_state(Powers).functions == ()


# -- White dice --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("38.13", "38.31")
def test_a_white_die_makes_a_building_cheaper_by_1_and_is_turned_down() -> None:
    game = powers()
    reserve(game, 0, WEALTH)
    put_die(game, 0, WEALTH, 3)
    hand(game, 0, "denar-9")
    events = play(game, "buy market-denar denar-9", items=(f"white_die:{WEALTH}",))
    assert events_of(events, "paid")[0]["exact"]
    assert events_of(events, "die_used") == [{"seat": 0, "tile": WEALTH, "value": 2}]
    assert game.module_state(Powers).dice == {WEALTH: (0, 2)}


@pytest.mark.rule("38.13", "38.29")
def test_a_die_that_shows_1_leaves_the_game_when_it_is_used() -> None:
    """Worked example T3, first half."""
    game = powers()
    reserve(game, 0, WEALTH)
    put_die(game, 0, WEALTH, 1)
    hand(game, 0, "denar-9")
    before = census(game)
    play(game, "buy market-denar denar-9", items=(f"white_die:{WEALTH}",))
    assert game.module_state(Powers).dice == {}
    assert game.module_state(Powers).supply.count("white_die") == 2
    assert census(game) == before


@pytest.mark.rule("38.29", "38.32")
def test_of_two_white_dice_one_is_used_in_a_purchase_and_in_a_turn() -> None:
    """Worked example T3, second half."""
    game = powers()
    other = "power_wealth_chambers-10"
    reserve(game, 0, WEALTH, other)
    put_die(game, 0, WEALTH, 3)
    put_die(game, 0, other, 3)
    hand(game, 0, "denar-9 denar-8 gulden-9 gulden-1")
    both = (f"white_die:{other}", f"white_die:{WEALTH}")
    assert "COMBINATION_FORBIDDEN" in codes(refused(game, "buy market-denar denar-8", items=both))
    play(game, "buy market-denar denar-9", items=(both[0],))
    assert asked(game) == ("action", 0)
    assert "NOT_THERE" in codes(refused(game, "buy market-gulden gulden-1 gulden-9", items=(both[1],)))


@pytest.mark.rule("38.31")
def test_a_die_that_was_just_rolled_serves_for_the_bonus_purchase_of_the_same_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load(monkeypatch, 2)
    game = powers()
    market(game, denar=WEALTH, gulden="tower-11")
    hand(game, 0, "denar-9 gulden-9 gulden-1")
    play(game, "buy market-denar denar-9")
    assert legal(game, "buy market-gulden gulden-1 gulden-9", items=(f"white_die:{WEALTH}",))


@pytest.mark.rule("38.31")
def test_nobody_uses_the_die_of_another_seat() -> None:
    game = powers()
    reserve(game, 1, WEALTH)
    put_die(game, 1, WEALTH, 3)
    hand(game, 0, "denar-9")
    assert "NOT_THERE" in codes(refused(game, "buy market-denar denar-9", items=(f"white_die:{WEALTH}",)))


# -- Black dice --------------------------------------------------------------------------------------------------------


OTHER_STRENGTH = "power_strength_seraglio-8-s"
WALLED = {
    **{(0, -1): "pavilion-6-n", (1, -1): "arcades-8-n", (-1, -1): "garden-10-n", (1, 0): STRENGTH},
    **{(0, 1): "chambers-9-s", (1, 1): "tower-11-s", (-1, 1): OTHER_STRENGTH},
}
"""Three walls in a row in the north and three in the south."""


@pytest.mark.rule("38.14", "38.27", "38.28")
@pytest.mark.parametrize(("dice", "wanted"), [((2, 3), 5), ((5, 3), 6)])
def test_the_second_wall_scores_up_to_the_sum_of_the_black_dice(
    dice: tuple[int, int], wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Worked examples T1 and T2: walls of 8 and 6; 2 and 3 let 5 of the second count, 5 and 3 all of it."""
    monkeypatch.setattr("alhambra.modules.buildings_of_power.dice.wall_runs", lambda _: [Run(8, 0, ()), Run(6, 0, ())])
    game = powers()
    alhambra(game, 0, {(1, 0): STRENGTH, (0, 1): OTHER_STRENGTH})
    put_die(game, 0, STRENGTH, dice[0])
    put_die(game, 0, OTHER_STRENGTH, dice[1])
    assert points(hold_scoring(game, 1), "wall_second") == {0: wanted}


@pytest.mark.rule("38.14", "38.48")
def test_a_second_wall_as_long_as_the_first_scores_beside_it() -> None:
    game = powers()
    alhambra(game, 0, WALLED)
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 3}
    assert points(events, "wall_second") == {}, "without a die there is no second wall"
    put_die(game, 0, STRENGTH, 6)
    game.events = []
    score_second_walls(game, 2)
    assert points(game.events, "wall_second") == {0: 3}


@pytest.mark.rule("38.25")
def test_watchtowers_in_the_second_wall_add_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alhambra.modules.buildings_of_power.dice.wall_runs", lambda _: [Run(8, 0, ()), Run(3, 2, ())])
    game = powers()
    alhambra(game, 0, {(1, 0): STRENGTH})
    put_die(game, 0, STRENGTH, 6)
    assert points(hold_scoring(game, 1), "wall_second") == {0: 3}


@pytest.mark.rule("38.30")
def test_dice_in_the_reserve_and_on_unfinished_buildings_do_not_count() -> None:
    game = powers()
    reserve(game, 0, STRENGTH)
    put_die(game, 0, STRENGTH, 5)
    assert strength(game, 0) == 0
    reserve(game, 0)
    alhambra(game, 0, {(1, 0): STRENGTH})
    assert strength(game, 0) == 5
    game.state.covered = (STRENGTH,)
    assert strength(game, 0) == 0


@pytest.mark.rule("38.14", "38.48")
@pytest.mark.parametrize("seed", range(8))
def test_second_walls_agree_with_the_page_on_random_alhambras(seed: int) -> None:
    rng = Random(seed)
    game = powers()
    board = game.board(0)
    built: dict[Cell, frozenset[str]] = {}
    for before, tile, _, cell in random_growth(rng, 24):
        board.put(tile, *cell)
        built = {**before, cell: walls_of(tile)}
    lengths = sorted(walls(built), reverse=True)
    board.put(game.ruleset.tiles[STRENGTH], 90, 90)
    game.state.seats[0].board = board
    most = rng.randint(1, 6)
    put_die(game, 0, STRENGTH, most)
    game.events = []
    score_second_walls(game, 1)
    second = lengths[1] if len(lengths) > 1 else 0
    assert points(game.events, "wall_second").get(0, 0) == min(second, most)


# -- A building with a die moves ---------------------------------------------------------------------------------------


@pytest.mark.rule("38.30")
def test_die_removed_into_the_reserve_stays_on_its_tile() -> None:
    game = powers()
    alhambra(game, 0, {(1, 0): STRENGTH})
    put_die(game, 0, STRENGTH, 5)
    play(game, f"remove {STRENGTH}")
    assert game.module_state(Powers).dice == {STRENGTH: (0, 5)}


@pytest.mark.rule("38.30")
def test_die_added_and_swapped_stays_on_its_tile() -> None:
    game = powers()
    reserve(game, 0, STRENGTH)
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    put_die(game, 0, STRENGTH, 5)
    play(game, f"add {STRENGTH} @0,1")
    assert strength(game, 0) == 5


@pytest.mark.rule("38.18")
def test_die_of_a_tile_given_to_dirk_goes_back_to_the_supply(monkeypatch: pytest.MonkeyPatch) -> None:
    load(monkeypatch, 6)
    game = powers(2)
    market(game, denar=STRENGTH)
    hand(game, 0, "denar-9 denar-8")
    play(game, "buy market-denar denar-8 denar-9")
    assert game.module_state(Powers).dice
    events = play(game, f"give_to_dirk {STRENGTH}")
    assert events_of(events, "die_returned") == [{"tile": STRENGTH}]
    assert game.module_state(Powers).supply.count("black_die") == 3


@pytest.mark.rule("38.18")
def test_a_function_is_kept_though_its_tile_goes_to_dirk() -> None:
    game = powers(2)
    market(game, denar=ARCHITECTURE)
    hand(game, 0, "denar-9 denar-8")
    play(game, "buy market-denar denar-8 denar-9")
    play(game, f"give_to_dirk {ARCHITECTURE}")
    assert asked(game) == ("after", 0)


@pytest.mark.rule("38.15")
def test_dirk_rolls_no_dice_and_uses_no_functions() -> None:
    game = powers(2)
    tower(game, STRENGTH, ARCHITECTURE, WEALTH, "garden-9-e", "tower-9-es", "chambers-9-w")
    hold_scoring(game, 1)
    assert STRENGTH in game.state.dirk
    assert game.module_state(Powers).dice == {}
    assert game.module_state(Powers).functions == ()


@pytest.mark.rule("38.51")
def test_a_seat_that_resigned_uses_no_function_and_keeps_its_dice_on_its_tiles() -> None:
    game = powers()
    alhambra(game, 1, {(1, 0): STRENGTH})
    put_die(game, 1, STRENGTH, 5)
    game.module_state(Powers).functions = ((1, ARCHITECTURE, 1),)
    game.resign(1)
    assert game.module_state(Powers).functions == ()
    assert game.module_state(Powers).dice == {STRENGTH: (1, 5)}
