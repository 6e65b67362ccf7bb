"""21 Falconers: redesigns of every kind, and the other modules."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Move, registry
from alhambra.components import Cell
from alhambra.modules.caravanserai import Caravans
from alhambra.modules.personal_building_market import Markets
from tests.rules.example_modules import register_examples
from tests.rules.modules.characters_table import asked, give
from tests.rules.modules.falconers_table import BLOCK, CHAMBERS_TOWER, GARDEN_TOWER, buy, falconers, perch, sitting
from tests.rules.situations import (
    alhambra,
    codes,
    events_of,
    fact,
    give_turn,
    hand,
    kinds,
    market,
    pieces,
    play,
    refused,
    reserve,
)


@pytest.fixture(autouse=True)
def examples_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some ways to move a tile are proved by example modules."""
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()


def perched(*modules: str, seats: int = 3) -> Game:
    """A falcon sits on the one point of seat 0, which has another tower in its reserve."""
    game = falconers(seats, *modules)
    perch(game, 0, **{GARDEN_TOWER: (0, 0)})
    if "personal_building_market" not in modules:
        reserve(game, 0, "tower-12")
    return game


# -- Every way in which a tile can move --------------------------------------------------------------------------------


@pytest.mark.rule("21.13")
def test_falcon_returns_when_one_of_its_tiles_is_removed_and_may_be_bought_again_by_anyone() -> None:
    game = perched()
    events = play(game, "remove tower-11")
    assert events_of(events, "falcon_returned") == [{"seat": 0, "piece": GARDEN_TOWER, "cell": (0, 0), "side": "SE"}]
    assert sitting(game) == {}
    alhambra(game, 1, {(1, 0): "garden-11", (0, 1): "tower-10-w", (1, 1): "chambers-11"})
    hand(game, 1, "dukat-2")
    buy(game, card="dukat-2")
    assert sitting(game) == {GARDEN_TOWER: (1, (0, 0))}


@pytest.mark.rule("21.31")
def test_falcon_returns_when_one_of_its_tiles_is_swapped_even_for_the_same_colour() -> None:
    game = perched()
    events = play(game, "swap tower-12 @1,0")
    assert kinds(events).index("falcon_returned") < kinds(events).index("swapped")
    assert sitting(game) == {}


@pytest.mark.rule("21.31")
def test_falcon_returns_when_one_of_its_tiles_is_moved_inside_the_alhambra() -> None:
    game = perched("example_carters")
    alhambra(game, 0, {**BLOCK, (-1, 0): "arcades-9"})
    play(game, "move_tile arcades-9 @0,-1", items=("cart",))
    assert GARDEN_TOWER in sitting(game), "that tile is none of its four"
    events = play(game, "move_tile chambers-10 @1,-1", items=("cart",))
    assert kinds(events).index("lifted") < kinds(events).index("falcon_returned") < kinds(events).index("moved")
    assert sitting(game) == {}


@pytest.mark.rule("21.14")
def test_falcon_stays_when_a_tile_is_added_or_another_tile_is_removed_or_swapped() -> None:
    game = perched()
    play(game, "add tower-12 @0,-1")
    give_turn(game, 0)
    game.state.actions = 1
    play(game, "remove tower-12")
    assert GARDEN_TOWER in sitting(game)
    game = perched()
    alhambra(game, 0, {**BLOCK, (-1, 0): "arcades-9"})
    play(game, "swap tower-12 @-1,0")
    assert GARDEN_TOWER in sitting(game)


@pytest.mark.rule("21.31")
def test_falcon_returns_when_a_builder_card_pays_for_the_redesign() -> None:
    game = perched("master_builders")
    builder = next(card for card in game.state.deck if card.startswith("builder"))
    hand(game, 0, builder)
    play(game, "take_money gulden-1")
    assert asked(game) == ("late", 0)
    play(game, f"remove tower-11 {builder}")
    assert sitting(game) == {}


