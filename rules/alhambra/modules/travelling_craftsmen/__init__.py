"""31 The travelling craftsmen.

Every player has two craftsmen face up, and the one whose turn it is has a third one face down. In their own turn the
ability of one of the two open ones may be used, beside the actions. At the end of the turn the used craftsman is passed
on to the left neighbour, who lays it face down; if none was used, one of the two is passed on all the same. Then the
player turns up their own craftsman that lies face down.

    mosaic_layer   one building is built in any rotation
    carpenter      the price of one building is lowered by 1 or 2
    blacksmith     the display of money cards is enlarged to six
    goldsmith      money cards worth 8 together may be taken
    coiner         one building is paid with money of the display, too
    mortar_mixer   two buildings on the market change places
    contractor     one redesign, or a building is moved to another place
    brickmaker     a building bought this turn takes the place of a built one, which is placed anew
    stonemason     at the start of the turn a money card is swapped with an open one of the same currency

Each has a file of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ...abilities import add_up
from ...declarations import PieceKind, Reason, outline_of
from ...game import Game
from ...module import Migration, Module, Stage, Step
from .blacksmith import BLACKSMITH
from .brickmaker import BRICKMAKER, note_purchase
from .carpenter import CARPENTER
from .coiner import COINER
from .contractor import CONTRACTOR
from .craftsman import CRAFTSMEN, Craftsmen
from .goldsmith import GOLDSMITH
from .mortar_mixer import MORTAR_MIXER
from .mosaic_layer import MOSAIC_LAYER, two_craftsmen
from .pass_craftsman import PASS_CRAFTSMAN, PASSING_ON, deal, leave_table, pass_on, take_from_resigned
from .stonemason import STONEMASON

if TYPE_CHECKING:
    from ...determinize import Secrets

__all__ = ["CRAFTSMEN", "MODULE", "Craftsmen"]

ABILITIES = (
    *(MOSAIC_LAYER, CARPENTER, BLACKSMITH, GOLDSMITH, COINER, MORTAR_MIXER, CONTRACTOR, BRICKMAKER, STONEMASON),
)
POOL = "craftsman"


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the open craftsmen before their owners, and the one face down: everybody knows it but for the first
    turn."""
    kept = game.module_state(Craftsmen)
    for seat, own in enumerate(kept.shown):
        for piece in own:
            used = {"choice": "used"} if piece in game.state.used else {}
            yield {"kind": "craftsman", "piece": piece, "seat": seat, **used}
    if kept.hidden:
        known = {} if kept.secret else {"piece": kept.hidden}
        yield {"kind": "craftsman", **known, "seat": kept.holder, "choice": "face_down"}


def private_pieces(game: Game, seat: int) -> Iterator[dict[str, Any]]:
    """Yield the craftsman that lies face down, which its holder may look at."""
    kept = game.module_state(Craftsmen)
    if kept.hidden and kept.holder == seat:
        yield {"kind": "craftsman", "piece": kept.hidden, "seat": seat, "choice": "face_down"}


def secrets(game: Game, viewer: int | None, pools: Secrets) -> None:
    """In the first turn the one face down could be any that was not dealt."""
    kept = game.module_state(Craftsmen)
    if kept.secret and viewer != kept.holder:
        pools.add(POOL, (kept.hidden,), partial(_put_face_down, game))
        pools.add(POOL, kept.undealt, partial(_leave_undealt, game))


def _put_face_down(game: Game, pieces: tuple[str, ...]) -> None:
    (game.module_state(Craftsmen).hidden,) = pieces


def _leave_undealt(game: Game, pieces: tuple[str, ...]) -> None:
    game.module_state(Craftsmen).undealt = tuple(sorted(pieces))


def census(game: Game) -> Iterator[str]:
    """Yield all that were shuffled, wherever they are."""
    kept = game.module_state(Craftsmen)
    yield from (piece for own in kept.shown for piece in own)
    yield from (*filter(None, (kept.hidden,)), *kept.undealt, *kept.gone)


MODULE = add_up(
    Module(
        number=31,
        key="travelling_craftsmen",
        migrations=(Migration(change=take_from_resigned),),
        events={
            "craftsmen_dealt": "The craftsmen were dealt.",
            "craftsman_used": "A seat used a craftsman.",
            "craftsman_passed": "A seat passed a craftsman on to its left neighbour.",
            "craftsman_turned": "A seat turned up the craftsman that lay face down before it.",
            "craftsman_shown": "The start player turned up the craftsman that only that player knew.",
        },
        reasons=(Reason("USED_UP", "Only one craftsman may be used in a turn.", ("craftsman", "turn")),),
        piece_kinds=(
            PieceKind(
                "craftsman",
                "A craftsman before its owner; `choice` is `used` if it was used this turn, `face_down` if it cannot be"
                " used yet.",
                outline_of("craftsman"),
                dim=("used", "face_down"),
                individual=True,
            ),
        ),
        state=Craftsmen,
        pieces=tuple(CRAFTSMEN),
        verbs=(PASS_CRAFTSMAN,),
        decisions=(PASSING_ON,),
        stages=(Stage("turn.craftsman", before="turn.confirm"),),
        steps=(Step("setup.begin", deal), Step("turn.craftsman", pass_on)),
        vetoes={"add": two_craftsmen, "swap": two_craftsmen, "move_tile": two_craftsmen},
        reactions={"acquired": note_purchase, "resigned": leave_table},
        public_pieces=public_pieces,
        private_pieces=private_pieces,
        secrets=secrets,
        census=census,
    ),
    ABILITIES,
)
