"""Payments with the modules of the box by brute force: 02 06 19 24 42, together with 01 07 11 28 41.

Seat 0 holds a few cards, and perhaps coins, amounts on caravanserai cards, a certificate, treasures, the patron. It
buys a tile in its own turn, by its vizier, or from another player, or a caravanserai card; or it pays a bid in an
auction, or bids for a project. The oracle knows from the rules what each of these takes, tries everything that can be
laid down, and says what is legal and exact. One legal payment of each hand is made, and what it gives is compared: a
further action, coins, an amount to save, and what a seller receives.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations
from random import Random
from typing import NamedTuple

from alhambra import TYPES, Board, Decision, Game, Move
from alhambra.base.auction import Auction, close_auction
from alhambra.base.payment.offers import Offer
from alhambra.base.turn import after_window
from alhambra.components import BASE_TILES
from alhambra.modules.caravanserai import Caravans
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.exchange_certificates import Certificates
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.treasures import Treasures
from tests.rules.payment_oracle import FOUR, Deal, Thing, Verdict, differences, judged, subsets, written
from tests.rules.situations import own, table

MODULES = [
    *("bureaux_de_change", "diamonds", "caravanserai", "exchange_certificates", "treasures", "change"),
    *("viziers_favour", "characters", "major_construction_projects", "personal_building_market"),
]
TRACKS = {
    "caravanserai_2": ("denar", {2: "dirham", 3: "dukat", 4: "gulden"}),
    "caravanserai_3": ("dukat", {2: "dirham", 3: "denar", 4: "gulden"}),
}
"""The two cards of the printed example: the currency that they rise in, and their branches."""
CARD_PRICES = {4: 8, 5: 4, 6: 2}
LOWEST_PROJECT_BID = 15


class Occasion(NamedTuple):
    """What is paid for, what it takes beside cards of the four currencies and diamonds, and what it gives."""

    name: str
    verb: str
    takes: str
    """Words of: bureau, amount (19), certificate, treasure, patron. Coins and diamonds are taken everywhere."""
    gives: str = ""
    """Words of: bonus, coins, certificate."""


OCCASIONS = (
    Occasion("market", "buy", "bureau amount certificate treasure patron", "bonus coins certificate"),
    Occasion("seller", "buy", "bureau amount certificate treasure patron", "bonus coins certificate"),
    Occasion("vizier", "buy", "bureau amount certificate treasure"),
    Occasion("caravanserai", "buy", "amount certificate", "bonus coins certificate"),
    Occasion("auction", "pay", "bureau amount", "coins"),
    Occasion("project", "bid_project", ""),
)


class Hand(NamedTuple):
    """An occasion with its price, and everything that seat 0 can lay down."""

    occasion: Occasion
    deal: Deal
    things: tuple[Thing, ...]
    tile: str
    types: int


# -- The rules -------------------------------------------------------------------------------------------------------


def sort_of(thing: Thing) -> str:
    """What a thing is, in the words of an occasion; empty for what is taken everywhere."""
    sorts = {"mixer": "bureau", "filler": "treasure", "patron": "patron"}
    if thing.id.startswith("caravanserai"):
        return "amount"
    return sorts.get(thing.kind, "certificate" if thing.id == "certificate" else "")


def allowed(occasion: Occasion, deal: Deal, laid: tuple[Thing, ...]) -> Verdict | None:
    """What a payment comes to; None if the occasion does not take a part of it, or the rules forbid it."""
    taken = occasion.takes.split()
    if any(sort_of(thing) and sort_of(thing) not in taken for thing in laid):
        return None
    return judged(deal, laid)


# -- Random hands ----------------------------------------------------------------------------------------------------


def random_hand(rng: Random) -> Hand:
    """A few cards, mostly of one currency, and up to four other things."""
    occasion, favoured = rng.choice(OCCASIONS), rng.choice(FOUR)
    dear = occasion.name == "project"
    things = []
    for _ in range(rng.randint(1, 4)):
        currency = rng.choice((favoured, favoured, *FOUR, "diamond"))
        value = rng.randint(6 if dear else 3, 9) if currency == "diamond" else rng.randint(5 if dear else 1, 9)
        things.append(Thing("cards", f"{currency}-{value}", "money", currency, value))
    others = [_bureau(rng), _amount("caravanserai_2", rng), _amount("caravanserai_3", rng)]
    others += [_money("certificate", rng.choice((favoured, *FOUR)), rng.randint(1, 6))]
    others += [_money(f"coin-{currency}", currency, 1) for currency in (favoured, rng.choice(FOUR))]
    others += [Thing("items", f"treasure-{n}", "filler", value=n) for n in rng.sample(range(1, 6), 2)]
    others += [Thing("items", "rich_patron", "patron")]
    if occasion.name == "caravanserai":  # nobody buys a third card
        others.pop(2)
    things += rng.sample(others, rng.randint(0, 4))
    owns_card = any(thing.id in TRACKS for thing in things)
    tile, types = rng.choice(sorted(BASE_TILES)), rng.choice((5, 6) if owns_card else (4, 5, 6))
    prices = {"caravanserai": CARD_PRICES[types], "auction": rng.randint(1, 12)}
    prices["project"] = LOWEST_PROJECT_BID if rng.random() < 0.5 else rng.randint(LOWEST_PROJECT_BID, 20) + 1
    price = prices.get(occasion.name, BASE_TILES[tile].price or 0)
    currency = "" if occasion.name in prices else favoured
    return Hand(occasion, Deal(price, currency, occasion.name == "vizier", False), tuple(things), tile, types)


def _money(item: str, currency: str, value: int) -> Thing:
    return Thing("items", item, "money", currency, value)


def _bureau(rng: Random) -> Thing:
    one, other = rng.choice(list(combinations(FOUR, 2)))
    return Thing("cards", f"exchange_{one}_{other}", "mixer", pair=(one, other))


def _amount(card: str, rng: Random) -> Thing:
    main, branches = TRACKS[card]
    amount = rng.randint(1, 5)
    currency = branches[amount] if amount in branches and rng.random() < 0.5 else main
    return _money(card, currency, amount)


# -- The engine ------------------------------------------------------------------------------------------------------


@cache
def _table() -> tuple[Game, dict[int, Board]]:
    """A game with the modules, and an Alhambra with four, five and six different types."""
    game = table(3, modules=MODULES)
    return game, {types: own(game.clone(), 0, **dict.fromkeys(TYPES[:types], 1)) for types in CARD_PRICES}


def set_up(hand: Hand) -> Game:
    """A game in which seat 0 holds exactly these things and is asked to pay for this."""
    table_game, boards = _table()
    game, things = table_game.clone(), hand.things
    state, items = game.state, {thing.id: thing for thing in things if thing.noun == "items"}
    state.seats[0].hand = tuple(sorted(thing.id for thing in things if thing.noun == "cards"))
    state.seats[0].board = boards[hand.types]
    caravans, coins = game.module_state(Caravans), game.module_state(Coins)
    marked = [thing for thing in items.values() if thing.id in TRACKS]
    caravans.owners = {thing.id: 0 for thing in marked}
    caravans.markers = {thing.id: (thing.currency, thing.value) for thing in marked}
    coins.held = (tuple(sorted(thing.id for thing in things if thing.id.startswith("coin-"))), (), ())
    if "certificate" in items:
        saved = (items["certificate"].currency, items["certificate"].value)
        game.module_state(Certificates).saved = (saved, ("", 0), ("", 0))
    game.module_state(Treasures).held = (tuple(item for item in items if item.startswith("treasure-")), (), ())
    game.module_state(Characters).owners = {"rich_patron": 0} if "rich_patron" in items else {}
    _ask(game, hand)
    return game


def _ask(game: Game, hand: Hand) -> None:
    """What is paid for lies there, and seat 0 is asked."""
    state, kind, place = game.state, "action", FOUR.index(hand.deal.currency) if hand.deal.currency else 0
    lying = tuple(hand.tile if number == place else "" for number in range(4))
    if hand.occasion.name in ("market", "vizier"):
        state.market = lying
    elif hand.occasion.name == "seller":
        game.module_state(Markets).lying = (("",) * 4, lying, ("",) * 4)
    elif hand.occasion.name == "project" and hand.deal.price > LOWEST_PROJECT_BID:
        game.module_state(Projects).bidder, game.module_state(Projects).total = 1, hand.deal.price - 1
    if hand.occasion.name == "vizier":
        kind = "window"
        game.push(after_window, 0, False)
    elif hand.occasion.name == "auction":
        kind = "pay_bid"
        names = [name for name in game.ruleset.steps if name.endswith(("gain_character", "dismiss"))]
        won, unsold = sorted(names, key=lambda name: name.endswith("dismiss"))
        state.auction = Auction("trader", won, unsold, bids=((0, hand.deal.price),))
        game.push(close_auction)
    state.decision = Decision(kind, 0, {})


def offer_of(game: Game, hand: Hand) -> Offer:
    """The offer that the engine makes of it; of several caravanserai cards the last one."""
    slots = {"seller": f"personal-1-{hand.deal.currency}", "caravanserai": "caravanserai"}
    slots |= {"auction": "auction", "project": "project"}
    slot = slots.get(hand.occasion.name, f"market-{hand.deal.currency}")
    paying = game.ruleset.verbs[hand.occasion.verb].pays
    assert paying is not None
    assert game.decision is not None
    return [offer for offer in paying.offers(game, game.decision) if offer.slot == slot][-1]


def disagreements(hand: Hand, rng: Random) -> Iterator[str]:
    """Where the engine judges, lists, draws or rewards payments otherwise than the rules."""
    game = set_up(hand)
    rules = partial(allowed, hand.occasion, hand.deal)
    offer = offer_of(game, hand)
    yield from differences(game, offer, hand.things, rules, rng)
    legal = [laid for laid in subsets(hand.things) if rules(laid) is not None]
    if legal:  # of three payments the one with the most different sorts of things tells most
        drawn = rng.sample(legal, min(3, len(legal)))
        yield from _rewards(game, hand, offer, max(drawn, key=lambda laid: len(set(map(sort_of, laid)))))


def _rewards(game: Game, hand: Hand, offer: Offer, laid: tuple[Thing, ...]) -> Iterator[str]:
    """Makes a legal payment. Yields where what it gives is not what the rules say."""
    verdict, gives = allowed(hand.occasion, hand.deal, laid), hand.occasion.gives.split()
    assert verdict is not None
    over = 0 if verdict.exact else verdict.paid - verdict.due
    was_empty = all(thing.id != "certificate" for thing in hand.things) or any(t.id == "certificate" for t in laid)
    paying = game.ruleset.verbs[hand.occasion.verb].pays
    assert paying is not None
    move: Move = paying.move(offer, written(laid))
    if game.verify(move):
        return  # that was told already
    events = game.apply(move)
    told = {event.kind: event.public for event in events}
    if ("bonus_action" in told) != (verdict.exact and "bonus" in gives):
        yield f"{move}: a further action, or none, against the rules"
    coins = over // 2 if "coins" in gives else 0
    if len(told.get("coins_drawn", {"items": ()})["items"]) != coins:
        yield f"{move}: other coins than {coins}"
    saved = over if "certificate" in gives and over <= 6 and was_empty else 0
    asked = game.decision
    if (asked.context["amount"] if asked is not None and asked.kind == "save_certificate" else 0) != saved:
        yield f"{move}: another amount to save than {saved}"
    if hand.occasion.name == "seller":
        received = tuple(sorted(thing.id for thing in laid if thing.noun == "cards" and thing.kind == "money"))
        if game.state.seats[1].hand != received:
            yield f"{move}: the seller has {game.state.seats[1].hand}"


def compare(count: int, seed: str = "modules") -> list[str]:
    """Compares `count` random hands with the engine; lists disagreements."""
    rng = Random(seed)
    found = []
    for _ in range(count):
        hand = random_hand(rng)
        found += [f"{hand}: {problem}" for problem in disagreements(hand, rng)]
    return found