@pytest.mark.rule("21.14")
def test_falcons_of_other_points_and_other_seats_stay() -> None:
    game = perched()
    alhambra(game, 0, {**BLOCK, (-1, 0): "arcades-9", (-1, 1): "garden-11"})
    perch(game, 0, falcon_black_arcades_garden=(-1, 0))
    perch(game, 1, **{CHAMBERS_TOWER: (0, 0)})
    events = play(game, "remove tower-11")
    assert [event["piece"] for event in events_of(events, "falcon_returned")] == [GARDEN_TOWER]
    assert set(sitting(game)) == {"falcon_black_arcades_garden", CHAMBERS_TOWER}


@pytest.mark.rule("21.13")
def test_falcons_of_all_points_of_a_tile_return_together() -> None:
    game = perched()
    alhambra(game, 0, {**BLOCK, (2, 0): "arcades-9", (2, 1): "garden-11"})
    perch(game, 0, falcon_black_arcades_garden=(1, 0))
    play(game, "swap tower-12 @1,0")
    assert sitting(game) == {}


@pytest.mark.rule("21.19")
def test_falcon_returns_before_its_tile_lies_on_a_personal_market_and_is_sold() -> None:
    game = perched("personal_building_market")
    play(game, "remove tower-11")
    assert asked(game) == ("stow", 0)
    assert sitting(game) == {}
    play(game, "reserve tower-11", slot="personal-0-denar")
    hand(game, 1, "denar-9 denar-2")
    play(game, "buy denar-9 denar-2", slot="personal-0-denar")
    assert sitting(game) == {}


@pytest.mark.rule("21.19")
def test_falcon_returns_before_its_tile_leaves_the_game_because_all_places_are_taken() -> None:
    game = perched("personal_building_market")
    tiles = ("arcades-9", "arcades-10", "garden-11", "pavilion-8")
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in tiles)
    kept = game.module_state(Markets)
    kept.lying = (tiles, *kept.lying[1:])
    play(game, "remove tower-11")
    play(game, "box tower-11")
    assert "tower-11" in game.state.box
    assert sitting(game) == {}


@pytest.mark.rule("21.14")
def test_falcon_stays_when_a_tile_is_laid_out_of_turn() -> None:
    game = perched("viziers_favour")
    hand(game, 0, "gulden-8")
    give_turn(game, 1)
    play(game, "take_money gulden-1")
    while game.decision is not None and game.decision.kind == "window" and game.decision.seat != 0:
        play(game, "pass")
    play(game, "buy market-gulden gulden-8")
    play(game, "place seraglio-8-s @-1,0")
    assert GARDEN_TOWER in sitting(game)


def test_a_gift_to_dirk_touches_no_falcon() -> None:
    game = falconers(2, cards="denar-7")
    perch(game, 0, **{GARDEN_TOWER: (0, 0)})
    play(game, "buy market-denar denar-7")
    play(game, "take_money gulden-1")
    play(game, "give_to_dirk pavilion-7-e")
    assert GARDEN_TOWER in sitting(game)


def test_a_tile_sunk_into_the_tower_touches_no_falcon() -> None:
    game = perched("characters")
    give(game, 0, "dancer")
    game.state.agenda = []
    game.state.active = 2
    game.push(game.ruleset.steps["base.end_turn"])
    game.state.decision = None
    game._run_agenda()
    assert asked(game) == ("start", 0)
    play(game, "dance market-denar")
    assert game.state.sunk
    assert GARDEN_TOWER in sitting(game)


