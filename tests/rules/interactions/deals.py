"""Every way to get something, set up so that it can be done now: one for each purchase of the purchase table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from alhambra import Event, Game, Move
from alhambra.modules.bazaars import CURRENCY as COIN_OF_BAZAAR
from alhambra.modules.new_building_grounds import Columns
from tests.rules.interactions.story import go_on
from tests.rules.modules.building_sites_table import lay_site
from tests.rules.modules.characters_table import turned_up_next
from tests.rules.modules.extensions_table import lay as lay_extensions
from tests.rules.modules.falconers_table import GARDEN_TOWER
from tests.rules.modules.gates_without_end_table import facing, give_key
from tests.rules.modules.personal_market_table import stall
from tests.rules.modules.power_of_the_sultan_table import beside as sultan_card
from tests.rules.modules.power_of_the_sultan_table import held as sultan_card_of
from tests.rules.situations import alhambra, beside, deck, display, end_game, hand, market, own, play, table, tower

MARKET = {"gulden": "tower-11", "dirham": "seraglio-7-w", "denar": "arcades-8-e", "dukat": "chambers-5-nsw"}
"""A market with nothing to refill; what is bought there lies on the denar space."""
COMING = "gulden-1 gulden-2 gulden-3 gulden-4 gulden-5 gulden-6 gulden-7 gulden-8"
RICH = "denar-9 denar-8"
BAZAAR = next(bazaar for bazaar, currency in COIN_OF_BAZAAR.items() if currency == "denar")


def denars(amount: int) -> str:
    """Cards of this value together."""
    nines, rest = divmod(amount, 9)
    return " ".join([*["denar-9"] * nines, *([f"denar-{rest}"] if rest else [])])


def one_card(amount: int) -> str:
    return f"denar-{amount}" if amount else ""


def three_cards(amount: int) -> str:
    """Two guldens and a dirham of this value together, as far as three cards can have it."""
    return f"gulden-{min(9, amount - 5)} gulden-1 dirham-{max(4, amount - 10)}"


def nothing(_amount: int) -> str:
    return ""


# -- How the moment comes ----------------------------------------------------------------------------------------------


def at_once(_game: Game) -> None:
    """The seat to move is at its action."""


def to_window(game: Game) -> None:
    """Seat 0 takes money; seat 1 is asked for its vizier."""
    play(game, "take_money dukat-6")
    go_on(game, "window")


def to_gate(bonus: str) -> Callable[[Game], None]:
    """Seat 0 uses a key that brings it this bonus."""

    def reach(game: Game) -> None:
        key, rotation = facing(game, 0, bonus)
        give_key(game, 0, key)
        play(game, "take_money dukat-6")
        go_on(game, "after")
        play(game, "use_key")
        play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
        assert game.decision is not None
        assert game.decision.context["choice"] == bonus

    return reach


def to_paying_a_bid(game: Game) -> None:
    """Seat 1 has won a character for 8."""
    hand(game, 1, RICH)
    turned_up_next(game, "city_watch")
    play(game, "take_money dukat-6")
    go_on(game, "auction")
    play(game, "bid", amount=8)
    go_on(game, "pay_bid")


def to_claim(game: Game) -> None:
    """Arcades are drawn, and seat 1 may claim them."""
    sultan_card_of(game, 1, "sultan_denar_1", "arcades")
    market(game, **{**MARKET, "denar": ""})
    tower(game, "arcades-8-e")
    play(game, "take_money dukat-6")
    go_on(game, "claim")


# -- What lies there ---------------------------------------------------------------------------------------------------


def on_the_market(tile: str) -> Callable[[Game, int], None]:
    def lay(game: Game, _seat: int) -> None:
        market(game, **{**MARKET, "denar": tile})

    return lay


def a_ground(game: Game, _seat: int) -> None:
    """A ground for 9; the uppermost building in its column are arcades."""
    kept = game.module_state(Columns)
    number = next(number for number, names in kept.columns.items() if "arcades" in names)
    kept.columns = {**kept.columns, 9: kept.columns[number], number: kept.columns[9]}
    market(game, **{**MARKET, "denar": "ground_9_1"})


def beside_the_market(**tiles: str) -> Callable[[Game, int], None]:
    def lay(game: Game, _seat: int) -> None:
        beside(game, **tiles)

    return lay


def a_sultan_card(game: Game, _seat: int) -> None:
    sultan_card(game, "sultan_denar_1", "arcades")


def five_types(game: Game, seat: int) -> None:
    """The buyer has five types built, so a card of the caravanserai, also a second one, costs 4."""
    own(game, seat, pavilion=1, chambers=1, arcades=1, garden=1, tower=1)


def a_site(game: Game, seat: int) -> None:
    """The buyer has arcades for 7 under construction, with a denar marker."""
    alhambra(game, seat, {(0, 1): "arcades-7-es"})
    lay_site(game, seat, "arcades-7-es", "denar")


def a_stall(game: Game, _seat: int) -> None:
    stall(game, 2, denar="arcades-8-e")
    market(game, **{**MARKET, "denar": "garden-10"})


def arcades_to_extend(game: Game, seat: int) -> None:
    """Arcades lie in the first column of the extensions, for 12; the buyer owns arcades."""
    lay_extensions(game, "pavilion arcades seraglio")
    alhambra(game, seat, {(0, 1): "arcades-7-es"})


def a_block(game: Game, seat: int) -> None:
    """The buyer has three buildings that meet the fountain in one point."""
    alhambra(game, seat, {(1, 0): "tower-11-n", (0, 1): "garden-10", (1, 1): "chambers-6-es"})


def nothing_more(_game: Game, _seat: int) -> None:
    """What is needed lies there anyway."""


# -- The purchases -----------------------------------------------------------------------------------------------------


class Deal(NamedTuple):
    """One way to get something."""

    modules: tuple[str, ...]
    price: int
    lay: Callable[[Game, int], None]
    nouns: Mapping[str, Any]
    verb: str = "buy"
    cards: Callable[[int], str] = denars
    """The cards that come to an amount."""
    reach: Callable[[Game], None] = at_once
    seat: int = 0
    """The seat that gets it."""

    @property
    def in_turn(self) -> bool:
        """Whether it is an action of the seat to move."""
        return self.reach is at_once

    def table(
        self, *modules: str, reach: Callable[[Game], None] | None = None, seat: int | None = None, seats: int = 3
    ) -> Game:
        """A game in which this can be done now, as soon as the seat has the money."""
        buyer = self.seat if seat is None else seat
        game = table(seats, modules=list(dict.fromkeys((*self.modules, *modules))))
        market(game, **MARKET)
        self.lay(game, buyer)
        display(game, "denar-1 dukat-2 dukat-3 dukat-6")
        deck(game, COMING)
        (reach or self.reach)(game)
        assert game.decision is not None
        assert game.decision.seat == buyer, game.decision
        return game

    def move(self, game: Game, amount: int, **nouns: Any) -> Move:
        """Gives the seat cards of this value; the move that pays with all of them."""
        assert game.decision is not None
        cards = tuple(sorted(self.cards(amount).split()))
        hand(game, game.decision.seat, *cards)
        return Move(self.verb, **{**self.nouns, **({"cards": cards} if cards else {}), **nouns})


SPACE = {"slot": "market-denar"}
DEALS = {
    "standard building": Deal((), 8, on_the_market("arcades-8-e"), SPACE),
    "magical building": Deal(("magical_buildings",), 11, on_the_market("magical_arcades"), SPACE),
    "ground": Deal(("new_building_grounds",), 9, a_ground, SPACE),
    "medina": Deal(("medina",), 7, on_the_market("medina_7"), SPACE),
    "camp": Deal(("military_camps",), 8, on_the_market("camp_NE"), SPACE),
    "bazaar": Deal(("bazaars",), 8, beside_the_market(bazaar=BAZAAR), {"slot": "bazaar", "tile": BAZAAR}),
    "bathhouse": Deal(
        *(("bathhouses",), 8, beside_the_market(beside_denar="bathhouse_1")),
        {"slot": "beside-denar", "tile": "bathhouse_1"},
    ),
    "well": Deal(
        *(("wishing_well",), 5, beside_the_market(beside_denar="well_5_1")),
        {"slot": "beside-denar", "tile": "well_5_1"},
    ),
    "sultan card": Deal(*(("power_of_the_sultan",), 7, a_sultan_card), {"slot": "sultan", "piece": "sultan_denar_1"}),
    "caravanserai card": Deal(*(("caravanserai",), 4, five_types), {"slot": "caravanserai", "piece": "caravanserai_3"}),
    "site start": Deal(("building_sites",), 4, nothing_more, {**SPACE, "choice": "site"}),
    "site completion": Deal(("building_sites",), 7, a_site, {"tile": "arcades-7-es"}, "complete_site"),
    "personal market": Deal(("personal_building_market",), 8, a_stall, {"slot": "personal-2-denar"}),
    "vizier purchase": Deal(("viziers_favour",), 8, nothing_more, SPACE, reach=to_window, seat=1),
    "key bonus": Deal(("gates_without_end",), 14, nothing_more, SPACE, reach=to_gate("buy_for_14")),
    "extension": Deal(("extensions",), 12, arcades_to_extend, {"slot": "extension-1-2"}, "extend", three_cards),
    "chests": Deal(("treasure_chamber",), 8, nothing_more, {"slot": "room-1"}, "buy_chests"),
    "falcon": Deal(
        *(("falconers",), 1, a_block),
        *({"piece": GARDEN_TOWER, "cell": (0, 0), "side": "SE"}, "buy_falcon", one_card),
    ),
    "project bid": Deal(("major_construction_projects",), 15, nothing_more, {}, "bid_project"),
    "square": Deal(("squares",), 0, nothing_more, {"slot": "square-arcades"}, "take_square", nothing),
    "plaza": Deal(
        ("gates_without_end",), 0, nothing_more, {"tile": "plaza_1"}, "take_plaza", nothing, to_gate("plaza")
    ),
    "character auction": Deal(("characters",), 8, nothing_more, {}, "pay", reach=to_paying_a_bid, seat=1),
    "sultan claim": Deal(
        *(("power_of_the_sultan",), 0, nothing_more, {"piece": "sultan_denar_1"}),
        *("claim", nothing, to_claim, 1),
    ),
}
"""By the name of the purchase table; the final distribution is nobody's move."""


def distributed(*modules: str) -> list[Event]:
    """The game ends with arcades left over on the denar space; seat 0 gets and builds them. The events."""
    game = table(3, modules=list(modules))
    market(game, denar="arcades-8-e")
    hand(game, 0, "denar-9")
    display(game, "dukat-6")
    deck(game, COMING)
    return [*end_game(game), *go_on(game, "leftover_tiles"), *play(game, "place arcades-8-e @1,0")]
