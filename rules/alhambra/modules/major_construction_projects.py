"""28 Major construction projects.

Beside the market lies one open project, a double tile with two buildings that has no price: it is won by bidding. To
bid is an action: at least 15, or more than the bid that lies there, in one currency of choice. The money lies open
beside the project; whoever is outbid takes it back at once. A bid that still lies there when its owner's next turn
begins has won: the money is spent, the project is placed with the other new tiles of the turn, and the next one is
turned up at once. Each half counts as a building. An open bid returns when the game ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..base.payment.offers import ANY_ONE, Offer, Payment
from ..base.payment.rules import judge, return_payment, set_payment_aside, spend_payment
from ..base.payment.verb import paying_verb
from ..base.place_tiles import acquire
from ..components import Part, Tile, edges_of, module_data
from ..declarations import PieceKind, Reason, outline_of
from ..determinize import Secrets
from ..game import Game
from ..module import Module, Stage, Step, TileKind
from ..moves import Move
from ..state import Decision
from ..violations import Violation

KEY = "major_construction_projects"
LEAST: int = module_data(KEY)["min_bid"]
PROJECTS = tuple(
    Tile(
        entry["id"],
        "project",
        tuple(Part(half["dx"], half["dy"], edges_of(half["walls"]), half["type"]) for half in entry["cells"]),
    )
    for entry in module_data(KEY)["tiles"]
)


@dataclass(slots=True)
class Projects:
    """The projects still face down, the next one last; the open one; and the bid that lies beside it."""

    hidden: tuple[str, ...] = ()
    project: str = ""
    bidder: int | None = None
    cards: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    total: int = 0


def lay_out(game: Game) -> None:
    """The projects are shuffled, and one is turned up."""
    shuffled = game.chance(f"{KEY}/projects").shuffled(tile.id for tile in PROJECTS)
    game.module_state(Projects).hidden = tuple(shuffled)
    _turn_up(game)


def _turn_up(game: Game) -> None:
    """The next project lies open; after the last there is none to bid on."""
    projects = game.module_state(Projects)
    projects.project = ""
    if projects.hidden:
        projects.project, projects.hidden = projects.hidden[-1], projects.hidden[:-1]
        game.mark_revealed()
        game.emit("project_revealed", tile=projects.project, left=len(projects.hidden))


# -- Bidding -------------------------------------------------------------------------------------------------------


def _wanted(game: Game) -> Offer:
    """Return what a bid must come to: the least, or more than the bid that lies there. Money of one currency, no
    helpers."""
    projects = game.module_state(Projects)
    minimum = LEAST if projects.bidder is None else projects.total + 1
    return Offer("project", minimum, ANY_ONE, deposited=True, purpose="project")


def _closed(game: Game, seat: int) -> Iterator[Violation]:
    """A bid needs an open project, and nobody outbids himself (28.26)."""
    projects = game.module_state(Projects)
    if not projects.project:
        yield Violation("NOT_THERE", "verb", id="project", place="slot")
    elif projects.bidder == seat:
        yield Violation("PLACE_TAKEN", "verb", slot="project")


def why_not_open(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Yield why this seat cannot bid at all."""
    return _closed(game, decision.seat)


def too_low(offer: Offer, fault: Violation) -> Violation:
    """Too little money is a bid that is too low."""
    return Violation("BID_TOO_LOW", "cards", minimum=offer.price) if fault.code == "UNDERPAID" else fault


def bid(game: Game, decision: Decision, offer: Offer, payment: Payment) -> None:
    """The money is laid beside the project; the bid that lay there returns to its owner."""
    projects, seat = game.module_state(Projects), decision.seat
    total = judge(game, seat, offer, payment).paid
    set_payment_aside(game, seat, payment)
    game.emit("project_bid", seat=seat, tile=projects.project, cards=payment.cards, items=payment.items, sum=total)
    return_bid(game)
    projects.bidder, projects.cards, projects.items, projects.total = seat, payment.cards, payment.items, total


