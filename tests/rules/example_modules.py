"""Small modules that exist only here, to prove the hooks: one idea each.

bells      a verb and a decision of its own in the window between turns
ladders    a construction rule may be broken, at a price
bargains   money helpers of every kind, and a majority modified
shelves    another reserve
notary     a question inside the purchase frame
camels     nothing at all: found by an entry point
tools      items named in a move: a tile is laid turned, more money is taken
masons     a card named in the move entitles to a redesign after placing
customs    comes after a module with a higher number
parcels    things lie on market tiles, go with them to whoever gets these, and are lost to Dirk
vows       what was done earlier in the turn forbids something else
fortunes   only the asked seat sees what the question is about
fashion    a value is set
decree     a value is set for good, another one is capped
trowels    an item entitles to a redesign at the action without taking it up
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from alhambra import Decision, Game, Module, Move, Tile, Violation, register
from alhambra.base.choosing import Choice
from alhambra.base.payment import Offer, Purchase, Tender
from alhambra.base.scoring import score
from alhambra.base.seating import seats_after
from alhambra.base.supply import DeckPlan, discard, lose
from alhambra.base.turn import keep_window
from alhambra.components import CURRENCIES, SIDES, TYPES, Card, Cell
from alhambra.contacts import Contact, edge_between
from alhambra.determinize import Secrets
from alhambra.module import DecisionKind, Layer, Licence, Modify, Permit, Reserve, Step, Verb

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


def lock_ladder(game: Game, seat: int, tile: str) -> str | None:
    """A tile that a ladder leans on stays, or the way over it would be gone."""
    board = game.state.seats[seat].board
    edges = {edge_between(*cell, side) for cell in board.cells_of(tile) for side in SIDES}
    return "ladder" if edges & board.passages else None


LADDERS = Module(
    number=902,
    key="example_ladders",
    permits=(Permit("ladder", "NOT_REACHABLE", verify_ladder, set_ladder),),
    locks=lock_ladder,
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

# -- Tools: everybody has a turntable and a purse, each good for one move ----------------------------------------------


@dataclass(slots=True)
class Tools:
    """What each seat still has, and what was used."""

    held: tuple[tuple[str, ...], ...] = ()
    used: tuple[str, ...] = ()


def deal_tools(game: Game) -> None:
    """One of each."""
    game.slice(Tools).held = (("purse", "turntable"),) * len(game.state.seats)


def use_tool(game: Game, seat: int, *, tool: str) -> None:
    """It is good for one move."""
    tools = game.slice(Tools)
    left = tuple(other for other in tools.held[seat] if other != tool)
    tools.held = (*tools.held[:seat], left, *tools.held[seat + 1 :])
    tools.used = (*tools.used, tool)
    game.tell("tool_used", seat=seat, item=tool)


def _tool(tool: str, game: Game, seat: int) -> Iterator[Licence]:
    if tool in game.slice(Tools).held[seat]:
        yield Licence(items=(tool,), spend=partial(use_tool, tool=tool))


def purse_doubles(_game: Game, _seat: int, items: tuple[str, ...]) -> int | None:
    """With the purse twice as much may be taken."""
    return 2 if items == ("purse",) else None


TOOLS = Module(
    number=907,
    key="example_tools",
    state=Tools,
    steps=(Step("setup.deal", deal_tools),),
    helpers={"rotate": partial(_tool, "turntable"), "take_money": partial(_tool, "purse")},
    modify=(Modify("take_limit", Layer.SCALE, purse_doubles),),
    view=lambda game, _viewer: {"held": [list(own) for own in game.slice(Tools).held]},
    census=lambda game: (*game.slice(Tools).used, *(tool for own in game.slice(Tools).held for tool in own)),
)

# -- Masons: a card worth 3, or a redesign after placing; everybody is dealt one in secret ---------------------------

MASON_CARDS = tuple(Card(f"mason-{currency}", "mason", currency, 3, leaves=True) for currency in CURRENCIES)
MASON_COPIES = 2
MASON_PILES = (2, 4)


@dataclass(slots=True)
class Masons:
    """The cards that are in no hand and in no pile: nobody knows which."""

    undealt: tuple[str, ...] = ()


def insert_masons(plan: DeckPlan) -> None:
    """One into each hand, one each into two piles."""
    cards = plan.shuffled("masons", [card.id for card in MASON_CARDS] * MASON_COPIES)
    for seat in range(plan.seats):
        plan.hands.setdefault(seat, []).append(cards.pop())
    for pile in MASON_PILES:
        plan.insert(pile, [cards.pop()] if cards else [])
    plan.game.slice(Masons).undealt = tuple(cards)


def has_cards(game: Game, seat: int) -> bool:
    """Whether a mason is among them nobody knows."""
    return bool(game.state.seats[seat].hand)


def hire(game: Game, seat: int, *, card: str) -> None:
    """The card leaves the game."""
    lose(game, seat, (card,))
    discard(game, (card,))
    game.tell("mason_hired", seat=seat, card=card)


def mason_licences(game: Game, decision: Decision) -> Iterator[Licence]:
    """Each mason in hand entitles to one redesign after placing."""
    if decision.kind == "late":
        for card in dict.fromkeys(game.state.seats[decision.seat].hand):
            if game.ruleset.cards[card].kind == "mason":
                yield Licence(cards=(card,), spend=partial(hire, card=card))


def keep_undealt(game: Game, cards: tuple[str, ...]) -> None:
    """These were not dealt."""
    game.slice(Masons).undealt = cards


def mason_secrets(game: Game, _viewer: int | None, secrets: Secrets) -> None:
    """A mason in a hand or in the deck could as well be one that was not dealt."""
    secrets.add("mason", game.slice(Masons).undealt, partial(keep_undealt, game))


MASONS = Module(
    number=908,
    key="example_masons",
    state=Masons,
    cards=MASON_CARDS,
    deck=insert_masons,
    asks={"late": has_cards},
    licences=mason_licences,
    secrets=mason_secrets,
    census=lambda game: game.slice(Masons).undealt,
)

# -- Customs: at the end everybody pays two points, out of what the parcels have brought ------------------------------


def pay_customs(game: Game, number: int) -> None:
    """Nobody pays more than there is: it matters that the parcels have been counted."""
    if number == 3:
        for seat in range(len(game.state.seats)):
            score(game, seat, -2, "customs", scoring=number)


CUSTOMS = Module(
    number=909,
    key="example_customs",
    after=("example_parcels",),
    steps=(Step("scoring.gains", pay_customs),),
)

# -- Parcels: one is laid on every garden of the market; whoever gets the tile may keep it ----------------------------


@dataclass(slots=True)
class Parcels:
    """Where the parcels are."""

    stock: tuple[str, ...] = ()
    """Face down; the next one is the last."""
    on: dict[str, str] = field(default_factory=dict)
    """By tile."""
    owners: dict[str, int] = field(default_factory=dict)
    """By tile: the seat that keeps its parcel."""
    lost: tuple[str, ...] = ()


def pile_parcels(game: Game) -> None:
    """Four each worth one, two and three points, face down."""
    parcels = [f"parcel-{points}" for points in (1, 2, 3)] * 4
    game.slice(Parcels).stock = tuple(game.chance("example_parcels/stock").shuffled(parcels))


def lay_parcel(game: Game, tile: str, place: int) -> None:
    """On a garden, as long as there are any."""
    kept = game.slice(Parcels)
    if kept.stock and game.ruleset.tiles[tile].type == "garden":
        kept.on = {**kept.on, tile: kept.stock[-1]}
        kept.stock = kept.stock[:-1]
        game.revealed()
        game.tell("parcel_laid", tile=tile, piece=kept.on[tile], space=place)


def receive_parcel(game: Game, seat: int, tile: str, how: str) -> None:
    """Bought or left over, the recipient is asked."""
    if tile in game.slice(Parcels).on:
        game.push(ask_parcel, seat, tile, how)


def ask_parcel(game: Game, seat: int, tile: str, how: str) -> None:
    """Keep it or not."""
    game.ask("parcel", seat, tile=tile, piece=game.slice(Parcels).on[tile], how=how, choices=("keep", "refuse"))


def decide_parcel(game: Game, decision: Decision, choice: str) -> None:
    """It stays with the tile, or is lost."""
    kept = game.slice(Parcels)
    if choice == "keep":
        kept.owners = {**kept.owners, decision.context["tile"]: decision.seat}
    else:
        lose_parcel(game, decision.context["tile"])


def lose_parcel(game: Game, tile: str) -> None:
    """Dirk has no use for it."""
    kept = game.slice(Parcels)
    if tile in kept.on:
        kept.lost = (*kept.lost, kept.on[tile])
        kept.on = {other: parcel for other, parcel in kept.on.items() if other != tile}
        kept.owners = {other: seat for other, seat in kept.owners.items() if other != tile}
        game.tell("parcel_lost", tile=tile, piece=kept.lost[-1])


def open_parcels(game: Game, number: int) -> None:
    """At the end they are worth what stands on them."""
    kept = game.slice(Parcels)
    for seat in range(len(game.state.seats) if number == 3 else 0):
        points = sum(int(kept.on[tile][-1]) for tile, owner in kept.owners.items() if owner == seat)
        if points:
            score(game, seat, points, "parcels", scoring=number)


def stack_parcels(game: Game, parcels: tuple[str, ...]) -> None:
    """The stock lies in this order."""
    game.slice(Parcels).stock = parcels


def parcel_secrets(game: Game, _viewer: int | None, secrets: Secrets) -> None:
    """Nobody knows the order of the stock."""
    secrets.add("parcel", game.slice(Parcels).stock, partial(stack_parcels, game))


def view_parcels(game: Game, _viewer: int | None) -> dict[str, Any]:
    """What has been laid lies open."""
    kept = game.slice(Parcels)
    return {"stock": len(kept.stock), "on": kept.on, "owners": kept.owners, "lost": list(kept.lost)}


PARCELS = Module(
    number=911,
    key="example_parcels",
    state=Parcels,
    decisions=(Choice("parcel", chosen=decide_parcel),),
    steps=(Step("setup.deal", pile_parcels), Step("scoring.gains", open_parcels)),
    agenda=(ask_parcel,),
    laid=lay_parcel,
    acquired=receive_parcel,
    given=lose_parcel,
    view=view_parcels,
    secrets=parcel_secrets,
    census=lambda game: (*game.slice(Parcels).stock, *game.slice(Parcels).on.values(), *game.slice(Parcels).lost),
)

# -- Vows: whoever vows poverty takes money and does nothing else; whoever bought takes none this turn ----------------


def may_vow(game: Game, _seat: int) -> bool:
    """Once a turn."""
    return "vow" not in game.state.used


def verify_vow(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Not twice."""
    if not may_vow(game, decision.seat):
        yield Violation("USED_UP", "verb", what="vow", limit=1, per="turn")


