"""Small modules that exist only here, to prove the hooks: one idea each.

bells      a verb and a decision of its own in the window between turns
ladders    a construction rule may be broken, at a price
bargains   money helpers of every kind, and a majority modified
shelves    another reserve
notary     a question inside the purchase frame
camels     nothing at all: found by an entry point
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from alhambra import Decision, Game, Module, Move, Tile, Violation, register
from alhambra.base.payment import Offer, Purchase, Tender
from alhambra.base.scoring import score
from alhambra.base.seating import seats_after
from alhambra.base.supply import discard, lose
from alhambra.base.turn import keep_window
from alhambra.components import SIDES, Cell
from alhambra.contacts import Contact
from alhambra.module import DecisionKind, Layer, Modify, Permit, Reserve, Step, Verb

# -- Bells: between turns anybody may ring; the seat to the left must say whether it echoes --------------------------


@dataclass(slots=True)
class Bells:
    """How often each seat may still ring."""

    left: tuple[int, ...] = ()


def hang_bells(game: Game) -> None:
    """Two each."""
    game.slice(Bells).left = (2,) * len(game.state.seats)


def has_bell(game: Game, seat: int) -> bool:
    """Everybody can see who may still ring."""
    return game.slice(Bells).left[seat] > 0


def verify_ring(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Only with a bell."""
    if not has_bell(game, decision.seat):
        yield Violation("NOT_THERE", "verb", id="bell", place="held")


def ring(game: Game, decision: Decision, _move: Move) -> None:
    """The bell is spent; the same seat may go on after the echo."""
    bells = game.slice(Bells)
    bells.left = tuple(left - (seat == decision.seat) for seat, left in enumerate(bells.left))
    game.tell("bell_rang", seat=decision.seat)
    keep_window(game, run_goes_on=True)
    game.push(ask_echo, decision.seat)


def ringings(game: Game, decision: Decision) -> Iterator[Move]:
    """One way to ring."""
    if has_bell(game, decision.seat):
        yield Move("ring")


def ask_echo(game: Game, ringer: int) -> None:
    """The next seat hears it."""
    game.ask("echo", seats_after(game, ringer)[0], ringer=ringer)


ECHOES = ("yes", "no")


