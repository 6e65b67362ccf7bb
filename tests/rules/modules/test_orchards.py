"""30 Orchards: who acquires a building gets the fruit on it; complete groups of the own board count at the end."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from alhambra import Game, IllegalMove, Options, registry
from alhambra.components import CURRENCIES, component_data
from alhambra.invariants import census
from alhambra.modules.change import Coins
from alhambra.modules.orchards import Orchards, score_orchards
from alhambra.modules.personal_building_market import PLACES, Markets
from tests.rules.example_modules import register_examples
from tests.rules.example_modules.porters import Porters
from tests.rules.modules.characters_table import FULL, give
from tests.rules.modules.power_of_the_sultan_table import held
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    table,
    take_turn,
    tower,
)

PRINTED = component_data()["modules"]["orchards"]["data"]
FIELDS = {board["id"]: {group["points"]: group["fields"] for group in board["groups"]} for board in PRINTED["boards"]}
ALL_FRUITS = [fruit for fruit in PRINTED["fruits"] for _ in range(PRINTED["tiles_per_fruit"])]
FIRST = FIELDS["fruit_board_1"]


def orchards(seats: int = 3, *others: str, **options: Any) -> Game:
    """A table where seat 0 has the first fruit board, seat 1 the second and so on, and all fruits are in the supply."""
    game = table(seats, modules=["orchards", *others], **options)
    kept = game.module_state(Orchards)
    kept.supply, kept.on_tiles = tuple(ALL_FRUITS), {}
    kept.boards = tuple(FIELDS)[:seats]
    return game


def draw(game: Game, *fruits: str) -> None:
    """Takes fruits out of the supply."""
    left = list(game.module_state(Orchards).supply)
    for fruit in fruits:
        left.remove(fruit)
    game.module_state(Orchards).supply = tuple(left)


def carrying(game: Game, tile: str, fruit: str) -> Game:
    """The tile lies on the denar space with this fruit; seat 0 can pay 9 denars exactly."""
    market(game, denar=tile)
    draw(game, fruit)
    game.module_state(Orchards).on_tiles = {tile: fruit}
    hand(game, 0, "denar-9")
    return game


def planted(game: Game, seat: int, groups: dict[int, list[str]], spare: tuple[str, ...] = ()) -> None:
    """These fruits lie on the board of the seat, and these beside it."""
    kept = game.module_state(Orchards)
    own = {**kept.planted[seat], **{f"fruit-{group}": tuple(fruits) for group, fruits in groups.items()}}
    kept.planted = (*kept.planted[:seat], own, *kept.planted[seat + 1 :])
    kept.spare = (*kept.spare[:seat], spare, *kept.spare[seat + 1 :])
    draw(game, *(fruit for fruits in groups.values() for fruit in fruits), *spare)


def on_board(game: Game, seat: int) -> dict[str, tuple[str, ...]]:
    return {slot: fruits for slot, fruits in game.module_state(Orchards).planted[seat].items() if fruits}


def on_tiles(game: Game) -> dict[str, str]:
    return game.module_state(Orchards).on_tiles


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def fruits_of(game: Game) -> Counter[str]:
    """All fruits, wherever they are."""
    return Counter({thing: count for thing, count in census(game).items() if thing in PRINTED["fruits"]})


# -- Setup, and fruit on the market ------------------------------------------------------------------------------------


@pytest.mark.rule("30.3", "30.26")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everybody_is_dealt_another_board_for_all_to_see(seats: int) -> None:
    game = table(seats, modules=["orchards"], dealt=True)
    boards = game.module_state(Orchards).boards
    assert len(set(boards)) == seats
    for seat, board in enumerate(boards):
        fields = Counter((f"fruit-{group}", fruit) for group, fruits in FIELDS[board].items() for fruit in fruits)
        shown = pieces(game, "orchards", kind="orchard_field", seat=seat, choice="free")
        assert Counter((piece["slot"], piece["piece"]) for piece in shown) == fields


@pytest.mark.rule("30.4")
def test_the_market_is_filled_with_a_fruit_on_every_tile() -> None:
    game = table(modules=["orchards"], dealt=True)
    assert set(on_tiles(game)) == set(game.state.market)
    assert game.view(None)["slices"]["orchards"] == {"supply": 52}
    assert {piece["tile"] for piece in pieces(game, "orchards", kind="orchard_fruit")} == set(game.state.market)


@pytest.mark.rule("30.4")
def test_a_building_that_is_laid_onto_the_market_later_gets_a_fruit() -> None:
    game = orchards()
    market(game, gulden="garden-10", dirham="garden-11", dukat="tower-12")
    tower(game, "arcades-9")
    display(game, "gulden-1")
    (told,) = events_of(take_turn(game), "fruit_drawn")
    assert told == {"slot": "market-denar", "tile": "arcades-9", "piece": on_tiles(game)["arcades-9"]}
    assert game.view(None)["slices"]["orchards"] == {"supply": 55}


@pytest.mark.rule("25.19", "26.24", "27.20", "30.18")
@pytest.mark.parametrize(
    ("module", "tile"),
    [
        *(("magical_buildings", "magical_tower"), ("new_building_grounds", "ground_12_1"), ("medina", "medina_7")),
        ("military_camps", "camp_NE"),
    ],
)
def test_only_buildings_of_the_base_game_get_a_fruit(module: str, tile: str) -> None:
    game = orchards(3, module)
    market(game, gulden="garden-10", dirham="garden-11", dukat="tower-12")
    tower(game, tile)
    display(game, "gulden-1")
    assert not events_of(take_turn(game), "fruit_drawn")
    assert game.state.market[2] == tile


@pytest.mark.rule("30.23")
def test_with_an_empty_supply_a_building_gets_no_fruit() -> None:
    game = orchards()
    game.module_state(Orchards).supply = ()
    market(game, gulden="garden-10", dirham="garden-11", dukat="tower-12")
    display(game, "gulden-1")
    assert not events_of(take_turn(game), "fruit_drawn")


# -- Planting ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("30.6", "30.13", "30.15")
def test_the_buyer_chooses_the_group_before_the_tile_has_its_place() -> None:
    game = carrying(orchards(), "arcades-9", "apple")
    play(game, "buy market-denar denar-9")
    assert asked(game) == ("plant_fruit", 0)
    assert [move.slot for move in game.moves()] == ["fruit-1", "fruit-7", "fruit-11"]
    assert game.state.seats[0].pending == ("arcades-9",)
    events = play(game, "plant_fruit", slot="fruit-7")
    assert events_of(events, "fruit_planted") == [{"seat": 0, "slot": "fruit-7", "piece": "apple"}]
    assert on_board(game, 0) == {"fruit-7": ("apple",)}
    assert on_tiles(game) == {}
    assert asked(game) == ("action", 0), "paid exactly"


@pytest.mark.rule("30.6")
def test_a_fruit_goes_on_a_free_field_of_its_kind_only() -> None:
    game = carrying(orchards(), "arcades-9", "apple")
    planted(game, 0, {1: ["apple"]})
    play(game, "buy market-denar denar-9")
    assert codes(refused(game, "plant_fruit", slot="fruit-1")) == ["PLACE_TAKEN"]
    assert fact(refused(game, "plant_fruit", slot="fruit-2"), "TYPE_MISMATCH")["expected"] == ["orange", "lemon"]
    assert codes(refused(game, "plant_fruit", slot="market-denar")) == ["NOT_THERE"]
    assert "PASS_REFUSED" in codes(refused(game, "pass"))


@pytest.mark.rule("30.14")
def test_nothing_is_asked_where_one_group_is_left() -> None:
    game = carrying(orchards(), "arcades-9", "apple")
    planted(game, 0, {1: ["apple"], 7: ["apple"]})
    (told,) = events_of(play(game, "buy market-denar denar-9"), "fruit_planted")
    assert told == {"seat": 0, "slot": "fruit-11", "piece": "apple", "forced": True}


@pytest.mark.rule("30.7", "30.26")
def test_only_if_all_matching_fields_are_occupied_the_fruit_is_laid_beside_the_board() -> None:
    game = carrying(orchards(), "arcades-9", "apple")
    planted(game, 0, {1: ["apple"], 7: ["apple"], 11: ["apple"]})
    events = play(game, "buy market-denar denar-9")
    assert events_of(events, "fruit_spare") == [{"seat": 0, "piece": "apple"}]
    assert [piece["piece"] for piece in pieces(game, "orchards", seat=0, choice="spare")] == ["apple"]


@pytest.mark.rule("30.13")
def test_a_planted_fruit_is_never_moved_but_planting_can_be_taken_back_at_once() -> None:
    game = table(modules=["orchards"], dealt=True, undo="free_moves")
    rng = Random(2)
    while asked(game)[0] != "plant_fruit":
        game.apply(game.random_move(rng))
    seat, before = asked(game)[1], game.state_bytes()
    game.apply(next(iter(game.moves())))
    if asked(game)[1] == seat:
        game.undo(seat)
        assert game.state_bytes() == before
    assert not any("plant_fruit" in game.ruleset.questions[kind].named for kind in ("action", "place_tiles"))


@pytest.mark.rule("30.15")
def test_coins_are_drawn_before_the_fruit_is_planted() -> None:
    game = carrying(orchards(3, "change"), "pavilion-8", "apple")
    hand(game, 0, "denar-6 denar-4")
    told = [event.kind for event in play(game, "buy market-denar denar-4 denar-6")]
    assert "coins_drawn" in told
    assert asked(game) == ("plant_fruit", 0)
    assert len(game.module_state(Coins).held[0]) == 1


# -- Fruit on a tile, whatever way the tile goes -----------------------------------------------------------------------


@pytest.mark.rule("30.5")
@pytest.mark.parametrize("way", ["place arcades-9 @1,0", "reserve arcades-9"])
def test_fruit_is_with_the_buyer_whether_the_tile_is_placed_or_reserved(way: str) -> None:
    game = carrying(orchards(), "arcades-9", "apple")
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "plant_fruit", slot="fruit-1")
    play(game, way)
    assert on_board(game, 0) == {"fruit-1": ("apple",)}
    assert "arcades-9" not in on_tiles(game)


@pytest.mark.rule("30.15")
def test_fruit_stays_with_the_buyer_who_gives_the_tile_to_dirk() -> None:
    game = carrying(orchards(2), "arcades-9", "apple")
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "plant_fruit", slot="fruit-1")
    play(game, "give_to_dirk arcades-9")
    assert on_board(game, 0) == {"fruit-1": ("apple",)}


@pytest.mark.rule("30.11")
def test_fruit_does_not_come_with_tiles_that_dirk_draws() -> None:
    game = orchards(2)
    market(game, **FULL)
    told = events_of(hold_scoring(game, 1), "dirk_received")
    assert told
    assert len(told[0]["tiles"]) == 6
    assert on_tiles(game) == {}


@pytest.mark.rule("30.8")
def test_fruit_does_not_come_back_with_a_tile_that_is_removed_added_or_swapped() -> None:
    game = orchards()
    alhambra(game, 0, {(1, 0): "arcades-9"})
    display(game, "gulden-1")
    assert not events_of(play(game, "remove arcades-9"), "fruit_planted")
    assert "arcades-9" not in on_tiles(game)


@pytest.mark.rule("30.21")
def test_fruit_moves_with_its_tile_when_market_spaces_are_swapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
    game = orchards(3, "example_porters")
    market(game, gulden="garden-11", denar="tower-12")
    game.module_state(Orchards).on_tiles = {"garden-11": "fig", "tower-12": "pear"}
    assert game.module_state(Porters).held[0]
    play(game, "swap_market market-gulden", items=("porter",))
    play(game, "swap_with market-denar")
    assert on_tiles(game) == {"garden-11": "fig", "tower-12": "pear"}


@pytest.mark.rule("30.22")
def test_fruit_of_a_tile_that_is_sunk_goes_back_into_the_supply_and_the_next_tile_draws_its_own() -> None:
    game = orchards(3, "characters")
    give(game, 1, "dancer")
    market(game, **FULL)
    game.module_state(Orchards).on_tiles = {"arcades-9": "fig"}
    draw(game, "fig")
    tower(game, "garden-11")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    events = play(game, "dance market-denar")
    assert events_of(events, "fruit_returned") == [{"tile": "arcades-9", "piece": "fig"}]
    assert set(on_tiles(game)) == {game.state.market[2]} == {"garden-11"}
    assert fruits_of(game) == Counter(ALL_FRUITS)


@pytest.mark.rule("30.19", "18.31")
def test_fruit_does_not_come_with_a_tile_that_is_claimed() -> None:
    game = orchards(3, "power_of_the_sultan")
    held(game, 1, "sultan_denar_1", "tower")
    market(game, gulden="garden-10", dirham="garden-11", dukat="tower-12")
    tower(game, "tower-11", "pavilion-8")
    display(game, "dukat-1")
    take_turn(game)
    events = play(game, "claim", piece="sultan_denar_1")
    assert not events_of(events, "fruit_planted")
    assert asked(game) == ("place_now", 1)
    play(game, "reserve tower-11")
    assert set(on_tiles(game)) == {"pavilion-8"}


@pytest.mark.rule("30.24")
def test_fruit_comes_with_what_the_vizier_buys_before_the_tile_is_placed() -> None:
    game = carrying(orchards(3, "viziers_favour"), "arcades-9", "orange")
    hand(game, 1, "denar-9")
    market(game, **{**FULL, "denar": "arcades-9"})
    display(game, "dukat-1")
    take_turn(game)
    assert asked(game) == ("window", 1)
    play(game, "buy market-denar denar-9")
    assert asked(game) == ("plant_fruit", 1)
    play(game, "plant_fruit", slot="fruit-1")
    assert asked(game) == ("place_now", 1)


@pytest.mark.rule("30.24", "41.20")
def test_fruit_is_gone_from_a_tile_that_is_sold_from_a_personal_market() -> None:
    game = orchards(3, "personal_building_market")
    own = ["arcades-9" if currency == "denar" else "" for currency in PLACES]
    tower(game, "arcades-9")
    game.state.tower = game.state.tower[:-1]
    game.module_state(Markets).lying = (("",) * 4, tuple(own), ("",) * 4)
    hand(game, 0, "denar-9")
    play(game, "buy denar-9", slot="personal-1-denar")
    assert asked(game) == ("action", 0)
    assert on_board(game, 0) == {}


@pytest.mark.rule("30.16")
def test_fruit_of_a_leftover_tile_goes_to_its_recipient_even_if_the_tile_is_left() -> None:
    game = orchards()
    market(game, denar="arcades-9")
    game.module_state(Orchards).on_tiles = {"arcades-9": "apple"}
    draw(game, "apple")
    hand(game, 2, "denar-9")
    end_game(game)
    assert asked(game) == ("plant_fruit", 2)
    assert "arcades-9" in on_tiles(game)
    events = play(game, "plant_fruit", slot=next(move.slot for move in game.moves()))
    assert asked(game) == ("leftover_tiles", 2)
    events = play(game, "leave arcades-9")
    assert game.over
    assert fruits_of(game) == Counter(ALL_FRUITS)
    assert not points(events, "orchard_spare")


@pytest.mark.rule("30.17")
def test_fruit_of_a_leftover_tile_that_nobody_receives_stays_on_it_and_is_worth_nothing() -> None:
    game = orchards()
    market(game, denar="arcades-9")
    game.module_state(Orchards).on_tiles = {"arcades-9": "apple"}
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-9")
    events = end_game(game)
    assert game.over
    assert on_tiles(game) == {"arcades-9": "apple"}
    assert not points(events, "orchard_group")
    assert not points(events, "orchard_spare")


@pytest.mark.rule("30.27")
def test_fruit_is_boxed_with_a_tile_whose_buyer_resigns_before_planting() -> None:
    game = carrying(orchards(4), "arcades-9", "apple")
    display(game, "dukat-9")
    play(game, "buy market-denar denar-9")
    assert asked(game) == ("plant_fruit", 0)
    events = game.resign(0)
    assert not events_of(events, "bonus_action"), "what it paid exactly grants it nothing any more"
    assert game.state.seats[0].hand == ()
    assert "dukat-9" in game.state.display
    assert asked(game) == ("action", 1)
    assert on_tiles(game).get("arcades-9") is None
    assert on_board(game, 0) == {}
    assert "apple" in game.state.box
    assert fruits_of(game) == Counter(ALL_FRUITS)


# -- Scoring -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("30.9", "30.12")
def test_complete_groups_and_fruits_beside_the_board_count_at_the_end() -> None:
    """Worked example T1: groups 1, 2 and 11 complete, 4, 7 and 16 incomplete, two face-down fruits: 16 points."""
    game = orchards()
    groups = {1: FIRST[1], 2: FIRST[2], 11: FIRST[11], 4: FIRST[4][1:], 7: FIRST[7][:2]}
    planted(game, 0, groups, spare=("apple", "grapes"))
    events = end_game(game)
    lines = [line for line in events_of(events, "scored") if line["reason"].startswith("orchard")]
    assert [(line["seat"], line.get("slot", ""), line["points"]) for line in lines] == [
        *((0, "fruit-1", 1), (0, "fruit-2", 2), (0, "fruit-11", 11), (0, "", 2)),
    ]
    assert {line["frame"] for line in lines} == {"S4"}


@pytest.mark.rule("30.10")
@pytest.mark.parametrize("number", [1, 2])
def test_nothing_counts_before_the_end(number: int) -> None:
    game = orchards()
    planted(game, 0, {1: FIRST[1]}, spare=("apple",))
    events = hold_scoring(game, number)
    assert not points(events, "orchard_group")
    assert not points(events, "orchard_spare")


@pytest.mark.rule("30.28")
def test_a_seat_that_resigned_gets_nothing_for_its_orchard() -> None:
    game = orchards(4)
    planted(game, 1, {1: FIELDS["fruit_board_2"][1]}, spare=("apple",))
    game.resign(1)
    events = end_game(game)
    assert not points(events, "orchard_group")
    assert not points(events, "orchard_spare")


def oracle(board: str, fruits: dict[int, list[str]], spare: int) -> int:
    """From the page alone: every completely filled group gives its printed points, every face-down fruit one."""
    filled: list[int] = [
        group for group, fields in FIELDS[board].items() if sorted(fruits.get(group, [])) == sorted(fields)
    ]
    return sum(filled) + spare


@pytest.mark.rule("30.9")
def test_scores_agree_with_the_page_on_random_orchards() -> None:
    rng = Random(30)
    for _ in range(150):
        game = orchards(4)
        game.module_state(Orchards).supply = tuple(ALL_FRUITS) * 4
        expected = {}
        for seat, board in enumerate(game.module_state(Orchards).boards):
            share = rng.choice((0.5, 0.9, 1.0))
            own = {group: [f for f in fields if rng.random() < share] for group, fields in FIELDS[board].items()}
            spare = tuple(rng.choices(PRINTED["fruits"], k=rng.randrange(4)))
            planted(game, seat, own, spare)
            expected[seat] = oracle(board, own, len(spare))
        game.events = []
        score_orchards(game, 3)
        assert game.scores == tuple(expected.values())


def test_every_fruit_can_be_planted_in_three_groups_of_an_empty_board() -> None:
    for fruit in PRINTED["fruits"]:
        game = carrying(orchards(), "arcades-9", fruit)
        play(game, "buy market-denar denar-9")
        assert len(list(game.moves())) == 3
        assert all(legal(game, "plant_fruit", slot=move.slot) for move in game.moves())


# -- Nothing is hidden but what will be drawn --------------------------------------------------------------------------


@pytest.mark.rule("30.25")
def test_two_games_with_other_fruits_to_come_look_the_same_to_everybody() -> None:
    game = table(modules=["orchards"], dealt=True)
    for viewer in (None, 0, 1, 2):
        sample = game.determinize(viewer, Random(5))
        assert sample.view(viewer) == game.view(viewer)
        assert sample.module_state(Orchards) == game.module_state(Orchards)


@pytest.mark.rule("30.25")
def test_what_is_drawn_next_does_not_follow_from_what_lies_in_the_supply() -> None:
    game = table(modules=["orchards"], dealt=True)
    drawn = set()
    for number in range(20):
        sample = game.determinize(0, Random(number))
        market(sample, **dict(zip(CURRENCIES[:3], ("garden-10", "garden-11", "tower-12"), strict=True)))
        sample.module_state(Orchards).on_tiles = {}
        tower(sample, "arcades-9")
        take_turn(sample)
        drawn.add(on_tiles(sample)["arcades-9"])
    assert len(drawn) > 3


def test_an_unknown_group_is_refused_without_a_change() -> None:
    game = carrying(orchards(), "arcades-9", "apple")
    play(game, "buy market-denar denar-9")
    with pytest.raises(IllegalMove):
        play(game, "plant_fruit", slot="fruit-3")


@pytest.mark.rule("30.3")
def test_chance_decides_which_board_each_seat_is_dealt_and_everybody_is_told() -> None:
    dealt = set()
    for number in range(10):
        game = Game.new(Options(3, f"orchards {number}", modules=["orchards"]))
        boards = game.module_state(Orchards).boards
        assert len(set(boards)) == 3
        told = [event.public for event in game.events if event.kind == "fruit_board_dealt"]
        assert told == [{"seat": seat, "piece": board} for seat, board in enumerate(boards)]
        dealt.add(boards)
    assert len(dealt) > 1