def biddable(game: Game, decision: Decision) -> Iterator[Offer]:
    """Yield the open project, if this seat may bid for it."""
    if not any(_closed(game, decision.seat)):
        yield _wanted(game)


# -- What becomes of the bid ---------------------------------------------------------------------------------------


def _clear(projects: Projects) -> Payment:
    """Take everything away that lies beside the project and return it."""
    payment = Payment(projects.cards, items=projects.items)
    projects.bidder, projects.cards, projects.items, projects.total = None, (), (), 0
    return payment


def return_bid(game: Game) -> None:
    """An open bid goes back to its owner: outbid, or the game ends. Everybody saw the money."""
    projects = game.module_state(Projects)
    if projects.bidder is not None:
        seat, payment = projects.bidder, _clear(projects)
        return_payment(game, seat, payment)
        game.emit("bid_returned", seat=seat, cards=payment.cards, items=payment.items)


def award(game: Game) -> None:
    """The active player's bid still lies there: it has won. The next project is turned up before anything else."""
    projects, seat = game.module_state(Projects), game.state.active
    if projects.bidder == seat:
        won = projects.project
        game.emit("project_won", seat=seat, tile=won, sum=projects.total)
        spend_payment(game, seat, _clear(projects))
        _turn_up(game)
        acquire(game, seat, won, "bid", giftable=False)


def withdraw(game: Game, seat: int) -> None:
    """A seat that resigned bids no more: its cards leave the game like its hand, the rest is spent."""
    projects = game.module_state(Projects)
    if projects.bidder == seat:
        payment = _clear(projects)
        game.emit("bid_returned", seat=seat, cards=payment.cards, items=payment.items)
        game.state.box = (*game.state.box, *payment.cards)
        spend_payment(game, seat, Payment(items=payment.items))


# -- Who sees what -------------------------------------------------------------------------------------------------


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the open project in its place, the bid beside it, and those to come."""
    projects = game.module_state(Projects)
    if projects.project:
        yield {"kind": "project", "slot": "project", "tile": projects.project}
    if projects.bidder is not None:
        money = {"cards": projects.cards, "items": projects.items, "sum": projects.total}
        yield {"kind": "bid", "slot": "project", "seat": projects.bidder, **money}
    if projects.hidden:
        yield {"kind": "project", "amount": len(projects.hidden), "choice": "face_down"}


def secrets(game: Game, _viewer: int | None, hidden: Secrets) -> None:
    """Nobody knows the order of the projects to come."""
    projects = game.module_state(Projects)
    hidden.add(KEY, projects.hidden, partial(setattr, projects, "hidden"))


def census(game: Game) -> Iterator[str]:
    """Yield the projects that nobody owns yet, and the cards beside the open one. Items are counted where they
    belong."""
    projects = game.module_state(Projects)
    yield from (*projects.hidden, *projects.cards)
    if projects.project:
        yield projects.project


MODULE = Module(
    number=28,
    key=KEY,
    events={
        "project_revealed": "A project was turned up.",
        "project_bid": "A seat bid for the project.",
        "bid_returned": "A bid went back to its owner.",
        "project_won": "A seat won a project.",
    },
    reasons=(Reason("NOT_ACCEPTED", "The card is no money that a bid takes.", ("project",)),),
    piece_kinds=(
        PieceKind("project", "The open project in its place, or those to come, face down.", holds_tile=True),
        PieceKind("bid", "The bid beside the open project.", outline_of("bid")),
    ),
    slots=("project",),
    state=Projects,
    tiles=PROJECTS,
    kinds=(TileKind("project", typed=True),),
    verbs=(
        paying_verb(
            "bid_project",
            "[cards items]",
            offers=biddable,
            paid=bid,
            unoffered=why_not_open,
            reworded=too_low,
            at=("action",),
            action=True,
        ),
    ),
    stages=(Stage("end.projects", before="end.distribution"),),
    steps=(Step("setup.deal", lay_out), Step("turn.award", award), Step("end.projects", return_bid)),
    reactions={"resigned": withdraw},
    public_pieces=public_pieces,
    secrets=secrets,
    census=census,
)