def vow(game: Game, decision: Decision, _move: Move) -> None:
    """A point at once."""
    game.state.used = (*game.state.used, "vow")
    score(game, decision.seat, 1, "vow")


def vowings(game: Game, decision: Decision) -> Iterator[Move]:
    """One way to vow."""
    if may_vow(game, decision.seat):
        yield Move("vow")


def forbid_all_but_money(game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
    """After a vow."""
    if "vow" in game.state.used:
        yield Violation("FORCED_ACTION", "verb", verb="take_money")


def forbid_money(game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
    """After a purchase."""
    if "buy" in game.state.taken:
        yield Violation("SOLE_ACTION", "verb", verb="buy")


def demand_vow(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """The poor have no choice."""
    if decision.kind == "start" and not game.state.seats[decision.seat].hand:
        yield Violation("PASS_REFUSED", "verb", decision="start")


VOWS = Module(
    number=912,
    key="example_vows",
    verbs=(Verb("vow", "", verify_vow, vow, vowings, at=("start",), rank=3),),
    asks={"start": may_vow},
    vetoes={
        **dict.fromkeys(("buy", "add", "remove", "swap"), forbid_all_but_money),
        "take_money": forbid_money,
        "pass": demand_vow,
    },
)

# -- Fortunes: once a turn the player looks at two of a stack, keeps one and puts the other back ----------------------

FORTUNES_OF_THE_STACK = tuple(f"fortune-{points}" for points in range(1, 10))


@dataclass(slots=True)
class Fortunes:
    """All lie face down."""

    stack: tuple[str, ...] = ()
    looked: tuple[str, ...] = ()
    """Those that the active seat is looking at."""
    kept: tuple[tuple[str, ...], ...] = ()


def lay_fortunes(game: Game) -> None:
    """Shuffled; nobody has any."""
    fortunes = game.slice(Fortunes)
    fortunes.kept = ((),) * len(game.state.seats)
    _stack_fortunes(game, FORTUNES_OF_THE_STACK)


def _stack_fortunes(game: Game, pieces: tuple[str, ...]) -> None:
    game.slice(Fortunes).stack = tuple(game.chance("example_fortunes/stack").shuffled(pieces))


def may_look(game: Game, _seat: int) -> bool:
    """Once a turn, as long as there are two."""
    return len(game.slice(Fortunes).stack) >= 2 and "look" not in game.state.used


def verify_look(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Not twice in a turn."""
    if not may_look(game, decision.seat):
        yield Violation("USED_UP", "verb", what="look", limit=1, per="turn")


def look(game: Game, decision: Decision, _move: Move) -> None:
    """Only the player sees them."""
    fortunes = game.slice(Fortunes)
    fortunes.looked, fortunes.stack = fortunes.stack[-2:], fortunes.stack[:-2]
    game.state.used = (*game.state.used, "look")
    game.revealed()
    game.tell("looked", {decision.seat: {"pieces": fortunes.looked}}, seat=decision.seat)
    game.push(ask_fortune)


def lookings(game: Game, decision: Decision) -> Iterator[Move]:
    """One way to look."""
    if may_look(game, decision.seat):
        yield Move("look")


def ask_fortune(game: Game) -> None:
    """Everybody knows that one of two is kept."""
    game.ask("fortune", game.state.active, count=len(game.slice(Fortunes).looked))


def private_look(game: Game, _decision: Decision) -> dict[str, Any]:
    """What the question is about."""
    return {"pieces": list(game.slice(Fortunes).looked)}


def verify_fortune(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the two."""
    if move.piece not in game.slice(Fortunes).looked:
        yield Violation("NOT_THERE", "piece", id=move.piece, place="looked")


def keep_fortune(game: Game, decision: Decision, move: Move) -> None:
    """The other one is shuffled into the stack."""
    assert move.piece is not None
    fortunes, seat = game.slice(Fortunes), decision.seat
    own = (*fortunes.kept[seat], move.piece)
    fortunes.kept = (*fortunes.kept[:seat], own, *fortunes.kept[seat + 1 :])
    back = tuple(piece for piece in fortunes.looked if piece != move.piece)
    fortunes.looked = ()
    _stack_fortunes(game, (*fortunes.stack, *back))
    game.tell("fortune_kept", {seat: {"piece": move.piece}}, seat=seat)


def keepings(game: Game, _decision: Decision) -> Iterator[Move]:
    """Either of the two."""
    return (Move("keep_fortune", piece=piece) for piece in game.slice(Fortunes).looked)


def show_fortunes(game: Game, number: int) -> None:
    """At the end each is worth its number."""
    for seat, own in enumerate(game.slice(Fortunes).kept if number == 3 else ()):
        game.tell("fortunes_shown", seat=seat, pieces=own)
        score(game, seat, sum(int(piece[-1]) for piece in own), "fortunes", scoring=number)


def _put_into_stack(game: Game, pieces: tuple[str, ...]) -> None:
    game.slice(Fortunes).stack = pieces


def _put_before_looker(game: Game, pieces: tuple[str, ...]) -> None:
    game.slice(Fortunes).looked = pieces


def _put_before_owner(game: Game, seat: int, pieces: tuple[str, ...]) -> None:
    fortunes = game.slice(Fortunes)
    fortunes.kept = (*fortunes.kept[:seat], pieces, *fortunes.kept[seat + 1 :])


def fortune_secrets(game: Game, viewer: int | None, secrets: Secrets) -> None:
    """A seat knows what it keeps and what it is looking at."""
    fortunes = game.slice(Fortunes)
    secrets.add("fortune", fortunes.stack, partial(_put_into_stack, game))
    if viewer != game.state.active:
        secrets.add("fortune", fortunes.looked, partial(_put_before_looker, game))
    for seat, own in enumerate(fortunes.kept):
        if seat != viewer:
            secrets.add("fortune", own, partial(_put_before_owner, game, seat))


def view_fortunes(game: Game, viewer: int | None) -> dict[str, Any]:
    """How many there are; which ones only their owner sees."""
    fortunes = game.slice(Fortunes)
    found: dict[str, Any] = {"stack": len(fortunes.stack), "kept": [len(own) for own in fortunes.kept]}
    return found if viewer is None else {**found, "own": list(fortunes.kept[viewer])}


FORTUNES = Module(
    number=913,
    key="example_fortunes",
    state=Fortunes,
    pieces=FORTUNES_OF_THE_STACK,
    verbs=(
        Verb("look", "", verify_look, look, lookings, at=("after",)),
        Verb("keep_fortune", "piece", verify_fortune, keep_fortune, keepings),
    ),
    decisions=(DecisionKind("fortune", verbs=("keep_fortune",), private=private_look),),
    steps=(Step("setup.deal", lay_fortunes), Step("scoring.gains", show_fortunes)),
    agenda=(ask_fortune,),
    asks={"after": may_look},
    view=view_fortunes,
    secrets=fortune_secrets,
    census=lambda game: (
        *(*game.slice(Fortunes).stack, *game.slice(Fortunes).looked),
        *(piece for own in game.slice(Fortunes).kept for piece in own),
    ),
)

# -- Fashion: each type is scored by another row of the ladder; the decree: towers by the lowest, three at most -------


@dataclass(slots=True)
class Fashion:
    """By type, in their order: the row that it is scored by."""

    rows: tuple[int, ...] = ()


def draw_fashion(game: Game) -> None:
    """Any order of the rows."""
    game.slice(Fashion).rows = tuple(game.chance("example_fashion").shuffled(range(len(TYPES))))


def fashionable_row(game: Game, name: str, _number: int) -> int:
    """The row that was drawn for the type."""
    return game.slice(Fashion).rows[TYPES.index(name)]


FASHION = Module(
    number=914,
    key="example_fashion",
    state=Fashion,
    steps=(Step("setup.deal", draw_fashion),),
    modify=(Modify("majority_row", Layer.SET, fashionable_row),),
    view=lambda game, _viewer: {"rows": list(game.slice(Fashion).rows)},
)


def decreed_row(_game: Game, name: str, _number: int) -> int | None:
    """Whatever the fashion, towers count least."""
    return 0 if name == "tower" else None


def three_at_most(_game: Game, _seat: int, _name: str) -> int:
    """In half buildings."""
    return 6


DECREE = Module(
    number=915,
    key="example_decree",
    modify=(
        Modify("majority_row", Layer.SET, decreed_row, final=True),
        Modify("majority_count", Layer.CAP, three_at_most),
    ),
)

# -- Trowels: twice a game a redesign at the action that does not take the action up ----------------------------------


@dataclass(slots=True)
class Trowels:
    """How often each seat may still redesign like that."""

    left: tuple[int, ...] = ()


def deal_trowels(game: Game) -> None:
    """Two each."""
    game.slice(Trowels).left = (2,) * len(game.state.seats)


def has_trowel(game: Game, seat: int) -> bool:
    """Everybody can see who has one."""
    return game.slice(Trowels).left[seat] > 0


def wear_out(game: Game, seat: int) -> None:
    """One fewer."""
    trowels = game.slice(Trowels)
    trowels.left = tuple(left - (owner == seat) for owner, left in enumerate(trowels.left))
    game.tell("trowel_used", seat=seat)


def trowel_licences(game: Game, decision: Decision) -> Iterator[Licence]:
    """Beside the action, or after it."""
    if decision.kind == "action" and has_trowel(game, decision.seat):
        yield Licence(items=("trowel",), spend=wear_out)


TROWELS = Module(
    number=916,
    key="example_trowels",
    state=Trowels,
    steps=(Step("setup.deal", deal_trowels),),
    asks={"action": has_trowel},
    licences=trowel_licences,
    view=lambda game, _viewer: {"left": list(game.slice(Trowels).left)},
)

EXAMPLES = (
    *(BELLS, LADDERS, BARGAINS, SHELVES, NOTARY),
    *(TOOLS, MASONS, CUSTOMS, PARCELS, VOWS, FORTUNES, FASHION, DECREE, TROWELS),
)


def register_examples() -> None:
    """Makes the examples known in this process."""
    for module in EXAMPLES:
        register(module)
