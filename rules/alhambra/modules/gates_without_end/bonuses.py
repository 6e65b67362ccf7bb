"""The bonuses of the keys: which verbs carry them out, and what entitles to them.

rebuild         one redesign, or one building is moved to another place in the Alhambra
wall_piece      one wall piece is built in
buy_for_14      one building of the market for at least 14, currencies mixed as the buyer likes
money_card      one open money card
half_building   half a building of its type, in majorities
swap_market     two market spaces change places; one of them may be empty
plaza           a plaza is built in, or put into the reserve
vp_1, vp_2      points
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.market_swap import can_swap
from ...base.payment.offers import MIXED, Offer, Purchase
from ...base.place_tiles import acquire, place_now
from ...base.purchase import market_offers
from ...base.redesign import could_build, could_lift
from ...components import TYPES, plain_tile
from ...declarations import outline_of
from ...game import Game
from ...module import Licence, TileKind, Verb, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .keys import DATA, Gates, bonus_of
from .wall_pieces import ADD_WALL, takes_wall_somewhere

REBUILD = "rebuild"
ANSWERS: dict[str, tuple[str, ...]] = {
    REBUILD: ("add", "remove", "swap", "move_tile"),
    "wall_piece": (ADD_WALL.name,),
    "buy_for_14": ("buy",),
    "money_card": ("take_open",),
    "half_building": ("take_half",),
    "swap_market": ("swap_market",),
    "plaza": ("take_plaza",),
}
"""By bonus: the verbs that carry it out."""
POINTS = {"vp_1": 1, "vp_2": 2}
PRICE: int = DATA["buy_price"]
STILL_ALLOWED = ("coins", "certificate", "treasure", "key")
"""What this purchase allows of everything that the offer would allow in the player's own turn."""
PLAZA = TileKind("plaza", outline=outline_of("plaza"))
PLAZAS = tuple(plain_tile(data, PLAZA.name) for data in DATA["plazas"])
HALVES: dict[str, int] = {half["type"]: round(2 * half["value"]) for half in DATA["half_buildings"]}
"""By type: what a half building counts, in the half units of majorities."""
BY_GATE = Licence(relocates=True)
ACROSS_A_GAP = Licence(gaps=True)


def is_possible(game: Game, seat: int, bonus: str) -> bool:
    """Return whether the bonus may be carried out, as far as everybody can see: what a seat could pay, nobody may
    know."""
    kept, state = game.module_state(Gates), game.state
    if bonus == REBUILD:
        question = Decision("key_bonus", seat, {})
        return could_build(game, question) or could_lift(game, question)
    if bonus == "wall_piece":
        return kept.walls > 0 and takes_wall_somewhere(game, seat)
    if bonus == "money_card":
        return any(game.ruleset.cards[card].value for card in state.display)
    if bonus == "half_building":
        return len(kept.halves) < len(HALVES)
    if bonus == "plaza":
        return bool(kept.plazas)
    return any(state.market) if bonus == "buy_for_14" else can_swap(game, ACROSS_A_GAP)


# -- Redesign, swap, purchase -----------------------------------------------------------------------------------------


def redesigning(_game: Game, decision: Decision) -> Iterator[Licence]:
    """Yield a redesign or a relocation, at the seat's own gate."""
    if decision.kind == "key_bonus" and decision.context["choice"] == REBUILD:
        yield BY_GATE


def swapping(game: Game, seat: int) -> Iterator[Licence]:
    """Yield a swap of two market spaces, while the seat's own gate is dealt with."""
    if game.module_state(Gates).serving == seat and bonus_of(game, seat) == "swap_market":
        yield ACROSS_A_GAP


def offers_for_14(game: Game, seat: int) -> Iterator[Offer]:
    """Yield the tiles on the four market spaces, each for the same flat price."""
    for offer in market_offers(game, seat):
        effects = tuple(effect for effect in offer.effects if effect in STILL_ALLOWED)
        yield offer._replace(price=PRICE, currency=MIXED, effects=effects, never_exact=True)


def place_bought(game: Game, purchase: Purchase) -> None:
    """A tile that was bought at a gate is placed at once."""
    if purchase.at == "key_bonus":
        game.push(place_now, purchase.seat, (purchase.tile,), True)


# -- Half buildings ---------------------------------------------------------------------------------------------------


def verify_half(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """One that no seat has."""
    if move.type in game.module_state(Gates).halves:
        yield Violation("NOT_THERE", "type", id=move.type, place="supply")


def take_half(game: Game, decision: Decision, move: Move) -> None:
    """It stays with the seat."""
    name = need(move.type)
    kept = game.module_state(Gates)
    kept.halves = {**kept.halves, name: decision.seat}
    game.emit("half_taken", seat=decision.seat, type=name)


def every_half(_game: Game, _decision: Decision) -> list[Move]:
    """Return a move for each type."""
    return [Move("take_half", type=name) for name in TYPES]


def half_counted(game: Game, seat: int, name: str) -> int | None:
    """Return what a half building adds to a type of its owner."""
    return HALVES[name] if game.module_state(Gates).halves.get(name) == seat else None


# -- Plazas -----------------------------------------------------------------------------------------------------------


def verify_plaza(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """One that no seat has taken."""
    if move.tile not in game.ruleset.tiles:
        yield Violation("ID_UNKNOWN", "tile", id=move.tile)
    elif move.tile not in game.module_state(Gates).plazas:
        yield Violation("NOT_THERE", "tile", id=move.tile, place="supply")


def take_plaza(game: Game, decision: Decision, move: Move) -> None:
    """It is placed at once; it was not bought, so Dirk never gets it (37.26)."""
    kept = game.module_state(Gates)
    plaza = need(move.tile)
    kept.plazas = tuple(tile for tile in kept.plazas if tile != plaza)
    game.emit("plaza_taken", seat=decision.seat, tile=plaza)
    game.push(place_now, decision.seat, (plaza,), True)
    acquire(game, decision.seat, plaza, "plaza", giftable=False)


def plazas_left(game: Game, _decision: Decision) -> Iterator[Move]:
    """Yield every plaza that no seat has taken."""
    return (Move("take_plaza", tile) for tile in game.module_state(Gates).plazas)


VERBS = (
    ADD_WALL,
    Verb("take_half", "type", verify_half, take_half, those_that_verify(verify_half, every_half)),
    Verb("take_plaza", "tile", verify_plaza, take_plaza, plazas_left),
)
