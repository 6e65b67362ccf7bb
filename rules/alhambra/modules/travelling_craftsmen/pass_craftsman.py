"""How the craftsmen come into play and wander: dealt at the start, passed on to the left at the end of every turn.

Every player gets two, face up. The start player gets a third one, face down; the others leave the game unseen. At the
end of their own turn the craftsman that was used goes to the left neighbour, who lays it face down; if none was used,
one of the two open ones goes, as the player likes. Then the player turns up the one that lies face down before him.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.turn_order import seats_after
from ...game import Game
from ...migrations import Document
from ...module import DecisionKind, Verb, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .craftsman import DATA, Craftsmen, used_this_turn

DEALT: int = DATA["dealt_per_player"]


def in_play(seats: int) -> list[str]:
    """Return the craftsmen that are shuffled for a number of players: some are marked with the numbers they are for."""
    return [tile["id"] for tile in DATA["tiles"] if tile["mark"] is None or str(seats) in tile["mark"].split("/")]


def deal(game: Game) -> None:
    """Two for every seat that plays, one more for the first player, face down."""
    kept, first = game.module_state(Craftsmen), game.state.first
    order = game.chance("travelling_craftsmen/deal").shuffled(in_play(len(game.state.seats)))
    kept.shown = tuple(
        () if seat.resigned else tuple(sorted(order.pop() for _ in range(DEALT))) for seat in game.state.seats
    )
    kept.hidden, kept.holder, kept.secret = order.pop(), first, True
    kept.undealt = tuple(sorted(order))
    game.emit("craftsmen_dealt", {first: {"piece": kept.hidden}}, pieces=kept.shown, seat=first)


# -- At the end of a turn --------------------------------------------------------------------------------------------


def pass_on(game: Game) -> None:
    """The used craftsman wanders on; without one the player chooses."""
    kept, seat = game.module_state(Craftsmen), game.state.active
    kept.bought = ()
    used = used_this_turn(game)
    if used is None:
        game.ask("pass_craftsman", seat, pieces=kept.shown[seat])
    else:
        _give(game, seat, used, forced=True)


def _give(game: Game, seat: int, piece: str, **facts: object) -> None:
    """The craftsman lies face down before the left neighbour, and the giver turns up theirs."""
    kept = game.module_state(Craftsmen)
    left = seats_after(game, seat)[0]
    game.emit("craftsman_passed", seat=seat, piece=piece, receiver=left, **facts)
    if kept.secret:
        game.mark_revealed()
    game.emit("craftsman_shown" if kept.secret else "craftsman_turned", seat=seat, piece=kept.hidden)
    own = tuple(sorted((*(other for other in kept.shown[seat] if other != piece), kept.hidden)))
    _show(game, seat, own)
    kept.hidden, kept.holder, kept.secret = piece, left, False


def _show(game: Game, seat: int, pieces: tuple[str, ...]) -> None:
    kept = game.module_state(Craftsmen)
    kept.shown = (*kept.shown[:seat], pieces, *kept.shown[seat + 1 :])


def verify_pass_on(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of those that lie open before the seat."""
    if move.piece not in game.ruleset.pieces:
        yield Violation("ID_UNKNOWN", "piece", id=move.piece)
    elif move.piece not in game.module_state(Craftsmen).shown[decision.seat]:
        yield Violation("NOT_THERE", "piece", id=move.piece, place="held")


def pass_craftsman(game: Game, decision: Decision, move: Move) -> None:
    """He wanders on unused."""
    _give(game, decision.seat, need(move.piece))


def own_craftsmen(game: Game, decision: Decision) -> list[Move]:
    """Return the move with each open craftsman of the seat."""
    return [Move("pass_craftsman", piece=piece) for piece in game.module_state(Craftsmen).shown[decision.seat]]


PASS_CRAFTSMAN = Verb(
    "pass_craftsman",
    "piece",
    verify_pass_on,
    pass_craftsman,
    those_that_verify(verify_pass_on, own_craftsmen),
    at=("pass_craftsman",),
)
PASSING_ON = DecisionKind("pass_craftsman")


# -- A player leaves -------------------------------------------------------------------------------------------------


def leave_table(game: Game, seat: int) -> None:
    """The open craftsmen of the seat leave the game. One that lies face down goes on to the next seat."""
    kept = game.module_state(Craftsmen)
    if not kept.shown:
        return  # the craftsmen are not dealt yet
    kept.gone = (*kept.gone, *kept.shown[seat])
    _show(game, seat, ())
    if kept.holder == seat:
        kept.holder = seats_after(game, seat)[0]


def take_from_resigned(kept: Document, state: Document) -> None:
    """In games that version 1 stored, a seat that had resigned during set-up was dealt craftsmen afterwards: they leave
    the game."""
    for seat, own in enumerate(kept["shown"]):
        if state["seats"][seat]["resigned"]:
            kept["gone"], kept["shown"][seat] = [*kept["gone"], *own], []
