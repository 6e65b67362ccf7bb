"""Undo: a seat takes its last move back, at once or after the others have agreed.

The rules decide which moves can be taken back (`Game.can_undo`). If that needs consent, the service stores a proposal
beside the game until every other person has agreed, one has refused, or the game has gone on. A game allows a limited
number of undos.
"""

from __future__ import annotations

from dataclasses import replace

from alhambra import IllegalMove, Violation

from .. import limits
from ..messages.refusals import Refusal
from ..store import Request
from .automatic.progress import Progress
from .table import Proposal, Table
from .tables import Tables, Told, running


def take_back(
    tables: Tables, game: str, seat: int, version: int, request: Request | None = None, *, link: str = ""
) -> Told:
    """Take the last move of the seat back, or store a proposal if others have to agree. Return what happened."""
    tables.load(game)

    def judge(table: Table) -> Progress:
        _require_version(table, version, link)
        if table.undos >= limits.UNDOS_PER_GAME:
            raise IllegalMove([Violation("UNDO_REFUSED", because="limit")])
        if table.foreign:
            raise IllegalMove([Violation("UNDO_REFUSED", because="revealed")])
        refused = running(table).can_undo(seat)
        if refused is None:
            return _undone(tables, game, table, seat)
        if running(table).can_undo(seat, consent=True) is not None:
            raise IllegalMove([refused])
        others = voters(table, seat)
        if not others:
            return _undone(tables, game, table, seat)
        progress = Progress(table, tables.now())
        if table.proposal is None or table.proposal.seat != seat:
            progress.propose_undo(Proposal(seat, table.version, others))
        return progress  # a proposal that exists already keeps its answers

    return tables.change(game, judge, request, min_version=version)


def answer_proposal(
    tables: Tables,
    game: str,
    seat: int,
    asking: int,
    agree: bool,
    version: int,
    request: Request | None,
    *,
    link: str = "",
) -> Told:
    """Store that `seat` agrees to the undo of the seat `asking`, or refuses it. The last consent takes the move back.
    Return what happened."""
    tables.load(game)

    def judge(table: Table) -> Progress:
        _require_version(table, version, link)
        proposal = table.proposal if not table.foreign else None
        if proposal is None or proposal.seat != asking or seat not in proposal.waiting_for:
            raise IllegalMove([Violation("UNDO_REFUSED", because="no_proposal")])
        left = tuple(other for other in proposal.waiting_for if other != seat)
        if agree and not left:
            return _undone(tables, game, table, asking)
        progress = Progress(table, tables.now())
        progress.propose_undo(replace(proposal, waiting_for=left) if agree else None)
        return progress

    return tables.change(game, judge, request, min_version=version)


def voters(table: Table, seat: int) -> tuple[int, ...]:
    """Return the other seats that must agree to an undo: all persons who have not resigned."""
    game = running(table)
    return tuple(
        number
        for number, holder in enumerate(table.seats)
        if number != seat and not holder.server_player and not game.state.seats[number].resigned
    )


def _undone(tables: Tables, game: str, table: Table, seat: int) -> Progress:
    progress = Progress(table, tables.now())
    progress.undo(seat, tables.replay.retraced(game, table))
    return progress


def _require_version(table: Table, version: int, link: str) -> None:
    running(table)
    if version != table.version or not table.record.link.startswith(link):
        raise Refusal.stale(table.version)
