"""The purchase table, cell by cell: a game in which the purchase can be made, and what the column says tried in it.

A helper or a variation (treasure, carpenter, watchtower, patron …) is accepted where the table has a dot, and refused
elsewhere although the same purchase without it is legal. An effect (further action, coins, scout, key …) follows where
the table has a dot, and does not follow elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from alhambra import Event, Game, Move
from alhambra.modules.gates_without_end import Gates
from alhambra.modules.invaders import SCOUTS, Invaders
from tests.rules.interactions.deals import DEALS, Deal, distributed, to_window
from tests.rules.interactions.purchase_table import COLUMNS, TABLE
from tests.rules.modules.characters_table import give
from tests.rules.modules.craftsmen_table import lay_before
from tests.rules.modules.handymen_table import post
from tests.rules.modules.powers_table import WEALTH, put_die
from tests.rules.situations import kinds, tower

QUESTIONS = {"ground_building", "site_marker", "remark", "mark", "attach_extension", "save_certificate", "fresh_choice"}
"""What the buyer may be asked before the purchase is over."""
MODULES = {
    "11": "change",
    "24": "exchange_certificates",
    "34": "fresh_colours",
    "42": "treasures",
    "C": "travelling_craftsmen",
    "W": "buildings_of_power",
    "H": "handymen",
    "22": "watchtowers",
    "23": "building_sites",
    "P": "characters",
    "M": "travelling_craftsmen",
    "V": "viziers_favour",
    "S": "invaders",
    "K": "gates_without_end",
}
"""By column: the module that it is about."""
SITE_OUTRIGHT = 8
"""What the arcades of the site start cost as a whole."""

# -- Effects: they follow from a purchase, or they do not --------------------------------------------------------------


def bought(game: Game, move: Move) -> tuple[list[Event], set[str]]:
    """Makes the purchase and answers what the buyer is asked until it is over: the events and the questions."""
    asked: set[str] = set()
    events = [*game.apply(move)]
    while game.decision is not None and game.decision.kind in QUESTIONS:
        asked.add(game.decision.kind)
        events += game.apply(next(game.moves()))
    return events, asked


def exactly(deal: Deal, game: Game) -> tuple[list[Event], set[str]]:
    return bought(game, deal.move(game, deal.price))


def overpaid(deal: Deal, game: Game) -> tuple[list[Event], set[str]]:
    """Pays 2 too much; nothing happens where that is refused."""
    move = deal.move(game, deal.price + 2)
    return ([], set()) if game.verify(move) else bought(game, move)


def further_action(deal: Deal) -> bool:
    events, _ = exactly(deal, deal.table())
    return "bonus_action" in kinds(events)


def coins(deal: Deal) -> bool:
    events, _ = overpaid(deal, deal.table("change"))
    return "coins_drawn" in kinds(events)


def certificate(deal: Deal) -> bool:
    _, asked = overpaid(deal, deal.table("exchange_certificates"))
    return "save_certificate" in asked


def colours(deal: Deal) -> bool:
    _, asked = overpaid(deal, deal.table("fresh_colours"))
    return "fresh_choice" in asked


def scout(deal: Deal) -> bool:
    game = deal.table("invaders")
    game.module_state(Invaders).open, game.module_state(Invaders).scouts = tuple(SCOUTS), ()
    events, _ = exactly(deal, game)
    return "scout_won" in kinds(events)


def key(deal: Deal) -> str:
    game = deal.table("gates_without_end")
    events, _ = exactly(deal, game)
    if "key_gained" not in kinds(events):
        return ""
    return "deferred" if game.module_state(Gates).waiting[deal.seat] else "●"


# -- Helpers and variations: they are accepted, or refused -------------------------------------------------------------


def accepted(deal: Deal, game: Game, amount: int, **nouns: object) -> bool:
    """Whether the purchase is legal for an amount with something added; without it and for its price it must be."""
    assert not game.verify(deal.move(game, deal.price)), "the purchase itself is refused"
    return not game.verify(deal.move(game, amount, **nouns))


def treasure(deal: Deal) -> bool:
    return accepted(deal, deal.table("treasures"), max(0, deal.price - 2), items=("treasure-2",))


def carpenter(deal: Deal) -> bool:
    game = deal.table("travelling_craftsmen")
    lay_before(game, deal.seat, "carpenter")
    return accepted(deal, game, max(0, deal.price - 1), items=("carpenter:1",))


def white_die(deal: Deal) -> bool:
    game = deal.table("buildings_of_power")
    tower(game, WEALTH)
    game.state.tower = game.state.tower[:-1]
    board = game.board(deal.seat)
    board.place(game.ruleset.tiles[WEALTH], *board.legal_cells(game.ruleset.tiles[WEALTH])[0])
    game.state.seats[deal.seat].board = board
    put_die(game, deal.seat, WEALTH, 3)
    return accepted(deal, game, max(0, deal.price - 1), items=(f"white_die:{WEALTH}",))


def handymen(deal: Deal) -> bool:
    game = deal.table("handymen")
    post(game, deal.seat, "denar")
    return accepted(deal, game, max(0, deal.price - 1), items=("handyman:-1",))


def watchtower(deal: Deal) -> bool:
    return accepted(deal, deal.table("watchtowers"), deal.price + 6, choice="watchtower")


def site(deal: Deal) -> bool:
    return accepted(deal, deal.table("building_sites"), deal.price // 2, choice="site")


def patron(deal: Deal) -> bool:
    game = deal.table("characters")
    give(game, deal.seat, "rich_patron")
    return accepted(deal, game, deal.price, items=("rich_patron",), cards=())


def coiner(deal: Deal) -> bool:
    game = deal.table("travelling_craftsmen")
    lay_before(game, deal.seat, "coiner")
    return accepted(deal, game, max(0, deal.price - 1), items=("coiner",), display=("denar-1",))


def vizier(deal: Deal) -> bool:
    """Whether seat 1 can do it with its vizier, after the turn of seat 0. What is not done in a turn is not done with
    a vizier either: it leaves him awake."""
    if not deal.in_turn:
        events, _ = exactly(deal, deal.table("viziers_favour"))
        return "vizier_slept" in kinds(events)
    game = deal.table("viziers_favour", reach=to_window, seat=1)
    return not game.verify(deal.move(game, deal.price))


TRIED: dict[str, Callable[[Deal], bool | str]] = {
    "B": further_action,
    "11": coins,
    "24": certificate,
    "34": colours,
    "42": treasure,
    "C": carpenter,
    "W": white_die,
    "H": handymen,
    "22": watchtower,
    "23": site,
    "P": patron,
    "M": coiner,
    "V": vizier,
    "S": scout,
    "K": key,
}
"""By column: whether it applies to a purchase."""
WORDS = {"never": "", "sum ≤ number": "●", "o>0": "●"}
"""What the words of the table mean for a payment of exactly the price, or 2 more."""
CELLS = [(name, column) for name in DEALS for column in COLUMNS if TABLE[name][column] != "–"]


@pytest.mark.rule(
    "01.22",
    "01.24",
    "01.31",
    "01.8",
    "07.37",
    "08.21",
    "11.18",
    "11.24",
    "13.25",
    "15.20",
    "16.20",
    "16.23",
    "19.35",
    "22.35",
)
@pytest.mark.rule(
    "99.33", "99.55", "99.57", "99.58", "34.19", "34.20", "37.32", "37.33", "38.24", "39.29", "40.21", "41.17", "42.12"
)
@pytest.mark.parametrize(("name", "column"), CELLS, ids=lambda value: value.replace(" ", "_"))
def test_a_column_applies_to_a_purchase_where_the_table_has_a_dot(name: str, column: str) -> None:
    found = TRIED[column](DEALS[name])
    printed = TABLE[name][column]
    assert ("●" if found is True else found or "") == WORDS.get(printed, printed)


def test_every_purchase_of_the_table_is_tried() -> None:
    assert [*DEALS, "final distribution"] == [*TABLE]
    assert tuple(TRIED) == COLUMNS


@pytest.mark.rule("99.50", "99.55", "23.4")
def test_a_site_start_is_never_exact_even_if_the_whole_price_is_paid() -> None:
    deal = DEALS["site start"]
    game = deal.table()
    events, _ = bought(game, deal.move(game, SITE_OUTRIGHT))
    assert "bonus_action" not in kinds(events)


@pytest.mark.rule("99.57", "23.38", "34.20")
def test_a_site_start_for_exactly_the_half_brings_no_colours() -> None:
    deal = DEALS["site start"]
    _, asked = exactly(deal, deal.table("fresh_colours"))
    assert "fresh_choice" not in asked


@pytest.mark.rule("99.57", "39.5")
def test_an_extension_grants_a_further_action_up_to_its_number_and_not_beyond() -> None:
    deal = DEALS["extension"]
    for amount, granted in ((deal.price - 1, True), (deal.price, True), (deal.price + 1, False)):
        game = deal.table()
        events, _ = bought(game, deal.move(game, amount))
        assert ("bonus_action" in kinds(events)) == granted


@pytest.mark.rule("99.57", "99.84")
def test_the_final_distribution_has_no_effect_of_any_column() -> None:
    assert not any(TABLE["final distribution"].values())
    events = distributed(*dict.fromkeys(MODULES.values()))
    assert "game_ended" in kinds(events)
    effects = {"bonus_action", "coins_drawn", "scout_won", "key_gained", "vizier_slept", "character_used"}
    assert not effects & {*kinds(events)}
    ending = events[kinds(events).index("end_began") :]
    assert {event.public["decision"] for event in ending if event.kind == "decision_opened"} == {"leftover_tiles"}