# -- The only action ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("21.25")
def test_falcons_are_refused_after_a_free_redesign_of_the_same_turn() -> None:
    """A redesign that a craftsman grants is an action, too."""
    game = falconers(3, "example_carters", cards="denar-1")
    alhambra(game, 0, {**BLOCK, (-1, 0): "arcades-9"})
    play(game, "remove arcades-9", items=("cart",))
    assert codes(refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE")) == ["SOLE_ACTION"]


@pytest.mark.rule("14.22", "21.25")
def test_no_builder_card_is_asked_for_after_falcons() -> None:
    game = falconers(3, "master_builders")
    builder = next(card for card in game.state.deck if card.startswith("builder"))
    hand(game, 0, builder, "denar-1")
    buy(game)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("21.25", "07.40")
def test_the_master_builder_does_not_redesign_after_falcons() -> None:
    game = falconers(3, "characters", cards="denar-1")
    give(game, 0, "master_builder")
    buy(game)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("21.26")
def test_what_is_done_at_the_start_of_the_turn_leaves_falcons_open() -> None:
    """A caravanserai marker is moved before the action."""
    game = falconers(3, "caravanserai", cards="denar-1")
    caravans = game.module_state(Caravans)
    caravans.owners, caravans.markers = {"caravanserai_3": 0}, {"caravanserai_3": ("denar", 0)}
    game.state.used = ("marker",)
    buy(game)
    assert GARDEN_TOWER in sitting(game)


@pytest.mark.rule("21.6", "21.36")
def test_a_falcon_is_no_purchase_so_nothing_follows_from_paying() -> None:
    game = falconers(3, "change", "exchange_certificates", "invaders", cards="denar-9 denar-8")
    events = buy(game, card="denar-9")
    assert not {"paid", "coins_drawn", "bonus_action", "scout_won"} & set(kinds(events))
    assert asked(game) == ("action", 1)


@pytest.mark.rule("21.32")
def test_a_pending_project_is_no_corner_tile() -> None:
    """What was won at the start of the turn is not placed yet."""
    game = falconers(3, "major_construction_projects", tiles={(1, 0): "tower-11", (0, 1): "garden-10"})
    market(game)
    game.state.seats[0].pending = ("project_garden_tower",)
    faults = refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE")
    assert fact(faults, "NOT_THERE") == {"id": [0, 0], "place": "alhambra"}


@pytest.mark.rule("21.8", "21.23")
def test_a_point_beside_an_empty_cell_is_no_point_whatever_else_lies_there() -> None:
    game = falconers(3, "bazaars", tiles={(1, 0): "tower-11", (0, 1): "bazaar_1"})
    violations = refused(game, f"buy_falcon {GARDEN_TOWER} @0,0 denar-1", side="SE")
    assert codes(violations) == ["NOT_THERE"]


# -- What can be done --------------------------------------------------------------------------------------------------


@pytest.mark.rule("21.33", "21.37")
@pytest.mark.parametrize(
    ("cards", "tiles", "possible"),
    [("denar-1", BLOCK, True), ("", BLOCK, False), ("denar-1", {(1, 0): "tower-11"}, False)],
)
def test_buying_is_shown_as_possible_with_a_card_and_a_fitting_point(
    cards: str, tiles: dict[Cell, str], possible: bool
) -> None:
    view = falconers(tiles=tiles, cards=cards).view(0)
    assert ("buy_falcon" in view["decision"]["verbs"]) == possible


@pytest.mark.rule("21.2", "21.5")
def test_a_purchase_by_chance_may_be_any_falcon_for_any_card_and_is_none_without_one() -> None:
    game, rng = falconers(), Random(21)
    assert game.decision is not None
    sample = game.ruleset.verbs["buy_falcon"].sample
    assert sample is not None
    listed = {move for move in game.moves() if move.verb == "buy_falcon"}
    assert {sample(game, game.decision, rng.randrange) for _ in range(400)} == listed
    hand(game, 0)
    assert sample(game, game.decision, rng.randrange) is None


@pytest.mark.rule("21.7")
def test_buying_no_further_falcon_can_be_left_as_a_standing_order() -> None:
    game = falconers(tiles={**BLOCK, (2, 0): "garden-11", (2, 1): "tower-12"})
    buy(game)
    assert game.decision is not None
    assert game.decision.kind == "more_falcons"
    orders = {order.answer: order for order in game.question().kind.orders}
    assert list(orders["pass"].moves(game, game.decision)) == [Move("pass")]


@pytest.mark.rule("21.2")
def test_a_falcon_of_the_supply_has_no_seat_and_no_point() -> None:
    shown = pieces(falconers(), "falconers", piece=GARDEN_TOWER)
    assert shown == [{"kind": "falcon", "piece": GARDEN_TOWER, "choice": "white"}]
