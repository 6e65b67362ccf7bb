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
from .game_change import GameChange
from .game_commands import ChangeResult, GameCommands, running
from .loaded_game import LoadedGame, Proposal


def take_back(
    commands: GameCommands, game: str, seat: int, version: int, request: Request | None = None, *, link: str = ""
) -> ChangeResult:
    """Take the last move of the seat back, or store a proposal if others have to agree."""
    commands.load(game)

    def prepare(loaded: LoadedGame) -> GameChange:
        _require_version(loaded, version, link)
        if loaded.undos >= limits.UNDOS_PER_GAME:
            raise IllegalMove([Violation("UNDO_REFUSED", because="limit")])
        if loaded.under_other_rules:
            raise IllegalMove([Violation("UNDO_REFUSED", because="revealed")])
        refused = running(loaded).can_undo(seat)
        if refused is None:
            return _undone(commands, game, loaded, seat)
        if running(loaded).can_undo(seat, consent=True) is not None:
            raise IllegalMove([refused])
        others = voters(loaded, seat)
        if not others:
            return _undone(commands, game, loaded, seat)
        change = GameChange(loaded, commands.now())
        if loaded.proposal is None or loaded.proposal.seat != seat:
            change.propose_undo(Proposal(seat, loaded.version, others))
        return change  # a proposal that exists already keeps its answers

    return commands.change(game, prepare, request, min_version=version)


def answer_proposal(
    commands: GameCommands,
    game: str,
    seat: int,
    asking: int,
    agree: bool,
    version: int,
    request: Request | None,
    *,
    link: str = "",
) -> ChangeResult:
    """Store that `seat` agrees to the undo of the seat `asking`, or refuses it. The last consent takes the move
    back."""
    commands.load(game)

    def prepare(loaded: LoadedGame) -> GameChange:
        _require_version(loaded, version, link)
        proposal = loaded.proposal if not loaded.under_other_rules else None
        if proposal is None or proposal.seat != asking or seat not in proposal.waiting_for:
            raise IllegalMove([Violation("UNDO_REFUSED", because="no_proposal")])
        left = tuple(other for other in proposal.waiting_for if other != seat)
        if agree and not left:
            return _undone(commands, game, loaded, asking)
        change = GameChange(loaded, commands.now())
        change.propose_undo(replace(proposal, waiting_for=left) if agree else None)
        return change

    return commands.change(game, prepare, request, min_version=version)


def voters(loaded: LoadedGame, seat: int) -> tuple[int, ...]:
    """Return the other seats that must agree to an undo: all persons who have not resigned."""
    game = running(loaded)
    return tuple(
        number
        for number, holder in enumerate(loaded.seats)
        if number != seat and not holder.server_player and not game.state.seats[number].resigned
    )


def _undone(commands: GameCommands, game: str, loaded: LoadedGame, seat: int) -> GameChange:
    change = GameChange(loaded, commands.now())
    change.undo(seat, commands.replay.retraced(game, loaded))
    return change


def _require_version(loaded: LoadedGame, version: int, link: str) -> None:
    running(loaded)
    if version != loaded.version or not loaded.stored.link.startswith(link):
        raise Refusal.stale(loaded.version)