def verify_answer(_game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """Yes or no."""
    if move.choice not in ECHOES:
        yield Violation("NOUN_MALFORMED", "choice", value=move.choice)


def answer(game: Game, decision: Decision, move: Move) -> None:
    """An echo is worth a point to both."""
    game.tell("echoed", seat=decision.seat, choice=move.choice)
    if move.choice == "yes":
        for seat in (decision.seat, decision.context["ringer"]):
            score(game, seat, 1, "echo")


def answers(_game: Game, _decision: Decision) -> Iterator[Move]:
    """Both words."""
    return (Move("answer", choice=word) for word in ECHOES)


def view_bells(game: Game, _viewer: int | None) -> dict[str, Any]:
    """All is open."""
    return {"left": list(game.slice(Bells).left)}


BELLS = Module(
    number=901,
    key="example_bells",
    state=Bells,
    verbs=(
        Verb("ring", "", verify_ring, ring, ringings, at=("window",)),
        Verb("answer", "choice", verify_answer, answer, answers, at=("echo",)),
    ),
    decisions=(DecisionKind("echo"),),
    steps=(Step("setup.deal", hang_bells),),
    agenda=(ask_echo,),
    asks={"window": has_bell},
    view=view_bells,
)

# -- Ladders: a tile behind walls may be built for the lowest card of the hand ---------------------------------------


def verify_ladder(game: Game, seat: int, _tile: Tile, _cell: Cell, _rotation: int) -> Iterator[Violation]:
    """There must be a card to pay it with."""
    if not game.state.seats[seat].hand:
        yield Violation("CONDITION_UNMET", "choice", what="ladder", need=1, have=0)


def set_ladder(game: Game, seat: int, _tile: Tile, cell: Cell, _rotation: int) -> None:
    """The lowest card is discarded, and every wall that the tile leans on can be climbed from now on."""
    owner = game.state.seats[seat]
    card = min(owner.hand, key=lambda held: (game.ruleset.cards[held].value, held))
    lose(game, seat, (card,))
    discard(game, (card,))
    for side in SIDES:
        if owner.board.relation(*cell, side) is Contact.MEET:
            owner.board.add_passage(*cell, side)
    game.tell("ladder_set", seat=seat, cell=cell, card=card)


LADDERS = Module(
    number=902,
    key="example_ladders",
    permits=(Permit("ladder", "NOT_REACHABLE", verify_ladder, set_ladder),),
)

# -- Bargains: helpers of every kind in a payment; whoever still has the patron counts half a garden more ------------


@dataclass(slots=True)
class Bargains:
    """What each seat may put into a payment, each once."""

    held: tuple[tuple[str, ...], ...] = ()


HELPERS = {
    "coupon-1": Tender("items", "coupon-1", delta=-1, group="coupon"),
    "coupon-2": Tender("items", "coupon-2", delta=-2, group="coupon"),
    "duty": Tender("items", "duty", delta=1),
    "filler-3": Tender("items", "filler-3", fills=3),
    "bridge": Tender("items", "bridge", mixes=("gulden", "denar")),
    "patron": Tender("items", "patron", free=True),
    "coin-denar": Tender("items", "coin-denar", currency="denar", value=1),
}


def deal_bargains(game: Game) -> None:
    """Nothing at first; the tests hand things out."""
    game.slice(Bargains).held = ((),) * len(game.state.seats)


def give_bargains(game: Game, seat: int, *items: str) -> None:
    """The seat holds exactly these."""
    bargains = game.slice(Bargains)
    bargains.held = (*bargains.held[:seat], items, *bargains.held[seat + 1 :])


def bargain_tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Everything held, for ordinary purchases only."""
    if offer.purpose == "buy":
        yield from (HELPERS[item] for item in game.slice(Bargains).held[seat])


def use_bargain(game: Game, seat: int, item: str, stage: str, _payee: int | None) -> None:
    """It leaves its owner when it is laid down."""
    held = game.slice(Bargains).held[seat]
    if stage == "laid_down":
        give_bargains(game, seat, *(other for other in held if other != item))
    game.tell("bargain", seat=seat, item=item, stage=stage)


def patron_adds(game: Game, seat: int, name: str) -> int | None:
    """Half a garden."""
    held = game.slice(Bargains).held
    return 1 if name == "garden" and seat < len(held) and "patron" in held[seat] else None


BARGAINS = Module(
    number=903,
    key="example_bargains",
    state=Bargains,
    steps=(Step("setup.deal", deal_bargains),),
    tenders=bargain_tenders,
    items=dict.fromkeys(("coupon", "duty", "filler", "bridge", "patron", "coin"), use_bargain),
    modify=(Modify("majority_count", Layer.ADD, patron_adds),),
)

# -- Shelves: the reserve has three named places; a fourth tile takes one's place ------------------------------------


@dataclass(slots=True)
class Shelves:
    """The three places of each seat."""

    places: tuple[tuple[str, ...], ...] = ()


SHELVES_OF_A_SEAT = ("shelf-1", "shelf-2", "shelf-3")


def build_shelves(game: Game) -> None:
    """All empty."""
    game.slice(Shelves).places = (("",) * 3,) * len(game.state.seats)


def shelf_of(game: Game, seat: int) -> tuple[str, ...]:
    """What lies on the three places, empty texts included."""
    return game.slice(Shelves).places[seat]


def _set_shelf(game: Game, seat: int, place: int, tile: str) -> None:
    shelves = game.slice(Shelves)
    own = shelves.places[seat]
    new = (*own[:place], tile, *own[place + 1 :])
    shelves.places = (*shelves.places[:seat], new, *shelves.places[seat + 1 :])


def on_shelves(game: Game, seat: int) -> tuple[str, ...]:
    """The tiles there."""
    return tuple(tile for tile in shelf_of(game, seat) if tile)


def take_from_shelf(game: Game, seat: int, tile: str) -> None:
    """Its place is free."""
    _set_shelf(game, seat, shelf_of(game, seat).index(tile), "")


def stow_on_shelf(game: Game, seat: int, tile: str) -> None:
    """On the first free place; on the last one if there is none."""
    own = shelf_of(game, seat)
    _put_on(game, seat, own.index("") if "" in own else 2, tile)


def _put_on(game: Game, seat: int, place: int, tile: str) -> None:
    old = shelf_of(game, seat)[place]
    if old:
        game.state.box = (*game.state.box, old)
    _set_shelf(game, seat, place, tile)
    game.tell("reserved", seat=seat, tile=tile, slot=SHELVES_OF_A_SEAT[place])


def _free(game: Game, seat: int) -> list[str]:
    own = shelf_of(game, seat)
    free = [slot for slot, tile in zip(SHELVES_OF_A_SEAT, own, strict=True) if not tile]
    return free or list(SHELVES_OF_A_SEAT)


def verify_shelf(game: Game, seat: int, move: Move) -> Iterator[Violation]:
    """A place must be named, and be free if any is."""
    if move.slot is None:
        yield Violation("NOUN_MISSING", "slot", noun="slot")
    elif move.slot not in SHELVES_OF_A_SEAT:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    elif move.slot not in _free(game, seat):
        yield Violation("PLACE_TAKEN", "slot", slot=move.slot)


def put_on_shelf(game: Game, seat: int, move: Move) -> None:
    """The tile goes to the place named."""
    assert move.slot is not None
    assert move.tile is not None
    _put_on(game, seat, SHELVES_OF_A_SEAT.index(move.slot), move.tile)


def shelf_moves(game: Game, seat: int, tile: str) -> Iterator[Move]:
    """Every place that may be taken."""
    return (Move("reserve", tile, slot=slot) for slot in _free(game, seat))


SHELVES = Module(
    number=904,
    key="example_shelves",
    state=Shelves,
    steps=(Step("setup.deal", build_shelves),),
    reserve=Reserve(on_shelves, take_from_shelf, stow_on_shelf, verify_shelf, put_on_shelf, shelf_moves),
    census=lambda game: (tile for own in game.slice(Shelves).places for tile in own if tile),
)

# -- Notary: every purchase is recorded by the buyer before anything else comes of it --------------------------------


def ask_notary(game: Game, purchase: Purchase) -> None:
    """Asks in the middle of the purchase frame."""
    game.ask("notary", purchase.seat, tile=purchase.tile)


def record(game: Game, decision: Decision, _move: Move) -> None:
    """Recorded."""
    game.tell("recorded", seat=decision.seat, tile=decision.context["tile"])


NOTARY = Module(
    number=905,
    key="example_notary",
    verbs=(
        Verb("record", "", lambda _game, _decision, _move: (), record, lambda _game, _decision: iter([Move("record")])),
    ),
    decisions=(DecisionKind("notary", verbs=("record",)),),
    steps=(Step("purchase.certificate", ask_notary),),
)

# -- Camels: found by an entry point ---------------------------------------------------------------------------------

CAMELS = Module(number=906, key="example_camels")

EXAMPLES = (BELLS, LADDERS, BARGAINS, SHELVES, NOTARY)


def register_examples() -> None:
    """Makes the examples known in this process."""
    for module in EXAMPLES:
        register(module)
