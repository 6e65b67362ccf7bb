"""20 The arts of the Moors: buildings of one price bring a culture tile, which is turned on action by action."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game, Move, Options
from alhambra.components import BASE_TILES, component_data
from alhambra.modules.arts_of_the_moors import Culture, score_culture
from alhambra.modules.personal_building_market import PLACES, Markets
from tests.rules.modules.characters_table import FULL, give
from tests.rules.modules.craftsmen_table import arrange
from tests.rules.modules.power_of_the_sultan_table import held
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
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
    tower,
)

PRINTED = {sort["id"]: sort for sort in component_data()["modules"]["arts_of_the_moors"]["data"]["tiles"]}
NINES = ("arcades-9", "seraglio-9", "chambers-9-w", "chambers-9-s", "garden-9-e", "tower-9-es", "tower-9-ne")


def moors(seats: int = 3, *others: str, **options: Any) -> Game:
    game = table(seats, modules=["arts_of_the_moors", *others], **options)
    market(game, gulden="garden-10", dirham="garden-11", denar="pavilion-8", dukat="tower-12")
    display(game, "dukat-1 dukat-2 gulden-1 denar-1")
    return game


def owning(game: Game, seat: int, *tiles: str) -> Game:
    """These tiles lie in the reserve of the seat, which counts like the Alhambra."""
    reserve(game, seat, *tiles)
    return game


def holding(game: Game, seat: int, **dials: tuple[int, int]) -> Game:
    """The seat has culture tiles, each turned so far and marked so far: `holding(game, 0, culture_9=(0, 1))`."""
    culture = game.module_state(Culture)
    culture.owned = (*culture.owned[:seat], dials, *culture.owned[seat + 1 :])
    culture.stacks = {name: left - (name in dials) for name, left in culture.stacks.items()}
    return game


def dials(game: Game, seat: int = 0) -> dict[str, tuple[int, int]]:
    return game.module_state(Culture).owned[seat]


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def offered(game: Game) -> list[str]:
    assert game.decision is not None
    assert game.decision.kind == "culture"
    return list(game.decision.context["pieces"])


# -- Taking ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("20.1", "20.3", "20.34")
def test_twenty_culture_tiles_lie_in_open_stacks() -> None:
    stacks = {piece["piece"]: piece.get("amount", 1) for piece in pieces(moors(), "arts_of_the_moors")}
    assert stacks == {name: sort["copies"] for name, sort in PRINTED.items()}
    assert sum(stacks.values()) == 20


@pytest.mark.rule("20.2")
def test_the_sections_are_as_the_page_lists_them() -> None:
    """Points and buildings of each section."""
    assert {
        name: " ".join(f"{s['value']}/{s['buildings']}" for s in sort["sections"]) for name, sort in PRINTED.items()
    } == {
        "culture_6": "0/2 1/2 2/2 3/3 4/3 5/4",
        "culture_7": "0/2 2/2 4/3 6/3 9/4 13/5",
        "culture_8": "0/2 2/2 5/3 9/4 14/5 20/6",
        "culture_9": "0/2 3/2 6/3 10/4 15/5 21/6",
        "culture_10": "0/2 3/2 5/2 8/3 11/3 15/4",
        "culture_11": "0/2 3/2 5/2 7/3 10/3 14/4",
        "culture_12": "0/2 2/2 4/2 6/3 8/3 10/3",
    }


@pytest.mark.rule("20.4", "20.7", "20.21", "20.30", "20.31", "20.34", "20.38")
def test_two_buildings_of_a_price_bring_a_tile_which_is_developed_as_far_as_its_marker() -> None:
    """Worked example T1."""
    game = owning(moors(), 0, "arcades-9", "seraglio-9")
    take_turn(game)
    assert offered(game) == ["culture_9"]
    events = play(game, "take_culture culture_9")
    assert events_of(events, "culture_marked") == [{"seat": 0, "piece": "culture_9", "amount": 3}]
    assert dials(game) == {"culture_9": (0, 1)}
    assert game.view(None)["slices"]["arts_of_the_moors"] == {"points": [0, 0, 0]}
    take_turn(game)
    take_turn(game)
    play(game, "develop_culture")
    assert game.view(None)["slices"]["arts_of_the_moors"] == {"points": [3, 0, 0]}
    take_turn(game)
    take_turn(game)
    assert codes(refused(game, "develop_culture")) == ["NO_EFFECT"]
    owning(game, 0, "arcades-9", "seraglio-9", "garden-9-e")
    take_turn(game)
    assert dials(game) == {"culture_9": (1, 2)}
    take_turn(game)
    take_turn(game)
    assert legal(game, "develop_culture")


@pytest.mark.rule("20.22", "20.24")
def test_prices_12_and_13_are_the_same() -> None:
    """Worked example T2."""
    game = moors()
    market(game, gulden="garden-10", dirham="garden-11", denar="pavilion-8", dukat="arcades-9")
    owning(game, 0, "tower-12", "tower-13-e")
    take_turn(game)
    assert offered(game) == ["culture_12"]


@pytest.mark.rule("20.11", "20.23")
def test_developing_turns_only_what_is_not_blocked() -> None:
    """Worked example T3."""
    game = holding(moors(), 0, culture_8=(1, 1), culture_9=(0, 1))
    events = play(game, "develop_culture")
    assert events_of(events, "culture_turned") == [{"seat": 0, "pieces": ("culture_9",)}]
    assert dials(game) == {"culture_8": (1, 1), "culture_9": (1, 1)}


@pytest.mark.rule("20.11")
def test_developing_is_an_action() -> None:
    game = holding(moors(), 0, culture_9=(0, 1))
    play(game, "develop_culture")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("20.5")
def test_alhambra_and_reserve_count_together() -> None:
    game = owning(moors(), 0, "arcades-9")
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    take_turn(game)
    assert offered(game) == ["culture_9"]


@pytest.mark.rule("20.26")
def test_all_prices_are_asked_about_at_once_and_taking_is_optional() -> None:
    game = owning(moors(), 0, "arcades-9", "seraglio-9", "arcades-8-n", "arcades-8-e", "pavilion-7-e", "pavilion-6-n")
    take_turn(game)
    assert offered(game) == ["culture_8", "culture_9"]
    play(game, "take_culture culture_9")
    assert offered(game) == ["culture_8"]
    play(game, "pass")
    assert asked(game) == ("action", 1)
    take_turn(game)
    take_turn(game)
    take_turn(game)
    assert offered(game) == ["culture_8"], "it is offered again at the end of the next turn"


@pytest.mark.rule("20.4", "20.6", "20.38")
def test_why_a_tile_cannot_be_taken() -> None:
    game = owning(moors(), 0, "arcades-9", "seraglio-9", "arcades-8-n", "pavilion-7-e", "seraglio-7-w")
    holding(game, 0, culture_7=(0, 1))
    take_turn(game)
    assert codes(refused(game, "take_culture culture_7")) == ["LIMIT_REACHED"]
    found = refused(game, "take_culture culture_8")
    assert fact(found, "CONDITION_UNMET") == {"what": "equal_prices", "need": 2, "have": 1}
    assert codes(refused(game, "take_culture", piece="culture_5")) == ["ID_UNKNOWN"]


@pytest.mark.rule("20.27")
def test_an_empty_stack_gives_nothing_and_is_not_asked_about() -> None:
    game = owning(moors(), 0, "arcades-9", "seraglio-9")
    game.module_state(Culture).stacks = {**game.module_state(Culture).stacks, "culture_9": 0}
    take_turn(game)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("20.18")
@pytest.mark.parametrize(
    ("module", "tiles"),
    [
        ("magical_buildings", ("magical_tower", "magical_garden")),
        ("magical_buildings", ("magical_pavilion", "seraglio-9")),
        ("magical_buildings", ("magical_chambers", "tower-13-e")),
        ("medina", ("medina_9", "seraglio-9")),
        ("new_building_grounds", ("ground_9_1", "ground_9_2")),
        ("new_building_grounds", ("ground_9_1", "seraglio-9")),
    ],
)
def test_only_buildings_of_the_base_game_count(module: str, tiles: tuple[str, ...]) -> None:
    game = owning(moors(3, module), 0, *tiles)
    if module == "new_building_grounds":
        game.state.types = {"ground_9_1": "garden", "ground_9_2": "tower"}
    take_turn(game)
    assert asked(game)[0] == "action"


@pytest.mark.rule("20.17")
def test_a_building_under_a_site_does_not_count_before_it_is_finished() -> None:
    game = owning(moors(), 0, "arcades-9", "seraglio-9")
    game.state.covered = ("arcades-9",)
    take_turn(game)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("20.33")
def test_a_building_given_to_dirk_does_not_count() -> None:
    game = owning(moors(2), 0, "seraglio-9")
    market(game, denar="arcades-9", gulden="garden-10", dirham="garden-11", dukat="tower-12")
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "give_to_dirk arcades-9")
    assert asked(game) == ("action", 1)


# -- Marking -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("20.8", "20.10", "20.29")
@pytest.mark.parametrize("count", range(2, 8))
def test_the_marker_lies_on_the_best_section_that_the_buildings_reach(count: int) -> None:
    game = owning(moors(), 0, *NINES[:count])
    take_turn(game)
    play(game, "take_culture culture_9")
    sections = PRINTED["culture_9"]["sections"]
    best = max(section["value"] for section in sections if section["buildings"] <= count)
    assert sections[dials(game)["culture_9"][1]]["value"] == best


@pytest.mark.rule("20.28")
def test_the_marker_never_moves_back() -> None:
    game = holding(owning(moors(), 0, "arcades-9"), 0, culture_9=(2, 3))
    take_turn(game)
    assert dials(game) == {"culture_9": (2, 3)}


@pytest.mark.rule("20.28")
def test_a_building_sold_from_the_personal_market_leaves_the_marker_where_it_is() -> None:
    game = holding(moors(3, "personal_building_market"), 1, culture_9=(0, 1))
    tower(game, "arcades-9")
    game.state.tower = game.state.tower[:-1]
    own = tuple("arcades-9" if currency == "denar" else "" for currency in PLACES)
    game.module_state(Markets).lying = (("",) * 4, own, ("",) * 4)
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy denar-9 denar-1", slot="personal-1-denar")
    play(game, "place arcades-9 @1,0")
    assert dials(game, 1) == {"culture_9": (0, 1)}
    assert asked(game) == ("action", 1)


@pytest.mark.rule("20.9")
def test_the_end_of_the_turn_marks_what_was_bought_in_it() -> None:
    game = holding(owning(moors(), 0, "seraglio-9", "garden-9-e"), 0, culture_9=(0, 1))
    market(game, denar="arcades-9", gulden="garden-10", dirham="garden-11", dukat="tower-12")
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy market-denar denar-1 denar-9")
    assert dials(game) == {"culture_9": (0, 1)}
    play(game, "reserve arcades-9")
    assert dials(game) == {"culture_9": (0, 2)}


@pytest.mark.rule("20.32")
def test_culture_comes_after_redesigns_at_the_end_of_the_turn() -> None:
    game = owning(moors(3, "characters"), 0, "arcades-9", "seraglio-9")
    give(game, 0, "master_builder")
    take_turn(game)
    assert asked(game) == ("late", 0)
    play(game, "pass")
    assert asked(game) == ("culture", 0)


# -- Out of turn -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("20.15", "20.35", "20.38", "01.30")
def test_what_the_vizier_bought_leads_to_a_tile_of_its_price_at_once_and_of_no_other() -> None:
    game = owning(moors(3, "viziers_favour"), 1, "seraglio-9", "arcades-8-n", "arcades-8-e")
    market(game, denar="arcades-9", gulden="garden-10", dirham="garden-11", dukat="tower-12")
    hand(game, 1, "denar-9")
    take_turn(game)
    play(game, "buy market-denar denar-9")
    assert asked(game) == ("place_now", 1)
    play(game, "place arcades-9 @1,0")
    assert asked(game) == ("culture", 1)
    assert offered(game) == ["culture_9"]
    assert codes(refused(game, "take_culture culture_8")) == ["NOT_ELIGIBLE"]
    play(game, "take_culture culture_9")
    assert dials(game, 1) == {"culture_9": (0, 1)}


@pytest.mark.rule("20.35")
def test_a_price_that_was_declined_at_the_end_of_a_turn_waits_for_the_next_own_one() -> None:
    game = owning(moors(3, "viziers_favour"), 0, "seraglio-9", "arcades-8-n")
    market(game, denar="arcades-9", gulden="garden-10", dirham="garden-11", dukat="tower-12")
    hand(game, 0, "denar-9 denar-3")
    tower(game, "pavilion-8")
    play(game, "buy market-denar denar-3 denar-9")
    play(game, "reserve arcades-9")
    assert offered(game) == ["culture_9"]
    play(game, "pass")
    while asked(game) != ("action", 1):
        play(game, "pass")
    hand(game, 0, "denar-8")
    take_turn(game)
    while asked(game) != ("window", 0):
        play(game, "pass")
    play(game, "buy market-denar denar-8")
    play(game, "reserve pavilion-8")
    assert offered(game) == ["culture_8"], "the price of the building just received, and no other"


@pytest.mark.rule("20.35")
def test_a_price_that_was_declined_out_of_turn_waits_for_the_own_turn() -> None:
    game = owning(moors(3, "power_of_the_sultan"), 2, "seraglio-9", "arcades-8-n")
    held(game, 2, "sultan_denar_1", "garden")
    held(game, 2, "sultan_denar_2", "pavilion")
    market(game, gulden="garden-10", dukat="tower-12")
    tower(game, "garden-9-e", "tower-11", "pavilion-8", "garden-11")
    take_turn(game)
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-9-e")
    assert offered(game) == ["culture_9"]
    play(game, "pass")
    play(game, "claim", piece="sultan_denar_2")
    play(game, "reserve pavilion-8")
    assert offered(game) == ["culture_8"]


@pytest.mark.rule("20.33")
def test_a_building_of_the_vizier_that_goes_to_dirk_leads_to_nothing() -> None:
    game = owning(moors(2, "viziers_favour"), 1, "seraglio-9", "garden-9-e")
    market(game, denar="arcades-9", gulden="garden-10", dirham="garden-11", dukat="tower-12")
    hand(game, 1, "denar-9")
    take_turn(game)
    play(game, "buy market-denar denar-9")
    play(game, "give_to_dirk arcades-9")
    assert asked(game)[0] != "culture"
    assert game.module_state(Culture).received == ()


@pytest.mark.rule("18.22", "20.15")
def test_a_claimed_building_moves_the_marker_at_once() -> None:
    game = holding(owning(moors(3, "power_of_the_sultan"), 2, "seraglio-9", "arcades-9"), 2, culture_9=(0, 1))
    held(game, 2, "sultan_denar_1", "garden")
    market(game, gulden="garden-10", dirham="garden-11", dukat="tower-12")
    tower(game, "garden-9-e", "pavilion-8")
    take_turn(game)
    play(game, "claim", piece="sultan_denar_1")
    assert dials(game, 2) == {"culture_9": (0, 1)}
    events = play(game, "reserve garden-9-e")
    assert events_of(events, "culture_marked") == [{"seat": 2, "piece": "culture_9", "amount": 6}]


@pytest.mark.rule("20.36")
def test_an_own_claim_through_the_dancer_leads_to_a_tile_at_the_start_of_the_turn() -> None:
    game = owning(moors(3, "power_of_the_sultan", "characters"), 1, "seraglio-9")
    held(game, 1, "sultan_denar_1", "garden")
    give(game, 1, "dancer")
    market(game, **FULL | {"dirham": "garden-11", "denar": "pavilion-8"})
    tower(game, "garden-9-e", "pavilion-7-e")
    take_turn(game)
    assert asked(game) == ("start", 1)
    play(game, "dance market-denar")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-9-e")
    assert asked(game) == ("culture", 1)
    assert offered(game) == ["culture_9"]


@pytest.mark.rule("20.37")
@pytest.mark.parametrize("market_of_own", [False, True], ids=["alone", "with the personal market"])
def test_a_tile_that_the_brickmaker_lifted_leads_to_nothing_before_the_end_of_the_turn(market_of_own: bool) -> None:
    game = moors(3, "travelling_craftsmen", *["personal_building_market"] * market_of_own)
    arrange(game, "brickmaker carpenter", "coiner")
    market(game, denar="seraglio-9", gulden="garden-10", dirham="garden-11", dukat="tower-12")
    alhambra(game, 0, {(1, 0): "arcades-9"})
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "lay_brick seraglio-9 @1,0", items=("brickmaker",))
    assert asked(game) == ("place_now", 0)
    play(game, "place arcades-9 @0,1")
    assert asked(game) == ("culture", 0), "nothing is left to be placed"
    assert game.state.phase == "LATE"
    assert offered(game) == ["culture_9"]


@pytest.mark.rule("20.14")
def test_a_leftover_building_leads_to_nothing() -> None:
    game = owning(moors(), 1, "seraglio-9")
    market(game, denar="arcades-9")
    hand(game, 1, "denar-9")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 1)
    play(game, "place arcades-9 @1,0")
    assert game.over
    assert dials(game, 1) == {}


# -- Scoring -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("20.12")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_every_tile_brings_what_points_to_the_gem_in_every_scoring(number: int) -> None:
    game = holding(holding(moors(), 0, culture_8=(2, 3), culture_9=(1, 1)), 2, culture_9=(0, 1))
    market(game)
    events = hold_scoring(game, number)
    assert points(events, "culture") == {0: 5 + 3}
    assert {line["frame"] for line in events_of(events, "scored") if line["reason"] == "culture"} == {"S4"}


@pytest.mark.rule("20.41")
def test_the_tiles_of_a_seat_that_resigned_bring_nothing() -> None:
    game = holding(moors(4), 1, culture_9=(1, 1))
    game.resign(1)
    assert not points(hold_scoring(game, 1), "culture")


@pytest.mark.rule("20.13")
def test_dirk_has_no_culture_tiles() -> None:
    game = moors(2)
    dirk(game, "arcades-9", "seraglio-9")
    take_turn(game)
    assert asked(game) == ("action", 1)
    take_turn(game)
    assert asked(game) == ("action", 0)
    assert len(game.module_state(Culture).owned) == 2


@pytest.mark.rule("20.40")
def test_a_culture_tile_is_shown_with_its_rotation() -> None:
    game = holding(moors(), 0, culture_9=(1, 2))
    assert pieces(game, "arts_of_the_moors", 2, seat=0) == [
        {"kind": "culture", "seat": 0, "piece": "culture_9", "rotation": 60},
        {"kind": "culture_marker", "seat": 0, "piece": "culture_9", "rotation": 120},
    ]


class Page:
    """The page alone: six sections with points and squares, one marker, one gem."""

    def __init__(self, sort: str, buildings: int) -> None:
        self.sections = [(section["value"], section["buildings"]) for section in PRINTED[sort]["sections"]]
        self.gem = self.sections[0]
        assert self.gem[0] == 0
        self.marker = self.gem
        self.update(buildings)

    def update(self, buildings: int) -> None:
        squares = max(number for _, number in self.sections if number <= buildings)
        best = max(section for section in self.sections if section[1] == squares)
        self.marker = max(self.marker, best)

    def develop(self) -> None:
        if self.gem != self.marker:
            self.gem = self.sections[self.sections.index(self.gem) + 1]


@pytest.mark.rule("20.11", "20.29", "20.30")
def test_random_turns_agree_with_the_page() -> None:
    """Random buildings come and go, tiles are taken and developed; scores are those of the page."""
    rng = Random(20)
    prices = {
        name: [t.id for t in BASE_TILES.values() if t.price in s["prices_matched"]] for name, s in PRINTED.items()
    }
    for _ in range(40):
        game, pages = moors(), dict[str, Page]()
        market(game)
        for _turn in range(12):
            own = {name: rng.sample(tiles, rng.randrange(len(tiles) + 1)) for name, tiles in prices.items()}
            owning(game, 0, *(tile for tiles in own.values() for tile in tiles))
            if legal(game, "develop_culture") and rng.random() < 0.7:
                play(game, "develop_culture")
                for page in pages.values():
                    page.develop()
            else:
                assert any(page.gem != page.marker for page in pages.values()) == legal(game, "develop_culture")
                game.apply(next(move for move in game.legal_moves() if move.verb in ("take_money", "pass")))
            for name, page in pages.items():
                if len(own[name]) >= 2:
                    page.update(len(own[name]))
            while asked(game) == ("culture", 0):
                move = rng.choice(list(game.moves()))
                if move.piece is not None:
                    pages[move.piece] = Page(move.piece, len(own[move.piece]))
                game.apply(move)
            game = _again(game)
        game.events = []
        score_culture(game, 1)
        expected = sum(page.gem[0] for page in pages.values())
        assert points(game.events, "culture").get(0, 0) == expected


def _again(game: Game) -> Game:
    """The same table with seat 0 to move once more."""
    fresh = moors()
    market(fresh)
    fresh.module_state(Culture).owned = game.module_state(Culture).owned
    fresh.module_state(Culture).stacks = game.module_state(Culture).stacks
    return fresh


# -- Undo, orders ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("20.26", "00.118")
def test_taking_a_tile_can_be_taken_back() -> None:
    game = Game.new(Options(3, "culture", modules=["arts_of_the_moors"], undo="free_moves", confirm_turn=True))
    rng = Random(1)
    while asked(game)[0] != "culture":
        game.apply(game.random_move(rng))
    seat, before = asked(game)[1], game.state_bytes()
    game.apply(next(iter(game.moves())))
    game.undo(seat)
    assert game.state_bytes() == before


@pytest.mark.rule("20.26")
def test_a_standing_order_takes_everything_or_nothing() -> None:
    game = owning(moors(), 0, "arcades-9", "seraglio-9")
    take_turn(game)
    assert game.decision is not None
    orders = {order.answer: order for order in game.question().kind.orders}
    taking = [Move("take_culture", piece="culture_9"), Move("pass")]
    assert list(orders["take_all"].moves(game, game.decision)) == taking
    assert list(orders["pass"].moves(game, game.decision)) == [Move("pass")]
