"""Money items: which of them may lie in which payment, be handed over as a card, and count at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from alhambra import Game, Move
from alhambra.modules.master_builders import Builders
from tests.rules.interactions.deals import DEALS, Deal, denars
from tests.rules.interactions.money_table import BY_VALUE, CARD_DEMANDED, MONEY, hands_over, takes
from tests.rules.interactions.story import go_on
from tests.rules.modules.change_table import coins
from tests.rules.modules.characters_table import give
from tests.rules.modules.craftsmen_table import arrange
from tests.rules.modules.menagerie_table import LINE, put
from tests.rules.modules.test_caravanserai import give as give_caravan
from tests.rules.modules.test_exchange_certificates import save
from tests.rules.situations import alhambra, display, end_game, events_of, give_turn, hand, market, play, table

AMOUNT = "caravanserai_2"
"""A card of the caravanserai with denars on its track."""

# -- How a seat comes to each item -------------------------------------------------------------------------------------


class Item(NamedTuple):
    """A money item, worth some denars to a seat."""

    module: str
    """The module that brings it; for base money any module that changes nothing about it."""
    value: int
    nouns: dict[str, tuple[str, ...]]
    """The nouns of a move that lays it down."""
    own: Callable[[Game, int], None]
    """Gives it to a seat, as far as it is no card."""


def nothing(_game: Game, _seat: int) -> None:
    """Cards are given with the hand."""


def into_the_deck(game: Game, _seat: int) -> None:
    """The builder cards that are not in the game lie in the deck, from where a hand can be dealt."""
    kept = game.module_state(Builders)
    game.state.deck = (*kept.rest, *game.state.deck)
    game.state.piles = (game.state.piles[0] + len(kept.rest), *game.state.piles[1:])
    kept.rest = ()


def a_coin(game: Game, seat: int) -> None:
    coins(game, seat, "denar")


def an_amount(game: Game, seat: int) -> None:
    give_caravan(game, seat, **{AMOUNT: ("denar", 3)})


def a_certificate(game: Game, seat: int) -> None:
    save(game, seat, "denar", 3)


ITEMS = {
    "base money card": Item("diamonds", 3, {"cards": ("denar-3",)}, nothing),
    "diamond": Item("diamonds", 3, {"cards": ("diamond-3",)}, nothing),
    "builder card": Item("master_builders", 3, {"cards": ("builder-denar",)}, into_the_deck),
    "coin": Item("change", 1, {"items": ("coin-denar",)}, a_coin),
    "caravanserai amount": Item("caravanserai", 3, {"items": (AMOUNT,)}, an_amount),
    "certificate amount": Item("exchange_certificates", 3, {"items": ("certificate",)}, a_certificate),
    "treasure": Item("treasures", 3, {"items": ("treasure-3",)}, nothing),
    "bureau": Item("bureaux_de_change", 0, {"cards": ("exchange_gulden_denar",)}, nothing),
}


def paid(deal: Deal, game: Game, cards: str, **nouns: Any) -> Move:
    """The seat that is asked holds these cards and pays with all of them."""
    assert game.decision is not None
    hand(game, game.decision.seat, cards)
    held = tuple(sorted(cards.split()))
    return Move(deal.verb, **{**deal.nouns, **({"cards": held} if held else {}), **nouns})


def diamonds(amount: int) -> str:
    return f"diamond-{amount}" if amount <= 9 else f"diamond-{min(9, amount - 3)} diamond-{max(3, amount - 9)}"


# -- Payments by value -------------------------------------------------------------------------------------------------

PLAIN = ("builder card", "coin", "caravanserai amount", "certificate amount")


@pytest.mark.rule("99.44", "23.35", "24.23", "28.22", "13.21", "14.18", "19.26", "19.27", "01.25", "11.18")
@pytest.mark.parametrize("purchase", BY_VALUE)
@pytest.mark.parametrize("item", PLAIN)
def test_an_item_lies_beside_other_money_where_the_table_says_so(item: str, purchase: str) -> None:
    deal, own = DEALS[purchase], ITEMS[item]
    game = deal.table(own.module)
    own.own(game, deal.seat)
    assert not game.verify(deal.move(game, deal.price)), "the purchase itself is refused"
    cards = " ".join([denars(deal.price - own.value), *own.nouns.get("cards", ())])
    items = {"items": own.nouns["items"]} if "items" in own.nouns else {}
    assert (not game.verify(paid(deal, game, cards, **items))) == takes(item, purchase)


@pytest.mark.rule("99.47", "01.25", "06.6")
@pytest.mark.parametrize("purchase", BY_VALUE)
def test_diamonds_pay_for_everything_but_only_alone(purchase: str) -> None:
    deal = DEALS[purchase]
    game = deal.table("diamonds")
    assert takes("diamond", purchase)
    assert not game.verify(paid(deal, game, diamonds(deal.price)))
    mixed = game.verify(paid(deal, game, f"diamond-3 {denars(deal.price - 3)}"))
    assert [fault.code for fault in mixed] == ["MIX_FORBIDDEN"]


@pytest.mark.rule("99.46", "01.25", "02.19")
@pytest.mark.parametrize("purchase", BY_VALUE)
def test_a_bureau_mixes_two_currencies_where_a_currency_is_demanded_and_in_the_auction(purchase: str) -> None:
    deal = DEALS[purchase]
    game = deal.table("bureaux_de_change")
    mixed = f"gulden-2 {denars(deal.price - 2)}"
    if purchase not in ("chests", "key bonus"):
        assert game.verify(paid(deal, game, mixed)), "the currencies can be mixed without a bureau"
    move = paid(deal, game, f"{mixed} exchange_gulden_denar")
    assert (not game.verify(move)) == takes("bureau", purchase)


@pytest.mark.rule("99.44", "42.12")
def test_a_treasure_pays_for_neither_cards_nor_chests_nor_bids() -> None:
    assert MONEY["treasure"]["value payment"] == "price reduction, buildings only"
    for purchase in ("sultan card", "caravanserai card", "chests", "project bid", "character auction"):
        deal = DEALS[purchase]
        game = deal.table("treasures")
        assert game.verify(paid(deal, game, denars(deal.price - 3), items=("treasure-3",)))


@pytest.mark.rule("99.44", "99.59", "14.9")
def test_a_spent_builder_card_leaves_the_game_and_other_cards_are_discarded() -> None:
    deal = DEALS["standard building"]
    game = deal.table("master_builders")
    into_the_deck(game, 0)
    game.apply(paid(deal, game, "denar-5 builder-denar"))
    assert "builder-denar" in game.state.box
    assert game.state.discard == ("denar-5",)


# -- Where a card is demanded ------------------------------------------------------------------------------------------


def at_animals(module: str) -> Game:
    """Seat 0 has animals and is asked at the end of its turn."""
    game = table(3, modules=["menagerie", module])
    market(game, gulden="tower-11", dirham="seraglio-9", denar="arcades-10", dukat="chambers-10")
    display(game, "dukat-1 dukat-2 dukat-4 dukat-5")
    alhambra(game, 0, LINE)
    put(game, "garden-10", "dove")
    hand(game, 0, "denar-1")
    play(game, "take_money dukat-5")
    return game


def at_start(module: str, helper: str) -> Game:
    """Seat 0 begins its turn with a stonemason or a money changer; a denar lies open."""
    owner = "characters" if helper == "money_changer" else "travelling_craftsmen"
    game = table(3, modules=[owner, module])
    market(game, gulden="tower-11", dirham="seraglio-9", denar="arcades-10", dukat="chambers-10")
    display(game, "denar-1 dukat-2 dukat-6 dukat-7 dukat-9")
    if owner == "characters":
        give(game, 0, helper)
    else:
        arrange(game, f"{helper} carpenter")
    give_turn(game, 2)
    play(game, "take_money dukat-9")
    while game.decision is not None and game.decision.kind != "start":
        game.apply(next(game.moves()))
    return game


def handed_over(place: str, item: Item) -> tuple[Game, Move]:
    """A seat that may hand over a card, and the move in which the item stands for it."""
    nouns = dict(item.nouns)
    if place in ("falcon", "extension"):
        deal = DEALS[place]
        game = deal.table(item.module)
        move = Move(deal.verb, **deal.nouns)
        if place == "extension":
            nouns["cards"] = (*(card.replace("denar", "dirham") for card in nouns.get("cards", ())), *two_guldens())
    elif place == "animals":
        game, move = at_animals(item.module), Move("lead_animals")
    elif place == "stonemason":
        game = at_start(item.module, "stonemason")
        nouns["items"] = ("stonemason", *nouns.get("items", ()))
        if nouns.get("cards") == ("diamond-3",):
            display(game, "diamond-4")
        move = Move("cut_stone", display=(game.state.display[0],))
    else:
        game = at_start(item.module, "money_changer")
        move = Move("change_money", display=("denar-1",))
    item.own(game, 0)
    cards = tuple(sorted(nouns.pop("cards", ())))
    hand(game, 0, *cards)
    return game, move._replace(cards=cards, items=tuple(sorted(nouns.get("items", ()))))


def two_guldens() -> tuple[str, str]:
    """The cards that go with a dirham in the column of the extension."""
    return "gulden-2", "gulden-5"


@pytest.mark.rule("99.44", "99.45", "36.15", "14.19", "19.27", "21.28", "02.32", "06.20", "11.21")
@pytest.mark.parametrize("place", CARD_DEMANDED)
@pytest.mark.parametrize("item", ITEMS)
def test_a_card_that_is_demanded_is_money_with_a_back(item: str, place: str) -> None:
    game, move = handed_over(place, ITEMS[item])
    assert (not game.verify(move)) == hands_over(item, place)


# -- The final distribution --------------------------------------------------------------------------------------------


@pytest.mark.rule("99.44", "99.84", "14.12", "19.15", "02.12", "06.9", "11.12")
@pytest.mark.parametrize("item", ITEMS)
def test_leftover_tiles_go_to_the_richest_in_money_that_counts(item: str) -> None:
    """Seat 0 has 5 denars, seat 1 has 4, and the item; of a bureau also 9 guldens to mix."""
    own = ITEMS[item]
    game = table(3, modules=[own.module])
    market(game, denar="garden-10")
    own.own(game, 1)
    if item == "coin":
        coins(game, 1, "denar", "denar")
    hand(game, 0, "denar-5")
    more = {"bureau": "gulden-9"}.get(item, "")
    hand(game, 1, "denar-4", *own.nouns.get("cards", ()), more)
    display(game, "dukat-6")
    events = [*end_game(game), *go_on(game, "leftover_tiles")]
    (awarded,) = events_of(events, "leftover_awarded")
    assert awarded["seat"] == (1 if MONEY[item]["final distribution"] == "yes" else 0)
